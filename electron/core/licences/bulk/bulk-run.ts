import type { Bulk, BulkRow } from '../../../../shared/domain/licences/licence-bulk.ts';
import { type LicenceChange, mayHaveSent } from '../../../../shared/domain/licences/licence-change.ts';
import { type AppError, type ErrorCode, failsBeforeSending } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { storageError } from '../../storage/database/errors.ts';
import type { ChangeDeps } from '../change/change-deps.ts';
import { findOld } from '../change/change-errors.ts';
import { runChange } from '../change/change-states.ts';
import { mayHaveOneSeat } from '../change/plan.ts';

/** The most changes that call the service at once; those waiting for their next read are not counted. */
const changesAtOnce = 4;
/** The most changes begun and not ended: this many may go wrong before the first of them is seen to. */
const mostUnderWay = 100;

export interface BulkRun {
  /** Asks it to stop: rows under way are finished, no further one is begun. */
  stopped: boolean;
}

interface BulkStore {
  saveHead(bulk: Bulk): void;
  saveRow(bulkId: string, row: BulkRow): void;
  onRow(bulk: Bulk, row: BulkRow): void;
  onHead(bulk: Bulk): void;
}

/** A row as its change says that it stands now. */
export function rowAfter(before: BulkRow, change: LicenceChange): BulkRow {
  // One that is over offers something, unless it was undone or nothing of it left.
  const isClosed = change.state === 'dismissed' || (change.state === 'finished' && change.offers.length === 0);
  const row = isClosed ? { ...before, closed: true } : before;
  const serviceText = change.serviceText.join(' / ');
  const at = change.steps.find(({ state }) => state === 'running');
  if (change.state === 'planned') return { ...row, state: 'planned' };
  if (change.state === 'running') {
    const where = at ? `step ${at.number} of ${change.steps.length}: ${at.text}` : 'beginning';
    return { ...row, state: 'sent', text: where, serviceText };
  }
  const said = serviceText === '' ? '' : `The service said “${serviceText}”${/[.!?]$/.test(serviceText) ? '' : '.'} `;
  const { verdict } = change;
  if (change.writes.length > 0 && change.writes.every(({ left }) => !left)) {
    // That nothing left is no reason; what refused the write is.
    const refused = change.steps.find(({ effect, state }) => effect === 'writes' && state === 'failed')?.result ?? '';
    return { ...row, state: 'failed', text: `${refused} ${change.conclusion}`.trim(), serviceText };
  }
  // Each under its own name: what an earlier version called done may not have been seen.
  if (verdict === 'seen' || verdict === 'confirmed')
    return { ...row, state: verdict, text: change.conclusion, serviceText };
  if (verdict === 'contradicted' || verdict === 'not-seen' || verdict === 'half-done' || verdict === 'on-its-way')
    return { ...row, state: verdict, text: `${said}${change.conclusion}`, serviceText };
  // Interrupted before anything left: the journal knows that no write was begun.
  if (!mayHaveSent(change)) return { ...row, state: 'failed', text: change.conclusion, serviceText };
  return { ...row, state: 'unknown', text: change.conclusion, serviceText };
}

/** Of one row alone: its machine's name, or that it was stopped. */
const ofOneRow: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['looks-like-key', 'cancelled']);
/** Answers that the next row would get too. */
const ofTheAccount: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'credentials-refused',
  'not-permitted',
  'no-credits',
  'rate-limited',
  'not-the-service',
  'client-certificate-needed',
  'client-certificate-refused',
]);

/** What is in the way of this row is in the way of each: a locked keychain, a lost network, a refused key. */
const refusesEveryRow = ({ code }: AppError): boolean =>
  ofTheAccount.has(code) || (failsBeforeSending.has(code) && !ofOneRow.has(code));

