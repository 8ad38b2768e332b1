import { type ChildProcess, fork } from 'node:child_process';
import { once as eventOf } from 'node:events';
import { setTimeout as wait, setImmediate as yieldTurn } from 'node:timers/promises';
import type { ChannelName } from '../../shared/contract.ts';
import { type Program, startProgram } from '../helpers/program.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { namespace, operation } from './support/answers.ts';
import { longestTurn } from './support/longest-turn.ts';
import { type BenchOptions, megabytes, milliseconds, type Row, times } from './support/rows.ts';

/** A frame (ms), and the ratio of memory after an answer was released to that before it. */
const limits = { turn: 16, left: 1.1 };
/** A thread that keeps nothing ends after 10 s (decode/decoder.ts), and the engine releases its memory some 10 s later. */
const idleMs = 25_000;

type Call = (name: ChannelName, input: object) => Promise<Record<string, never>>;

interface Kind {
  name: string;
  ask(call: Call): Promise<Record<string, unknown>>;
}

/**
 * What a long answer of each kind takes of main: its longest turn, and memory before it, while it is shown and after it was put away. All of
 * the program but its window, the service in another process.
 */
export async function measureLongAnswers({ quick }: BenchOptions): Promise<Row[]> {
  const service = fork(new URL('support/long-answer-service.ts', import.meta.url), { stdio: 'inherit' });
  const [port] = await eventOf(service, 'message');
  const origin = `http://127.0.0.1:${port}`;
  const program = unwrap(await startProgram({ readDelayMs: 2_000_000_000 }));
  const draft = { soapUrl: `${origin}/lookup.asmx`, soapNamespace: namespace, accountName: 'WYE' };
  const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const keys = { 'lookup-key': 'LK-7f3a91c2e8d04b56', 'account-guid': guid, 'licence-id': guid, 'licence-key': guid };
  const connectionId = await program.connect({ ...draft, restBaseUrl: origin, searchForm: 'query' }, keys);
  const overSoap = await program.connect({ ...draft, preferredInterface: 'soap' }, keys);
  const call: Call = async (name, input) => {
    const result = await program.call(name, input as never);
    // Copies the result, as for the message to the window.
    structuredClone(result);
    return unwrap(result) as Record<string, never>;
  };
  const run = (name: string, given: Record<string, string>) =>
    call('operations.run', {
      connectionId,
      operation: name,
      dataset: false,
      fields: Object.entries(given).map(([field, value]) => ({ name: field, values: [value] })),
      cache: 'reload',
    });
  const kinds: Kind[] = [
    { name: 'an operation over SOAP', ask: () => run(operation, { Postcode: 'HR10 0DT' }) },
    { name: 'an operation over REST', ask: () => run('Search', { query: 'Tannery Row' }) },
    {
      name: 'a lookup over SOAP',
      ask: () => call('lookup.search', { connectionId: overSoap, text: 'AB1 2DF', cache: 'reload' }),
    },
    {
      name: 'a lookup over REST',
      ask: () => call('lookup.search', { connectionId, text: 'AB1 2DF', cache: 'reload' }),
    },
    { name: 'a list of licences', ask: () => call('licences.read', { connectionId }) },
  ];
  const counts = quick ? [50_000] : [50_000, 100_000];
  const rows: Row[] = [];
  try {
    for (const { name, ask } of kinds) {
      const wanted = process.env.CASE;
      if (wanted && !name.includes(wanted)) continue;
      await serve(service, 100);
      await ask(call);
      for (const count of counts) {
        if (count > 50_000 && name !== 'an operation over SOAP') continue;
        await serve(service, count);
        const one = () => shown(program, call, ask, count, name.endsWith('lookup over SOAP') ? overSoap : connectionId);
        const before = await readMemory();
        // The first one is a warm-up, because code is slow the first time.
        await one();
        const open = await one();
        await wait(idleMs);
        const once = await readMemory();
        await one();
        await one();
        await wait(idleMs);
        const after = await readMemory();
        const of = `${count.toLocaleString('en-GB')} records, ${name}`;
        rows.push({
          name: `longest turn of main: ${of}`,
          ours: milliseconds(open.turn),
          other: `answered in ${(open.took / 1000).toFixed(1)} s`,
          ratio: times(open.turn / limits.turn),
          aim: `≤ ${limits.turn} ms`,
          reached: open.turn / limits.turn,
        });
        rows.push(
          {
            name: `memory of main: ${of}, put away`,
            ours: `${megabytes(after.main)}, ${megabytes(open.memory.main)} while it is shown`,
            other: `${megabytes(before.main)} before`,
            ratio: times(after.main / before.main),
            aim: `≤ ${times(limits.left)}`,
            reached: after.main / before.main / limits.left,
          },
          {
            // The engine keeps the pages that main's heap once had, so only growth from one round to the next counts.
            name: `memory of the process: ${of}, put away for the second time`,
            ours: `${megabytes(after.rss)}, ${megabytes(open.memory.rss)} while it is shown`,
            other: `${megabytes(once.rss)} the first time, ${megabytes(before.rss)} before any`,
            ratio: times(after.rss / once.rss),
            aim: `≤ ${times(limits.left)}`,
            reached: after.rss / once.rss / limits.left,
          },
        );
      }
    }
  } finally {
    await program.close();
    service.disconnect();
  }
  return rows;
}

async function serve(service: ChildProcess, count: number): Promise<void> {
  service.send(count);
  await eventOf(service, 'message');
}

/** Makes the call, reads pages and raw text if there are any, and releases the answer. */
async function shown(program: Program, call: Call, ask: Kind['ask'], count: number, connectionId: string) {
  let answer: Record<string, unknown> = {};
  const began = performance.now();
  let took = 0;
  const turn = await longestTurn(async () => {
    answer = await ask(call);
    took = performance.now() - began;
    // A search is sent to the window in parts, each a separate message.
    for (let from = 4000; from < Number(answer.count ?? 0); from += 4000) {
      await yieldTurn();
      await call('lookup.more-results', {
        connectionId,
        answerId: (answer.provenance as { answerId: string }).answerId,
        from,
      });
    }
    if (typeof answer.answerId !== 'string') return;
    const { answerId } = answer;
    const view = { column: 1, descending: true, filter: 'r' };
    await call('operations.rows', { answerId, table: 0, from: count / 2, count: 1000, view });
    const which = { answerId, side: 'answer', indented: true };
    await call('operations.raw-lines', { ...which, from: 0, count: 500 });
  });
  const memory = await readMemory();
  if (typeof answer.answerId === 'string') {
    await call('operations.raw-close', { answerId: answer.answerId });
    await call('operations.put-away', { answerIds: [answer.answerId] });
  }
  program.core.operations.closeWindow(1);
  return { turn, took, memory };
}

/** The lowest of some collections: `main`, what is in use there; `rss`, all of the process with its threads. */
async function readMemory(): Promise<{ main: number; rss: number }> {
  let main = Number.POSITIVE_INFINITY;
  let rss = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 6; turn += 1) {
    globalThis.gc?.();
    await wait(100);
    const { heapUsed, external } = process.memoryUsage();
    main = Math.min(main, heapUsed + external);
    rss = Math.min(rss, process.memoryUsage.rss());
  }
  return { main, rss };
}
