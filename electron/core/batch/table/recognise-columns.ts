import { maybeCountry } from '../../../../shared/domain/address/area-names.ts';
import { checkPostcode } from '../../../../shared/domain/address/postcode.ts';
import type { BatchKind, ColumnRole } from '../../../../shared/domain/batch.ts';

/** What a column is taken for, and why. `content`: its name says nothing, so a person should look. */
interface RecognisedColumn {
  meaning: ColumnRole;
  by: 'name-and-content' | 'name' | 'content' | 'none';
  /** Cells of an identifier with fewer than 8 digits, which are read with zeros before them. */
  padded: number;
}

export interface RecognisedColumns {
  columns: RecognisedColumn[];
  /** What the rows may be, the likeliest first; empty: nothing that could be asked was found. */
  kinds: BatchKind[];
}

const names: readonly (readonly [ColumnRole, RegExp])[] = [
  ['udprn', /^(royal mail )?udprn$/],
  ['premise-id', /^(premises? ?(id|no|number|key|identifier)|unique delivery point|(ac )?premise id)$/],
  ['postcode', /^(post ?code|pc|zip( ?code)?|postal ?code|p code|cod post|côd post)$/],
  ['po-box', /^(po|p o|post office) ?box( no| number)?$/],
  [
    'organisation',
    /^(organi[sz]ation|company|business|firm|employer|org|trading|account|customer|client|supplier)( ?name)?$/,
  ],
  [
    'sub-building',
    /^(flat|apartment|apt|unit|sub ?building|sub ?premises?)( ?(name|no|number)( (or )?(name|no|number))?)?$/,
  ],
  ['building', /^(building|house|property)( ?name)?$/],
  [
    'number',
    /^(building|house|street|property|premises?)? ?(no|number|num|nr)$|^(building|house|property|premises?) (name (or |and )?(no|number)|(no|number) (or |and )?name)$/,
  ],
  ['street', /^(street|road|thoroughfare)( ?name)?$/],
  ['locality', /^(dependent |double dependent )?(locality|village|district|suburb|area)$/],
  ['town', /^(post ?)?(town|city)( ?(name|or city|city))?$/],
  [
    'address',
    /^(full |postal |delivery |billing |mailing |street )?(address|addr|add)( ?(line)? ?\d)?$|^line ?\d$|^site address$|^(first|second|third|fourth) line of address$/,
  ],
];

/** If a column of organisations is beside it, it is that one. */
const mayBePerson = /customer|client|account|supplier/;

/** A column name as plain words: "PostCode_1" is "post code 1". */
const plainName = (head: string): string =>
  head
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What a column of this name holds; null: the name is none of those known. */
export const meaningOf = (head: string): ColumnRole | null => {
  const plain = plainName(head);
  return names.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
};

const streetWord =
  /\b(street|st|road|rd|lane|ln|close|cl|avenue|ave|drive|dr|way|row|court|ct|crescent|place|pl|terrace|gardens|gdns|grove|walk|mews|hill|square|sq|heol|ffordd|stryd|lôn|rathad|sràid)\b/i;
/** “12 High Street”, and no number alone, nor an ordinal. */
const numberedLine = /^\d+[a-z]?\b.*\p{L}{3}/iu;
/** A cell that is a flat and nothing else. “Office 365” and “Room 3” are as often a product and a booking. */
const flatAlone =
  /^((flat|apartment|apt|unit|suite|maisonette)\.?\s*(no\.?\s*)?([a-z]?\d+[a-z]?|[a-z]|\d+f\d+)|(ground|first|second|third|fourth|top|basement|garden)\s+(floor(\s+flat)?|flat)|\d{1,2}f\d{1,2})$/i;
const companyWord = /\b(ltd|limited|plc|llp|cic|inc|& (sons|co|daughters)|group|company|trust|school|services)\b\.?/i;

