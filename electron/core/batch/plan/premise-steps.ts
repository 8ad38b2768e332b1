import type { Protocol } from '../../../../shared/domain/connection.ts';

/** What can be wanted of one premise beyond its existence. */
const premiseFields = ['full', 'coordinates', 'uprn', 'udprn'] as const;
export type PremiseField = (typeof premiseFields)[number];

/** Which of the two published answer shapes a service uses: two endpoints of one service may use two. */
export interface Shapes {
  premise: 'A' | 'B';
  geo: 'A' | 'B';
}

/** A service as it is published uses one shape everywhere, and which one shows only in an answer. */
const published: readonly Shapes[] = [
  { premise: 'A', geo: 'A' },
  { premise: 'B', geo: 'B' },
];

/** What the shapes may be; null: none has been seen yet. */
export const shapesFrom = (seen: Shapes | null): readonly Shapes[] => (seen === null ? published : [seen]);

/** The calls that return something about one premise. */
export const premiseCalls = ['premise', 'premise-uprn', 'geo', 'address'] as const;
export type PremiseCall = (typeof premiseCalls)[number];

export const operationOf = {
  premise: 'GetPremise',
  'premise-uprn': 'GetPremise',
  geo: 'GetPremiseGeoData',
  address: 'GetPremiseAddress',
} as const satisfies Record<PremiseCall, string>;

export const protocolOf = (call: PremiseCall): Protocol => (call === 'address' ? 'soap' : 'rest');

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

/** What a call returns of a premise. */
export const broughtBy = (call: PremiseCall, { premise, geo }: Shapes): readonly PremiseField[] =>
  brings[call === 'geo' ? geo : premise][call];

/** Fields that no call returns: they are reported as missing and nothing is spent on them. None while no shape has been seen. */
export const absentIn = (shapes: Shapes | null): readonly PremiseField[] =>
  shapes === null
    ? []
    : premiseFields.filter((field) => !premiseCalls.some((call) => broughtBy(call, shapes).includes(field)));

/** Sets of calls, fewest first, so that among equal prices the one with the fewest calls comes first. */
const subsets: readonly (readonly PremiseCall[])[] = Array.from({ length: 2 ** premiseCalls.length }, (_, bits) =>
  premiseCalls.filter((_call, index) => bits & (1 << index)),
).sort((a, b) => a.length - b.length);

const covers = (calls: readonly PremiseCall[], need: readonly PremiseField[], shapes: Shapes): boolean =>
  need.every(
    (field) => absentIn(shapes).includes(field) || calls.some((call) => broughtBy(call, shapes).includes(field)),
  );

/** Credits of all calls; one without a price counts as 0. */
export const costOf = (calls: readonly PremiseCall[], prices: PremisePrices): number =>
  calls.reduce((sum, call) => sum + (prices[call] ?? 0), 0);

/**
 * The cheapest calls that return what is needed of one premise: fewest credits, then fewest calls. Until a shape has been seen they must do
 * in both, since it shows only in an answer. null: no possible call returns it.
 */
export function premiseSteps(
  need: readonly PremiseField[],
  shapes: Shapes | null,
  prices: PremisePrices,
): readonly PremiseCall[] | null {
  let best: readonly PremiseCall[] | null = null;
  for (const calls of subsets) {
    if (calls.some((call) => prices[call] === undefined)) continue;
    if (!shapesFrom(shapes).every((one) => covers(calls, need, one))) continue;
    if (best === null || costOf(calls, prices) < costOf(best, prices)) best = calls;
  }
  return best;
}
