import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { databaseName } from '../../electron/core/storage/database/database.ts';
import type { ChannelInput, ChannelName, ChannelOutput } from '../../shared/contract.ts';
import { wholeJournal } from '../../shared/domain/licences/journal-filter.ts';
import { wholeTable } from '../../shared/domain/row-filter.ts';
import { openTestGazetteer } from '../helpers/batch-scene.ts';
import { startDemoProcess } from '../helpers/demo-process.ts';
import { startProgram } from '../helpers/program.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { createRandom } from './world.ts';

/**
 * Office days in simulated time: the whole program except its window, with its database on disk and a demo service in a separate process.
 * Only the clock is simulated.
 */

export interface OfficePlan {
  folder: string;
  days: number;
  /** Searches a day; after most of them a premise is opened. */
  lookups: number;
  polls: number;
  /** Rows of the batch that runs on each fifth day. */
  batchRows: number;
  seed: number;
  /** The program is measured after every this many days, and after the first and the last. */
  lookEach: number;
  onLook?(day: OfficeDay): void;
}

/** The measurements at the end of a day. */
export interface OfficeDay {
  day: number;
  /** Used bytes of main's heap after a garbage collection, and bytes of the database with its log. */
  heap: number;
  disk: number;
  /** Open timers, sockets, threads and files of the process, by kind. */
  open: Record<string, number>;
  /** Processor time of this thread, in milliseconds, for the calls that each screen makes when it opens. */
  screens: Record<string, number>;
  /** The longest turn of the event loop since the last measurement, in milliseconds of processor time, and what caused it. */
  stop: { ms: number; cause: string };
}

export interface OfficeEnd {
  looks: OfficeDay[];
  /** Credits that the service took, and credits that the ledger counts. */
  taken: number;
  counted: number;
  /** Requests that the service had, and questions answered by what was saved, by the log. */
  calls: number;
  cached: number;
  /** Cut off by the end of the program, as a balance read just begun: the service may not have had them. */
  cut: number;
  rows: Record<string, number>;
  /** What was open after the program had ended and had not been before it began. */
  left: Record<string, number>;
  /** The sizes that the program itself reports at the end. */
  stored: ChannelOutput<'stored.sizes'> | null;
  files: string[];
  faults: string[];
  changesEnded: number;
  alertsTold: number;
  batchRowsDone: number;
}

const day = 86_400_000;
const minute = 60_000;

const openThings = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  // A request to the file system is not a thing left open: one that is under way just now ends by itself.
  for (const name of process.getActiveResourcesInfo().filter((one) => !one.startsWith('FSReq')))
    counts[name] = (counts[name] ?? 0) + 1;
  for (const name of ['exit', 'beforeExit', 'SIGTERM', 'SIGINT', 'warning'])
    counts[`listeners of ${name}`] = process.listenerCount(name);
  if (process.platform === 'linux')
    for (const fd of readdirSync('/proc/self/fd')) {
      try {
        const name = readlinkSync(`/proc/self/fd/${fd}`).replace(/:\[\d+\]$/, '');
        // Node writes what it has compiled to a folder of this run when it sees fit.
        if (!name.includes('/compiled/')) counts[name] = (counts[name] ?? 0) + 1;
      } catch {
        // The file descriptor with which the folder is read is closed already.
      }
    }
  return counts;
};

/** The kinds of which `after` has more than `before`, with the difference. */
export const more = (before: Record<string, number>, after: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, count]) =>
      count > (before[name] ?? 0) ? [[name, count - (before[name] ?? 0)]] : [],
    ),
  );

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function heapInUse(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 4; turn += 1) {
    collect();
    await wait(5);
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}

