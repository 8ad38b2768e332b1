/** Columns of the word index. One a field, so that a search can be held to some of them. */
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
 * Premises are numbered n = 0, 1, 2 … in postcode order, so the premises of a postcode are one run of numbers.
 * Town names, counties and wards come from the town list by number and are not stored.
 * The word index keeps no text of its own (content='') and no positions (detail=column): no search here asks for
 * neighbouring words, and both halve its size and the time to build it. The ascii tokenizer suffices because
 * splitWords has folded the text already.
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

/** Made after the rows are in: several times quicker than keeping them up to date row by row. */
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
