import { describe, expect, test } from 'vitest';
import { describeEvidence } from '../../electron/core/credits/evidence.ts';
import { settleByReading } from '../../electron/core/credits/settle-by-reading.ts';
import type { CallRecord } from '../../shared/domain/activity.ts';
import type { BalanceReading, LedgerEntry, SpendVerdict } from '../../shared/domain/credits.ts';

const entry = (id: string, expected: number | null, verdict: SpendVerdict = 'not-read'): LedgerEntry => ({
  id,
  at: '2026-11-21T09:00:00.000Z',
  callId: id,
  operation: 'GetPremise',
  subject: '00284147',
  paidBy: 'Contact centre',
  expected,
  observed: null,
  balanceBefore: null,
  balanceAfter: null,
  since: null,
  explained: null,
  note: '',
  madeUp: false,
  verdict,
});

const verdicts = (before: number, after: number, entries: LedgerEntry[]) =>
  Object.fromEntries(settleByReading(before, after, entries).map(({ id, outcome }) => [id, outcome]));

describe('what two quiet readings say of the calls between them', () => {
  test('a burst that fits: each cost what was expected, with the balance after it', () => {
    const settled = verdicts(4812, 4808, [entry('a', 1), entry('b', 2), entry('c', 1)]);
    expect(settled.a).toMatchObject({ observed: 1, balanceAfter: 4811, verdict: 'matches' });
    expect(settled.b).toMatchObject({ observed: 2, balanceAfter: 4809, verdict: 'matches' });
    expect(settled.c).toMatchObject({ observed: 1, balanceAfter: 4808, verdict: 'matches' });
  });

  test('one call that cost something else: the difference, alone between the readings', () => {
    expect(verdicts(4812, 4809, [entry('a', 1)]).a).toMatchObject({
      observed: 3,
      balanceBefore: 4812,
      balanceAfter: 4809,
      alone: true,
    });
    expect(verdicts(4812, 4812, [entry('a', 1)]).a).toMatchObject({ observed: 0, alone: true });
  });

  test('one call without a published price is measured', () => {
    expect(verdicts(611, 610, [entry('a', null)]).a).toMatchObject({ observed: 1, alone: true });
  });

  test('two calls that do not fit are left open: nothing is shared out by guessing', () => {
    expect(settleByReading(4812, 4807, [entry('a', 1), entry('b', 1)])).toEqual([]);
    expect(settleByReading(4812, 4810, [entry('a', 1), entry('b', null)])).toEqual([]);
  });

  test('a top-up in between is nobody’s price', () => {
    expect(settleByReading(100, 5098, [entry('a', 1)])).toEqual([]);
  });

  test('a call without an answer: not charged, charged, or still open', () => {
    expect(verdicts(4812, 4812, [entry('u', 1, 'unsettled')]).u).toMatchObject({ observed: 0, verdict: 'not-charged' });
    expect(verdicts(4812, 4811, [entry('u', 1, 'unsettled')]).u).toMatchObject({
      observed: 1,
      verdict: 'charged-answer-lost',
    });
    expect(settleByReading(4812, 4805, [entry('u', 1, 'unsettled')])).toEqual([]);
    expect(settleByReading(4812, 4811, [entry('u', null, 'unsettled')])).toEqual([]);
  });

  test('beside answered calls, the rest of the difference decides', () => {
    const lost = verdicts(4812, 4810, [entry('a', 1), entry('u', 1, 'unsettled')]);
    expect(lost.a).toMatchObject({ verdict: 'matches' });
    expect(lost.u).toMatchObject({ verdict: 'charged-answer-lost' });
    expect(verdicts(4812, 4811, [entry('a', 1), entry('u', 1, 'unsettled')]).u).toMatchObject({
      verdict: 'not-charged',
    });
  });

  test('two calls without an answer stay open: either could be the one', () => {
    expect(settleByReading(4812, 4811, [entry('u', 1, 'unsettled'), entry('v', 1, 'unsettled')])).toEqual([]);
  });

  test('what is settled already is not settled again', () => {
    expect(settleByReading(4812, 4811, [entry('a', 1), entry('b', 1, 'matches')]).map(({ id }) => id)).toEqual(['a']);
  });
});

