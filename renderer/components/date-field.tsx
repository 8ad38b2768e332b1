import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { calendarDay } from '../../shared/domain/text/calendar-day.ts';
import { formatDate } from '../lib/text/format.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** YYYY-MM-DD of a day in British notation or ISO 8601: "23 Oct 2026", "23 October 2026", "23/10/2026", "2026-10-23"; null: not a day. */
function readDay(text: string): string | null {
  const typed = text.trim().toLowerCase();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed);
  const written = /^(\d{1,2})(?:[ /.-]+)(\d{1,2}|[a-z]{3,9}\.?)(?:[ /.-]+)(\d{4})$/.exec(typed);
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : written ? [written[3], written[2], written[1]] : [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const at = /^\d/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3)) + 1;
  return calendarDay(Number(year), at, Number(day));
}

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'rightSection'> {
  /** YYYY-MM-DD. */
  defaultValue: string;
  /** Given YYYY-MM-DD, or the text as typed if it is no day. */
  onChange: (day: string) => void;
}

/** A date in British notation, "23 Oct 2026": the browser's own date field follows the computer's language. */
export function DateField({ defaultValue, onChange, ...rest }: DateFieldProps) {
  const [text, setText] = useState(formatDate(defaultValue));
  const picker = useRef<HTMLInputElement>(null);
  const tidy = () => {
    const day = readDay(text);
    if (day !== null) setText(formatDate(day));
  };
  return (
    <TextInput
      {...rest}
      value={text}
      placeholder="23 Oct 2026"
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(readDay(currentTarget.value) ?? currentTarget.value);
      }}
      onBlur={tidy}
      rightSection={
        <span className="date-pick">
          <ActionIcon
            size={22}
            aria-label={`Choose ${rest['aria-label'] ?? 'a day'} in the calendar`}
            tabIndex={-1}
            onClick={() => picker.current?.showPicker()}
          >
            <IconCalendar size={14} className="ti" aria-hidden="true" />
          </ActionIcon>
          <input
            ref={picker}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            value={readDay(text) ?? ''}
            onChange={({ currentTarget }) => {
              if (currentTarget.value === '') return;
              setText(formatDate(currentTarget.value));
              onChange(currentTarget.value);
            }}
          />
        </span>
      }
    />
  );
}
