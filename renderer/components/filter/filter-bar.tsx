import { TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, type Ref, useCallback, useState } from 'react';
import {
  type ClaimGroup,
  claimGroups,
  type FilterChoices,
  type RowFilter,
  wholeTable,
} from '../../../shared/domain/row-filter.ts';
import { readSessionValue, saveSessionText } from '../../lib/session/session-state.ts';
import { DayChip } from './day-chip.tsx';
import { type Choice, ValueChip } from './value-chip.tsx';
import './filter.css';

interface FilterBarProps {
  label: string;
  field?: Ref<HTMLInputElement>;
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
  choices: FilterChoices | undefined;
  outcomes: readonly Choice[];
  /** The days cannot be taken away: another part of the screen shows them too. */
  daysAlways?: boolean;
  /** More chips. */
  children?: ReactNode;
}

/** One search and a chip for each field. Asked of what is stored here, so it never costs. */
export function FilterBar(props: FilterBarProps) {
  const { label, field, filter, onFilter, choices, outcomes, daysAlways = false, children } = props;
  const { from, to } = filter;
  const days = from !== null && to !== null ? { from, to } : null;
  const same = (values: readonly string[] = []): Choice[] => values.map((value) => ({ value, label: value }));
  const narrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const [open, setOpen] = useState(false);
  const filters = isFiltering(daysAlways ? { ...filter, from: null, to: null } : filter);
  return (
    <search className="workbench-filter" aria-label="Filters">
      <TextInput
        ref={field}
        className="workbench-search"
        placeholder="Address in words, postcode, call, key"
        aria-label={label}
        value={filter.search}
        maxLength={500}
        onChange={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
        leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
      />
      {narrow && (
        <button type="button" className="chip line" aria-expanded={open} onClick={() => setOpen(!open)}>
          Filters{filters && ' (on)'}
        </button>
      )}
      {(!narrow || open) && (
        <>
          <DayChip
            days={days}
            always={daysAlways}
            onChange={(chosen) => onFilter({ ...filter, from: chosen?.from ?? null, to: chosen?.to ?? null })}
          />
          <ValueChip
            name="Key"
            choices={same(choices?.keys)}
            chosen={filter.keys}
            onChange={(keys) => onFilter({ ...filter, keys })}
          />
          <ValueChip
            name="Operation"
            choices={same(choices?.operations)}
            chosen={filter.operations}
            onChange={(operations) => onFilter({ ...filter, operations })}
          />
          <ValueChip
            name="Person"
            choices={same(choices?.people)}
            chosen={filter.people}
            onChange={(people) => onFilter({ ...filter, people })}
          />
          <ValueChip
            name="Outcome"
            choices={outcomes}
            chosen={filter.outcomes}
            onChange={(chosen) => onFilter({ ...filter, outcomes: chosen })}
          />
          <ValueChip
            name="Claim"
            choices={claimGroups.map((value) => ({ value, label: claimWords[value] }))}
            chosen={filter.claims}
            onChange={(claims) => onFilter({ ...filter, claims: claims as ClaimGroup[] })}
          />
          <span className="grow" />
          {children}
          {filters && (
            <button
              type="button"
              className="link sm nowrap"
              onClick={() => onFilter(daysAlways ? { ...wholeTable, from, to } : wholeTable)}
            >
              Clear the filters
            </button>
          )}
        </>
      )}
    </search>
  );
}

/** The short forms of the rows, as groups. */
const claimWords: Readonly<Record<ClaimGroup, string>> = {
  alone: 'fell, one call alone',
  'by-price': 'fell by the prices of several',
  shared: 'a fall that several calls share',
  'no-fall': 'no fall seen',
  'not-known': 'not known',
  'not-read': 'open, or not read',
  'not-explained': 'not explained',
  added: 'rose',
  'nothing-sent': 'no request was sent',
  earlier: 'said by an earlier version',
};

export const isFiltering = (filter: RowFilter): boolean =>
  filter.search.trim() !== '' ||
  filter.from !== null ||
  [filter.keys, filter.operations, filter.people, filter.outcomes, filter.claims].some((values) => values.length > 0);

/** A filter that the next window begins with. `key` starts with the screen's id. */
export function useRowFilter(key: string): [RowFilter, (filter: RowFilter) => void] {
  const [filter, setFilter] = useState<RowFilter>(() => ({
    ...wholeTable,
    ...readSessionValue<Partial<RowFilter>>(key),
  }));
  const change = useCallback(
    (next: RowFilter) => {
      setFilter(next);
      saveSessionText(key, isFiltering(next) ? JSON.stringify(next) : null);
    },
    [key],
  );
  return [filter, change];
}
