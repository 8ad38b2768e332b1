import { publishedPrice } from '../../../../shared/domain/credits/published-price.ts';
import {
  type ChangeStep,
  type LicenceChange,
  writeOperations,
} from '../../../../shared/domain/licences/licence-change.ts';
import { holdsLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';

type Subject = Pick<LicenceChange, 'kind' | 'licenceNumber' | 'machine' | 'fromMachine'>;

/** What a step does; the step's number is its index plus one. A write is always followed by its read. */
export type StepPlan =
  | { does: 'read'; machines: readonly string[] }
  | { does: 'write'; write: 'register' | 'unregister'; machine: string }
  | { does: 'prove'; machine: string; mustHold: boolean };

/** The steps of a change, the same for the plan, the run and the resumption. */
export function stepsOf({ kind, machine, fromMachine }: Subject): StepPlan[] {
  const take = (name: string): StepPlan[] => [
    { does: 'write', write: 'unregister', machine: name },
    { does: 'prove', machine: name, mustHold: false },
  ];
  const put = (name: string): StepPlan[] => [
    { does: 'write', write: 'register', machine: name },
    { does: 'prove', machine: name, mustHold: true },
  ];
  if (kind === 'register') return [{ does: 'read', machines: [machine] }, ...put(machine)];
  if (kind === 'unregister') return [{ does: 'read', machines: [machine] }, ...take(machine)];
  const from = fromMachine ?? '';
  return [{ does: 'read', machines: [from, machine] }, ...take(from), ...put(machine)];
}

/** The steps as shown before anything is done. `before`: what was read for the plan. */
export function drawSteps(change: Subject, before: readonly MachineHoldings[]): ChangeStep[] {
  return stepsOf(change).map((plan, index) => {
    const operation = operationOf(plan);
    return {
      number: index + 1,
      operation: isTwice(plan) ? `${operation}, twice` : operation,
      effect: plan.does === 'write' ? 'writes' : 'reads',
      text: describeStep(plan, change.licenceNumber, before),
      price: publishedPrice(operation),
      state: 'planned',
      startedAt: null,
      durationMs: null,
      result: null,
    };
  });
}

/** How often a machine is read if all goes as planned: once for a licence it names, twice for one it no longer names. */
export const readsOf = (change: Subject): number =>
  stepsOf(change).reduce(
    (sum, plan) =>
      sum + (plan.does === 'read' ? plan.machines.length : plan.does === 'prove' ? (plan.mustHold ? 1 : 2) : 0),
    0,
  );

function operationOf(plan: StepPlan): string {
  if (plan.does !== 'write') return 'GetLicenseDetails';
  return writeOperations[plan.write];
}

/** Two machines once each, or one machine half a minute apart. */
const isTwice = (plan: StepPlan): boolean =>
  plan.does === 'read' ? plan.machines.length === 2 : plan.does === 'prove' && !plan.mustHold;

function describeStep(plan: StepPlan, licenceNumber: string, before: readonly MachineHoldings[]): string {
  if (plan.does === 'read') {
    return plan.machines.length === 2
      ? 'Read which licences are named for both machines'
      : `Read which licences are named for ${plan.machines[0]}`;
  }
  if (plan.does === 'write') {
    return plan.write === 'register'
      ? `Put licence ${licenceNumber} on ${plan.machine}`
      : `Take licence ${licenceNumber} off ${plan.machine}`;
  }
  if (plan.mustHold) return `Read ${plan.machine}: ${licenceNumber} should be named for it`;
  const onMachine = before.find((holding) => holding.machine === plan.machine)?.licenceNumbers ?? [];
  return onMachine.length === 1 && holdsLicence(onMachine, licenceNumber)
    ? `Read ${plan.machine} twice, half a minute apart: no licence should be named for it`
    : `Read ${plan.machine} twice, half a minute apart: ${licenceNumber} should no longer be named for it`;
}
