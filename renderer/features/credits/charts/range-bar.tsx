import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { Range } from '../queries.ts';
import { type Chosen, dayField, type PresetId, presets, readDays } from './ranges.ts';

interface RangeBarProps {
  chosen: Chosen;
  range: Range;
  onChoose: (chosen: Chosen) => void;
  onExport: () => void;
}

/** Which stretch of time is shown: a preset, two days, or what was dragged out of the chart. */
export function RangeBar({ chosen, range, onChoose, onExport }: RangeBarProps) {
  const [days, setDays] = useState({ first: dayField(range.from), last: dayField(range.to) });
  useEffect(() => setDays({ first: dayField(range.from), last: dayField(range.to) }), [range.from, range.to]);
  const wanted = readDays(days.first, days.last);
  const changed = days.first !== dayField(range.from) || days.last !== dayField(range.to);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted) onChoose(wanted);
  };
  return (
    <form className="credits-range" onSubmit={onSubmit} aria-label="Range">
      <SegmentedControl
        className="mini"
        aria-label="Range shown"
        value={'preset' in chosen ? chosen.preset : ''}
        onChange={(id) => onChoose({ preset: id as PresetId })}
        data={presets.map(({ id, label }) => ({ value: id, label }))}
      />
      <TextInput
        type="date"
        aria-label="From day"
        value={days.first}
        onChange={(event) => setDays({ ...days, first: event.currentTarget.value })}
      />
      <span className="sm t3">to</span>
      <TextInput
        type="date"
        aria-label="To day"
        value={days.last}
        onChange={(event) => setDays({ ...days, last: event.currentTarget.value })}
      />
      <Button type="submit" disabled={!wanted || !changed}>
        Show
      </Button>
      <span className="grow" />
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
        onClick={onExport}
      >
        Export
      </Button>
    </form>
  );
}
