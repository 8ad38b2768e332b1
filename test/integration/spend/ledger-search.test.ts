import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry, LedgerSums } from '../../../shared/domain/credits/credits.ts';
import { type RowFilter, wholeTable } from '../../../shared/domain/row-filter.ts';
import { factsOf } from '../../helpers/spend-facts.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

// Compares the ledger's filter and sums with the claims of every entry. The oracle uses the claims' data and no column of the database.

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      expected: fc.constantFrom(1, 1, 2, null),
      key: fc.nat(1),
      how: fc.constantFrom('answered', 'answered', 'answered', 'refused', 'lost', 'unsent'),
    }),
  },
  {
    weight: 4,
    // With both counters, of which the total goes down with the balance, nothing follows from a fall.
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      fall: fc.constantFrom(0, 1, 2, 3, -5, 26),
      counters: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
);

const has = (entry: LedgerEntry, ...kinds: string[]) => entry.claims.some(({ kind }) => kinds.includes(kind));
const keys = ['Contact centre', 'Équipe de nuit'];

function oracle(entries: readonly LedgerEntry[], filter: RowFilter): LedgerEntry[] {
  return entries.filter((entry) => {
    const unexplained = entry.kind === 'movement' && (entry.observed ?? 0) > 0;
    if (filter.keys.length > 0 && !filter.keys.includes(entry.paidBy)) return false;
    if (filter.from !== null && entry.at < filter.from) return false;
    if (filter.to !== null && entry.at > filter.to) return false;
    if (unexplained) return true;
    const text = `${entry.operation} ${entry.subject} ${entry.paidBy} ${entry.note}`.toLowerCase();
    if (
      !filter.search
        .toLowerCase()
        .split(/\s+/)
        .every(
          (word) =>
            text.replace('hr10 2dt', 'hr10 2dt hr102dt').includes(word) ||
            (word === 'tannery' && entry.subject === '00284147'),
        )
    )
      return false;
    if (filter.outcomes.length > 0 && !filter.outcomes.some((one) => endsAs(entry, one))) return false;
    return filter.claims.length === 0 || filter.claims.some((one) => isOf(entry, one));
  });
}
const endsAs = (entry: LedgerEntry, outcome: string) =>
  entry.kind === 'call' &&
  {
    answered: has(entry, 'answered', 'unusable-answer'),
    refused: has(entry, 'refused'),
    'no-answer': has(entry, 'no-answer', 'unusable-answer', 'cut-off'),
    'not-sent': has(entry, 'nothing-left'),
    'under-way': has(entry, 'under-way'),
  }[outcome];
const isOf = (entry: LedgerEntry, group: string) =>
  ({
    alone: has(entry, 'cost'),
    'by-price': has(entry, 'at-price'),
    shared: has(entry, 'shared', 'between'),
    'no-fall': has(entry, 'no-fall'),
    'not-known': has(entry, 'rose', 'unclear'),
    'not-read': has(entry, 'under-way', 'not-read-before', 'not-read-since', 'may-come'),
    'not-explained': entry.kind === 'movement' && (entry.observed ?? 0) > 0,
    added: entry.kind === 'movement' && (entry.observed ?? 0) < 0,
    'nothing-sent': has(entry, 'nothing-left'),
    earlier: has(entry, 'said-before'),
  })[group];

