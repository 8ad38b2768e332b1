import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import type { Batch, BatchKind, BatchWant } from '../../../shared/domain/batch.ts';
import { batchKinds, batchWants, resultColumns } from '../../../shared/domain/batch.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { createActivityLog } from '../../core/activity/activity-log.ts';
import { createAnswerCache } from '../../core/answers/answer-cache.ts';
import { openCachedAnswers } from '../../core/answers/cached-answers.ts';
import { createShapeWatch } from '../../core/answers/shape-watch.ts';
import { keptDaysOf } from '../../core/app-core/batches.ts';
import { type Batches, createBatches } from '../../core/batch/batches.ts';
import { createQuestions } from '../../core/batch/run/questions.ts';
import { saveResult } from '../../core/batch/save-result.ts';
import { createTableThread } from '../../core/batch/survey/table-thread.ts';
import { createWorkbooks } from '../../core/batch/table/workbooks.ts';
import { createClients } from '../../core/calls/clients.ts';
import { createDescriptions } from '../../core/calls/descriptions.ts';
import { type BalanceReader, createBalanceReader } from '../../core/credits/balance-reader.ts';
import { createBalances } from '../../core/credits/balances.ts';
import { createDecoder } from '../../core/decode/decoder.ts';
import { checkExport, checkOperation } from '../../core/policy/apply-policy.ts';
import { settingsWithPolicy, withPolicy } from '../../core/policy/enforce-policy.ts';
import { createSettings } from '../../core/settings/settings.ts';
import { createLedger } from '../../core/spend/ledger.ts';
import { openServiceDescriptions } from '../../core/storage/service-descriptions.ts';
import { systemClock } from '../../platform/clock.ts';
import { elapsedOf } from '../../ports.ts';
import type { Arguments } from '../arguments.ts';
import { type CallingDesk, openCallingDesk } from '../calling-desk.ts';
import { readConnectionFile } from '../connection-file.ts';
import { findSecrets } from '../connection-secrets.ts';
import { exitStatuses, type Failure, type Printed } from '../printed.ts';
import type { Session } from '../session.ts';

export const batchSubcommands = ['plan', 'run', 'resume', 'list'] as const;

const wrong = (message: string, next: string) =>
  fail(appError('bad-input', { message, next, charge: 'not-applicable' }));

/**
 * `plan FILE` prints what a table would cost and sends nothing. `run FILE --limit CREDITS --out RESULT.csv` creates the batch, runs it under
 * that limit and saves the result; `resume [ID] --limit CREDITS` continues a stopped one. `list` prints those of the connection. The
 * batches are stored with the window's, so neither asks the service again what the other has an answer to.
 */
export async function batchCommand(args: Arguments, session: Session): Promise<Result<Printed, Failure>> {
  const [what, word] = args.words;
  if (what === undefined || !batchSubcommands.some((one) => one === what))
    return wrong(
      what === undefined ? 'Say what to do with a batch.' : `There is no “batch ${what}”.`,
      'Write batch plan FILE, batch run FILE --limit CREDITS --out RESULT.csv, batch resume, or batch list.',
    );
  if ((what === 'plan' || what === 'run') && word === undefined)
    return wrong('Name the table.', `Write batch ${what} FILE.`);
  if ((what === 'run' || what === 'resume') && args.limit === undefined)
    return wrong('A batch needs a limit.', 'Write --limit 500, for example; batch plan FILE says what it would take.');
  if (what === 'run' && args.out === undefined) return wrong('Name the file of the result.', 'Write --out RESULT.csv.');
  const wants = readWants(args.want);
  if (!wants.ok) return wants;
  const kind = readKind(args.kind);
  if (!kind.ok) return kind;

  const file = await readConnectionFile(args.connection, session);
  if (!file.ok) return file;
  const opened = openCallingDesk(file.value, session);
  if (!opened.ok) return opened;
  const desk = opened.value;
  const { batches, reader } = await batchesAt(desk, session, args.timeoutMs);
  const interrupt = () => void batches.close();
  session.signal.addEventListener('abort', interrupt, { once: true });
  try {
    if (what === 'list') return list(batches, desk.connection.id);
    const run = (id: string) => runBatch(batches, reader, id, args);
    if (what === 'resume') return await resume(batches, desk.connection.id, word, run);
    return await planOrRun(
      batches,
      desk.connection.id,
      run,
      what === 'run',
      word ?? '',
      { kind: kind.value, wants: wants.value },
      session,
    );
  } finally {
    session.signal.removeEventListener('abort', interrupt);
    await batches.close();
    reader.close();
    desk.close();
  }
}

