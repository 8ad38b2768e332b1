import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import type { ChangeKind, ChangeStep } from '../../../shared/domain/licences/licence-change.ts';

/** Several calls behind one button: known only if each is known; "measured" if one of them is. */
function sumPrices(prices: readonly ShownPrice[]): ShownPrice {
  let credits = 0;
  let times: number | null = null;
  for (const price of prices) {
    if (price.kind === 'not-published') return price;
    if (price.kind === 'cached') continue;
    credits += price.credits;
    if (price.kind === 'measured') times = times === null ? price.times : Math.min(times, price.times);
  }
  return times === null ? { kind: 'credits', credits } : { kind: 'measured', credits, times };
}

/** What reading the account's licences costs. */
export const listPrice = (): ShownPrice => publishedPrice('GetLicenseList');

/** What reading one machine costs. */
export const machinePrice = (): ShownPrice => publishedPrice('GetLicenseDetails');

/** What a plan costs: the account's list, then each machine concerned. */
export function planPrice(kind: ChangeKind): ShownPrice {
  const machines = kind === 'move' ? 2 : 1;
  return sumPrices([listPrice(), ...Array.from({ length: machines }, machinePrice)]);
}

/** A step whose operation is called twice: for both machines, or for one half a minute apart. */
export const isTwice = ({ operation }: Pick<ChangeStep, 'operation'>): boolean => operation.endsWith(', twice');

/** What running a plan costs: every step, the first included, since the machines are read once more before anything is sent. */
export const stepsPrice = (steps: readonly ChangeStep[]): ShownPrice =>
  sumPrices(steps.flatMap((step) => (isTwice(step) ? [step.price, step.price] : [step.price])));

/** What reading the machines of a change again costs. */
export const checkPrice = (kind: ChangeKind): ShownPrice =>
  sumPrices(Array.from({ length: kind === 'move' ? 2 : 1 }, machinePrice));
