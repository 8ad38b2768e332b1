/** What can be wanted of one premise beyond that it exists. */
const premiseFields = ['full', 'coordinates', 'uprn', 'udprn'] as const;
export type PremiseField = (typeof premiseFields)[number];

/** Which of the two published answer shapes a service speaks; null: not seen yet. */
export type Shape = 'A' | 'B' | null;

/** The calls that bring something of one premise. */
export const premiseCalls = ['premise', 'premise-uprn', 'geo', 'address'] as const;
export type PremiseCall = (typeof premiseCalls)[number];

export const operationOf = {
  premise: 'GetPremise',
  'premise-uprn': 'GetPremise',
  geo: 'GetPremiseGeoData',
  address: 'GetPremiseAddress',
} as const satisfies Record<PremiseCall, string>;

/** What each call brings (specification, resources; field notes, "What follows"). GetPremiseAddress has no coordinates and no UDPRN. */
const brings: Readonly<Record<'A' | 'B', Readonly<Record<PremiseCall, readonly PremiseField[]>>>> = {
  A: {
    premise: ['full', 'coordinates', 'udprn'],
    'premise-uprn': ['full', 'coordinates', 'udprn', 'uprn'],
    geo: ['coordinates', 'uprn', 'udprn'],
    address: ['full'],
  },
  B: {
    premise: ['full', 'coordinates'],
    'premise-uprn': ['full', 'coordinates', 'uprn'],
    geo: ['coordinates'],
    address: ['full'],
  },
};

/** Price in credits of each call that can be made here; a call without a price is left out. */
export type PremisePrices = Partial<Record<PremiseCall, number>>;

/** Fields that no call of a shape brings: they are said to be missing and nothing is spent on them. */
export const absentIn = (shape: 'A' | 'B'): readonly PremiseField[] =>
  premiseFields.filter((field) => !premiseCalls.some((call) => brings[shape][call].includes(field)));

/** Sets of calls, fewest first, so that the first of equal price is the one with the fewest calls. */
const subsets: readonly (readonly PremiseCall[])[] = Array.from({ length: 2 ** premiseCalls.length }, (_, bits) =>
  premiseCalls.filter((_call, index) => bits & (1 << index)),
).sort((a, b) => a.length - b.length);

const covers = (calls: readonly PremiseCall[], need: readonly PremiseField[], shape: 'A' | 'B'): boolean =>
  need.every((field) => absentIn(shape).includes(field) || calls.some((call) => brings[shape][call].includes(field)));

export const costOf = (calls: readonly PremiseCall[], prices: PremisePrices): number =>
  calls.reduce((sum, call) => sum + (prices[call] ?? 0), 0);

/**
 * The cheapest calls that bring what is needed of one premise: least credits, then fewest calls. Before the shape was seen they must do in
 * either, since which it is shows only in an answer. null: nothing that can be called here brings it.
 */
export function premiseSteps(
  need: readonly PremiseField[],
  shape: Shape,
  prices: PremisePrices,
): readonly PremiseCall[] | null {
  const shapes: readonly ('A' | 'B')[] = shape === null ? ['A', 'B'] : [shape];
  let best: readonly PremiseCall[] | null = null;
  for (const calls of subsets) {
    if (calls.some((call) => prices[call] === undefined)) continue;
    if (!shapes.every((one) => covers(calls, need, one))) continue;
    if (best === null || costOf(calls, prices) < costOf(best, prices)) best = calls;
  }
  return best;
}
