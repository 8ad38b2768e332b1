/** Columns of the word index: one for each field, so that a search can be limited to some fields. */
export const wordColumns = [
  'organisation',
  'department',
  'sub_building',
  'building',
  'number',
  'street',
  'locality',
  'town',
  'postcode',
  'county',
] as const;

export type WordColumn = (typeof wordColumns)[number];

/**
 * Premises are numbered n = 0, 1, 2 … in postcode order, so the premises of a postcode have consecutive numbers.
 * Town names, counties and wards are looked up in the town list by number and are not stored.
 * The word index stores no text (content='') and no positions (detail=column): no search here needs
 * adjacent words, and each of the two halves its size and the time to build it. The ascii tokenizer is enough because
 * splitWords has already folded the text.
 */
export const schemaSql = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE street (
  s INTEGER PRIMARY KEY, id TEXT NOT NULL, thoroughfare TEXT NOT NULL, dependent_thoroughfare TEXT NOT NULL,
  double_dependent_locality TEXT NOT NULL, dependent_locality TEXT NOT NULL, town INTEGER NOT NULL, outward TEXT NOT NULL
) STRICT;
CREATE TABLE postcode (
  p INTEGER PRIMARY KEY, postcode TEXT NOT NULL, compact TEXT NOT NULL, outward TEXT NOT NULL, town INTEGER NOT NULL,
  ward INTEGER NOT NULL, mailsort TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL
) STRICT;
CREATE TABLE premise (
  n INTEGER PRIMARY KEY, id TEXT NOT NULL, udprn TEXT NOT NULL, uprn TEXT NOT NULL, organisation TEXT NOT NULL,
  department TEXT NOT NULL, sub_building TEXT NOT NULL, building_name TEXT NOT NULL, building_number TEXT NOT NULL,
  po_box TEXT NOT NULL, category TEXT NOT NULL, suffix TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL,
  easting INTEGER, northing INTEGER, p INTEGER NOT NULL, s INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE words USING fts5(${wordColumns.join(', ')}, content='', detail=column, columnsize=0, tokenize='ascii');
`;

/** Created after the rows are inserted, which is several times faster than updating the indexes at each row. */
export const indexSql = `
CREATE UNIQUE INDEX premise_id ON premise (id);
CREATE UNIQUE INDEX premise_udprn ON premise (udprn);
CREATE UNIQUE INDEX premise_uprn ON premise (uprn);
CREATE INDEX premise_street ON premise (s);
CREATE INDEX premise_po_box ON premise (po_box) WHERE po_box <> '';
CREATE UNIQUE INDEX street_id ON street (id);
CREATE INDEX street_outward ON street (outward);
CREATE UNIQUE INDEX postcode_compact ON postcode (compact);
CREATE INDEX postcode_outward ON postcode (outward);
`;
