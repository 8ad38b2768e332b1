import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { anyDay } from '../../../shared/claims/moment.ts';
import { renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import type { Batch, BatchKind, BatchWant } from '../../../shared/domain/batch.ts';
import { batchKinds, batchWants, resultColumns, unpricedWants } from '../../../shared/domain/batch.ts';
import { addressOf, type Protocol } from '../../../shared/domain/connection.ts';
import { countedText, unreadClaims } from '../../../shared/domain/text/figures.ts';
import type { TableForm } from '../../../shared/domain/text/table.ts';
import { showInvisible } from '../../../shared/domain/text/visible-text.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { createActivityLog } from '../../core/activity/activity-log.ts';
import { createAnswerCache } from '../../core/answers/answer-cache.ts';
import { openCachedAnswers } from '../../core/answers/cached-answers.ts';
import { createShapeWatch } from '../../core/answers/shape-watch.ts';
import { type Batches, createBatches } from '../../core/batch/batches.ts';
import { realPath } from '../../core/batch/open-tables.ts';
import { createQuestions } from '../../core/batch/run/questions.ts';
import { checkTarget, isSavedAsWorkbook, saveResult } from '../../core/batch/save-result.ts';
import { tableCopyOf } from '../../core/batch/store/batch-file.ts';
import type { BatchRecord } from '../../core/batch/store/batches-repository.ts';
import { createTableThread } from '../../core/batch/survey/table-thread.ts';
import { createWorkbooks } from '../../core/batch/table/workbooks.ts';
import type { Caller } from '../../core/calls/caller.ts';
import { createClients } from '../../core/calls/clients.ts';
import { createDescriptions } from '../../core/calls/descriptions.ts';
import { systemPauses } from '../../core/concurrency/pauses.ts';
import { findLabels } from '../../core/connections/find-secret.ts';
import { secretFieldOf } from '../../core/connections/profile.ts';
import { type BalanceReader, createBalanceReader } from '../../core/credits/balance-reader.ts';
import { createBalances } from '../../core/credits/balances.ts';
import { createDecoder } from '../../core/decode/decoder.ts';
import { checkExport, checkOperation } from '../../core/policy/apply-policy.ts';
import { settingsWithPolicy, withPolicy } from '../../core/policy/enforce-policy.ts';
import { createSettings, readOrDefault } from '../../core/settings/settings.ts';
import { createLedger } from '../../core/spend/ledger.ts';
import { attempt } from '../../core/storage/database/errors.ts';
import { openFingerprints } from '../../core/storage/fingerprints.ts';
import { openServiceDescriptions } from '../../core/storage/service-descriptions.ts';
import { systemClock } from '../../platform/clock.ts';
import { findUser } from '../../platform/user.ts';
import { elapsedOf } from '../../ports.ts';
import { wordHere } from '../advise-here.ts';
import type { Arguments } from '../arguments.ts';
import { type CallingDesk, openCallingDesk } from '../calling-desk.ts';
import { readConnectionFile } from '../connection-file.ts';
import { findSecrets } from '../connection-secrets.ts';
import { exitStatuses, type Failure, type Printed, usageError } from '../printed.ts';
import type { Session } from '../session.ts';

/** The least time between two lines about a run (ms). */
const reportEveryMs = 60_000;

export const batchSubcommands = ['plan', 'run', 'resume', 'list'] as const;

/**
 * `plan FILE` prints what a table would cost and sends nothing. `run FILE --limit CREDITS --out RESULT.csv` creates the batch, runs it under
 * that limit and saves the result; `resume [ID] --limit CREDITS` continues a stopped one. `list` prints those of the connection. The
 * batches and the answers are stored with the window's.
 */
export async function batchCommand(args: Arguments, session: Session): Promise<Result<Printed, Failure>> {
  const [what, word] = args.words;
  if (what === undefined || !batchSubcommands.some((one) => one === what))
    return usageError(
      what === undefined ? 'Say what to do with a batch.' : `There is no “batch ${what}”.`,
      'Write batch plan FILE, batch run FILE --limit CREDITS --out RESULT.csv, batch resume, or batch list.',
    );
  if ((what === 'plan' || what === 'run') && word === undefined)
    return usageError('Name the table.', `Write batch ${what} FILE.`);
  if ((what === 'run' || what === 'resume') && args.limit === undefined)
    return usageError(
      'A batch needs a limit.',
      'Write --limit 500, for example; batch plan FILE says what it would take.',
    );
  if (what === 'run' && args.out === undefined)
    return usageError('Name the file of the result.', 'Write --out RESULT.csv.');
  if (args.out !== undefined) {
    const allowed = checkExport(session.policy);
    if (!allowed.ok) return allowed;
  }
  const wants = readWants(args.want);
  if (!wants.ok) return wants;
  const kind = readKind(args.kind);
  if (!kind.ok) return kind;

  const file = await readConnectionFile(args.connection, session);
  if (!file.ok) return file;
  const opened = openCallingDesk(file.value, { ...session, labelledRoles });
  if (!opened.ok) return opened;
  const desk = opened.value;
  const { connection } = desk;
  const keys: Keys = { rest: false, soap: false };
  const { batches, reader } = batchesAt(desk, session, args.timeoutMs, keys);
  const interrupt = () => void batches.close(session.isByPerson());
  session.signal.addEventListener('abort', interrupt, { once: true });
  try {
    const toResume = what === 'resume' ? findToResume(batches, connection.id, word) : ok(undefined);
    if (!toResume.ok) return toResume;
    // Not the record's own count, which is that from before its run if that was killed; while its rows cannot be read it is that, without a price.
    const shown = toResume.value && batches.get(toResume.value.id);
    const hasNoneLeft = shown?.ok && shown.value.left.rows === 0 && shown.value.left.credits !== null;
    const label = hasNoneLeft ? undefined : await labelOfKey(desk, args.secret);
    const kept = label === undefined ? (toResume.value?.facts.keyLabel ?? undefined) : undefined;
    const found = await findKeys(desk, session, keys, kept);
    if (what === 'list') return list(batches, connection.id);
    // Without rows left it makes no call and needs no key: its result is saved again.
    if (!found.ok && !hasNoneLeft) return found;
    const run = (record: BatchRecord) => {
      const keyLabel = label ?? record.facts.keyLabel;
      keys.label = keyLabel ?? undefined;
      return runBatch(batches, reader, record, keyLabel, args, session);
    };
    if (toResume.value) return await run(toResume.value);
    const unread = found.ok ? found.value : undefined;
    const asked = { path: word ?? '', kind: kind.value, wants: wants.value };
    const done = await planOrRun(batches, connection.id, asked, args, session, what === 'run' ? run : undefined);
    // A want that takes the key that could not be read.
    return !done.ok && done.error.field === 'wants' && unread ? fail(unread) : done;
  } finally {
    session.signal.removeEventListener('abort', interrupt);
    await batches.close();
    reader.close();
    desk.close();
  }
}

function readWants(want: readonly string[]): Result<BatchWant[]> {
  const names = want.length === 0 ? ['exists'] : want.flatMap((text) => text.split(','));
  const plannable = batchWants.filter((want) => !unpricedWants.includes(want));
  const unknown = names.find((name) => !plannable.some((one) => one === name));
  return unknown === undefined
    ? ok(names as BatchWant[])
    : usageError(`There is no --want ${unknown}.`, `It is one of ${plannable.join(', ')}.`);
}

function readKind(kind: string | undefined): Result<BatchKind | undefined> {
  return kind === undefined || batchKinds.some((one) => one === kind)
    ? ok(kind as BatchKind | undefined)
    : usageError(`There is no --kind ${kind}.`, `It is one of ${batchKinds.join(', ')}.`);
}

/** The format follows from the name of the result file. A text file keeps the separator and line ends of the table, which a workbook has not. */
const formatOf = (out: string, { kind }: TableForm): 'xlsx' | 'csv' | 'as-it-came' =>
  /\.xlsx$/i.test(out) ? 'xlsx' : kind === 'workbook' ? 'csv' : 'as-it-came';

/** Finds the worker's script: beside the built program or in the folder above (this file may be in a folder of chunks), otherwise among the sources. */
function workerFile(folder: string, name: string): string {
  const here = import.meta.dirname;
  const built = [join(here, `${name}.js`), join(here, '..', `${name}.js`)].find((file) => existsSync(file));
  return built ?? join(here, '..', '..', 'core', 'batch', folder, `${name}.ts`);
}

/** Whether the connection has what calls over an interface take, and the label of the lookup key that the batch runs with. */
interface Keys extends Record<Protocol, boolean> {
  label?: string | undefined;
}

const roleOf = { rest: 'lookup-key', soap: 'licence-id' } as const;
const labelledRoles = Object.values(roleOf);

/**
 * Finds out over which interfaces the connection can call, and notes it in `keys`; of one that only its file has, also which key pays, for its
 * saved answers. Returns why a secret of one could not be read, if it is not just missing. Errors, as `call` has them: why it cannot call at
 * all, and those of a label that cannot be obeyed.
 */
async function findKeys(
  { db, connection, file, findKeychain }: CallingDesk,
  session: Session,
  keys: Keys,
  keyLabel: string | undefined,
): Promise<Result<AppError | undefined>> {
  const choice = { ...session, labelledRoles, keyLabel };
  const fingerprints = openFingerprints(db.sql);
  let failure: AppError | undefined;
  for (const side of ['rest', 'soap'] as const) {
    if (addressOf(connection, side) === '') continue;
    const role = roleOf[side];
    const found = await findSecrets({ ...session, findKeychain }, connection, [role], choice);
    if (!found.ok) return found;
    const paying = found.value.profile.secrets[secretFieldOf[role]];
    if (paying === undefined) {
      failure ??= found.value.explain(appError('no-credential'));
      continue;
    }
    keys[side] = true;
    if (!file) continue;
    const payer = attempt(() => fingerprints.of(paying));
    if (!payer.ok) return payer;
    file.payers[side] = payer.value;
  }
  if (failure && !keys.rest && !keys.soap) return fail(failure);
  return ok(failure?.code === 'no-credential' ? undefined : failure);
}

/** The label that `--secret` gives, if it is a lookup key’s: that key pays. */
async function labelOfKey(
  { connection, findKeychain }: CallingDesk,
  secretLabel: string | undefined,
): Promise<string | undefined> {
  if (secretLabel === undefined) return undefined;
  const keys = await findLabels((await findKeychain()).keychain, connection.name, ['lookup-key']);
  return keys.ok && keys.value.some(({ label }) => label === secretLabel) ? secretLabel : undefined;
}

/** Says on standard error, once a minute at most, how far a run is, and at once why it begins to wait by itself. */
function createReport({ warn }: Session): (batch: Batch) => void {
  const clock = systemClock;
  let saidAt = elapsedOf(clock);
  let wasBackedOff = false;
  return ({ backoff, progress, plan, credits }) => {
    const begins = backoff !== null && !wasBackedOff;
    wasBackedOff = backoff !== null;
    if (!begins && elapsedOf(clock) - saidAt < reportEveryMs) return;
    saidAt = elapsedOf(clock);
    const waits =
      backoff === null
        ? ''
        : ` ${showInvisible(backoff.text)} It tries again at ${new Date(backoff.until).toLocaleTimeString('en-GB')}.`;
    warn(`${progress.done} of ${plan.rows.total} rows done, ${countedText(credits.counted)}.${waits}`);
  };
}

/** The window's batches with the connection file's calls. The balance is read between calls if reading it is free. */
function batchesAt(
  desk: CallingDesk,
  session: Session,
  timeoutMs: number,
  keys: Keys,
): { batches: Batches; reader: BalanceReader } {
  const { db, folder, file, connections } = desk;
  const { send, policy, pauses } = session;
  const clock = systemClock;
  const settings = settingsWithPolicy(createSettings(db), policy);
  const log = createActivityLog(db, clock);
  const caller: Caller = {
    ...desk.caller,
    // The balance that is read between calls is that of the key that pays for them.
    execute: (apiCall, context) =>
      desk.caller.execute({ ...apiCall, keyLabel: apiCall.keyLabel ?? keys.label }, context),
  };
  const clients = createClients({
    caller: withPolicy(caller, policy),
    descriptions: createDescriptions(openServiceDescriptions(db), send, () => timeoutMs),
    transport: send,
    decoder: createDecoder(),
    timeoutMs: () => timeoutMs,
  });
  const cached = openCachedAnswers(db, clock, () => readOrDefault(settings, 'cacheMegabytes') * 1_000_000, file);
  const ledger = createLedger(db, clock);
  const reader = createBalanceReader({
    clients,
    caller: desk.caller,
    balances: createBalances(db, clock, ledger),
    ledger,
    clock,
    connections,
    onSample() {},
    onConcluded() {},
  });
  desk.watchSpending({
    beforeSpend: (connectionId) => reader.cutRun(connectionId),
    onSpent: (connection, paidBy) => reader.readAfterSpend(connection, paidBy),
  });
  const batches = createBatches({
    folder,
    db,
    clock,
    pauses: pauses ?? systemPauses(clock),
    connections,
    secrets: { list: () => ok([]) },
    questions: createQuestions({
      connections,
      clients,
      answers: createAnswerCache(cached, { settings, log }),
      shapes: createShapeWatch(settings, clock),
      can: (_, protocol, operation) => keys[protocol] && checkOperation(policy, protocol, operation).ok,
    }),
    ledger,
    userName: findUser().name,
    keptDays: () => readOrDefault(settings, 'batchDays'),
    sampleBalance: reader.readFree,
    workbooks: createWorkbooks(workerFile('table', 'workbook-worker')),
    tableThread: createTableThread(workerFile('survey', 'table-worker')),
    onChange: createReport(session),
    onRunning() {},
  });
  return { batches, reader };
}

/** A batch as it is printed. */
const describe = ({ id, name, kind, wants, state, progress, results, credits, left, wait, elsewhere }: Batch) => ({
  batch: id,
  name,
  kind,
  wants,
  state: elsewhere ? 'running elsewhere' : state,
  rows: progress,
  results,
  credits,
  left,
  ...(wait === null ? {} : { wait: describeWait(wait) }),
});

/** Why a batch waits for a person, with what was seen of the balance, if anything. */
function describeWait({ kind, title, what, code, does, claims }: NonNullable<Batch['wait']>) {
  const seen = renderMoneyClaims(claims, anyDay);
  return {
    kind,
    title,
    ...(what === '' ? {} : { what }),
    code,
    does: wordHere(does, code),
    ...(seen === '' ? {} : { seen }),
  };
}

function list(batches: Batches, connectionId: string): Result<Printed> {
  const found = batches.list(connectionId);
  return found.ok ? ok({ value: found.value.map(describe) }) : found;
}

type Run = (record: BatchRecord) => Promise<Result<Printed, Failure>>;

/** `run` is omitted to plan only. */
async function planOrRun(
  batches: Batches,
  connectionId: string,
  { path, kind, wants }: { path: string; kind: BatchKind | undefined; wants: BatchWant[] },
  { out }: Arguments,
  { signal }: Session,
  run?: Run,
): Promise<Result<Printed, Failure>> {
  if (run && out !== undefined && (await realPath(out)) === (await realPath(path))) return wouldReplaceTable();
  const reading = { signal };
  const opened = await batches.openFile(connectionId, resolve(path), basename(path), reading);
  if (!opened.ok) return opened;
  const { tableId } = opened.value;
  try {
    // In the window a person sees what they are taken for.
    if (kind === undefined && opened.value.kind === 'premise-ids') {
      const ids = opened.value.columns.find(({ role }) => role === 'premise-id');
      if (ids?.by === 'content')
        return usageError(
          `No name says what the eight-digit numbers in “${ids.name}” are.`,
          'Write --kind premise-ids if they are premise ids.',
        );
    }
    const table = kind === undefined ? opened : await batches.readAs(tableId, { kind }, reading);
    if (!table.ok) return table;
    const batch = await batches.plan({ tableId, wants }, reading);
    if (!batch.ok) return batch;
    const { id, plan } = batch.value;
    if (run) {
      const record = batches.record(id);
      const ran = record.ok ? await run(record.value) : record;
      // One that could not begin leaves nothing; of one that has begun everything stays.
      if (!ran.ok) batches.discard(id);
      return ran;
    }
    // `plan` stores nothing.
    const discarded = batches.discard(id);
    if (!discarded.ok) return discarded;
    const columns = table.value.columns.map(({ name, role }) => ({ name, role }));
    return ok({ value: { kind: table.value.kind, wants, columns, ...plan } });
  } finally {
    await batches.closeTable(tableId);
  }
}

const wouldReplaceTable = () =>
  usageError('The result would take the place of the table.', 'Name another file by --out.');

/**
 * Whether a file is the table of a batch: by its path, since a person may have edited it, and wherever it is now by the batch's copy, which has
 * its bytes, or the sheet of a workbook in text form.
 */
async function isTableOf({ files, workbooks }: Batches, { id, facts }: BatchRecord, path: string): Promise<boolean> {
  if (existsSync(path) && (await realPath(path)) === facts.original) return true;
  const copy = tableCopyOf(files.folder, id);
  if (facts.form.kind !== 'workbook') return hasSameContent(path, copy);
  const sheet = join(files.folder, `open-${crypto.randomUUID()}.table.sheet`);
  try {
    const read = await workbooks.read(path, sheet);
    return read.ok && (await hasSameContent(sheet, copy));
  } finally {
    await rm(sheet, { force: true });
  }
}

async function hasSameContent(path: string, other: string): Promise<boolean> {
  const [size, otherSize] = await Promise.all(
    [path, other].map((one) =>
      stat(one).then(
        (of) => of.size,
        () => null,
      ),
    ),
  );
  if (size === null || size !== otherSize) return false;
  const digestOf = async (one: string): Promise<string> => {
    const digest = createHash('sha256');
    for await (const piece of createReadStream(one)) digest.update(piece);
    return digest.digest('hex');
  };
  const [digest, otherDigest] = await Promise.all([digestOf(path), digestOf(other)]);
  return digest === otherDigest;
}

/** The batch to resume: the one that is named, or the only one that waits for a person or was interrupted. */
function findToResume(batches: Batches, connectionId: string, id: string | undefined): Result<BatchRecord> {
  if (id !== undefined) {
    const named = batches.record(id);
    return named.ok && named.value.connectionId !== connectionId
      ? usageError('This batch belongs to another connection.', 'Name its own by --connection.')
      : named;
  }
  const found = batches.list(connectionId);
  if (!found.ok) return found;
  const resumable = found.value.filter(({ id: one, state, elsewhere }) => {
    const asked = batches.requestOf(one);
    const isPaused = !asked.ok || asked.value === 'pause' || asked.value === 'stop';
    return !elsewhere && (state === 'waiting' || (state === 'paused' && !isPaused));
  });
  const [only] = resumable;
  if (only === undefined)
    return usageError(
      'No batch of this connection can be resumed without its ID.',
      'batch list names the newest 200, those waiting, running or paused first; batch resume ID resumes one.',
    );
  if (resumable.length > 1)
    return usageError(`${resumable.length} batches can be resumed.`, 'Name one: batch list gives their ids.');
  return batches.record(only.id);
}

async function runBatch(
  batches: Batches,
  reader: BalanceReader,
  record: BatchRecord,
  keyLabel: string | null,
  args: Arguments,
  { signal }: Session,
): Promise<Result<Printed, Failure>> {
  const { id, connectionId, facts } = record;
  const { out, limit = 0 } = args;
  const target = out === undefined ? undefined : { path: resolve(out), format: formatOf(out, facts.form) };
  if (target) {
    const isWorkbook = isSavedAsWorkbook(facts.form, target.format);
    const checked = await checkTarget(target.path, facts.plan.rows.total, isWorkbook);
    if (!checked.ok) return checked;
    const isTable = await isTableOf(batches, record, target.path).catch(() => false);
    if (isTable) return wouldReplaceTable();
  }
  const before = batches.get(id);
  if (!before.ok) return before;
  // One that is done keeps its limit and when it ended: only its result is saved again.
  if (before.value.state !== 'done' || before.value.left.rows > 0) {
    // The balance just before its calls, with which the first one after them is compared.
    await reader.read(connectionId, 'rest-key', { signal });
    // An abort that has happened is no event any more.
    if (signal.aborted)
      return fail(appError('cancelled', { message: 'Stopped before the batch began.', charge: 'not-applicable' }));
    const { minimumBalance, rate, goOnUntil } = facts;
    const begun = batches.run(id, {
      limit,
      minimumBalance: args.minimumBalance ?? minimumBalance,
      rate: args.rate ?? rate,
      keyLabel,
      goOnUntil,
    });
    if (!begun.ok) return begun;
    await batches.ended(id);
    await reader.read(connectionId, 'rest-key');
  }
  const batch = batches.get(id);
  if (!batch.ok) return batch;
  const { claims } = batch.value;
  const balance = claims ? renderMoneyClaims(claims, anyDay) : unreadClaims;
  // As the plan has them: nobody has looked at them in a window.
  const columns = facts.heads.map((name, index) => ({ name, role: facts.columns[index] ?? 'unused' }));
  const document: Printed = { value: { ...describe(batch.value), columns, ...(balance === '' ? {} : { balance }) } };
  if (target) {
    const { format, path } = target;
    const request = { batchId: id, filter: {}, columns: resultColumns, acknowledgement: '', format };
    const saved = await saveResult(batches, request, path);
    if (!saved.ok) {
      const message = `${saved.error.message} The batch itself has run: ${countedText(batch.value.credits.counted)}.`;
      const kept = ` The answers are kept: batch resume ${id} --limit ${limit} --out FILE.`;
      const next = `${saved.error.next}${batches.files.has(id) ? kept : ''}`;
      return fail({ ...saved.error, message, next, printed: document });
    }
    document.saved = { file: out, rows: saved.value.rows };
  }
  const { state, wait, progress } = batch.value;
  if (state === 'done')
    return ok(
      progress.failed + progress.unknown > 0 ? { ...document, exitStatus: exitStatuses['not-every-row'] } : document,
    );
  const exitStatus = wait?.kind === 'limit' ? exitStatuses.limit : exitStatuses.waiting;
  return ok({ ...document, exitStatus });
}
