import type { FindingKind, MachinesOverview, MachineView } from '../../../shared/domain/licence-machines.ts';

const has = (machine: MachineView, kind: FindingKind) => machine.findings.some((finding) => finding.kind === kind);

/** Machines with every word somewhere in what is known of them, and with the finding; null: whatever was found. Pure. */
export function filterMachines(
  machines: readonly MachineView[],
  text: string,
  kind: FindingKind | null,
): readonly MachineView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return machines.filter((machine) => {
    if (kind !== null && kind !== 'orphan' && !has(machine, kind)) return false;
    const all = [machine.name, machine.nickname, machine.owner, machine.site, machine.note]
      .concat(machine.holds.map(({ name }) => name))
      .join('\n')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** An orphan is a licence, not a machine: those are counted by their remarks. Pure. */
export const countFinding = ({ machines, remarks }: MachinesOverview, kind: FindingKind): number =>
  kind === 'orphan'
    ? remarks.filter((remark) => remark.kind === 'orphan').length
    : machines.filter((machine) => has(machine, kind)).length;
