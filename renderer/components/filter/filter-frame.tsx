import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, type Ref, useState } from 'react';
import { readSessionValue, saveSessionText } from '../../lib/session/session-state.ts';
import { useNarrow } from '../../lib/window/width.ts';
import './filter.css';

interface FilterFrameProps {
  /** What the search field is called, and its placeholder. */
  label: string;
  placeholder: string;
  field?: Ref<HTMLInputElement>;
  search: string;
  /** Most characters that the search takes. */
  longest: number;
  onSearch: (search: string) => void;
  /** Whether a filter is set that can be cleared. */
  filters: boolean;
  onClear: () => void;
  /** A chip for each field. */
  chips: ReactNode;
  /** At the end of the bar. */
  children?: ReactNode;
}

/** One search and a chip for each field; in a narrow window the chips are folded away. Filters only what is stored here, so it never costs. */
export function FilterFrame(props: FilterFrameProps) {
  const { label, placeholder, field, search, longest, onSearch, filters, onClear, chips, children } = props;
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  return (
    <search className="workbench-filter" aria-label="Filters">
      <TextInput
        ref={field}
        className="workbench-search"
        placeholder={placeholder}
        aria-label={label}
        value={search}
        maxLength={longest}
        onChange={(event) => onSearch(event.currentTarget.value)}
        leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
      />
      {narrow && (
        <button type="button" className="chip line" aria-expanded={open} onClick={() => setOpen(!open)}>
          Filters{filters && ' (on)'}
        </button>
      )}
      {(!narrow || open) && (
        <>
          {chips}
          <span className="grow" />
          {children}
          {filters && (
            <button type="button" className="link sm nowrap" onClick={onClear}>
              Clear the filters
            </button>
          )}
        </>
      )}
    </search>
  );
}

/** A filter, stored for the next window; one that lets all through (`whole`) is not stored. `key` starts with a screen id. */
export function useKeptFilter<Filter extends object>(
  key: string,
  whole: Filter,
  isWhole: (filter: Filter) => boolean,
): [Filter, (filter: Filter) => void] {
  const [filter, setFilter] = useState<Filter>(() => ({ ...whole, ...readSessionValue<Partial<Filter>>(key) }));
  const change = (next: Filter) => {
    setFilter(next);
    saveSessionText(key, isWhole(next) ? null : JSON.stringify(next));
  };
  return [filter, change];
}
