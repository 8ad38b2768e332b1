import { Button } from '@mantine/core';
import { useState } from 'react';
import { type ColumnRole, columnRoles, type OpenTable, type TableColumn } from '../../../../shared/domain/batch.ts';
import { Mono } from '../../../components/marks.tsx';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { roleNames } from '../messages.ts';

interface ColumnTableProps {
  table: OpenTable;
  disabled: boolean;
  onRole: (index: number, role: ColumnRole) => void;
}

/** Columns that are drawn at once: each has a choice of what it is. */
const shownAtOnce = 40;

const chipClass = ({ role, by }: TableColumn): string =>
  role === 'unused' ? 'batch-chip off' : by === 'content' ? 'batch-chip' : 'batch-chip sure';

/** The first rows under their columns, what each column is, and how each row will be understood, which stays in sight. */
export function ColumnTable({ table, disabled, onRole }: ColumnTableProps) {
  const { columns: all, preview } = table;
  const used = all.filter(({ role }) => role !== 'unused');
  // Begins with the first used column; the others are often beside it.
  const last = Math.max(0, all.length - shownAtOnce);
  const [from, setFrom] = useState(() => Math.min(used[0]?.index ?? 0, last));
  const columns = all.slice(from, from + shownAtOnce);
  const firstRows = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys
    <section className="batch-columns" tabIndex={0} aria-label="Columns and first rows">
      <table className="tbl tight" aria-label="The first rows, and how each is understood">
        <thead>
          <tr className="chips">
            {columns.map((column) => (
              <th key={column.index} scope="col">
                <select
                  className={chipClass(column)}
                  aria-label={`Column ${column.name} is`}
                  value={column.role}
                  disabled={disabled}
                  onChange={(event) => onRole(column.index, event.currentTarget.value as ColumnRole)}
                >
                  {columnRoles.map((role) => (
                    <option key={role} value={role}>
                      {roleNames[role]}
                    </option>
                  ))}
                </select>
              </th>
            ))}
            <th scope="col" className="understood title">
              Understood as
            </th>
          </tr>
          <tr>
            {columns.map(({ index, name }) => (
              <th key={index} scope="col" title={name}>
                <Mono>{name}</Mono>
              </th>
            ))}
            <th scope="col" className="understood">
              {preview.length < table.rows
                ? `the first ${formatNumber(preview.length)} of ${countOf(table.rows, 'row')}`
                : countOf(table.rows, 'row')}
            </th>
          </tr>
        </thead>
        <tbody>
          {preview.map(({ row, cells, understood, malformed }) => (
            <tr key={row}>
              {columns.map(({ index, role }) => (
                <td key={index} className={role === 'unused' ? 't3' : undefined} title={cells[index] ?? ''}>
                  {legible(cells[index] ?? '')}
                </td>
              ))}
              {malformed === null ? (
                <td className="understood">{legible(understood.filter((part) => part !== '').join(' · '))}</td>
              ) : (
                <td className="understood warn m">{legible(malformed)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
  if (all.length <= shownAtOnce) return firstRows;
  return (
    <>
      <div className="row wrap g8 batch-which-columns">
        <Button size="xs" disabled={from === 0} onClick={() => setFrom(Math.max(0, from - shownAtOnce))}>
          Columns before
        </Button>
        <Button size="xs" disabled={from >= last} onClick={() => setFrom(Math.min(last, from + shownAtOnce))}>
          Columns after
        </Button>
        <span className="t2" role="status">
          Columns {formatNumber(from + 1)} to {formatNumber(from + columns.length)} of {formatNumber(all.length)}
        </span>
        <span className="t3 batch-used-columns">{usedColumns(used)}</span>
      </div>
      {firstRows}
    </>
  );
}

/** Says where the used columns are, since they may be among hundreds. */
function usedColumns(used: readonly TableColumn[]): string {
  if (used.length === 0) return 'None is used yet.';
  const some = used.slice(0, 6).map(({ index, name }) => `${legible(name)} (${formatNumber(index + 1)})`);
  const more = used.length - some.length;
  return `Used: ${some.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}