/** Runs office days one after the other and measures the program at intervals. */
export async function runOffice({
  folder,
  days,
  lookups,
  polls,
  batchRows,
  seed,
  lookEach,
  onLook,
}: OfficePlan): Promise<OfficeEnd> {
  const gazetteer = openTestGazetteer();
  const postcodes = gazetteer.samplePostcodes(600);
  gazetteer.close();
  const service = await startDemoProcess('--seed', '42', '--premises', '4000', '--credits', '9000000');
  const before = openThings();
  const clock = {
    time: Date.parse('2027-01-04T09:00:00Z'),
    passed: 0,
    now: () => clock.time,
    elapsed: () => clock.passed,
    boot: 'one',
  };
  const pass = (ms: number): void => {
    clock.time += ms;
    clock.passed += ms;
  };
  const random = createRandom(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const program = unwrap(
    await startProgram({
      folder,
      clock,
      readDelayMs: 0,
      pauses: {
        uptime: () => clock.passed,
        wait: async (ms) => {
          pass(ms);
          await wait(0);
        },
      },
    }),
  );
  const { core } = program;
  const faults: string[] = [];
  const call = async <C extends ChannelName>(channel: C, input: ChannelInput<C>): Promise<ChannelOutput<C> | null> => {
    const answer = await program.call(channel, input);
    if (answer.ok) return answer.value;
    faults.push(`${channel}: ${answer.error.code} ${answer.error.message}`);
    return null;
  };
  const { lookupKey, licenceId, accountName, guid } = service.demo;
  const connectionId = await program.connect(
    {
      restBaseUrl: service.restBaseUrl,
      soapUrl: service.soapUrl,
      soapNamespace: service.soapNamespace,
      utilitiesNamespace: service.utilitiesNamespace,
      accountName,
    },
    { 'lookup-key': lookupKey, 'licence-id': licenceId, 'account-guid': guid },
  );
  await call('connections.select', { connectionId });
  await call('credits.read-balances', { connectionId, sources: ['rest-key'] });
  await call('credits.save-alerts', { connectionId, alerts: [{ kind: 'below-credits', threshold: 8_999_990 }] });
  const list = await call('licences.read', { connectionId });
  const licence = list?.licences.find(
    ({ seatsFree, expiresOn }) => (seatsFree ?? 0) > 0 && (expiresOn ?? '') > '2028',
  )?.licenceNumber;

  /** What main is doing. A timer that is always due measures the processor time between two turns. */
  let doing = 'start';
  let stop = { ms: 0, cause: '' };
  const used = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let last = used();
  const watch = setInterval(() => {
    const took = used() - last;
    last += took;
    // Garbage collections that the test forces do not count.
    if (took > stop.ms && doing !== 'collection') stop = { ms: took, cause: doing };
  }, 5);

  const screens: Record<string, () => Promise<unknown>> = {
    activity: () => call('activity.list', { search: '', filter: wholeTable, before: null, limit: 200, fold: true }),
    'activity, a word': () =>
      call('activity.list', { search: 'getpremise', filter: wholeTable, before: null, limit: 200, fold: true }),
    ledger: () => call('credits.ledger', { connectionId, filter: wholeTable, before: null, limit: 100 }),
    credits: () => call('credits.overview', { connectionId }),
    licences: () => call('licences.last-seen', { connectionId }),
    journal: () => call('journal.list', { filter: wholeJournal, before: null, limit: 200 }),
    suggestions: () => call('lookup.suggest', { connectionId, text: 'HR' }),
    batches: () => call('batch.list', { connectionId }),
  };
  async function timeScreens(): Promise<Record<string, number>> {
    const times: Record<string, number> = {};
    for (const [name, ask] of Object.entries(screens)) {
      await ask();
      // Several are measured together, because the system counts a thread's time in steps of some milliseconds.
      const began = process.threadCpuUsage();
      for (let turn = 0; turn < 10; turn += 1) await ask();
      const { user, system } = process.threadCpuUsage(began);
      times[name] = (user + system) / 10_000;
    }
    return times;
  }

  const search = async (): Promise<void> => {
    doing = 'search';
    const found = await call('lookup.search', { connectionId, text: one(postcodes) });
    pass(5000);
    const row = found?.results[0];
    if (!row || random() < 0.4) return;
    doing = 'premise opened';
    await call('lookup.open', { connectionId, premiseId: row.premiseId, interface: 'rest' });
  };
  async function change(number: string, at: number): Promise<void> {
    doing = 'licence change';
    const machine = 'OFFICE-2';
    const kind = at % 2 === 0 ? 'register' : 'unregister';
    const plan = await call('licences.plan', { connectionId, kind, licenceNumber: number, machine });
    pass(20_000);
    if (!plan) return;
    const run = await call('licences.run', { changeId: plan.id, confirmedName: machine, ticked: true });
    if (run?.state === 'finished') changesEnded += 1;
  }
  async function batch(): Promise<void> {
    doing = 'batch';
    const rows = Array.from({ length: batchRows }, () => one(postcodes));
    const pasted = await call('batch.paste', { connectionId, text: `${['Postcode', ...rows].join('\n')}\n` });
    const plan = await call('batch.plan', { tableId: pasted?.table?.tableId ?? '', wants: ['exists'] });
    if (!plan) return;
    await call('batch.run', {
      batchId: plan.id,
      limit: 10_000,
      minimumBalance: null,
      rate: 50,
      keyLabel: null,
      goOnUntil: null,
    });
    await core.batches.ended(plan.id);
    const ended = await call('batch.get', { batchId: plan.id });
    if (ended?.state === 'done') batchRowsDone += batchRows;
  }

  let changesEnded = 0;
  let batchRowsDone = 0;
  const looks: OfficeDay[] = [];
  for (let at = 0; at < days; at += 1) {
    const morning = clock.time;
    for (let step = 0; step < Math.max(lookups, polls); step += 1) {
      if (step < lookups) await search();
      if (step < polls) {
        pass(minute + 1000);
        doing = 'balance read';
        await core.credits.poller.tick();
      }
    }
    if (at % 5 === 4) await batch();
    if (licence !== undefined && at % 5 < 2) await change(licence, at % 5);
    doing = 'licences read';
    if (at % 5 === 0) await call('licences.read', { connectionId });
    doing = 'removal of what is past its time';
    await core.upkeep.run();
    // Lets the program make the balance readings after a spend.
    await wait(20);
    program.told.length = 0;
    if (at % lookEach === 0 || at === days - 1) {
      doing = 'screens';
      const times = await timeScreens();
      doing = 'collection';
      const heap = await heapInUse();
      const disk = ['', '-wal'].reduce(
        (sum, end) => sum + (statSync(join(folder, databaseName + end), { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
      const look = { day: at + 1, heap, disk, open: openThings(), screens: times, stop };
      looks.push(look);
      onLook?.(look);
      stop = { ms: 0, cause: '' };
    }
    pass(Math.max(0, morning + day - clock.time));
  }
  clearInterval(watch);
  const alertsTold = unwrap(core.credits.alerts.list(connectionId)).filter(({ toldAt }) => toldAt !== null).length;
  faults.push(...program.logged.map(({ where, error }) => `${where}: ${String(error)}`));
  const stored = await call('stored.sizes', {});
  await program.close();
  const files = readdirSync(folder).sort();
  collect();
  await wait(50);
  const left = more(before, openThings());
  const { calls: taken } = await service.meter();
  const database = new DatabaseSync(join(folder, databaseName), { readOnly: true });
  const tables = [
    'calls',
    'ledger',
    'balance_readings',
    'held_answers',
    'segments',
    'licence_change',
    'licence_journal',
    'machine_history',
    'said',
    'batches',
    'batch_rows',
  ];
  const rows: Record<string, number> = {};
  for (const table of tables) {
    const exists = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
    if (exists) rows[table] = Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  }
  const sum = Number(database.prepare('SELECT coalesce(sum(expected), 0) AS n FROM ledger').get()?.n);
  const countOf = (where: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM calls WHERE ${where}`).get()?.n);
  const cached = countOf("outcome = 'held'");
  const cut = countOf("outcome IN ('unknown', 'cancelled')");
  database.close();
  await service.stop();
  return {
    looks,
    taken: Object.values(taken).reduce((all, { credits }) => all + credits, 0),
    counted: sum,
    calls: Object.values(taken).reduce((all, { hits }) => all + hits, 0),
    cached,
    cut,
    rows,
    left,
    stored,
    files,
    faults,
    changesEnded,
    alertsTold,
    batchRowsDone,
  };
}
