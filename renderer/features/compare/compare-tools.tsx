import { Button, SegmentedControl } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { ComparedRow } from '../../../shared/domain/lookup/compare-answers.ts';
import { TableActions } from '../../components/table/table-actions.tsx';
import type { TextColumn } from '../../components/table/table-text.ts';
import { countRows, type RowFilter } from './compared-rows.ts';

export type CompareForm = 'fields' | 'raw';

interface CompareToolsProps {
  form: CompareForm;
  onForm: (form: CompareForm) => void;
  filter: RowFilter;
  onFilter: (filter: RowFilter) => void;
  rows: readonly ComparedRow[];
  /** Whether both answers are about the same thing, so that their fields can be matched. */
  comparable: boolean;
  onCopy: () => void;
  /** What is saved and printed: the rows shown, under the names of both sides. */
  shown: readonly ComparedRow[];
  columns: readonly TextColumn<ComparedRow>[];
}

/** How the two answers are shown, and which of their fields. */
export function CompareTools(props: CompareToolsProps) {
  const { form, onForm, filter, onFilter, rows, comparable, onCopy, shown, columns } = props;
  const counts = countRows(rows);
  return (
    <div className="subbar compare-tools">
      <SegmentedControl
        aria-label="Form"
        value={form}
        onChange={(value) => onForm(value === 'raw' ? 'raw' : 'fields')}
        data={[
          { value: 'fields', label: 'Fields' },
          { value: 'raw', label: 'Raw' },
        ]}
      />
      {form === 'fields' && comparable && (
        <SegmentedControl
          aria-label="Rows shown"
          value={filter}
          onChange={(value) => onFilter(value as RowFilter)}
          data={[
            { value: 'all', label: `All ${counts.all}` },
            { value: 'differs', label: `Differ ${counts.differs}` },
            { value: 'one-side', label: `One side ${counts['one-side']}` },
            { value: 'same', label: `Same ${counts.same}` },
          ]}
        />
      )}
      <span className="grow t3 trunc compare-note">
        {form === 'fields' && 'Matched by meaning. Case, number type and blanks do not count as a difference.'}
      </span>
      {form === 'fields' && rows.length > 0 && (
        <Button
          leftSection={<IconCopy size={15} className="ti" aria-hidden="true" />}
          disabled={counts.differs + counts['one-side'] === 0}
          onClick={onCopy}
        >
          Copy differences
        </Button>
      )}
      {form === 'fields' && comparable && <TableActions label="Side by side" columns={columns} rows={shown} />}
    </div>
  );
}
