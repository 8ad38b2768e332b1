import { Menu } from '@mantine/core';
import { IconChevronDown, IconX } from '@tabler/icons-react';

export interface Choice {
  value: string;
  label: string;
}

interface ValueChipProps {
  name: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** One field of a filter: rows with one of the chosen values pass, all if none is chosen. If it filters, it shows by what, and a cross. */
export function ValueChip({ name, choices, chosen, onChange }: ValueChipProps) {
  const [first] = chosen;
  const words = choices.find(({ value }) => value === first)?.label ?? first ?? '';
  const others = chosen.length - 1;
  // A chosen value that no longer occurs can still be removed.
  const listed = [
    ...choices,
    ...chosen.filter((one) => !choices.some(({ value }) => value === one)).map((value) => ({ value, label: value })),
  ];
  return (
    <span className="filter-chip" data-on={chosen.length > 0}>
      <Menu position="bottom-start" closeOnItemClick={false}>
        <Menu.Target>
          <button type="button" className="filter-chip-name" disabled={listed.length === 0}>
            <span>{name}</span>
            {chosen.length > 0 ? (
              <span className="m trunc">
                {words}
                {others > 0 && `, ${others} more`}
              </span>
            ) : (
              <IconChevronDown size={13} className="ti t3" aria-hidden="true" />
            )}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {listed.map(({ value, label }) => (
            <Menu.CheckboxItem
              key={value}
              checked={chosen.includes(value)}
              onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value))}
            >
              {label}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen.length > 0 && <ChipCross name={name} onClear={() => onChange([])} />}
    </span>
  );
}

export const ChipCross = ({ name, onClear }: { name: string; onClear: () => void }) => (
  <button
    type="button"
    className="filter-chip-cross"
    aria-label={`Do not filter by ${name.toLowerCase()}`}
    onClick={onClear}
  >
    <IconX size={12} className="ti" aria-hidden="true" />
  </button>
);
