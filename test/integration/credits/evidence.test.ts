import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mostShown, readEvidence } from '../../../electron/core/credits/evidence.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { ok } from '../../../shared/result.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { startProgram } from '../../helpers/program.ts';
import { factsOf } from '../../helpers/spend-facts.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

// The evidence of a call stays small, however many readings and calls came later.

let temp: TempDatabase;
let connectionId: string;
let facts: ReturnType<typeof factsOf>;

beforeEach(() => {
  temp = openTempDatabase();
  connectionId = temp.addConnection().id;
  facts = factsOf(temp.db, temp.clock, connectionId);
});
afterEach(() => temp.remove());

const callAt = (id: string): CallRecord => ({
  id,
  at: new Date(temp.clock.time).toISOString(),
  connectionId,
  connectionName: 'Wyebank',
  interface: 'rest',
  operation: 'GetPremise',
  subject: '00284147',
  paidBy: 'Contact centre',
  outcome: 'answered',
  errorCode: null,
  expectedCredits: 1,
  observedCredits: null,
  durationMs: 1,
  person: '',
  source: '',
});
const inOne = (work: () => void) =>
  unwrap(
    temp.db.transaction(() => {
      work();
      return ok(undefined);
    }),
  );
const step = () => {
  temp.clock.time += 1000;
};

it('reads no more rows than it shows, and says if there are more', () => {
  facts.read(10_000);
  step();
  const call = callAt('the call');
  facts.call({ callId: 'the call' });
  inOne(() => {
    for (let n = 0; n < 400; n += 1) {
      step();
      facts.call({ callId: `later ${n}` });
    }
    for (let n = 0; n < 300; n += 1) {
      step();
      facts.read(9000 - n);
      step();
      facts.call();
    }
  });
  const asked: number[] = [];
  const evidence = unwrap(
    readEvidence(call, {
      ledger: {
        findOfCall: facts.ledger.findOfCall,
        listBetween: (...query) => {
          const rows = facts.ledger.listBetween(...query);
          asked.push(unwrap(rows).length);
          return rows;
        },
      },
      balances: {
        samplesAround: (...query) => {
          const rows = facts.balances.samplesAround(...query);
          asked.push(unwrap(rows).length);
          return rows;
        },
      },
    }),
  );
  expect(asked).toEqual([mostShown.samples + 1, mostShown.calls + 2]);
  expect(evidence.rows.length).toBeLessThanOrEqual(mostShown.samples + mostShown.calls + 4);
  expect(evidence.rows.map(({ text }) => text)).toContain('More calls of this console; the ledger has them all');
});

it('waits for no reading of a call that is not in the ledger', () => {
  facts.read(10);
  step();
  const free = unwrap(readEvidence(callAt('free'), facts));
  expect(free).toMatchObject({ claims: [], mayShowMore: false });
  const open = callAt('open');
  facts.call({ callId: 'open' });
  // The first of its facts is the reading before it, up to a day earlier.
  expect(unwrap(readEvidence(open, facts))).toMatchObject({ at: open.at, mayShowMore: true });
  step();
  facts.read(9);
  expect(unwrap(readEvidence(open, facts))).toMatchObject({ mayShowMore: false });
});

it('an answer from what is saved was not sent', () => {
  facts.read(10);
  step();
  const saved = unwrap(readEvidence({ ...callAt('saved'), outcome: 'held' }, facts));
  expect(saved.rows.map(({ text }) => text)).toContain('Answered from what is saved; nothing was sent.');
  expect(saved.rows.filter(({ text }) => /GetPremise .* sent\b/.test(text))).toEqual([]);
  expect(saved).toMatchObject({ claims: [{ kind: 'nothing-left' }], mayShowMore: false });
});

it('a call that could not be entered in the ledger, so that it was not made, is not said to be sent or answered', () => {
  const failed = { ...callAt('unentered'), outcome: 'failed', errorCode: 'storage-failed' } as const;
  const { rows } = unwrap(readEvidence(failed, facts));
  expect(rows.map(({ text }) => text)).toEqual([
    'GetPremise 00284147 begun',
    'Not sent, or the answer was not understood.',
  ]);
});

it('a call to which something came that is no answer is not said to be perhaps not sent', () => {
  for (const errorCode of ['not-the-service', 'http-error', 'answer-too-large']) {
    const { rows } = unwrap(readEvidence({ ...callAt(errorCode), outcome: 'failed', errorCode }, facts));
    expect(rows.at(-1)?.text).toBe('An answer came, and it could not be used.');
  }
});

it('names the key of each reading if there are several, so that each has its own before and after', () => {
  const inReserve = { label: 'In reserve', keyLastFour: '91c2', fingerprint: 'in-reserve' };
  facts.read(500);
  step();
  facts.read(80, inReserve);
  step();
  const call = callAt('the call');
  facts.call({ callId: 'the call' });
  // Read so often that nothing of the paying key would be left among the first ones of any key.
  for (let count = 0; count <= mostShown.samples; count += 1) {
    step();
    facts.read(80, inReserve);
  }
  step();
  facts.read(499);
  const readings = unwrap(readEvidence(call, facts)).rows.filter(({ credits }) => credits !== null);
  const ofKey = (name: string) =>
    readings.filter(({ text }) => text.endsWith(`, ${name}`)).map(({ credits }) => credits);
  expect(ofKey('Contact centre ••4f2a')).toEqual([500, 499]);
  expect(new Set(ofKey('In reserve ••91c2'))).toEqual(new Set([80]));
  expect(readings).toHaveLength(2 + 1 + mostShown.samples);
});

it('shows no reading of another address that the connection has been given since', () => {
  facts.read(500);
  step();
  const call = callAt('the call');
  facts.call({ callId: 'the call' });
  step();
  facts.read(90, { origin: 'https://other.example' });
  const { rows } = unwrap(readEvidence(call, facts));
  expect(rows.flatMap(({ credits }) => credits ?? [])).toEqual([500]);
});

it('“Read the balance” of a call asks with the key that paid for it', async () => {
  const asked: string[] = [];
  const service = createServer((request, response) => {
    asked.push(String(request.url) + JSON.stringify(request.headers));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ Credits: 100 }));
  });
  await listenOnLoopback(service);
  const program = unwrap(await startProgram());
  try {
    const { port } = service.address() as AddressInfo;
    const id = await program.connect({ restBaseUrl: `http://127.0.0.1:${port}/v1` });
    for (const [label, value] of [
      ['In use', 'LK-1111111111111111'],
      ['In reserve', 'LK-2222222222222222'],
    ] as const)
      unwrap(await program.call('secrets.put', { connectionId: id, role: 'lookup-key', label, value }));
    const { log } = program.core;
    const call = unwrap(
      log.beginCall({
        connectionId: id,
        connectionName: '',
        interface: 'rest',
        operation: 'GetPremise',
        subject: '',
        paidBy: 'In reserve',
        expectedCredits: 1,
      }),
    );
    unwrap(await program.call('credits.read-evidence', { callId: call.id }));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('LK-2222222222222222');
  } finally {
    await program.close();
    service.closeAllConnections();
    await new Promise((closed) => service.close(closed));
  }
});