function readWants(want: readonly string[]): Result<BatchWant[]> {
  const names = want.length === 0 ? ['exists'] : want.flatMap((text) => text.split(','));
  const unknown = names.find((name) => !batchWants.some((one) => one === name));
  return unknown === undefined
    ? ok(names as BatchWant[])
    : wrong(`There is no --want ${unknown}.`, `It is one of ${batchWants.join(', ')}.`);
}

function readKind(kind: string | undefined): Result<BatchKind | undefined> {
  return kind === undefined || batchKinds.some((one) => one === kind)
    ? ok(kind as BatchKind | undefined)
    : wrong(`There is no --kind ${kind}.`, `It is one of ${batchKinds.join(', ')}.`);
}

/** The format follows from the name of the result file. A text file keeps the separator and line ends of the table. */
const formatOf = (out: string, table: string) =>
  /\.xlsx$/i.test(out) ? 'xlsx' : /\.xlsx$/i.test(table) ? 'csv' : 'as-it-came';

/** Finds the worker's script: beside the built program or in the folder above (this file may be in a folder of chunks), otherwise among the sources. */
function workerFile(folder: string, name: string): string {
  const here = import.meta.dirname;
  const built = [join(here, `${name}.js`), join(here, '..', `${name}.js`)].find((file) => existsSync(file));
  return built ?? join(here, '..', '..', 'core', 'batch', folder, `${name}.ts`);
}

/** The window's batches with the connection file's calls. The balance is read between calls if reading it is free. */
async function batchesAt(
  desk: CallingDesk,
  session: Session,
  timeoutMs: number,
): Promise<{ batches: Batches; reader: BalanceReader }> {
  const { db, folder, connections, connection } = desk;
  const { send, policy, pauses } = session;
  const clock = systemClock;
  const settings = settingsWithPolicy(createSettings(db), policy);
  const log = createActivityLog(db, clock);
  const clients = createClients({
    caller: withPolicy(desk.caller, policy),
    descriptions: createDescriptions(openServiceDescriptions(db), send, () => timeoutMs, createDecoder()),
    transport: send,
    decoder: createDecoder(),
    timeoutMs: () => timeoutMs,
  });
  const cached = openCachedAnswers(db, clock, {
    totalBytes: () => {
      const megabytes = settings.read('cacheMegabytes');
      return (megabytes.ok ? megabytes.value : 64) * 1_000_000;
    },
  });
  const { profile } = await findSecrets(session, connection, ['lookup-key', 'licence-id'], session.secretLabel);
  const { lookupKey, licenceId } = profile.secrets;
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
    pauses: pauses ?? {
      uptime: () => elapsedOf(clock),
      wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    },
    connections,
    secrets: { list: () => ok([]) },
    questions: createQuestions({
      connections,
      clients,
      answers: createAnswerCache(cached, { settings, log }),
      shapes: createShapeWatch(settings, clock),
      can: (one, protocol, operation) =>
        (protocol === 'rest'
          ? one.restBaseUrl !== '' && Boolean(lookupKey)
          : one.soapUrl !== '' && Boolean(licenceId)) && checkOperation(policy, protocol, operation).ok,
    }),
    ledger,
    userName: userInfo().username,
    keptDays: keptDaysOf(settings),
    sampleBalance: reader.readFree,
    workbooks: createWorkbooks(workerFile('table', 'workbook-worker')),
    tableThread: createTableThread(workerFile('survey', 'table-worker')),
    onChange() {},
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
  const seen = renderMoneyClaims(claims, { today: '' });
  return { kind, title, ...(what === '' ? {} : { what }), code, does, ...(seen === '' ? {} : { seen }) };
}