/**
 * Runs the rows, four at a time; those that share a machine, or a licence that may have one seat or fewer free than they take, one after the
 * other in their order. A row waiting for its next read lets another one go first. Each row ends in exactly one state and is sent once. The
 * first that is read and is not as planned pauses the run: rows under way end, no further one begins. Where everything goes to one machine,
 * the rows share it and so run one by one, and any that left and was not seen pauses the run, read or not. `depsNow` is asked at each row: a
 * connection that was removed or leads to another server by then pauses the run too, as does whatever would refuse the next row as well, and
 * that row stays planned. `letGo`: how a person released them, for the journal. Errors: `storage-failed`, after which the rest is not sent.
 */
export async function runBulk(
  bulk: Bulk,
  rowNumbers: readonly number[],
  depsNow: () => Result<ChangeDeps>,
  store: BulkStore,
  run: BulkRun,
  letGo: string,
): Promise<Result<Bulk>> {
  const chosen = new Set(rowNumbers);
  const waiting = bulk.rows.filter(({ row, state }) => state === 'planned' && chosen.has(row)).map(({ row }) => row);
  const busy = new Set<string>();
  const lanes = createLanes(changesAtOnce);
  let broken: AppError | null = null;
  let begun = false;
  const show = (row: BulkRow): void => {
    bulk.rows = bulk.rows.map((one) => (one.row === row.row ? row : one));
    store.onRow(bulk, row);
  };
  const put = (row: BulkRow): void => {
    store.saveRow(bulk.id, row);
    show(row);
  };
  const head = (update: Partial<Pick<Bulk, 'state' | 'pause'>>): void => {
    Object.assign(bulk, update);
    store.saveHead(bulk);
    store.onHead(bulk);
  };
  const rowOf = (number: number): BulkRow | undefined => bulk.rows.find(({ row }) => row === number);
  const takers = Map.groupBy(
    bulk.rows.filter(({ kind }) => kind === 'register'),
    ({ licenceNumber }) => licenceNumber,
  );
  /** Whether its rows wait for each other: one seat is for one of them, and a seat too few is one that another row gives back first. */
  const isScarce = ({ licence, licenceNumber }: BulkRow): boolean =>
    mayHaveOneSeat(licence) || (takers.get(licenceNumber)?.length ?? 0) > (licence?.seatsFree ?? 0);
  /** By a row's number what it shares with no other while it is under way: its machines, and its licence if seats are scarce. */
  const subjects = new Map(
    bulk.rows.map((row) => [
      row.row,
      [
        ...[row.from, row.to].flatMap((machine) => (machine === null ? [] : [`machine ${machine}`])),
        ...(isScarce(row) ? [`licence ${row.licenceNumber}`] : []),
      ],
    ]),
  );
  const subjectsOf = (number: number): string[] => subjects.get(number) ?? [];

  async function work(row: BulkRow, changeId: string): Promise<void> {
    const current = depsNow();
    if (!current.ok) {
      pauseBefore(current.error);
      return;
    }
    const deps = current.value;
    const old = findOld(bulk, deps);
    if (old) {
      pauseBefore(old);
      return;
    }
    const confirmation = `Row ${row.row} of the bulk change “${bulk.source}”, ${letGo}.`;
    const onStep = (change: LicenceChange): void => {
      const now = rowOf(row.row);
      if (change.id === changeId && now && change.state === 'running') show(rowAfter(now, change));
      deps.onStep(change);
    };
    // Stored with what its plan says: a kill before it is begun leaves it planned.
    store.saveRow(bulk.id, { ...row, state: 'sent' });
    show({ ...row, state: 'sent', text: 'reading the machine' });
    begun = true;
    const wait: ChangeDeps['ctx']['wait'] = async (ms, signal) => {
      lanes.release();
      await deps.ctx.wait(ms, signal);
      await lanes.acquire();
    };
    const done = await runChange(
      changeId,
      { name: row.to ?? row.from ?? '', ticked: row.tick !== undefined, row: confirmation },
      { ...deps, ctx: { ...deps.ctx, wait }, onStep },
    );
    if (done.ok) {
      const after = rowAfter(row, done.value);
      put(after);
      const isRead = done.value.reads.at(-1)?.found !== 'unread';
      const isUnsent = after.state === 'failed';
      if (after.state !== 'seen' && mayHaveSent(done.value) && (isRead || bulk.moveTo !== undefined))
        // What was seen stands in the row, where later reads change it; this sentence stays as it is.
        pauseAt(
          row,
          isUnsent ? `was not sent: ${after.text}` : isRead ? 'was read and was not as planned.' : 'could not be read.',
        );
      return;
    }
    const change = deps.store.change(changeId);
    const sent = change !== undefined && mayHaveSent(change);
    const isStorage = done.error.code === 'storage-failed';
    if (isStorage) broken = done.error;
    // With its intent in the journal it is no plan any more, and is offered for checking.
    if (change?.state === 'planned' && (isStorage || refusesEveryRow(done.error))) {
      put(row);
      pauseBefore(done.error);
      return;
    }
    put({ ...row, state: sent ? 'unknown' : 'failed', text: `${sent ? '' : 'not sent: '}${done.error.message}` });
    if (sent && !isStorage && bulk.moveTo !== undefined)
      pauseAt(row, `ended before it was read: ${done.error.message}`);
  }

  const failureOf = (thrown: unknown): AppError => ({
    ...storageError(thrown),
    charge: begun ? 'may-have-been-charged' : 'not-charged',
    money: begun ? 'Rows under way are in the journal and are offered for checking.' : 'Nothing was sent.',
  });

  function pauseAt({ row, licenceReference, licenceNumber }: BulkRow, what: string): void {
    run.stopped = true;
    const name = bulk.moveTo === undefined ? `Row ${row}` : licenceReference || `Licence ${licenceNumber}`;
    bulk.pause ??= `${name} ${what}`;
  }

  function pauseBefore({ message, next }: AppError): void {
    run.stopped = true;
    bulk.pause ??= `${message} ${next}`;
  }

  try {
    head({ state: 'running', pause: null });
    const under = new Set<Promise<void>>();
    while (waiting.length > 0 || under.size > 0) {
      const stop = run.stopped || broken !== null;
      const at = stop || under.size >= mostUnderWay ? -1 : findFree();
      if (at < 0) {
        if (under.size === 0) break;
        await Promise.race(under);
        continue;
      }
      await lanes.acquire();
      if (run.stopped || broken !== null) {
        lanes.release();
        continue;
      }
      const row = rowOf(waiting.splice(at, 1)[0] ?? 0);
      if (!row || row.changeId === null) {
        lanes.release();
        continue;
      }
      for (const subject of subjectsOf(row.row)) busy.add(subject);
      const task = work(row, row.changeId)
        .catch((thrown: unknown) => {
          broken ??= failureOf(thrown);
        })
        .finally(() => {
          lanes.release();
          for (const subject of subjectsOf(row.row)) busy.delete(subject);
          under.delete(task);
        });
      under.add(task);
    }
    const left = bulk.rows.some(({ state }) => state === 'planned');
    head({ state: !left ? 'done' : bulk.pause === null ? 'planned' : 'paused' });
    return broken ? fail(broken) : ok(bulk);
  } catch (thrown) {
    return fail(failureOf(thrown));
  }

  /** The place in `waiting` of the first row that shares nothing with one under way, nor with one that waits before it; -1: none. */
  function findFree(): number {
    const taken = new Set(busy);
    return waiting.findIndex((number) => {
      if (bulk.leftOut?.includes(number)) return false;
      const isFree = !subjectsOf(number).some((subject) => taken.has(subject));
      for (const subject of subjectsOf(number)) taken.add(subject);
      return isFree;
    });
  }
}

/** So many at once; the rest wait in line. */
function createLanes(width: number) {
  const line: (() => void)[] = [];
  let free = width;
  return {
    async acquire(): Promise<void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => line.push(resolve));
    },
    release(): void {
      const next = line.shift();
      if (next) next();
      else free += 1;
    },
  };
}
