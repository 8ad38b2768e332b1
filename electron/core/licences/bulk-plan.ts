import type {
  ChangeKind,
  ChangeRequest,
  Licence,
  LicenceChange,
  MachineHoldings,
} from '../../../shared/domain/licence.ts';
import {
  type Bulk,
  type BulkRow,
  type BulkRowInput,
  type BulkWish,
  readWish,
} from '../../../shared/domain/licence-bulk.ts';
import { plainId } from '../../../shared/domain/licence-filter.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { storageError } from '../storage/errors.ts';
import { type ChangeDeps, isoNow } from './change-deps.ts';
import { machinesOf } from './change-steps.ts';
import { inTurns } from './in-turns.ts';
import { compareMachineNames } from './near-equal.ts';
import { drawPlan, findUnfinished, readList, refuseRequest, subjectOf } from './plan.ts';
import { readMachine } from './read-machine.ts';

export interface BulkRequest {
  connectionId: string;
  source: string;
  /** The change of rows that name none. */
  kind: ChangeKind;
  rows: readonly BulkRowInput[];
}

const readAtOnce = 4;

interface Draft {
  row: BulkRow;
  request: ChangeRequest | null;
}

/**
 * Plans every row from reads alone: the list once, each machine once, four at a time. Duplicates, conflicts, rows that would
 * change nothing and rows done in an earlier run are skipped with their reason; a row whose machine cannot be read has failed.
 * The plan and its changes are kept. Errors: those of the list, `cancelled`, `storage-failed`.
 */
export async function planBulk(
  request: BulkRequest,
  deps: ChangeDeps,
  keep: (bulk: Bulk, changes: readonly LicenceChange[]) => void,
  signal?: AbortSignal,
): Promise<Result<Bulk>> {
  const { connectionId } = request;
  const { calls, store, ctx } = deps;
  try {
    const known = store.holdings(connectionId);
    const knownMachines = store.knownMachines(connectionId);
    const licences = await readList(connectionId, calls, store, ctx, signal);
    if (!licences.ok) return licences;
    const drafts = draftRows(request, licences.value);
    refuseRepeats(drafts);
    refuseUnfinished(drafts, deps);

    const wanted = drafts.flatMap(({ request: one }) => (one ? machinesOf(subjectOf(one)) : []));
    const machines = [...new Set(wanted)];
    const readings = new Map<string, { holdings: MachineHoldings; durationMs: number }>();
    const failures = new Map<string, string>();
    let stopped: Result<never> | null = null;
    await inTurns(machines, readAtOnce, async (machine) => {
      if (stopped) return;
      const reading = await readMachine(machine, connectionId, deps, signal);
      if (reading.ok) readings.set(machine, reading.value);
      else if (signal?.aborted) stopped = reading;
      else failures.set(machine, reading.error.message);
    });
    if (stopped) return stopped;

    const changes: LicenceChange[] = [];
    const seats = new Map<string, number | null>();
    for (const draft of drafts) {
      if (!draft.request) continue;
      const concerned = machinesOf(subjectOf(draft.request));
      const unread = concerned.find((machine) => !readings.has(machine));
      if (unread !== undefined) {
        end(draft, 'failed', `not planned: ${unread} could not be read. ${failures.get(unread) ?? ''}`.trim());
        continue;
      }
      const found = concerned.flatMap((machine) => readings.get(machine) ?? []);
      const change = drawPlan(
        draft.request,
        {
          licences: licences.value,
          before: found.map(({ holdings }) => holdings),
          durationMs: found.reduce((sum, { durationMs }) => sum + durationMs, 0),
          known,
          knownMachines,
        },
        ctx,
      );
      if (describeRow(draft, change, licences.value, seats)) changes.push(change);
    }
    const rows = drafts.map(({ row }) => row);
    const bulk: Bulk = {
      id: ctx.newId(),
      connectionId,
      connectionName: ctx.connectionName,
      source: request.source,
      plannedAt: isoNow(ctx),
      by: ctx.by,
      reads: 1 + machines.length,
      state: rows.some(({ state }) => state === 'planned') ? 'planned' : 'done',
      pause: null,
      rows,
    };
    keep(bulk, changes);
    return ok(bulk);
  } catch (thrown) {
    return fail(storageError(thrown));
  }
}