function list(batches: Batches, connectionId: string): Result<Printed> {
  const found = batches.list(connectionId);
  return found.ok ? ok({ value: found.value.map(describe) }) : found;
}

async function planOrRun(
  batches: Batches,
  connectionId: string,
  run: Run,
  runs: boolean,
  path: string,
  asked: { kind: BatchKind | undefined; wants: BatchWant[] },
  { policy }: Session,
): Promise<Result<Printed, Failure>> {
  if (runs) {
    const allowed = checkExport(policy);
    if (!allowed.ok) return allowed;
  }
  const opened = await batches.openFile(connectionId, resolve(path), basename(path));
  if (!opened.ok) return opened;
  const { tableId } = opened.value;
  try {
    const table = asked.kind === undefined ? opened : await batches.readAs(tableId, { kind: asked.kind });
    if (!table.ok) return table;
    const batch = await batches.plan({ tableId, wants: asked.wants });
    if (!batch.ok) return batch;
    const { id, plan } = batch.value;
    if (!runs) {
      // `plan` stores nothing.
      const forgotten = await batches.discard(id);
      if (!forgotten.ok) return forgotten;
      const columns = table.value.columns.map(({ name, role }) => ({ name, role }));
      return ok({ value: { kind: table.value.kind, wants: asked.wants, columns, ...plan } });
    }
    return await run(id);
  } finally {
    await batches.closeTable(tableId);
  }
}

async function resume(
  batches: Batches,
  connectionId: string,
  id: string | undefined,
  run: Run,
): Promise<Result<Printed, Failure>> {
  if (id !== undefined) return run(id);
  const found = batches.list(connectionId);
  if (!found.ok) return found;
  const open = found.value.filter(({ state, elsewhere }) => !elsewhere && (state === 'paused' || state === 'waiting'));
  const [only] = open;
  if (only === undefined) return wrong('No batch of this connection stands.', 'batch list names them all.');
  if (open.length > 1) return wrong(`${open.length} batches stand.`, 'Name one: batch list says their ids.');
  return run(only.id);
}

type Run = (id: string) => Promise<Result<Printed, Failure>>;

async function runBatch(
  batches: Batches,
  reader: BalanceReader,
  id: string,
  args: Arguments,
): Promise<Result<Printed, Failure>> {
  const before = batches.get(id);
  if (!before.ok) return before;
  // The balance just before its calls, with which the first one after them is compared.
  await reader.read(before.value.connectionId, 'rest-key');
  const begun = batches.run(id, {
    limit: args.limit ?? 0,
    minimumBalance: args.minimumBalance ?? null,
    rate: args.rate ?? 5,
    keyLabel: null,
    goOnUntil: null,
  });
  if (!begun.ok) return begun;
  await batches.ended(id);
  await reader.read(before.value.connectionId, 'rest-key');
  const batch = batches.get(id);
  if (!batch.ok) return batch;
  const balance = renderMoneyClaims(batch.value.claims, { today: '' });
  const document: Printed = { value: { ...describe(batch.value), ...(balance === '' ? {} : { balance }) } };
  if (args.out !== undefined) {
    const saved = await saveResult(
      batches,
      {
        batchId: id,
        filter: {},
        columns: [...resultColumns],
        acknowledgement: '',
        format: formatOf(args.out, batch.value.name),
      },
      resolve(args.out),
    );
    if (!saved.ok) return fail({ ...saved.error, printed: document });
    document.saved = { file: args.out, rows: saved.value.rows };
  }
  const { state, wait } = batch.value;
  if (state === 'done') return ok(document);
  const exitStatus = wait?.kind === 'limit' ? exitStatuses.limit : exitStatuses.waiting;
  return ok({ ...document, exitStatus });
}