/** Without the apostrophe that marks a cell as text in some exports. */
const postcodeStateOf = (cell: string) => checkPostcode(cell.replace(/^['’]/, '')).state;
const isPostcode = (cell: string): boolean => postcodeStateOf(cell) === 'well-formed';
/** The end of a text that reads as a postcode, in its first group, maybe before a country; the source of an expression. */
export const endingPostcode = `([a-z]{1,2}\\d[a-z\\d]?\\s*\\d[a-z]{2})\\.?${maybeCountry}$`;
const postcodeAtEnd = new RegExp(endingPostcode, 'i');
export const endsInPostcode = (cell: string): boolean => postcodeAtEnd.test(cell.trim());
const isIdentifier = (cell: string): boolean => /^\d{8}$/.test(cell.trim());
/** However a spreadsheet has written it: without its zeros, with separators, as 2.84E+07. */
const isNumber = (cell: string): boolean => /^\d[\d.,]*(?:e\+?\d+)?$/i.test(cell);

/** Whether the cells of a column may be what its name says. */
const fits: Partial<Record<ColumnRole, (cell: string) => boolean>> = {
  postcode: (cell) => isPostcode(cell) || postcodeStateOf(cell) === 'malformed',
  udprn: isNumber,
  // The number of a house and the running number of a list are shorter.
  'premise-id': (cell) => isNumber(cell) && cell.length > 4,
  // C-1001 is a customer number, whatever its column is called.
  organisation: (cell) => /\p{L}{3}/u.test(cell) && !/^[a-z]{1,4}[-_ ]?\d+$/i.test(cell),
  // A house without a number may have a name, and a flat before it.
  number: (cell) => /^(?:\d|(?:flat|apartment|apt|unit|suite)\b)/i.test(cell) || cell.length < 12 || !/\d/.test(cell),
};

/** What a column's cells look like; null: nothing in particular. */
function byContent(cells: readonly string[]): ColumnRole | null {
  const share = (test: (cell: string) => boolean) => cells.filter(test).length / cells.length;
  if (cells.length === 0) return null;
  if (share(isPostcode) >= 0.6) return 'postcode';
  if (share(isIdentifier) >= 0.9) return 'premise-id';
  if (share((cell) => endsInPostcode(cell) && cell.length > 12) >= 0.6) return 'address';
  if (
    share((cell) => numberedLine.test(cell) || streetWord.test(cell) || flatAlone.test(cell)) >= 0.6 &&
    share((cell) => /\p{L}/u.test(cell)) >= 0.9
  )
    return 'address';
  if (share((cell) => companyWord.test(cell)) >= 0.4) return 'organisation';
  return null;
}

/** What each column holds, by its name and by its first cells, and what the rows can then be. Pure. */
export function recogniseColumns(
  heads: readonly string[],
  header: boolean,
  rows: readonly (readonly string[])[],
): RecognisedColumns {
  const taken = new Set<ColumnRole>();
  const columns = heads.map((head, index): RecognisedColumn => {
    const cells = rows.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '');
    const named = header ? meaningOf(head) : null;
    const seen = byContent(cells);
    const short = cells.filter((cell) => /^\d{1,7}$/.test(cell)).length;
    const count = (meaning: ColumnRole) => (meaning === 'premise-id' || meaning === 'udprn' ? short : 0);
    const fit = named === null ? undefined : fits[named];
    // "Customer" is a name for many things: with none of what it may mean in its cells it says nothing.
    const isRefuted = fit !== undefined && cells.length > 0 && cells.filter(fit).length < cells.length / 2;
    if (named !== null && !isRefuted) {
      const isSure = cells.length > 0 && !(named === 'organisation' && mayBePerson.test(plainName(head)));
      return { meaning: named, by: isSure ? 'name-and-content' : 'name', padded: count(named) };
    }
    if (seen !== null) return { meaning: seen, by: 'content', padded: count(seen) };
    return { meaning: 'unused', by: 'none', padded: 0 };
  });
  // Of several columns that could each be the only one, the first with a name is taken; of postcodes the first that has an address.
  const addressOwners = ownersOf(heads, columns);
  const hasAddress = (column: RecognisedColumn): number =>
    column.meaning === 'postcode' && addressOwners.includes(ownerOf(plainName(heads[columns.indexOf(column)] ?? '')))
      ? 1
      : 0;
  const byTrust = columns.toSorted((a, b) => trust(b) - trust(a) || hasAddress(b) - hasAddress(a));
  for (const column of byTrust) {
    if (column.meaning === 'unused' || column.meaning === 'address' || column.meaning === 'locality') continue;
    if (taken.has(column.meaning)) Object.assign(column, { meaning: 'unused', by: 'none' });
    taken.add(column.meaning);
  }
  takeOtherLines(heads, columns);
  leaveOtherNumbers(heads, columns, rows);
  takeSuffix(heads, columns, rows);
  keepOneAddress(heads, columns, rows);
  return { columns, kinds: kindsOf(columns) };
}

/** “No” beside addresses or streets most of which begin with a number of their own is that of the list or of customers, or says it again. */
function leaveOtherNumbers(
  heads: readonly string[],
  columns: readonly RecognisedColumn[],
  rows: readonly (readonly string[])[],
): void {
  const isNumbered = (row: readonly string[]) =>
    columns.some(
      ({ meaning }, index) =>
        (meaning === 'address' || meaning === 'street') && numberedLine.test((row[index] ?? '').trim()),
    );
  if (rows.filter(isNumbered).length <= rows.length / 2) return;
  for (const [index, column] of columns.entries())
    if (column.meaning === 'number' && /^(no|number|num|nr)$/.test(plainName(heads[index] ?? '')))
      Object.assign(column, { meaning: 'unused', by: 'none' });
}

/** “Site Line 2” beside a “Site Line 1” with addresses in it is a line of them, whatever it says; “Order Line 2” beside goods is none. */
function takeOtherLines(heads: readonly string[], columns: readonly RecognisedColumn[]): void {
  const familyOf = (index: number) =>
    /^(.*\b(?:address|addr|add|line|ln|street)) ?\d$/.exec(plainName(heads[index] ?? ''))?.[1];
  const take = (index: number, beside: number) => {
    const [column, other] = [columns[index], columns[beside]];
    const family = familyOf(index);
    if (
      column?.meaning === 'unused' &&
      other?.meaning === 'address' &&
      family !== undefined &&
      family === familyOf(beside)
    )
      Object.assign(column, { meaning: 'address', by: 'content' });
  };
  for (const index of columns.keys()) take(index, index - 1);
  for (const index of [...columns.keys()].reverse()) take(index, index + 1);
}

/** The letter of a house number in a column of its own; “Jr” in a column of that name is no letter. */
function takeSuffix(
  heads: readonly string[],
  columns: readonly RecognisedColumn[],
  rows: readonly (readonly string[])[],
): void {
  for (const [index, column] of columns.entries())
    if (
      /^((building|house|street|property) )?((no|number) )?suffix$/.test(plainName(heads[index] ?? '')) &&
      columns[index - 1]?.meaning === 'number' &&
      rows.every((row) => /^\s*[a-z]?\s*$/i.test(row[index] ?? ''))
    )
      Object.assign(column, { meaning: 'number', by: 'name' });
}

const trust = ({ by }: RecognisedColumn): number => ['none', 'content', 'name', 'name-and-content'].indexOf(by);

/** What says in a name whose an address is. */
const owners =
  /\b(agent|alternative|billing|bill|business|collection|contact|correspondence|current|delivery|employer|forwarding|former|home|invoice|landlord|mailing|new|office|old|other|owner|permanent|previous|registered|shipping|ship|site|supplier|temporary|tenant|trading|work)\b/g;

const ownerOf = (name: string): string => (name.match(owners) ?? []).join(' ');

/** Whose address each column is by its name; '': nobody's; null: it is none, or its name does not say address. */
function ownersOf(heads: readonly string[], columns: readonly RecognisedColumn[]): (string | null)[] {
  let before = '';
  return columns.map(({ meaning }, index) => {
    const name = plainName(heads[index] ?? '');
    if (meaning !== 'address' || !/\b(address|addr|add|line|ln|street)\d*\b/.test(name)) return null;
    const own = ownerOf(name);
    // “Address 2” after “Delivery Address” is its second line.
    if (own !== '' || !/[2-9]|second|third|continued/.test(name)) before = own;
    return before;
  });
}

/**
 * A row is asked for one address: of several owners’ that of the postcode, else nobody’s, else the first with anything in it. Whatever else
 * a name says, “first line” or “(required)”, its column is of the same address.
 */
function keepOneAddress(
  heads: readonly string[],
  columns: readonly RecognisedColumn[],
  rows: readonly (readonly string[])[],
): void {
  const owners = ownersOf(heads, columns);
  const filled = owners.filter((owner, index) => owner !== null && columns[index]?.by !== 'name');
  const postcode = columns.findIndex(({ meaning }) => meaning === 'postcode');
  const endsSo = (index: number) => rows.filter((row) => endsInPostcode(row[index] ?? '')).length > rows.length / 2;
  const ofPostcode =
    postcode === -1 ? owners.find((_, index) => endsSo(index)) : ownerOf(plainName(heads[postcode] ?? ''));
  const used = [ofPostcode ?? '', '', ...filled].find((owner) => filled.includes(owner));
  if (used === undefined) return;
  for (const [index, column] of columns.entries())
    if (owners[index] !== null && owners[index] !== used) Object.assign(column, { meaning: 'unused', by: 'none' });
}

/**
 * What rows with such columns can be, the one that uses most of them first. Eight digits are an account or a date as often as a premise id:
 * unless their column says so by its name, whatever else the rows can be comes before. Pure.
 */
function kindsOf(columns: readonly RecognisedColumn[]): BatchKind[] {
  const has = (...meanings: ColumnRole[]) => columns.some(({ meaning }) => meanings.includes(meaning));
  const kinds: BatchKind[] = [];
  const hasPremise = has('address', 'sub-building', 'building', 'number', 'street', 'po-box');
  if ((hasPremise && has('postcode')) || has('address') || (has('postcode') && has('organisation')))
    kinds.push('addresses');
  if (has('postcode')) kinds.push('postcodes');
  if (has('organisation') && has('town', 'postcode')) kinds.push('organisations');
  const ids = columns.find(({ meaning }) => meaning === 'premise-id');
  if (ids?.by === 'content') kinds.push('premise-ids');
  else if (ids) kinds.unshift('premise-ids');
  if (has('udprn')) kinds.unshift('udprns');
  return kinds;
}
