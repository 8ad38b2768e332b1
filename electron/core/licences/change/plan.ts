import { isSameService } from '../../../../shared/domain/connection.ts';
import type { Licence, LicenceList } from '../../../../shared/domain/licences/licence.ts';
import {
  type ChangeRequest,
  type LicenceChange,
  machinesOf,
  type PlannedLicence,
} from '../../../../shared/domain/licences/licence-change.ts';
import { isSameLicence, largestLicenceId, plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { foldMachineName } from '../../../../shared/domain/licences/similar-names.ts';
import { localDay } from '../../../../shared/domain/text/calendar-day.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { isoNow } from '../../../ports.ts';
import { storageError } from '../../storage/database/errors.ts';
import type { LicenceStore, StoredHoldings } from '../records/licence-store.ts';
import { readLicenceRecords } from '../records/read-holdings.ts';
import { readLicencesInTurns } from '../records/read-licence.ts';
import type { ChangeContext } from './change-deps.ts';
import { describeChange, describeHoldings } from './change-messages.ts';
import { drawSteps } from './change-steps.ts';
import type { LicenceCalls } from './licence-calls.ts';
import { doubtReturn, findWarnings, statusOf } from './plan-warnings.ts';
import { guardCall, readMachines } from './read-machine.ts';

/** A plan is not run after a day, and is forgotten: by then it rests on old reads. */
export const planLifeMs = 24 * 60 * 60 * 1000;

export interface PlanOptions {
  /** The change that this one undoes: it may be unfinished. */
  undoOf?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Works out a change from reads only: the account's list, then each machine concerned. The plan is kept under its id for `runChange`;
 * nothing is journalled, since nothing is intended yet. Errors: bad-input, unfinished-change, storage-failed, and those of the reads.
 */
export async function planChange(
  request: ChangeRequest,
  calls: LicenceCalls,
  store: LicenceStore,
  ctx: ChangeContext,
  { undoOf, signal }: PlanOptions = {},
): Promise<Result<LicenceChange>> {
  const { connectionId } = request;
  try {
    const refused =
      refuseRequest(request) ?? findUnfinished(request, unfinishedBeside(request, { store, ctx }), undoOf);
    if (refused) return fail(refused);
    const known = store.holdings(connectionId);
    const list = await readList(connectionId, calls, store, ctx, signal);
    if (!list.ok) return list;
    const snapshots = await readMachines(machinesOf(subjectOf(request)), connectionId, { calls, store, ctx }, signal);
    if (!snapshots.ok) return snapshots;
    const change = drawPlan(
      request,
      {
        list: list.value,
        before: snapshots.value.map((snapshot) => snapshot.holdings),
        durationMs: snapshots.value.reduce((sum, snapshot) => sum + snapshot.durationMs, 0),
        known,
        knownMachines: store.knownMachines(connectionId),
        statusLabels: store.statusLabels(connectionId),
      },
      ctx,
      undoOf,
    );
    store.forgetPlansBefore(new Date(ctx.now() - planLifeMs).toISOString());
    store.saveChange(change);
    return ok(change);
  } catch (thrown) {
    return fail(storageError(thrown));
  }
}

/** The account's list as it came. */
interface ListRead extends LicenceList {
  readAt: string;
  /** False: the service cut it off, so the whole list that was read before stays the connection's. */
  isKept: boolean;
  /** Row of the activity log. */
  callId: string;
}

/**
 * Reads the account's list and stores it: one call, shared by all rows of a bulk change. It is as of when it was asked for: what is written
 * while its answer is under way may not be in it. Rejects if it cannot be stored.
 */
export async function readList(
  connectionId: string,
  calls: LicenceCalls,
  store: LicenceStore,
  ctx: ChangeContext,
  signal?: AbortSignal,
): Promise<Result<ListRead>> {
  const readAt = isoNow(ctx);
  const list = await guardCall(() => calls.list(signal));
  if (!list.ok) return list;
  const records = readLicenceRecords(list.value.value);
  if (!records.ok) return records;
  const licences = await readLicencesInTurns(records.value);
  const { truncated, callId } = list.value;
  const doubt = list.value.doubt === undefined ? undefined : ctx.redact(list.value.doubt);
  // It would take the place of a whole list, and of the reminders of the licences that it leaves out.
  const isKept = truncated !== true || store.canTakeTruncated(connectionId);
  if (isKept && ctx.leadsHere()) await store.saveLicences(connectionId, licences, readAt, doubt);
  return ok({ licences, readAt, ...(doubt === undefined ? {} : { doubt }), isKept, callId });
}

/** What a plan rests on, all of it read before. */
export interface PlanSnapshots {
  list: LicenceList;
  /** What each machine of the change holds. */
  before: MachineHoldings[];
  durationMs: number;
  /** Last known holdings of every machine, from before these readings. */
  known: readonly StoredHoldings[];
  knownMachines: readonly string[];
  /** What the administrator calls a Status. */
  statusLabels: ReadonlyMap<string, string>;
}

export const subjectOf = (request: ChangeRequest) => ({
  kind: request.kind,
  licenceNumber: plainId(request.licenceNumber),
  machine: request.machine,
  fromMachine: request.kind === 'move' ? (request.fromMachine ?? null) : null,
});

/** The plan for a request from what was read; makes no network call and stores nothing. */
export function drawPlan(
  request: ChangeRequest,
  { list, before, durationMs, known, knownMachines, statusLabels }: PlanSnapshots,
  ctx: ChangeContext,
  undoOf?: string | undefined,
): LicenceChange {
  const subject = subjectOf(request);
  const { licences } = list;
  const plannedAt = isoNow(ctx);
  const today = localDay(plannedAt);
  const bound = boundStatuses(licences, [...known, ...before])(subject.licenceNumber);
  const records = licences.filter(({ licenceNumber }) => isSameLicence(licenceNumber, subject.licenceNumber));
  // A list that names it more than once may contradict itself: what speaks against taking it off counts.
  const listed = records.find((record) => doubtReturn(record, today, bound, statusLabels) !== null) ?? records[0];
  const named = { ...subject, licenceReference: listed?.referenceNo.trim() ?? '', undoOf: undoOf ?? null };
  const steps = drawSteps(subject, before);
  return {
    ...named,
    id: crypto.randomUUID(),
    connectionId: request.connectionId,
    connectionName: ctx.connectionName,
    server: ctx.server,
    accountName: ctx.accountName,
    licenceType: listed?.typeName ?? '',
    licence: listed ? describeListed(listed, list.readAt ?? plannedAt) : null,
    thisMachine: ctx.thisMachine,
    warnings: findWarnings({
      change: named,
      listed,
      before,
      isListWhole: list.doubt === undefined,
      known,
      knownMachines,
      thisMachine: ctx.thisMachine,
      today,
      boundStatuses: bound,
      statusLabels,
    }),
    steps: steps.map((step) =>
      step.number === 1
        ? {
            ...step,
            state: 'done',
            startedAt: before[0]?.askedAt ?? plannedAt,
            durationMs,
            result: describeHoldings(before),
          }
        : step,
    ),
    state: 'planned',
    verdict: null,
    conclusion: 'Nothing has been changed yet.',
    claims: [],
    writes: [],
    reads: [],
    nextRead: null,
    writeAfter: null,
    serviceText: [],
    before,
    after: [],
    plannedAt,
    finishedAt: null,
    by: ctx.by,
    offers: [],
    journal: null,
  };
}

/** What the account's list says of a licence. `readAt`: when the list was read, ISO 8601 UTC. */
export const describeListed = (licence: Licence, readAt: string): PlannedLicence => ({
  status: licence.status,
  inUse: licence.inUse,
  available: licence.available,
  seatsUsed: licence.seatsUsed,
  seatsFree: licence.seatsFree,
  expiryDate: licence.expiryDate,
  expiresOn: licence.expiresOn,
  dateOrder: licence.dateOrder,
  credits: licence.credits,
  creditsAvailable: licence.creditsAvailable,
  readAt,
});

/** The Status of the other licences that are in use or were found on a machine: what a bound licence looks like here. */
export function boundStatuses(
  licences: readonly Licence[],
  holdings: readonly StoredHoldings[],
): (own: string) => Set<string> {
  const found = new Set(holdings.flatMap(({ licenceNumbers }) => licenceNumbers.map(plainId)));
  const bound = new Map<string, string[]>();
  for (const licence of licences) {
    const id = plainId(licence.licenceNumber);
    if ((licence.seatsUsed ?? 0) === 0 && !found.has(id)) continue;
    bound.set(statusOf(licence), [...(bound.get(statusOf(licence)) ?? []).slice(0, 1), id]);
  }
  return (own) =>
    new Set([...bound].filter(([, ids]) => ids.some((id) => id !== plainId(own))).map(([status]) => status));
}

/** Why a request cannot be planned (`bad-input`, with its field); null: it can. */
export function refuseRequest({ kind, licenceNumber, machine, fromMachine }: ChangeRequest): AppError | null {
  const bad = (message: string, field: string) => appError('bad-input', { message, field });
  if (Number(licenceNumber) > largestLicenceId)
    return bad('The LicenseID is larger than the service takes.', 'licenceNumber');
  if (kind !== 'move') return fromMachine === undefined ? null : bad('Only a move names two machines.', 'fromMachine');
  if (fromMachine === undefined) return bad('A move needs the machine that holds the licence now.', 'fromMachine');
  return fromMachine === machine ? bad('The licence would move to the machine it is on.', 'machine') : null;
}

type Wanted = Pick<ChangeRequest, 'connectionId' | 'licenceNumber' | 'machine'> & {
  /** Of a change that is planned already. */
  id?: string;
  fromMachine?: string | null | undefined;
};

/** Earlier versions left the query out. */
export const isSameServer = (planned: string, now: string): boolean =>
  [now, now.replace(/\?.*/, '')].some((one) => isSameService(planned, one));

/**
 * Whether two changes of one licence affect each other: both are of one connection or of two that lead to one server, and they share a
 * machine, whose name the service may take in any spelling, or the licence's seats are one or unknown.
 */
export function touches(wanted: Wanted, open: LicenceChange, { server }: Pick<ChangeContext, 'server'>): boolean {
  if (open.connectionId !== wanted.connectionId && !isSameServer(open.server, server)) return false;
  const namesOf = ({ machine, fromMachine }: Pick<Wanted, 'machine' | 'fromMachine'>) =>
    [machine, fromMachine ?? machine].map(foldMachineName);
  if (namesOf(wanted).some((name) => namesOf(open).includes(name))) return true;
  return mayHaveOneSeat(open.licence);
}

/** Of such a licence what is done on one machine may be in the way of what is done on another. */
export function mayHaveOneSeat(licence: PlannedLicence | null | undefined): boolean {
  const { seatsUsed = null, seatsFree = null } = licence ?? {};
  return seatsUsed === null || seatsFree === null || seatsUsed + seatsFree <= 1;
}

/** The unfinished changes that affect this one, newest first. */
export const unfinishedBeside = (
  wanted: Wanted,
  { store, ctx }: { store: LicenceStore; ctx: Pick<ChangeContext, 'server'> },
): LicenceChange[] =>
  store
    .unfinishedOf(plainId(wanted.licenceNumber))
    .filter((change) => change.id !== wanted.id && touches(wanted, change, ctx));

/** The first of these (`unfinishedBeside`), as an error. The one being undone does not count while nobody works on it. */
export function findUnfinished(
  wanted: Wanted,
  beside: readonly LicenceChange[],
  except: string | null | undefined,
): AppError | null {
  const open = beside.find(({ id, state }) => id !== except || state === 'running');
  if (!open) return null;
  const over = open.connectionId === wanted.connectionId ? '' : `, over the connection ${open.connectionName}`;
  return appError('unfinished-change', {
    message: `An earlier change of this licence is not finished: ${describeChange(open)}${over}.`,
    charge: 'not-applicable',
  });
}
