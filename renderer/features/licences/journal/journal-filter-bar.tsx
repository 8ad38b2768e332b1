import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  isWholeJournal,
  type JournalFilter,
  journalKinds,
  journalVerdicts,
  wholeJournal,
} from '../../../../shared/domain/licences/journal-filter.ts';
import { verdictText } from '../../../../shared/domain/licences/licence-verdicts.ts';
import { DayChip } from '../../../components/filter/day-chip.tsx';
import { ValueChip } from '../../../components/filter/value-chip.tsx';
import { journalChoicesQuery } from '../queries.ts';
import '../../../components/filter/filter.css';

interface JournalFilterBarProps {
  filter: JournalFilter;
  onFilter: (filter: JournalFilter) => void;
  /** What stands at the end of the bar. */
  children?: ReactNode;
}

const kindText = { register: 'Register', unregister: 'Take off', move: 'Move', guid: 'GUID copied' } as const;

/** One search of the journal and a chip for each field. Asked of what is stored here: it never costs. */
export function JournalFilterBar({ filter, onFilter, children }: JournalFilterBarProps) {
  const { data: choices } = useQuery(journalChoicesQuery());
  const { from, to } = filter;
  return (
    <search className="workbench-filter" aria-label="Filters">
      <TextInput
        className="workbench-search"
        placeholder="Licence, machine, person, receipt"
        aria-label="Search the journal"
        value={filter.search}
        maxLength={200}
        onChange={(event) => onFilter({ ...filter, search: event.currentTarget.value })}
        leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
      />
      <DayChip
        days={from !== null && to !== null ? { from, to } : null}
        onChange={(days) => onFilter({ ...filter, from: days?.from ?? null, to: days?.to ?? null })}
      />
      <ValueChip
        name="Person"
        choices={(choices?.people ?? []).map((value) => ({ value, label: value }))}
        chosen={filter.people}
        onChange={(people) => onFilter({ ...filter, people })}
      />
      <ValueChip
        name="Change"
        choices={journalKinds.map((value) => ({ value, label: kindText[value] }))}
        chosen={filter.kinds}
        onChange={(kinds) => onFilter({ ...filter, kinds: kinds as JournalFilter['kinds'] })}
      />
      <ValueChip
        name="Licence"
        choices={(choices?.licences ?? []).map(({ licenceNumber, reference }) => ({
          value: licenceNumber,
          label: reference || licenceNumber,
        }))}
        chosen={filter.licences}
        onChange={(licences) => onFilter({ ...filter, licences })}
      />
      <ValueChip
        name="Seen by then"
        choices={journalVerdicts.map((value) => ({
          value,
          label: value === 'none' ? 'not read back yet' : verdictText[value],
        }))}
        chosen={filter.verdicts}
        onChange={(verdicts) => onFilter({ ...filter, verdicts: verdicts as JournalFilter['verdicts'] })}
      />
      {!isWholeJournal(filter) && (
        <button type="button" className="link sm nowrap" onClick={() => onFilter(wholeJournal)}>
          Clear the filters
        </button>
      )}
      <span className="grow" />
      {children}
    </search>
  );
}
