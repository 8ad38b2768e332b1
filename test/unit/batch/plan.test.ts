import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countRow, noRows, planOf, type RowPlan, type Server } from '../../../electron/core/batch/plan/plan.ts';
import {
  type PremiseCall,
  type PremiseField,
  premiseSteps,
  type Shape,
} from '../../../electron/core/batch/plan/premise-steps.ts';
import type { BatchWant } from '../../../shared/domain/batch.ts';

/** What each call brings in each shape and costs, written from the specification and the field notes, not from the planner. */
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

/** The least credits that bring what is needed of one premise: every set of calls is tried. Infinity: none does. */
function leastFor(
  need: readonly PremiseField[],
  shapes: readonly ('A' | 'B')[],
  hasSoap: boolean,
  hasRest = true,
): number {
  let best = Number.POSITIVE_INFINITY;
  for (let bits = 0; bits < 16; bits += 1) {
    const calls = witness.A.map(({ call }) => call).filter((_, index) => bits & (1 << index));
    if ((!hasSoap && calls.includes('address')) || (!hasRest && calls.some((call) => call !== 'address'))) continue;
    const does = shapes.every((shape) => {
      const brought = new Set(
        witness[shape].filter(({ call }) => calls.includes(call)).flatMap(({ brings }) => brings),
      );
      return need.every((field) => brought.has(field) || (shape === 'B' && field === 'udprn'));
    });
    const credits = witness.A.filter(({ call }) => calls.includes(call)).reduce((sum, one) => sum + one.credits, 0);
    if (does) best = Math.min(best, credits);
  }
  return best;
}

const shape = fc.constantFrom<Shape>('A', 'B', null);
const shapesOf = (of: Shape): ('A' | 'B')[] => (of === null ? ['A', 'B'] : [of]);

test('no calls that bring what is needed of a premise cost less: all sets of calls, both shapes, with SOAP and without', () => {
  for (let bits = 0; bits < 16; bits += 1)
    for (const of of ['A', 'B', null] as const)
      for (const hasSoap of [true, false])
        for (const hasRest of [true, false]) {
          const need = fields.filter((_, index) => bits & (1 << index));
          const { address, ...rest } = prices;
          const own = { ...(hasRest ? rest : {}), ...(hasSoap ? { address } : {}) };
          const steps = premiseSteps(need, of, own);
          const least = leastFor(need, shapesOf(of), hasSoap, hasRest);
          if (steps === null) expect(least).toBe(Number.POSITIVE_INFINITY);
          else expect(steps.reduce((sum, call) => sum + prices[call], 0)).toBe(least);
        }
});

/** A table of at most 6 rows in at most 3 postcodes, as the truth has it: what each row turns out to be. */
const row = fc.record({
  postcode: fc.integer({ min: 0, max: 2 }),
  /** Rows with the same say the same. */
  says: fc.integer({ min: 0, max: 3 }),
  flat: fc.boolean(),
  malformed: fc.boolean(),
  /** What its search shows: one premise, or none that fits, or several. */
  turnsOut: fc.constantFrom('one', 'none', 'several'),
});
const wants = fc.uniqueArray(fc.constantFrom<BatchWant>('exists', 'full', 'coordinates', 'uprn', 'udprn'), {
  minLength: 1,
});

const serverOf = (of: Shape, hasSoap: boolean): Server => {
  const { address, ...rest } = prices;
  return {
    search: hasSoap
      ? { call: 'search-free', operation: 'SearchPremise_ByPostcode', credits: 0, namesFlats: true }
      : { call: 'search', operation: 'Search', credits: 1, namesFlats: false },
    premise: { ...rest, ...(hasSoap ? { address } : {}) },
    shape: of,
  };
};

describe('a table of addresses', () => {
  test('each executed call names a stage, counts and credits lie within its bounds, and no plan has a smaller most', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        wants,
        shape,
        fc.constantFrom<'A' | 'B'>('A', 'B'),
        fc.boolean(),
        (rows, wanted, seen, truth, hasSoap) => {
          const really = seen ?? truth;
          const server = serverOf(seen, hasSoap);
          const counts = noRows();
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

          // What is executed: the search of each postcode, then of each row that turns out to be one premise what is needed.
          const executed: { stage: string; credits: number }[] = [];
          for (const _ of searched) executed.push({ stage: server.search?.call ?? '', credits: hasSoap ? 0 : 1 });
          let known: Shape = seen;
          for (const one of different) {
            if (one.turnsOut !== 'one') continue;
            const need = new Set(fields.filter((field) => wanted.includes(field)));
            if (one.flat && !hasSoap) need.add('full');
            const steps = premiseSteps([...need], known, server.premise) ?? [];
            for (const call of steps) executed.push({ stage: call, credits: prices[call] });
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

          // Brute force: whatever the rows turn out to be, no way of asking has a smaller most.
          const each = different.map((one) => {
            const need = new Set(fields.filter((field) => wanted.includes(field)));
            if (one.flat && !hasSoap) need.add('full');
            return leastFor([...need], shapesOf(seen), hasSoap);
          });
          const most = each.reduce((sum, one) => sum + one, 0) + (hasSoap ? 0 : searched.size);
          expect(plan.credits?.most).toBe(most);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test('identifiers: what is saved of one is not asked again, and the bounds are exact where the shape is known', () => {
  fc.assert(
    fc.property(
      fc.array(fc.subarray(fields), { minLength: 1, maxLength: 6 }),
      wants,
      fc.constantFrom<'A' | 'B'>('A', 'B'),
      fc.boolean(),
      (saved, wanted, of, hasSoap) => {
        const counts = noRows();
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
