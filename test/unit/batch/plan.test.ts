import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countRow, noRows, planOf, type RowPlan, type Server } from '../../../electron/core/batch/plan/plan.ts';
import {
  type PremiseCall,
  type PremiseField,
  premiseSteps,
  type Shapes,
} from '../../../electron/core/batch/plan/premise-steps.ts';
import type { BatchWant } from '../../../shared/domain/batch.ts';

/** The fields that each call returns in each shape, and its price, written from the specification and the field notes instead of the planner. */
const witness: Record<'A' | 'B', { call: PremiseCall; credits: number; brings: PremiseField[] }[]> = {
  A: [
    { call: 'premise', credits: 1, brings: ['full', 'coordinates', 'udprn'] },
    { call: 'premise-uprn', credits: 2, brings: ['full', 'coordinates', 'udprn', 'uprn'] },
    { call: 'geo', credits: 1, brings: ['coordinates', 'uprn', 'udprn'] },
    { call: 'address', credits: 1, brings: ['full'] },
  ],
  B: [
    { call: 'premise', credits: 1, brings: ['full', 'coordinates'] },
    { call: 'premise-uprn', credits: 2, brings: ['full', 'coordinates', 'uprn'] },
    { call: 'geo', credits: 1, brings: ['coordinates'] },
    { call: 'address', credits: 1, brings: ['full'] },
  ],
};
const prices = { premise: 1, 'premise-uprn': 2, geo: 1, address: 1 };
const fields: PremiseField[] = ['full', 'coordinates', 'uprn', 'udprn'];

/** One shape for the whole service, as it is published, and two endpoints in two. */
const published: Shapes[] = [
  { premise: 'A', geo: 'A' },
  { premise: 'B', geo: 'B' },
];
const allShapes: Shapes[] = [...published, { premise: 'A', geo: 'B' }, { premise: 'B', geo: 'A' }];
const brought = (calls: readonly { call: PremiseCall }[], of: Shapes): PremiseField[] =>
  calls.flatMap(
    ({ call }) => witness[call === 'geo' ? of.geo : of.premise].find((one) => one.call === call)?.brings ?? [],
  );
/** What no call has is needed of none. */
const isMet = (need: readonly PremiseField[], has: readonly PremiseField[], of: Shapes): boolean =>
  need.every((field) => has.includes(field) || (field === 'udprn' && of.premise === 'B' && of.geo === 'B'));

/** The fewest credits for the needed fields of one premise, found by trying every set of calls. Infinity if no set returns them. */
function leastFor(need: readonly PremiseField[], shapes: readonly Shapes[], hasSoap: boolean, hasRest = true): number {
  let best = Number.POSITIVE_INFINITY;
  for (let bits = 0; bits < 16; bits += 1) {
    const calls = witness.A.filter((_, index) => bits & (1 << index));
    if (calls.some(({ call }) => (call === 'address' ? !hasSoap : !hasRest))) continue;
    const does = shapes.every((of) => isMet(need, brought(calls, of), of));
    const credits = calls.reduce((sum, one) => sum + one.credits, 0);
    if (does) best = Math.min(best, credits);
  }
  return best;
}

const shape = fc.constantFrom<Shapes | null>(...allShapes, null);

test('no other set of calls for what is needed of a premise costs less: all sets, all shapes, with SOAP and without', () => {
  for (let bits = 0; bits < 16; bits += 1)
    for (const of of [...allShapes, null])
      for (const hasSoap of [true, false])
        for (const hasRest of [true, false]) {
          const need = fields.filter((_, index) => bits & (1 << index));
          const { address, ...rest } = prices;
          const own = { ...(hasRest ? rest : {}), ...(hasSoap ? { address } : {}) };
          const steps = premiseSteps(need, of, own);
          const least = leastFor(need, of === null ? published : [of], hasSoap, hasRest);
          if (steps === null) expect(least).toBe(Number.POSITIVE_INFINITY);
          else expect(steps.reduce((sum, call) => sum + prices[call], 0)).toBe(least);
        }
});

/** A row of a table of at most 6 rows in at most 3 postcodes, with what it turns out to be. */
const row = fc.record({
  postcode: fc.integer({ min: 0, max: 2 }),
  /** Rows with the same number have the same text. */
  says: fc.integer({ min: 0, max: 3 }),
  flat: fc.boolean(),
  malformed: fc.boolean(),
  /** What its search finds: one premise, none that fits, or several. */
  turnsOut: fc.constantFrom('one', 'none', 'several'),
  /** Which premise it is: rows with different texts may mean the same one. */
  premise: fc.integer({ min: 0, max: 2 }),
});
/** The fields of each premise that are saved; the plan knows them only after the search. */
const savedOf = fc.option(fc.array(fc.subarray(fields), { minLength: 3, maxLength: 3 }), { nil: null });
const wants = fc.uniqueArray(fc.constantFrom<BatchWant>('exists', 'full', 'coordinates', 'uprn', 'udprn'), {
  minLength: 1,
});

