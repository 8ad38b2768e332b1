import type { ReactNode, Ref } from 'react';
import {
  type ClaimGroup,
  claimGroups,
  type FilterChoices,
  type RowFilter,
  wholeTable,
} from '../../../shared/domain/row-filter.ts';
import { DayChip } from './day-chip.tsx';
import { FilterFrame, useKeptFilter } from './filter-frame.tsx';
import { type Choice, ValueChip } from './value-chip.tsx';

interface FilterBarProps {
  label: string;
  field?: Ref<HTMLInputElement>;
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
  choices: FilterChoices | undefined;
  outcomes: readonly Choice[];
  /** The range of days can be changed but not removed: another part of the screen shows the same days. */
  daysAlways?: boolean;
  /** More chips. */
  children?: ReactNode;
}

/** The filter of the activity log and of the ledger. */
export function FilterBar(props: FilterBarProps) {
  const { label, field, filter, onFilter, choices, outcomes, daysAlways = false, children } = props;
  const { from, to } = filter;
  const same = (values: readonly string[] = []): Choice[] => values.map((value) => ({ value, label: value }));
  return (
    <FilterFrame
      label={label}
      placeholder="Address, call, key"
      {...(field && { field })}
      search={filter.search}
      longest={500}
      onSearch={(search) => onFilter({ ...filter, search })}
      filters={isFiltering(daysAlways ? { ...filter, from: null, to: null } : filter)}
      onClear={() => onFilter(daysAlways ? { ...wholeTable, from, to } : wholeTable)}
      chips={
        <>
          <DayChip
            days={from !== null && to !== null ? { from, to } : null}
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
            choices={claimGroups.map((value) => ({ value, label: claimLabels[value] }))}
            chosen={filter.claims}
            onChange={(claims) => onFilter({ ...filter, claims: claims as ClaimGroup[] })}
          />
        </>
      }
    >
      {children}
    </FilterFrame>
  );
}

/** The rows' short claims (money-claims.tsx), by group. */
const claimLabels: Readonly<Record<ClaimGroup, string>> = {
  alone: 'one call alone',
  'by-price': 'came to the prices of several',
  shared: 'several calls share it',
  'no-fall': 'no fall seen',
  'not-known': 'not known',
  'not-read': 'open, or not read',
  'not-explained': 'not explained',
  added: 'rose',
  'nothing-sent': 'not sent',
  earlier: 'said by an earlier version',
};

export const isFiltering = (filter: RowFilter): boolean =>
  filter.search.trim() !== '' ||
  filter.from !== null ||
  [filter.keys, filter.operations, filter.people, filter.outcomes, filter.claims].some((values) => values.length > 0);

const isWhole = (filter: RowFilter): boolean => !isFiltering(filter);

/** A filter of calls or of the ledger, stored for the next window. `key` starts with the screen's id. */
export const useRowFilter = (key: string) => useKeptFilter(key, wholeTable, isWhole);
