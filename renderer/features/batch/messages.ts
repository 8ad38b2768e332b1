import type {
  Batch,
  BatchKind,
  BatchWant,
  Bounds,
  ColumnRole,
  ResultColumn,
  RowProgress,
  RowResult,
  RowSource,
  TableFormat,
} from '../../../shared/domain/batch.ts';
import { countedText } from '../../../shared/domain/text/figures.ts';
import type { Tone } from '../../components/marks.tsx';
import { capital, countOf, formatClock, formatDate, formatNumber, formatWhen } from '../../lib/text/format.ts';

// The texts of batches. What may be said of money comes as claims, which money-claims.tsx renders.

export const kindNames: Readonly<Record<BatchKind, string>> = {
  addresses: 'Addresses',
  postcodes: 'Postcodes',
  organisations: 'Organisations with a town',
  'premise-ids': 'Premise ids',
  udprns: 'UDPRNs',
};

const kindNouns: Readonly<Record<BatchKind, [string, string]>> = {
  addresses: ['address', 'addresses'],
  postcodes: ['postcode', 'postcodes'],
  organisations: ['organisation', 'organisations'],
  'premise-ids': ['premise id', 'premise ids'],
  udprns: ['UDPRN', 'UDPRNs'],
};

export const wantNames: Readonly<Record<BatchWant, string>> = {
  exists: 'Does it exist',
  full: 'The address in full',
  coordinates: 'Coordinates',
  uprn: 'UPRN',
  udprn: 'UDPRN',
  'all-premises': 'All premises there',
  area: 'Grid reference and area',
  distance: 'Distance from one place',
};

const wantNouns: Readonly<Record<BatchWant, string>> = {
  exists: 'whether it exists',
  full: 'the address in full',
  coordinates: 'coordinates',
  uprn: 'UPRN',
  udprn: 'UDPRN',
  'all-premises': 'all premises there',
  area: 'grid reference and area',
  distance: 'distance',
};

export const roleNames: Readonly<Record<ColumnRole, string>> = {
  unused: 'Not used',
  address: 'Address',
  organisation: 'Organisation',
  'sub-building': 'Flat or unit',
  building: 'Building name',
  number: 'Number',
  street: 'Street',
  locality: 'Locality',
  town: 'Town',
  county: 'County',
  postcode: 'Postcode',
  'po-box': 'PO box',
  'premise-id': 'Premise id',
  udprn: 'UDPRN',
};

export const encodingNames: Readonly<Record<TableFormat['encoding'], string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
};

export const separatorNames: Readonly<Record<string, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
};

const progressNames: Readonly<Record<RowProgress, string>> = {
  waiting: 'waiting',
  'at-work': 'at work',
  done: 'done',
  stopped: 'stopped',
  unknown: 'unknown',
  failed: 'failed',
  malformed: 'malformed',
};

/** The progress of a row of a batch. Only a run that broke off leaves rows at work. */
export const progressText = (progress: RowProgress, { state }: Pick<Batch, 'state'>): string =>
  progress === 'at-work' && state !== 'running' ? 'cut off' : progressNames[progress];

/** The colour of a word; the same as the part of the bar beside it. */
export const progressTones: Readonly<Record<RowProgress, Tone | 't2'>> = {
  waiting: 't2',
  'at-work': 'accent',
  done: 'good',
  stopped: 't2',
  unknown: 'warn',
  failed: 'danger',
  malformed: 't2',
};

export const resultNames: Readonly<Record<RowResult, string>> = {
  exact: 'exact',
  differs: 'differs',
  'premise-not-found': 'premise not found',
  several: 'several',
  none: 'none',
  'not-asked': 'no result',
};

export const stateNames: Readonly<Record<Batch['state'], string>> = {
  planned: 'planned',
  running: 'running',
  paused: 'paused',
  waiting: 'waiting for you',
  stopped: 'stopped',
  done: 'done',
};