const serverOf = (of: Shapes | null, hasSoap: boolean): Server => {
  const { address, ...rest } = prices;
  return {
    search: hasSoap
      ? { call: 'search-free', operation: 'SearchPremise_ByPostcode', credits: 0, namesFlats: true }
      : { call: 'search', operation: 'Search', credits: 1, namesFlats: false },
    premise: { ...rest, ...(hasSoap ? { address } : {}) },
    shapes: of,
  };
};

describe('a table of addresses', () => {
  test('rows that name a flat are counted in words', () => {
    const notesOf = (rows: number) => {
      const counts = noRows(false);
      for (let row = 0; row < rows; row += 1)
        countRow(counts, { is: 'asked', search: 'ask', premise: { is: 'later', flat: true } });
      return planOf(counts, 'addresses', ['exists'], serverOf(published[0] ?? null, false)).notes;
    };
    const rest = 'is read only if the search leaves one premise that may be it.';
    expect(notesOf(1)).toEqual([`1 row names a flat or unit. It ${rest}`]);
    expect(notesOf(2)).toEqual([`2 rows name a flat or unit. Each ${rest}`]);
  });

  test('the calls of both ways are listed, and the sums take those of one', () => {
    const counts = noRows(false);
    countRow(counts, { is: 'asked', search: 'counted', premise: { is: 'known', saved: [], needsAddress: false } });
    const { stages, credits, notes } = planOf(counts, 'addresses', ['uprn'], serverOf(null, false));
    const listed = stages.reduce((all, stage) => all + (stage.credits?.most ?? 0), 0);
    expect(credits?.most).toBeLessThan(listed);
    expect(notes).toEqual([
      'In which of two ways this service answers shows with its first answer: the calls of both are listed, and the sums take those of one.',
    ]);
  });

  test('each executed call names a stage, and counts and credits lie within its bounds', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        wants,
        shape,
        fc.constantFrom(...published),
        fc.boolean(),
        savedOf,
        (rows, wanted, seen, truth, hasSoap, savedBefore) => {
          const really = seen ?? truth;
          const server = serverOf(seen, hasSoap);
          const counts = noRows(savedBefore !== null);
          const said = new Set<string>();
          const searched = new Set<number>();
          const different: typeof rows = [];
          for (const one of rows) {
            const key = `${one.postcode} ${one.says}`;
            let plan: RowPlan;
            if (one.malformed) plan = { is: 'malformed' };
            else if (said.has(key)) plan = { is: 'same' };
            else {
              said.add(key);
              different.push(one);
              plan = {
                is: 'asked',
                search: searched.has(one.postcode) ? 'counted' : 'ask',
                premise: { is: 'later', flat: one.flat },
              };
              searched.add(one.postcode);
            }
            countRow(counts, plan);
          }
          const plan = planOf(counts, 'addresses', wanted, server);
          const { total, ask, saved, same, malformed } = plan.rows;
          expect(ask + saved + same + malformed).toBe(total);
          expect(total).toBe(rows.length);

          // The calls of the execution: the search of each postcode, then those for each row that turns out to be one premise.
          const executed: { stage: string; credits: number }[] = [];
          for (const _ of searched) executed.push({ stage: server.search?.call ?? '', credits: hasSoap ? 0 : 1 });
          let known = seen;
          const has = [0, 1, 2].map((premise) => new Set(savedBefore?.[premise]));
          for (const one of different) {
            if (one.turnsOut !== 'one') continue;
            const need = new Set(fields.filter((field) => wanted.includes(field)));
            if (one.flat && !hasSoap) need.add('full');
            const own = has[one.premise] ?? new Set();
            const left = [...need].filter((field) => !own.has(field));
            const steps = premiseSteps(left, known, server.premise) ?? [];
            for (const call of steps) executed.push({ stage: call, credits: prices[call] });
            for (const field of brought(
              steps.map((call) => ({ call })),
              really,
            ))
              own.add(field);
            if (steps.some((call) => call !== 'address')) known = really;
          }
          for (const { stage } of executed) expect(plan.stages.map((one) => one.stage)).toContain(stage);
          for (const stage of plan.stages) {
            const own = executed.filter((one) => one.stage === stage.stage);
            const credits = own.reduce((sum, one) => sum + one.credits, 0);
            expect(own.length).toBeGreaterThanOrEqual(stage.calls.least);
            expect(own.length).toBeLessThanOrEqual(stage.calls.most);
            expect(credits).toBeGreaterThanOrEqual(stage.credits?.least ?? 0);
            expect(credits).toBeLessThanOrEqual(stage.credits?.most ?? 0);
          }
          const spent = executed.reduce((sum, one) => sum + one.credits, 0);
          expect(spent).toBeGreaterThanOrEqual(plan.credits?.least ?? 0);
          expect(spent).toBeLessThanOrEqual(plan.credits?.most ?? 0);
          expect(executed.length).toBeGreaterThanOrEqual(plan.calls.least);
          expect(executed.length).toBeLessThanOrEqual(plan.calls.most);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** One postcode of a table, whose search may be saved, and what the plan may know of each of its rows. */
const block = fc.record({
  isSaved: fc.boolean(),
  rows: fc.array(
    fc.record({
      flat: fc.boolean(),
      /** If the search is saved: whether the row is one premise in it, and which of its fields are saved too. */
      isFound: fc.boolean(),
      saved: fc.subarray(fields),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});
type Block = { isSaved: boolean; rows: { flat: boolean; isFound: boolean; saved: PremiseField[] }[] };

/** The cost of a plan in the dearest case. */
interface Worst {
  credits: number;
  calls: number;
}
const endless: Worst = { credits: Number.POSITIVE_INFINITY, calls: Number.POSITIVE_INFINITY };
const isLess = (one: Worst, other: Worst): boolean =>
  one.credits < other.credits || (one.credits === other.credits && one.calls < other.calls);
const dearer = (one: Worst, other: Worst): Worst => (isLess(one, other) ? other : one);
const plus = (one: Worst, credits: number, calls: number): Worst => ({
  credits: one.credits + credits,
  calls: one.calls + calls,
});

const allCalls = Array.from({ length: 16 }, (_, bits) => witness.A.filter((_one, index) => bits & (1 << index)));
/**
 * Tries every assignment of steps to the postcodes and rows of a table and returns the cheapest worst case: which searches each postcode
 * gets, and which calls each row that may be one premise. While the answer shape is unknown, a plan may begin with
 * any call of any row and continue by the shape of its answer.
 */
function leastOfAllPlans(
  blocks: readonly Block[],
  wanted: readonly BatchWant[],
  seen: Shapes | null,
  hasSoap: boolean,
  isEachWithAll = false,
): { worst: Worst; tried: number } {
  const own = allCalls.filter((calls) => hasSoap || calls.every(({ call }) => call !== 'address'));
  const searches = [{ credits: 1, namesFlats: false }, ...(hasSoap ? [{ credits: 0, namesFlats: true }] : [])];
  const searchSets = Array.from({ length: 2 ** searches.length }, (_, bits) =>
    searches.filter((_one, index) => bits & (1 << index)),
  );
  let best = endless;
  let tried = 0;

  /** The fields that a row may need of its premise; null if it cannot be looked up. */
  function needOf(one: Block['rows'][number], of: Block, namesFlats: boolean): PremiseField[] | null {
    if (of.isSaved && !one.isFound) return null;
    const need = fields.filter((field) => wanted.includes(field) || (field === 'full' && one.flat && !namesFlats));
    return of.isSaved ? need.filter((field) => !one.saved.includes(field)) : need;
  }

  /** Tries all sets of calls for all rows, in a known shape. */
  function leastOfAll(needs: readonly PremiseField[][], of: Shapes, so: Worst): Worst {
    const [need, ...others] = needs;
    if (need === undefined) return so;
    let least = endless;
    for (const calls of own) {
      if (!isMet(need, brought(calls, of), of)) continue;
      tried += 1;
      const credits = calls.reduce((sum, one) => sum + one.credits, 0);
      const worst = leastOfAll(others, of, plus(so, credits, calls.length));
      if (isLess(worst, least)) least = worst;
    }
    return least;
  }

  /** The calls of one row do not affect another, so the combinations of rows need not be tried. Short tables check this. */
  const leastIn = (needs: readonly PremiseField[][], of: Shapes, from: Worst): Worst =>
    isEachWithAll ? leastOfAll(needs, of, from) : needs.reduce((so, need) => leastOfAll([need], of, so), from);

  function tryPlan(needs: readonly PremiseField[][], so: Worst): Worst {
    if (seen !== null) return leastIn(needs, seen, so);
    if (needs.every((need) => need.length === 0)) return so;
    let least = endless;
    for (const [at, need] of needs.entries())
      for (const first of own.filter((calls) => calls.length === 1)) {
        const rest = (of: Shapes) => {
          const has = brought(first, of);
          return [...needs.slice(0, at), need.filter((field) => !has.includes(field)), ...needs.slice(at + 1)];
        };
        const begun = plus(so, first[0]?.credits ?? 0, 1);
        const worst = published.map((of) => leastIn(rest(of), of, begun)).reduce(dearer);
        if (isLess(worst, least)) least = worst;
      }
    return least;
  }

  function trySearches(at: number, so: Worst, needs: PremiseField[][]): void {
    const of = blocks[at];
    if (of === undefined) {
      const worst = tryPlan(needs, so);
      if (isLess(worst, best)) best = worst;
      return;
    }
    // A saved search is used, because the service would answer the same.
    const ways = of.isSaved ? [[]] : searchSets.filter((set) => set.length > 0);
    for (const set of ways) {
      const namesFlats = of.isSaved ? hasSoap : set.some((one) => one.namesFlats);
      const further = of.rows.map((one) => needOf(one, of, namesFlats)).filter((need) => need !== null);
      const credits = set.reduce((sum, one) => sum + one.credits, 0);
      trySearches(at + 1, plus(so, credits, set.length), [...needs, ...further]);
    }
  }
  trySearches(0, { credits: 0, calls: 0 }, []);
  return { worst: best, tried };
}

function planOfBlocks(blocks: readonly Block[], wanted: readonly BatchWant[], seen: Shapes | null, hasSoap: boolean) {
  const counts = noRows(false);
  for (const { isSaved, rows } of blocks)
    for (const [at, { flat, isFound, saved }] of rows.entries())
      countRow(counts, {
        is: 'asked',
        search: at > 0 ? 'counted' : isSaved ? 'saved' : 'ask',
        premise: !isSaved
          ? { is: 'later', flat }
          : isFound
            ? { is: 'known', saved, needsAddress: flat && !hasSoap }
            : { is: 'none' },
      });
  return planOf(counts, 'addresses', wanted, serverOf(seen, hasSoap));
}

test('no other plan has a lower maximum: all searches for all postcodes and all calls for all rows, all shapes and none, with SOAP and without', () => {
  let tried = 0;
  fc.assert(
    fc.property(
      fc
        .array(block, { minLength: 1, maxLength: 3 })
        .filter((blocks) => blocks.reduce((rows, one) => rows + one.rows.length, 0) <= 6),
      wants,
      shape,
      fc.boolean(),
      (some, wanted, seen, hasSoap) => {
        // A saved answer over REST would show the shape, so while it is unknown only addresses over SOAP can be saved.
        const blocks: Block[] = some.map(({ isSaved, rows }) => ({
          isSaved,
          rows: rows.map((one) => ({
            ...one,
            saved: one.saved.filter((field) => seen !== null || (hasSoap && field === 'full')),
          })),
        }));
        const plan = planOfBlocks(blocks, wanted, seen, hasSoap);
        const all = leastOfAllPlans(blocks, wanted, seen, hasSoap);
        tried += all.tried;
        expect(plan.credits?.most).toBe(all.worst.credits);
        // Nothing about a premise is certain before its search, so the lower bound is the searches alone.
        const searched = blocks.filter(({ isSaved }) => !isSaved).length;
        expect(plan.credits?.least).toBe(hasSoap ? 0 : searched);
        // With a known shape, no plan of the same price has fewer calls.
        if (seen !== null) expect(plan.calls.most).toBe(all.worst.calls);
        const isShort = blocks.reduce((sum, { rows }) => sum + rows.length, 0) <= 3;
        if (isShort) expect(leastOfAllPlans(blocks, wanted, seen, hasSoap, true).worst).toEqual(all.worst);
      },
    ),
    { numRuns: 600 },
  );
  expect(tried).toBeGreaterThan(10_000);
});

test('identifiers: what is saved is not sent again, and the bounds are exact if the shape is known', () => {
  fc.assert(
    fc.property(
      fc.array(fc.subarray(fields), { minLength: 1, maxLength: 6 }),
      wants,
      fc.constantFrom(...allShapes),
      fc.boolean(),
      (saved, wanted, of, hasSoap) => {
        const counts = noRows(false);
        for (const one of saved)
          countRow(counts, { is: 'asked', search: 'none', premise: { is: 'known', saved: one, needsAddress: false } });
        const plan = planOf(counts, 'premise-ids', wanted, serverOf(of, hasSoap));
        const need = fields.filter((field) => wanted.includes(field));
        const credits = saved
          .map((one) =>
            (need.length === 0 ? (['full'] as PremiseField[]) : need).filter((field) => !one.includes(field)),
          )
          .reduce((sum, left) => sum + leastFor(left, [of], hasSoap), 0);
        expect(plan.credits).toEqual({ least: credits, most: credits });
      },
    ),
    { numRuns: 500 },
  );
});
