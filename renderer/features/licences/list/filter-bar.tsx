import { Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import type { Licence, LicenceLabel } from '../../../../shared/domain/licences/licence.ts';
import {
  type FilterFacts,
  isFiltering,
  type LicenceFilter,
  type QuickFacet,
  quickFacets,
} from '../../../../shared/domain/licences/licence-filter.ts';
import { countOf, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { labelOf } from '../annotations.ts';
import { quickCounts, statusesOf, typesOf } from './figures.ts';
import { SavedViews } from './saved-views.tsx';

interface FilterBarProps {
  licences: readonly Licence[];
  shown: number;
  readAt: string;
  filter: LicenceFilter;
  facts: FilterFacts;
  /** How many machines answered so far. */
  asked: number;
  labels: readonly LicenceLabel[];
  connectionId: string;
  onFilter: (filter: LicenceFilter) => void;
  onText: (text: string) => void;
  onFacets: (facets: Omit<LicenceFilter, 'text'>) => void;
  onClear: () => void;
}

/** Narrows the list by words, by values that occur, and by the most frequent questions. Local, so it never costs. */
export function FilterBar(props: FilterBarProps) {
  const { licences, shown, readAt, filter, facts, asked, labels, connectionId, onFilter, onText, onFacets, onClear } =
    props;
  const types = typesOf(licences);
  const statuses = statusesOf(licences);
  const counts = quickCounts(licences, facts);
  const count =
    shown === licences.length
      ? countOf(licences.length, 'licence')
      : `${formatNumber(shown)} of ${countOf(licences.length, 'licence')}`;
  const toggle = (id: QuickFacet) =>
    onFacets({
      ...filter,
      quick: filter.quick.includes(id) ? filter.quick.filter((one) => one !== id) : [...filter.quick, id],
    });
  return (
    <search className="filter-bar" aria-label="Filter licences">
      <TextInput
        className="low"
        placeholder="Filter"
        aria-label="Filter licences"
        value={filter.text}
        onChange={(event) => onText(event.currentTarget.value)}
        maxLength={500}
        w={132}
        leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
      />
      <ValueFacet
        name="Type"
        values={types}
        label={(value) => labelOf(labels, 'typeName', value)}
        chosen={filter.types}
        onChange={(types) => onFacets({ ...filter, types })}
      />
      <ValueFacet
        name="Status"
        values={statuses}
        label={(value) => labelOf(labels, 'status', value)}
        chosen={filter.statuses}
        onChange={(statuses) => onFacets({ ...filter, statuses })}
      />
      {quickFacets
        .filter((id) => id !== 'no-machine' || asked > 0 || filter.quick.includes(id))
        .map((id) => (
          <button
            key={id}
            type="button"
            className="chip line facet"
            aria-pressed={filter.quick.includes(id)}
            onClick={() => toggle(id)}
          >
            <span className="t2">{quickText[id]}</span> <span className="m">{formatNumber(counts.get(id) ?? 0)}</span>
          </button>
        ))}
      {isFiltering(filter) && (
        <button type="button" className="link sm" onClick={onClear}>
          Clear
        </button>
      )}
      <SavedViews connectionId={connectionId} filter={filter} onFilter={onFilter} />
      <span className="grow" />
      <span className="sm t3 nowrap">
        {count}, read {formatWhen(readAt)}
      </span>
    </search>
  );
}

const quickText: Readonly<Record<QuickFacet, string>> = {
  soon: 'Expires in 30 days',
  expired: 'Expired',
  free: 'With free seats',
  unknown: 'Seats unknown',
  'no-machine': 'Not named for a machine asked',
};

interface ValueFacetProps {
  name: string;
  values: readonly { value: string; count: number }[];
  /** The administrator's name for a value. */
  label: (value: string) => string | null;
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** The values of one field as the service sent them; none chosen means all. */
function ValueFacet({ name, values, label, chosen, onChange }: ValueFacetProps) {
  const only = chosen[0] ?? '';
  const said = chosen.length === 1 ? label(only) || only || 'empty' : chosen.length > 1 ? `${chosen.length}` : '';
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className="chip line facet" data-on={chosen.length > 0}>
          <span className="t2">{name}</span>
          {said && <span className="m">{legible(said)}</span>}
          <IconChevronDown size={13} className="ti t3" aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name} as it came</Menu.Label>
        {values.map(({ value, count }) => (
          <Menu.CheckboxItem
            key={value}
            checked={chosen.includes(value)}
            onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value))}
            rightSection={<span className="xs t3">{formatNumber(count)}</span>}
          >
            {value === '' ? 'empty' : legible(value)}
            {label(value) !== null && <span className="xs t3"> {label(value)}</span>}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
