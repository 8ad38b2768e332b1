import { useQuery } from '@tanstack/react-query';
import {
  isWholeJournal,
  type JournalFilter,
  journalKinds,
  journalVerdicts,
  wholeJournal,
} from '../../../../shared/domain/licences/journal-filter.ts';
import { DayChip } from '../../../components/filter/day-chip.tsx';
import { FilterFrame } from '../../../components/filter/filter-frame.tsx';
import { ValueChip } from '../../../components/filter/value-chip.tsx';
import { kindText } from '../licence-facts.ts';
import { journalChoicesQuery } from '../queries.ts';
import { seenByThen } from './journal-messages.ts';

interface JournalFilterBarProps {
  filter: JournalFilter;
  onFilter: (filter: JournalFilter) => void;
}

const entryText = { ...kindText, guid: 'GUID copied' } as const;

/** The filter of the journal. */
export function JournalFilterBar({ filter, onFilter }: JournalFilterBarProps) {
  const { data: choices } = useQuery(journalChoicesQuery());
  const { from, to } = filter;
  return (
    <FilterFrame
      label="Search the journal"
      placeholder="Licence, machine, person"
      search={filter.search}
      longest={200}
      onSearch={(search) => onFilter({ ...filter, search })}
      filters={!isWholeJournal(filter)}
      onClear={() => onFilter(wholeJournal)}
      chips={
        <>
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
            choices={journalKinds.map((value) => ({ value, label: entryText[value] }))}
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
              label: seenByThen(value === 'none' ? null : value),
            }))}
            chosen={filter.verdicts}
            onChange={(verdicts) => onFilter({ ...filter, verdicts: verdicts as JournalFilter['verdicts'] })}
          />
        </>
      }
    />
  );
}
