import { Button, Popover, SegmentedControl } from '@mantine/core';
import { IconCalendar, IconDownload } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { DateField } from '../../../components/date-field.tsx';
import { dayField, formatDays, readDays } from '../../../lib/text/day-range.ts';
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
  const [days, setDays] = useState({ first: dayField(range.from), last: dayField(range.to) });
  useEffect(() => setDays({ first: dayField(range.from), last: dayField(range.to) }), [range.from, range.to]);
  const wanted = readDays(days.first, days.last);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!wanted) return;
    onChoose(wanted);
    setOpened(false);
  };
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
          className="small credits-days"
          leftSection={<IconCalendar size={14} className="ti" aria-hidden="true" />}
          onClick={() => setOpened(!opened)}
        >
          {formatDays(range)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form className="row credits-day-form" onSubmit={onSubmit} aria-label="Range">
          <DateField
            aria-label="From day"
            w={128}
            value={days.first}
            onChange={(first) => setDays({ ...days, first })}
            error={readDays(days.first, days.first) === null}
          />
          <span className="sm t3">to</span>
          <DateField
            aria-label="To day"
            w={128}
            value={days.last}
            onChange={(last) => setDays({ ...days, last })}
            error={readDays(days.last, days.last) === null}
          />
          <Button type="submit" disabled={!wanted}>
            Show
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
