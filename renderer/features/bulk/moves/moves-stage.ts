import type { Bulk, BulkRow } from '../../../../shared/domain/licences/licence-bulk.ts';
import { countOf } from '../../../lib/text/format.ts';

export const nameOfRow = ({ licenceReference, licenceNumber }: BulkRow): string => licenceReference || licenceNumber;

/** Something for the row was sent, and it was not seen as planned: the rows after it wait for it. */
const isOpen = ({ state }: BulkRow): boolean =>
  state === 'on-its-way' || state === 'half-done' || state === 'unknown' || state === 'not-seen';

/** The stage of a move of everything. */
export interface MovesStage {
  kind: 'planned' | 'running' | 'waits' | 'ended';
  /** Rows that were confirmed and not left out. */
  begun: readonly BulkRow[];
  /** Rows that may still be run: the ticked ones of a plan; once it is confirmed, the confirmed ones that are not left out. */
  chosen: ReadonlySet<number>;
  waiting: readonly BulkRow[];
  open: readonly BulkRow[];
  /** Whether the machines of one of those are read again automatically. */
  isReadAgain: boolean;
  /** Rows left out before anything of them was sent. */
  leftOut: ReadonlySet<number>;
  /** Why it stopped before its end, as a sentence; null: it did not. */
  pause: string | null;
}

/** `decided`: by row number whether a person chose it, before the moves are confirmed. */
export function stageOf(bulk: Bulk, decided: ReadonlyMap<number, boolean>): MovesStage {
  const confirmed = new Set(bulk.confirmed);
  const planned = bulk.rows.filter(({ state }) => state === 'planned');
  const begunAlready = confirmed.size > 0;
  const leftOut = new Set(planned.flatMap(({ row }) => (bulk.leftOut?.includes(row) ? [row] : [])));
  // What was not confirmed stays where it is; moving it takes a new plan and a new confirmation.
  const goes = ({ row, advised }: BulkRow): boolean =>
    begunAlready ? confirmed.has(row) && !leftOut.has(row) : (decided.get(row) ?? advised);
  const chosen = new Set(planned.filter(goes).map(({ row }) => row));
  const waiting = planned.filter(({ row }) => chosen.has(row));
  const begun = bulk.rows.filter(({ row, state }) => confirmed.has(row) && state !== 'skipped' && !leftOut.has(row));
  const open = begun.filter(isOpen);
  const kind =
    bulk.state === 'running' ? 'running' : !begunAlready ? 'planned' : waiting.length > 0 ? 'waits' : 'ended';
  const isReadAgain = open.some(({ state, closed }) => state === 'on-its-way' && !closed);
  return { kind, begun, chosen, waiting, open, isReadAgain, leftOut, pause: bulk.pause };
}

export function headlineOf({ kind, begun, chosen }: MovesStage, { moveTo }: Bulk): string {
  if (kind === 'planned') return `Move ${countOf(chosen.size, 'licence')} to ${moveTo}`;
  if (begun.length === 0) return 'None of the moves was sent';
  return `${begun.filter(({ state }) => state === 'seen').length} of ${begun.length} seen on ${moveTo}`;
}

export function describeStage({ kind, open, isReadAgain, waiting, begun, pause }: MovesStage): string {
  if (kind === 'planned') return 'Nothing has been changed yet.';
  if (kind === 'running')
    return 'One after another: each is taken off, read twice, put on and read before the next begins.';
  const [first] = open;
  if (kind === 'waits') {
    const why = pause ?? (first ? `${nameOfRow(first)} was not seen as planned.` : '');
    const rest = waiting.length === begun.length ? 'None of the moves was sent.' : 'The rest was not sent.';
    return `${why} ${rest} Nothing is written automatically.`.trim();
  }
  if (begun.length === 0) return 'Each was left out.';
  if (begun.every(({ state }) => state === 'seen')) return 'Each was seen there, and not seen where it came from.';
  return `Nothing more is written automatically.${isReadAgain ? ' What is on its way is read again.' : ''}`;
}
