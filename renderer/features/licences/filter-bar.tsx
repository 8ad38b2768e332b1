import { Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import type { Licence } from '../../../shared/domain/licence.ts';
import { countOf, formatNumber, formatWhen } from '../../lib/format.ts';
import { countQuick, isFiltering, type LicenceFilter, observedValues, quickFacets } from './filter.ts';

interface FilterBarProps {
  licences: readonly Licence[];
  shown: number;
  readAt: string;
  filter: LicenceFilter;
  today: string;
  onText: (text: string) => void;
  onFacets: (facets: Omit<LicenceFilter, 'text'>) => void;
  onClear: () => void;
}

/** Narrows the list: words, values that came, and the questions most asked. Local, so it never costs. */
export function FilterBar({ licences, shown, readAt, filter, today, onText, onFacets, onClear }: FilterBarProps) {
  const count =
    shown === licences.length
      ? countOf(licences.length, 'licence')
      : `${formatNumber(shown)} of ${licences.length} licences`;
  const toggle = (id: (typeof quickFacets)[number]['id']) =>
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
        w={132}
        leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
      />
      <ValueFacet
        name="Type"
        values={observedValues(licences, (licence) => licence.typeName)}
        chosen={filter.types}
        onChange={(types) => onFacets({ ...filter, types })}
      />
      <ValueFacet
        name="Status"
        values={observedValues(licences, (licence) => licence.status)}
        chosen={filter.statuses}
        onChange={(statuses) => onFacets({ ...filter, statuses })}
      />
      {quickFacets.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          className="chip line facet"
          aria-pressed={filter.quick.includes(id)}
          onClick={() => toggle(id)}
        >
          <span className="t2">{label}</span> <span className="m">{countQuick(licences, id, today)}</span>
        </button>
      ))}
      {isFiltering(filter) && (
        <button type="button" className="link sm" onClick={onClear}>
          Clear
        </button>
      )}
      <span className="grow" />
      <span className="sm t3 nowrap">
        {count}, read {formatWhen(readAt)}
      </span>
    </search>
  );
}

interface ValueFacetProps {
  name: string;
  values: readonly { value: string; count: number }[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** The values of one field as they came; none chosen means all. */
function ValueFacet({ name, values, chosen, onChange }: ValueFacetProps) {
  const said = chosen.length === 1 ? chosen[0] || 'empty' : chosen.length > 1 ? `${chosen.length}` : '';
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className="chip line facet" data-on={chosen.length > 0}>
          <span className="t2">{name}</span>
          {said && <span className="m">{said}</span>}
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
            rightSection={<span className="xs t3">{count}</span>}
          >
            {value === '' ? 'empty' : value}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
