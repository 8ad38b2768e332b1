import { checkPostcode } from '../../../../shared/domain/address/postcode.ts';
import { type BatchKind, type ColumnRole, isIdKind } from '../../../../shared/domain/batch.ts';
import type { RowProblem, UnderstoodRow } from '../../../../shared/domain/text/table.ts';
import { readAddress } from '../match/address-parts.ts';
import { endingPostcode } from './recognise-columns.ts';

/** How the columns of a table are understood. */
export interface RowFormat {
  kind: BatchKind;
  /** Names of the columns. */
  heads: readonly string[];
  /** One a column; what is beyond is unused. */
  columns: readonly ColumnRole[];
}

const isFilled = (cell: string): boolean => cell.trim() !== '';

/** What is tidy already; most cells are. */
const isTidy = (cell: string): boolean => !/[^\S ]| {2}|^ | $|,/.test(cell);

/** Line breaks and runs of blanks within a cell separate nothing. */
const tidy = (cell: string): string => (isTidy(cell) ? cell : tidied(cell));

const tidied = (cell: string): string =>
  cell
    .replace(/[\r\n]+/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/(?:\s*,)+\s*/g, ', ')
    .replace(/^[\s,]+|[\s,]+$/g, '');

const premiseMeanings: readonly ColumnRole[] = [
  'po-box',
  'sub-building',
  'building',
  'number',
  'street',
  'address',
  'locality',
];

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const year = '(?:\\d{2}|\\d{4})';
const datePattern = new RegExp(
  `^(?:\\d{4}-\\d{2}-\\d{2}(?:[ T].*)?|\\d{1,2}/\\d{1,2}/${year}|\\d{1,2}[- ]${month}(?:[- ]${year})?|${month}-\\d{1,2})$`,
  'i',
);

/** What a spreadsheet makes of a range such as 12-14 and of 12/4. */
const isDate = (cell: string): boolean => datePattern.test(cell.trim());

/** "3" in a column of flats is a flat, in one of units a unit, and "12" in one of PO boxes a box. */
function named(meaning: ColumnRole, text: string, head: string): string {
  if (meaning === 'sub-building' && /^\d+[a-z]?$|^[a-z]$/i.test(text))
    return `${/^\s*unit/i.test(head) ? 'Unit' : 'Flat'} ${text}`;
  if (meaning === 'po-box' && /^\d+$/.test(text)) return `PO Box ${text}`;
  return text;
}

/**
 * Without what another part says already: a whole part of it between commas, or a number with what it is the number of, since said twice
 * it reads as two. Other words may be a name of their own within it: “Mill House” on “Mill House Lane”.
 */
function saidOnce(parts: readonly string[]): readonly string[] {
  if (parts.length < 2) return parts;
  const whole = parts.map((part) => `, ${part.toLowerCase()}, `);
  const words = whole.map((part) => part.replaceAll(',', ''));
  return parts.filter((part, at) => {
    // A number alone may be that of a flat there.
    const said = /\d/.test(part) && part.includes(' ') ? words : whole;
    const own = said[at] ?? '';
    return !said.some((other, place) => place !== at && other.includes(own) && (other !== own || place < at));
  });
}

const hasNumber = (text: string): boolean => readAddress(text).numbers.length > 0;

/** Numbers and flats of an organisation are not compared: those of “Unit 3” are said by the premise alone. */
const isName = (organisation: string): boolean => readAddress(organisation).flat === '' && !hasNumber(organisation);

/** A premise without the organisation it begins with, and the town and postcode it ends with, which are given beside it. */
function withoutParts(premise: string, organisation: string, town: string, postcode: string): string {
  const parts = premise.split(', ');
  const says = (place: number, other: string) =>
    parts.length > 1 && parts.at(place)?.toLowerCase() === other.toLowerCase();
  if (says(-1, postcode)) parts.pop();
  if (says(-1, town)) parts.pop();
  if (says(0, organisation) && isName(organisation)) parts.shift();
  return parts.join(', ');
}

/** Parts of a premise in envelope order: a number, also with words beside it, precedes its street without a comma, a name in its place does not. */
function joinPremise(cells: readonly string[], { heads, columns }: RowFormat): string {
  const parts: string[] = [];
  let number = '';
  for (const meaning of premiseMeanings) {
    for (const [index, column] of columns.entries()) {
      // Numbers with a gap among them become 12.0 in some exports.
      const cell = column === meaning ? tidy(cells[index] ?? '').replace(/^(\d+)\.0+$/, '$1') : '';
      const text = cell === '' ? '' : named(meaning, cell, heads[index] ?? '');
      if (text === '') continue;
      if (meaning === 'number' && (!/\p{L}{3}/u.test(text) || hasNumber(text)))
        number = number === '' ? text : `${number} ${text}`;
      else if (number !== '') {
        parts.push(`${number} ${text}`);
        number = '';
      } else parts.push(text);
    }
  }
  if (number !== '') parts.push(number);
  return saidOnce(parts).join(', ');
}

