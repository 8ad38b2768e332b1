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
          <ReadChoice
            name="Encoding"
            width={126}
            disabled={busy}
            options={Object.entries(encodingNames)}
            value={read.encoding}
            onChoose={(value) => void readAs(connectionId, { encoding: value as TableFormat['encoding'] })}
          />
          <ReadChoice
            name="Separator"
            width={114}
            disabled={busy}
            options={separators}
            value={read.separator}
            onChoose={(value) => void readAs(connectionId, { separator: value })}
          />
        </>
      )}
      <ReadChoice
        name="Header"
        width={106}
        disabled={busy}
        options={headerOptions}
        value={read.header ? 'yes' : 'no'}
        onChoose={(value) => void readAs(connectionId, { header: value === 'yes' })}
      />
      <Button variant="subtle" color="gray" disabled={busy} onClick={() => void openTable(connectionId)}>
        Other file…
      </Button>
    </div>
  );
}

const headerOptions = [
  ['yes', 'First line'],
  ['no', 'None'],
] as const;

interface ReadChoiceProps {
  name: string;
  /** Pixels. */
  width: number;
  disabled: boolean;
  options: readonly (readonly [value: string, label: string])[];
  value: string;
  onChoose: (value: string) => void;
}

const ReadChoice = ({ name, width, disabled, options, value, onChoose }: ReadChoiceProps) => (
  <span className="row g6">
    <span className="t2" aria-hidden="true">
      {name}
    </span>
    <Select
      className="low"
      aria-label={name}
      w={width}
      disabled={disabled}
      data={options.map(([value, label]) => ({ value, label }))}
      value={value}
      onChange={(chosen) => chosen && onChoose(chosen)}
    />
  </span>
);
