import { afterEach, beforeEach, expect, it } from 'vitest';
import { mostShown, readEvidence } from '../../../electron/core/credits/evidence.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { ok } from '../../../shared/result.ts';
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
  expect(unwrap(readEvidence(open, facts))).toMatchObject({ mayShowMore: true });
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
