import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { priceOfCalls, publishedPrice, sumPrices } from '../../../shared/domain/credits/published-price.ts';
import type { ChangeKind, ChangeStep } from '../../../shared/domain/licences/licence-change.ts';
import { machineReads } from '../../lib/licences/machines.ts';

/** What reading the account's licences costs. */
export const listPrice = (): ShownPrice => publishedPrice('GetLicenseList');

/** What reading one machine costs. */
export const machinePrice = (): ShownPrice => publishedPrice('GetLicenseDetails');

/** What a plan costs: the account's list, then each machine concerned. */
export const planPrice = (kind: ChangeKind): ShownPrice =>
  priceOfCalls(['GetLicenseList', ...machineReads(machinesIn(kind))]);

/** A step whose operation is called twice: for both machines, or for one half a minute apart. */
export const isTwice = ({ operation }: Pick<ChangeStep, 'operation'>): boolean => operation.endsWith(', twice');

/** What running a plan costs: every step, the first included, since the machines are read once more before anything is sent. */
export const stepsPrice = (steps: readonly ChangeStep[]): ShownPrice =>
  sumPrices(steps.flatMap((step) => (isTwice(step) ? [step.price, step.price] : [step.price])));

/** What reading the machines of a change again costs. */
export const checkPrice = (kind: ChangeKind): ShownPrice => priceOfCalls(machineReads(machinesIn(kind)));

const machinesIn = (kind: ChangeKind): number => (kind === 'move' ? 2 : 1);