function oracleSums(all: readonly LedgerEntry[], left: readonly LedgerEntry[]): LedgerSums {
  const sum = (figures: readonly (number | null)[]) => figures.reduce<number>((total, one) => total + (one ?? 0), 0);
  const calls = left.filter((entry) => entry.kind === 'call' && !has(entry, 'nothing-left'));
  const falls = new Map<string, number>();
  const sharing = calls.filter((entry) => has(entry, 'shared', 'between'));
  for (const { claims } of sharing)
    for (const claim of claims)
      if (claim.kind === 'shared' || claim.kind === 'between')
        falls.set(`${claim.from}/${claim.to}/${claim.fall}`, claim.fall);
  const movements = left.filter(({ kind }) => kind === 'movement').map(({ observed }) => observed ?? 0);
  return {
    entries: left.length,
    of: all.length,
    calls: calls.length,
    price: sum(calls.map(({ expected }) => expected)),
    unpriced: calls.filter(({ expected }) => expected === null).length,
    alone: sum(calls.flatMap(({ claims }) => claims.flatMap((claim) => (claim.kind === 'cost' ? claim.fall : [])))),
    byPrice: sum(
      calls.flatMap(({ claims }) => claims.flatMap((claim) => (claim.kind === 'at-price' ? claim.price : []))),
    ),
    shared: sum([...falls.values()]),
    sharedBy: sharing.length,
    open: calls.filter((entry) =>
      has(entry, 'under-way', 'not-read-before', 'not-read-since', 'may-come', 'rose', 'unclear'),
    ).length,
    notExplained: sum(movements.filter((one) => one > 0)),
    added: 0 - sum(movements.filter((one) => one < 0)),
    balances: 0,
    madeUp: 0,
  };
}

describe('the search of the ledger', () => {
  let temp: TempDatabase;
  beforeEach(() => {
    temp = openTempDatabase();
  });
  afterEach(() => temp.remove());

  it('filters and sums the same as the claims of every entry', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 30 }),
        fc.subarray([
          'alone',
          'shared',
          'no-fall',
          'not-explained',
          'added',
          'not-read',
          'by-price',
          'nothing-sent',
          'not-known',
        ] as const),
        fc.subarray(['answered', 'refused', 'no-answer', 'not-sent', 'under-way']),
        async (steps, claims, outcomes) => {
          number += 1;
          const fingerprint = `key-${number}`;
          const connectionId = temp.addConnection(`Connection ${number}`).id;
          const facts = factsOf(temp.db, temp.clock, connectionId);
          const own = { fingerprint, origins: [`https://service-${number}.example`] };
          let balance = 500;
          const read = (counters = false) => {
            const asked = unwrap(facts.ledger.beginSample());
            unwrap(
              facts.balances.recordSample(
                connectionId,
                {
                  source: 'rest-key',
                  label: 'Contact centre',
                  keyLastFour: '4f2a',
                  credits: balance,
                  used: counters ? 0 : null,
                  total: counters ? balance : null,
                  expiryDate: null,
                  text: null,
                },
                { asked, purse: { origin: own.origins[0] ?? '', fingerprint }, ownCall: null },
              ),
            );
          };
          read();
          for (const one of steps) {
            temp.clock.time += 1500;
            if (one.kind === 'wait') temp.clock.time += 300_000;
            else if (one.kind === 'read') {
              balance -= one.fall;
              read(one.counters);
            } else {
              const id = facts.send({
                ...own,
                expected: one.expected,
                paidBy: keys[one.key] ?? '',
                subject: one.key === 0 ? '00284147' : 'HR10 2DT',
              });
              facts.end(id, one.how as never, one.how === 'refused' ? '429' : null);
            }
          }
          const all = facts.entries();
          const middle = all[Math.floor(all.length / 2)]?.at ?? null;
          const subjectsOf = (word: string) => (word === 'tannery' ? ['00284147'] : []);
          const filters: RowFilter[] = [
            wholeTable,
            { ...wholeTable, claims },
            { ...wholeTable, outcomes },
            { ...wholeTable, search: 'tannery' },
            { ...wholeTable, search: 'ÉQUIPE getpremise', from: middle },
            { ...wholeTable, search: 'hr102dt' },
            { ...wholeTable, keys: ['Équipe de nuit'], to: middle, claims },
          ];
          for (const filter of filters) {
            const expected = oracle(all, filter);
            const listed = await facts.ledger.search.list(
              connectionId,
              filter,
              { before: null, limit: 500 },
              subjectsOf,
            );
            expect(listed.entries).toEqual(expected);
            expect(await facts.ledger.search.sums(connectionId, filter, subjectsOf)).toEqual(oracleSums(all, expected));
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
