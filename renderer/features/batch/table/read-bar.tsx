import { Button, Loader, Select } from '@mantine/core';
import type { OpenTable, TableFormat } from '../../../../shared/domain/batch.ts';
import { countOf, formatBytes } from '../../../lib/text/format.ts';
import { encodingNames, separatorNames } from '../messages.ts';
import { openTable, readAs } from '../take-table.ts';

interface ReadBarProps {
  connectionId: string;
  table: OpenTable;
  busy: boolean;
}

/** How the table was read; each can be changed, and the table is then read again. */
export function ReadBar({ connectionId, table, busy }: ReadBarProps) {
  const { read } = table;
  const separators = Object.keys(separatorNames).includes(read.separator)
    ? Object.entries(separatorNames)
    : [...Object.entries(separatorNames), [read.separator, read.separator] as const];
  return (
    <div className="subbar batch-readbar">
      <span className="m">{countOf(table.rows, 'row')}</span>
      <span className="t2">
        {formatBytes(table.bytes)}, {countOf(table.columns.length, 'column')}
      </span>
      {busy && <Loader size={12} aria-label="Reading it again" />}
      <span className="grow" />
      {read.format === 'csv' && (
        <>
          <span className="row g6">
            <span className="t2" aria-hidden="true">
              Encoding
            </span>
            <Select
              className="low"
              aria-label="Encoding"
              w={126}
              disabled={busy}
              data={Object.entries(encodingNames).map(([value, label]) => ({ value, label }))}
              value={read.encoding}
              onChange={(value) => value && void readAs(connectionId, { encoding: value as TableFormat['encoding'] })}
            />
          </span>
          <span className="row g6">
            <span className="t2" aria-hidden="true">
              Separator
            </span>
            <Select
              className="low"
              aria-label="Separator"
              w={114}
              disabled={busy}
              data={separators.map(([value, label]) => ({ value, label }))}
              value={read.separator}
              onChange={(value) => value && void readAs(connectionId, { separator: value })}
            />
          </span>
        </>
      )}
      <span className="row g6">
        <span className="t2" aria-hidden="true">
          Header
        </span>
        <Select
          className="low"
          aria-label="Header"
          w={106}
          disabled={busy}
          data={[
            { value: 'yes', label: 'First line' },
            { value: 'no', label: 'None' },
          ]}
          value={read.header ? 'yes' : 'no'}
          onChange={(value) => value && void readAs(connectionId, { header: value === 'yes' })}
        />
      </span>
      <Button variant="subtle" color="gray" disabled={busy} onClick={() => void openTable(connectionId)}>
        Other file…
      </Button>
    </div>
  );
}
