/** What can be wanted of one premise beyond its existence. */
const premiseFields = ['full', 'coordinates', 'uprn', 'udprn'] as const;
export type PremiseField = (typeof premiseFields)[number];

/** Which of the two published answer shapes a service uses; null: not seen yet. */
export type Shape = 'A' | 'B' | null;

/** The calls that return something about one premise. */
export const premiseCalls = ['premise', 'premise-uprn', 'geo', 'address'] as const;
export type PremiseCall = (typeof premiseCalls)[number];

export const operationOf = {
  premise: 'GetPremise',
  'premise-uprn': 'GetPremise',
  geo: 'GetPremiseGeoData',
  address: 'GetPremiseAddress',
} as const satisfies Record<PremiseCall, string>;

/** What each call returns (specification, resources; field notes, "What follows"). GetPremiseAddress has no coordinates and no UDPRN. */
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

/** Price in credits of each call possible here; a call without a price is left out. */
export type PremisePrices = Partial<Record<PremiseCall, number>>;

/** Fields that no call of a shape returns: they are reported as missing and nothing is spent on them. */
export const absentIn = (shape: 'A' | 'B'): readonly PremiseField[] =>
  premiseFields.filter((field) => !premiseCalls.some((call) => brings[shape][call].includes(field)));

/** Sets of calls, fewest first, so that among equal prices the one with the fewest calls comes first. */
const subsets: readonly (readonly PremiseCall[])[] = Array.from({ length: 2 ** premiseCalls.length }, (_, bits) =>
  premiseCalls.filter((_call, index) => bits & (1 << index)),
).sort((a, b) => a.length - b.length);

const covers = (calls: readonly PremiseCall[], need: readonly PremiseField[], shape: 'A' | 'B'): boolean =>
  need.every((field) => absentIn(shape).includes(field) || calls.some((call) => brings[shape][call].includes(field)));

/** Credits of all calls; one without a price counts as 0. */
export const costOf = (calls: readonly PremiseCall[], prices: PremisePrices): number =>
  calls.reduce((sum, call) => sum + (prices[call] ?? 0), 0);

/**
 * The cheapest calls that return what is needed of one premise: fewest credits, then fewest calls. Until the shape has been seen they must
 * do in both, since it shows only in an answer. null: no possible call returns it.
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
