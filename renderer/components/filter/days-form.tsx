import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { type DayRange, readDays } from '../../lib/text/day-range.ts';
import { DateField } from '../date-field.tsx';

interface DaysFormProps {
  label: string;
  /** Names of the two fields for a screen reader. */
  names: readonly [first: string, last: string];
  days: DayRange;
  onChoose: (days: DayRange) => void;
}

/** Two days as typed, in either order. A text that is no day is marked. */
export function DaysForm({ label, names, days, onChoose }: DaysFormProps) {
  const [first, setFirst] = useState(localDay(days.from));
  const [last, setLast] = useState(localDay(days.to));
  const wanted = readDays(first, last);
  const isWrong = (day: string): boolean => readDays(day, day) === null;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted) onChoose(wanted);
  };
  return (
    <form className="row" onSubmit={onSubmit} aria-label={label}>
      <DateField aria-label={names[0]} w={128} defaultValue={first} onChange={setFirst} error={isWrong(first)} />
      <span className="sm t3">to</span>
      <DateField aria-label={names[1]} w={128} defaultValue={last} onChange={setLast} error={isWrong(last)} />
      <Button type="submit" disabled={!wanted}>
        Show
      </Button>
    </form>
  );
}