/** The end of a free text that reads as a postcode, with what precedes it. */
const trailingPostcode = new RegExp(`^(.*?)[\\s,]*(?<![\\p{L}\\p{N}\\p{M}\\uFFFD_])${endingPostcode}`, 'iu');

function joinCells(cells: readonly string[], columns: readonly ColumnRole[], meaning: ColumnRole): string {
  let joined = '';
  for (let index = 0; index < columns.length; index += 1) {
    if (columns[index] !== meaning) continue;
    const text = tidy(cells[index] ?? '');
    if (isFilled(text)) joined = joined === '' ? text : `${joined}, ${text}`;
  }
  return joined;
}

function readIdentifier(text: string): { id: string } | { problem: RowProblem } {
  const compact = text.replace(/\s/g, '');
  if (/^\d+(?:[.,]\d+)?e\+?\d+$/i.test(compact) || /^\d+[.,]0*$/.test(compact)) return { problem: 'identifier-number' };
  // A spreadsheet has dropped the zeros of a shorter one.
  if (/^\d{1,8}$/.test(compact)) return { id: compact.padStart(8, '0') };
  return { problem: 'identifier' };
}

const neededColumn: Partial<Record<BatchKind, ColumnRole>> = {
  'premise-ids': 'premise-id',
  udprns: 'udprn',
  organisations: 'organisation',
};

/** Whether any row of a table can be asked for as a kind: without its column none can. */
export const canRead = ({ kind, columns }: RowFormat): boolean => {
  const needed = neededColumn[kind];
  return needed === undefined || columns.includes(needed);
};

/** What a row asks for, with one line saying how it is understood; or why it cannot be asked. Pure. */
export function understandRow(cells: readonly string[], format: RowFormat): UnderstoodRow {
  const { kind, columns } = format;
  const refuse = (problem: RowProblem, text: string): UnderstoodRow => ({ ok: false, problem, text });
  if (!cells.some(isFilled)) return refuse('empty', '');
  // A separator in an unquoted cell shifts all that follow it: which cell is which is no longer known.
  if (cells.slice(columns.length).some(isFilled)) return refuse('cells', cells.filter(isFilled).map(tidy).join(', '));

  if (isIdKind(kind)) {
    const given = joinCells(cells, columns, kind === 'udprns' ? 'udprn' : 'premise-id');
    if (given === '') return refuse('empty', '');
    const read = readIdentifier(given);
    return 'id' in read ? { ok: true, kind, id: read.id, text: read.id } : refuse(read.problem, given);
  }

  const organisation = joinCells(cells, columns, 'organisation');
  let town = joinCells(cells, columns, 'town');
  let premise = joinPremise(cells, format);
  let typed = joinCells(cells, columns, 'postcode');
  if (typed === '') {
    const inTown = trailingPostcode.exec(town);
    const found = inTown ?? trailingPostcode.exec(premise);
    if (found) {
      typed = found[2] ?? '';
      if (inTown) town = tidy(found[1] ?? '');
      else premise = tidy(found[1] ?? '');
    }
  }
  const isNumber = (column: ColumnRole | undefined) => column === 'number' || column === 'sub-building';
  if (kind === 'addresses' && cells.some((cell, index) => isNumber(columns[index]) && isDate(cell)))
    return refuse('number-date', [organisation, premise, town, typed].filter(isFilled).join(' · '));
  premise = withoutParts(premise, organisation, town, typed);
  const described = [organisation, premise, town].filter(isFilled).join(' · ');
  const say = (end: string): string => [described, end].filter(isFilled).join(' · ');
  if (typed === '') {
    if (kind === 'postcodes' || (kind === 'addresses' && described === '')) return refuse('empty', described);
    if (kind === 'addresses') return refuse('no-postcode', described);
  }
  const postcode = typed === '' ? '' : readPostcode(typed);
  if (postcode === null) return refuse('postcode', say(typed));
  if (kind === 'postcodes') return { ok: true, kind, given: { organisation, premise, town, postcode }, text: postcode };
  if (kind === 'organisations') {
    if (organisation === '') return refuse('no-organisation', say(postcode));
    if (town === '' && postcode === '') return refuse('no-town', organisation);
    return { ok: true, kind, given: { organisation, premise, town, postcode }, text: say(postcode) };
  }
  if (premise === '' && organisation === '') return refuse('no-premise', say(postcode));
  return { ok: true, kind, given: { organisation, premise, town, postcode }, text: say(postcode) };
}

/** What may stand around or between the letters of a postcode. Letters of other alphabets stay: without them it would read as another one. */
const besidePostcode = /(?![a-z\d])[\0-\x7f]|[\s\p{P}\p{Z}\p{Cf}]/giu;

/** Upper case, one space; null: none by its form and letters. */
function readPostcode(typed: string): string | null {
  const compact = typed.replace(besidePostcode, '').toUpperCase();
  const { state, normalised, hint } = checkPostcode(compact);
  return (state === 'well-formed' || (state === 'unusual' && hint === undefined)) && normalised !== undefined
    ? normalised
    : null;
}