describe('the evidence of a call without an answer', () => {
  const call: CallRecord = {
    id: 'c1',
    at: '2026-11-21T09:58:01.000Z',
    connectionId: 'k',
    connectionName: 'Wyebank',
    interface: 'rest',
    operation: 'GetPremise',
    subject: '00284149',
    paidBy: 'Contact centre',
    outcome: 'unknown',
    errorCode: 'sent-no-answer',
    expectedCredits: 1,
    observedCredits: null,
    durationMs: 20_004,
  };
  const reading = (at: string, credits: number): BalanceReading => ({
    source: 'rest-key',
    label: 'Contact centre',
    keyLastFour: '4f2a',
    credits,
    used: null,
    total: null,
    expiryDate: null,
    text: null,
    at,
  });
  const before = reading('2026-11-21T09:57:58.000Z', 4812);

  test('stands in the order of time, with the readings on both sides', () => {
    const { rows } = describeEvidence(call, undefined, [before, reading('2026-11-21T09:58:22.000Z', 4812)]);
    expect(rows.map(({ credits }) => credits)).toEqual([4812, null, null, 4812]);
    expect(rows.map(({ at }) => at)).toEqual([...rows.map(({ at }) => at)].sort());
    expect(rows[2]?.text).toContain('not sent again');
  });

  test.each([
    ['charged-answer-lost', [before], /Probably charged once; not proved.*another key/],
    ['not-charged', [before], /Not charged/],
    ['unsettled', [before, reading('2026-11-21T09:58:22.000Z', 4812)], /Not charged so far/],
    ['unsettled', [before, reading('2026-11-21T09:58:22.000Z', 4700)], /others spent or added/],
    ['unsettled', [before], /One reading of the balance may settle it/],
    ['unsettled', [], /no balance was read before/],
  ] as const)('%s is said in words', (verdict, readings, words) => {
    expect(describeEvidence(call, { ...entry('c1', 1), verdict }, readings).conclusion).toMatch(words);
  });

  test.each([
    ['connection-refused', 'failed', null, /nothing left this computer/, /^Not sent\. The server did not accept/],
    ['credentials-refused', 'refused', null, /by what came back: .*key/, /^Refused by the service$/],
    ['sent-no-answer', 'unknown', 4812, /balance did not move/, /not sent again/],
  ] as const)('not charged after %s: what proves it is said', (errorCode, outcome, balanceAfter, words, ending) => {
    const settled: LedgerEntry = { ...entry('c1', 1), verdict: 'not-charged', observed: 0, balanceAfter };
    const told = describeEvidence({ ...call, errorCode, outcome }, settled, [before]);
    expect(told.conclusion).toMatch(words);
    expect(told.rows.at(-1)?.text).toMatch(ending);
  });

  test('another call of this console in between has moved the balance too, and is taken off', () => {
    const search: LedgerEntry = {
      ...entry('s1', 1),
      at: '2026-11-21T09:58:00.000Z',
      operation: 'Search',
      subject: 'HR10 2DT',
    };
    const unsettled: LedgerEntry = { ...entry('c1', 1), verdict: 'unsettled' };
    const after = (credits: number) => [before, reading('2026-11-21T09:58:22.000Z', credits)];
    const told = (credits: number, others: LedgerEntry[]) => describeEvidence(call, unsettled, after(credits), others);
    expect(told(4811, [search]).conclusion).toMatch(/Not charged so far/);
    expect(told(4811, [search]).rows.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Search HR10 2DT, another call/),
    );
    expect(told(4810, [search]).conclusion).toMatch(/Probably charged once; not proved/);
    expect(told(4811, []).conclusion).toMatch(/Probably charged once; not proved/);
    expect(told(4811, [{ ...search, expected: null }]).conclusion).toMatch(/no published price/);
    expect(told(4811, [{ ...search, at: '2026-11-21T09:00:00.000Z' }]).conclusion).toMatch(/Probably charged once/);
  });
});
