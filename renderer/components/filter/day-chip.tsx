import { Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { type DayRange, formatDays, lastDays, yesterday } from '../../lib/text/day-range.ts';
import { DaysForm } from './days-form.tsx';
import { ChipCross } from './value-chip.tsx';

interface DayChipProps {
  /** null: every day. */
  days: DayRange | null;
  onChange: (days: DayRange | null) => void;
  /** The range can be changed but not removed. */
  always?: boolean;
}

const presets: readonly (readonly [label: string, days: (now: Date) => DayRange])[] = [
  ['Today', (now) => lastDays(1, now)],
  ['Yesterday', yesterday],
  ['7 days', (now) => lastDays(7, now)],
  ['30 days', (now) => lastDays(30, now)],
  ['Year', (now) => lastDays(365, now)],
];

/** The days that a filter lets through: two dates, or the last so many days. */
export function DayChip({ days, onChange, always = false }: DayChipProps) {
  const [opened, setOpened] = useState(false);
  return (
    <span className="filter-chip" data-on={days !== null}>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        withinPortal={false}
        floatingStrategy="fixed"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <button type="button" className="filter-chip-name" onClick={() => setOpened(!opened)}>
            <span>Day</span>
            {days ? (
              <span className="m nowrap">{formatDays(days)}</span>
            ) : (
              <IconChevronDown size={13} className="ti t3" aria-hidden="true" />
            )}
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <DayForm
            days={days ?? lastDays(7, new Date())}
            onChoose={(chosen) => {
              onChange(chosen);
              setOpened(false);
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {days && !always && <ChipCross name="Day" onClear={() => onChange(null)} />}
    </span>
  );
}

function DayForm({ days, onChoose }: { days: DayRange; onChoose: (days: DayRange) => void }) {
  return (
    <div className="col g8">
      <DaysForm label="Days" names={['First day', 'Last day']} days={days} onChoose={onChoose} />
      <div className="row">
        {presets.map(([label, days]) => (
          <button key={label} type="button" className="link sm" onClick={() => onChoose(days(new Date()))}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