export const resultColumnNames: Readonly<Record<ResultColumn, string>> = {
  ac_result: 'what the matching found',
  ac_address: 'the address as the service writes it',
  ac_progress: 'the state of the row',
  ac_premise_id: 'premise id',
  ac_reason: 'a code for scripts',
  ac_not_used: 'words that were not used',
  ac_source: 'asked, saved or same as a row',
  ac_credits: 'credits that its calls count for',
  ac_latitude: 'latitude',
  ac_longitude: 'longitude',
  ac_uprn: 'UPRN',
  ac_udprn: 'UDPRN',
  ac_grid_reference: 'grid reference',
  ac_area: 'area',
  ac_distance_m: 'distance in metres',
  ac_premises: 'all premises there',
  ac_return_code: 'a Return_Code other than that of success',
  ac_batch: 'the batch’s number',
  ac_row_hash: 'a check that the row is unchanged',
  ac_acknowledgement: 'the line that the provider asks for',
};

/** "214 to 260", or "214" if both are the same. */
export const formatBounds = ({ least, most }: Bounds): string =>
  least === most ? formatNumber(most) : `${formatNumber(least)} to ${formatNumber(most)}`;

/** "214 to 260 credits", "1 credit", "free"; null: "price unknown". */
export function formatCreditBounds(bounds: Bounds | null): string {
  if (bounds === null) return 'price unknown';
  if (bounds.most === 0) return 'free';
  return `${formatBounds(bounds)} ${bounds.most === 1 ? 'credit' : 'credits'}`;
}

/** What a row's own calls count for: "0", "1", "0 or 1", "0 to 3". */
export const formatRowCredits = ({ least, most }: Bounds): string =>
  most === least + 1 ? `${least} or ${most}` : formatBounds({ least, most });

const kindCount = (kind: BatchKind, count: number): string => countOf(count, ...kindNouns[kind]);

/** What the batch is for: "Do 312 addresses exist", "Coordinates and UPRN of 40 postcodes". */
export function questionOf({ kind, wants, plan }: Pick<Batch, 'kind' | 'wants' | 'plan'>): string {
  const { total } = plan.rows;
  if (wants.length === 1 && wants[0] === 'exists')
    return `${total === 1 ? 'Does' : 'Do'} ${kindCount(kind, total)} exist`;
  const asked = wants.length > 1 ? wants.filter((want) => want !== 'exists') : wants;
  const list = new Intl.ListFormat('en-GB').format(asked.map((want) => wantNouns[want]));
  return `${capital(list)} of ${kindCount(kind, total)}`;
}

/** "saved 14 Nov 2026", "asked 10:14:11", "same as row 96", "in the file already"; empty: none yet. */
export function sourceText(source: RowSource | null, row: number): string {
  switch (source?.kind) {
    case 'asked':
      return new Date().toDateString() === new Date(source.at).toDateString()
        ? `asked ${formatClock(source.at)}`
        : `asked ${formatWhen(source.at)}`;
    case 'saved':
      return `saved ${formatDate(source.at)}`;
    case 'same':
      // A row that shares only a search with another row is described as its own.
      return source.row === row ? 'same search' : `same as row ${formatNumber(source.row)}`;
    case 'earlier-file':
      return 'in the file already';
    case undefined:
      return '';
  }
}

/** "about 40 s", "about 4 min", "about 3 h". */
export function aboutTime(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`;
  return `about ${Math.round(seconds / 3600)} h`;
}

/** Rows whose turn is still to come or that are at work. */
export const rowsToGo = ({ progress }: Batch): number => progress.waiting + progress['at-work'];

/** "5 of 8 rows to go". Of the others not all are done: some cannot be asked. */
export const toGoText = (batch: Batch): string =>
  `${formatNumber(rowsToGo(batch))} of ${countOf(batch.plan.rows.total, 'row')} to go`;

/** Rows that have a result. */
export const answeredRows = ({ results }: Batch): number =>
  results.exact + results.differs + results['premise-not-found'] + results.several + results.none;

/** Why a batch is not running and what is left of it, for its line in the list. */
export function standText(batch: Batch): string {
  const { state, wait, left, plan, credits } = batch;
  if (state === 'planned') return `${countOf(plan.rows.total, 'row')}, nothing sent`;
  if (state === 'done') return `${countOf(plan.rows.total, 'row')}, ${countedText(credits.counted)}`;
  if (state === 'running') return toGoText(batch);
  const rest = `${formatNumber(left.rows)} of ${formatNumber(plan.rows.total)} not done`;
  return state === 'waiting' && wait ? `${wait.title}, ${formatNumber(left.rows)} not done` : rest;
}
