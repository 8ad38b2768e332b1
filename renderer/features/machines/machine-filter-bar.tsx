import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { FindingKind, MachinesOverview, MachineView } from '../../../shared/domain/licences/licence-machines.ts';
import { searchWords } from '../../../shared/domain/text/search-words.ts';
import { countOf, formatNumber } from '../../lib/text/format.ts';

const chips: readonly { kind: FindingKind; label: string; always?: boolean }[] = [
  { kind: 'near-equal', label: 'Almost equal names', always: true },
  { kind: 'double', label: 'Doubles', always: true },
  { kind: 'orphan', label: 'Orphans', always: true },
  { kind: 'nothing', label: 'None named', always: true },
  { kind: 'ghost', label: 'Not in the list' },
  { kind: 'expired', label: 'Expired' },
  { kind: 'changed', label: 'Changed since the last scan' },
  { kind: 'no-answer', label: 'Not read' },
];

interface MachineFilterBarProps {
  overview: MachinesOverview;
  /** How many machines answered; null: shown elsewhere. */
  answered: number | null;
  text: string;
  onText: (text: string) => void;
  /** The finding that a machine must have; null: any or none. */
  kind: FindingKind | null;
  onKind: (kind: FindingKind | null) => void;
}

/** Filters the machines by words or by a finding. */
export function MachineFilterBar({ overview, answered, text, onText, kind, onKind }: MachineFilterBarProps) {
  return (
    <search className="filter-bar" aria-label="Filter machines">
      <TextInput
        className="low"
        placeholder="Filter"
        aria-label="Filter machines"
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        w={160}
        leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
      />
      {chips.map(({ kind: one, label, always }) => {
        const count = countFinding(overview, one);
        return (
          (always || count > 0) && (
            <button
              key={one}
              type="button"
              className="chip line facet"
              aria-pressed={kind === one}
              onClick={() => onKind(kind === one ? null : one)}
            >
              <span className="t2">{label}</span> <span className="m">{formatNumber(count)}</span>
            </button>
          )
        );
      })}
      <span className="grow" />
      <span className="sm t3 nowrap">
        {countOf(overview.machines.length, 'machine')}
        {answered !== null && `, ${formatNumber(answered)} answered`}
      </span>
    </search>
  );
}

const has = (machine: MachineView, kind: FindingKind) => machine.findings.some((finding) => finding.kind === kind);

/** Machines that contain every word in what is known of them, and that have the finding; null: any or none. Pure. */
export function filterMachines(
  machines: readonly MachineView[],
  text: string,
  kind: FindingKind | null,
): readonly MachineView[] {
  const words = searchWords(text);
  return machines.filter((machine) => {
    if (kind !== null && kind !== 'orphan' && !has(machine, kind)) return false;
    const all = [machine.name, machine.nickname, machine.owner, machine.site, machine.note]
      .concat(machine.holds.map(({ name }) => name))
      .join('\n')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** An orphan is a licence, not a machine: orphans are counted by their remarks. Pure. */
const countFinding = ({ machines, remarks }: MachinesOverview, kind: FindingKind): number =>
  kind === 'orphan'
    ? remarks.filter((remark) => remark.kind === 'orphan').length
    : machines.filter((machine) => has(machine, kind)).length;
