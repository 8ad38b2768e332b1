import { expect, test } from 'vitest';
import { planUprn } from '../../../electron/core/lookup/uprn-plan.ts';
import { premisePrice } from '../../../renderer/features/lookup/prices.ts';
import { askPrice } from '../../../renderer/lib/licences/machines.ts';

const of = { connectionId: 'a', premiseId: '00284147', cache: 'default' } as const;

test.each(['A', 'B', null] as const)('asking for the UPRN costs what its plan says, after shape %s', (shape) => {
  const plan = planUprn(true, shape);
  if (!plan) throw new Error('no plan');
  const { operation, credits } = plan;
  expect(premisePrice({ ...of, kind: 'uprn', operation })).toEqual({ kind: 'credits', credits });
});

test('a premise costs what its interface is published to cost', () => {
  expect(premisePrice({ ...of, kind: 'open', interface: 'rest' })).toEqual({ kind: 'credits', credits: 1 });
});

test.each([0, 1, 3])('reading %i machines is never called free, as its price is not published', (machines) => {
  expect(askPrice(machines)).toEqual({ kind: 'not-published' });
});