function draftRows({ connectionId, kind, rows }: BulkRequest, licences: readonly Licence[]): Draft[] {
  const byReference = Map.groupBy(licences, ({ referenceNo }) => referenceNo.trim().toLowerCase());
  const byNumber = new Map(licences.map((licence) => [plainId(licence.licenceNumber), licence]));
  return rows.map((input): Draft => {
    const wish = readWish(input, kind);
    const row: BulkRow = {
      row: input.row,
      kind: null,
      licenceNumber: input.licence.trim().slice(0, 40),
      licenceReference: '',
      to: input.machine.trim().slice(0, 255) || null,
      from: input.from.trim().slice(0, 255) || null,
      state: 'skipped',
      text: '',
      serviceText: '',
      advised: false,
      changeId: null,
    };
    if (typeof wish === 'string') return { row: { ...row, text: wish }, request: null };
    Object.assign(row, { kind: wish.kind, to: wish.to, from: wish.from });
    const named = byReference.get(wish.licence.toLowerCase()) ?? [];
    const listed = byNumber.get(plainId(wish.licence)) ?? (named.length === 1 ? named[0] : undefined);
    row.licenceNumber = plainId(listed?.licenceNumber ?? wish.licence).slice(0, 40);
    row.licenceReference = listed?.referenceNo.trim() ?? '';
    if (input.state.trim().toLowerCase() === 'confirmed')
      return { row: { ...row, text: 'confirmed in an earlier run' }, request: null };
    if (!listed) {
      const text =
        named.length > 1 ? `${named.length} licences have this reference` : 'the account lists no such licence';
      return { row: { ...row, text }, request: null };
    }
    return draftRequest(row, wish, connectionId);
  });
}

function draftRequest(row: BulkRow, wish: BulkWish, connectionId: string): Draft {
  const request: ChangeRequest = {
    connectionId,
    kind: wish.kind,
    licenceNumber: row.licenceNumber,
    machine: wish.to ?? wish.from ?? '',
    ...(wish.kind === 'move' && wish.from !== null ? { fromMachine: wish.from } : {}),
  };
  if (!/^\d{1,10}$/.test(row.licenceNumber))
    return { row: { ...row, text: 'the LicenseID is no whole number' }, request: null };
  const refused = refuseRequest(request);
  if (refused) return { row: { ...row, text: refused.message }, request: null };
  const differs = wish.to && wish.from ? compareMachineNames(wish.from, wish.to) : [];
  if (differs.length > 0)
    return { row: { ...row, text: `the names differ only in ${differs.join(' and ')}` }, request: null };
  return { row: { ...row, state: 'planned' }, request };
}

function end(draft: Draft, state: 'skipped' | 'failed', text: string): void {
  draft.row = { ...draft.row, state, text, advised: false };
  draft.request = null;
}

/** A row that asks for what an earlier row asks for, or touches the same licence on the same machine, is left out. */
function refuseRepeats(drafts: readonly Draft[]): void {
  const seen = new Map<string, Draft>();
  for (const draft of drafts) {
    if (!draft.request) continue;
    const { kind, licenceNumber, from, to } = draft.row;
    const places = [from, to].filter((machine) => machine !== null).map((machine) => `${licenceNumber}\n${machine}`);
    const earlier = places.flatMap((place) => seen.get(place) ?? [])[0];
    if (!earlier) {
      for (const place of places) seen.set(place, draft);
      continue;
    }
    const same = earlier.row.kind === kind && earlier.row.from === from && earlier.row.to === to;
    end(
      draft,
      'skipped',
      same
        ? `the same as row ${earlier.row.row}`
        : `conflicts with row ${earlier.row.row}, which changes the same licence there`,
    );
  }
}

function refuseUnfinished(drafts: readonly Draft[], { store }: ChangeDeps): void {
  for (const draft of drafts) {
    const open = draft.request && findUnfinished(draft.request, store, undefined);
    if (open) end(draft, 'skipped', open.message);
  }
}

/** Says what the row will do, or why not; true where it may be run. */
function describeRow(
  draft: Draft,
  change: LicenceChange,
  licences: readonly Licence[],
  seats: Map<string, number | null>,
): boolean {
  const { row } = draft;
  const listed = licences.find((licence) => plainId(licence.licenceNumber) === row.licenceNumber);
  const blocking = change.warnings.find(({ blocks }) => blocks);
  if (blocking) {
    end(
      draft,
      'skipped',
      blocking.code === 'already-bound' && row.kind === 'register' ? `${row.to} holds it already` : blocking.text,
    );
    return false;
  }
  const doubts = change.warnings
    .filter(({ code }) => code !== 'not-this-machine' && code !== 'seats-unknown' && code !== 'bound-elsewhere')
    .map(({ text }) => text);
  if (row.kind === 'register') {
    const left = seats.has(row.licenceNumber) ? (seats.get(row.licenceNumber) ?? null) : (listed?.seatsFree ?? null);
    if (left === 0 && !change.warnings.some(({ code }) => code === 'none-free'))
      doubts.push('no seat is left after the rows above');
    seats.set(row.licenceNumber, left === null ? null : Math.max(0, left - 1));
  }
  const writes = change.steps.filter(({ effect }) => effect === 'writes').length;
  const reads = change.steps.length - writes + (row.kind === 'move' ? 1 : 0);
  const calls = `${writes === 1 ? '1 write' : `${writes} writes`}, ${reads} reads`;
  draft.row = {
    ...row,
    changeId: change.id,
    advised: doubts.length === 0,
    text: doubts.length === 0 ? calls : `${doubts.join(' ')} (${calls})`,
  };
  return true;
}
