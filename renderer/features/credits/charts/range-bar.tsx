import { Button, Popover, SegmentedControl } from '@mantine/core';
import { IconCalendar, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { DaysForm } from '../../../components/filter/days-form.tsx';
import { formatDays } from '../../../lib/text/day-range.ts';
import type { Range } from '../queries.ts';
import { type Chosen, type PresetId, presets } from './ranges.ts';

interface RangeBarProps {
  chosen: Chosen;
  range: Range;
  onChoose: (chosen: Chosen) => void;
  onExport: () => void;
}

/** Which stretch of time is shown: a preset, two days, or what was dragged out of the chart. */
export function RangeBar({ chosen, range, onChoose, onExport }: RangeBarProps) {
  return (
    <div className="credits-range">
      <SegmentedControl
        className="mini"
        aria-label="Range shown"
        value={'preset' in chosen ? chosen.preset : ''}
        onChange={(id) => onChoose({ preset: id as PresetId })}
        data={presets.map(({ id, label }) => ({ value: id, label }))}
      />
      <span className="row g4">
        <Days range={range} onChoose={onChoose} />
        <Button
          className="small"
          variant="subtle"
          color="gray"
          leftSection={<IconDownload size={14} className="ti" aria-hidden="true" />}
          onClick={onExport}
        >
          Export
        </Button>
      </span>
    </div>
  );
}

/** The two days of the range, and the fields to choose others. */
function Days({ range, onChoose }: Pick<RangeBarProps, 'range' | 'onChoose'>) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      withinPortal={false}
      floatingStrategy="fixed"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          className="small"
          leftSection={<IconCalendar size={14} className="ti" aria-hidden="true" />}
          onClick={() => setOpened(!opened)}
        >
          {formatDays(range)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="credits-day-form">
          <DaysForm
            key={`${range.from} ${range.to}`}
            label="Range"
            names={['From day', 'To day']}
            days={range}
            onChoose={(days) => {
              onChoose(days);
              setOpened(false);
            }}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
