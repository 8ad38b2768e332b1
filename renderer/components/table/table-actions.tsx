import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { countOf } from '../../lib/text/format.ts';
import { useCopy } from '../../lib/window/use-copy.ts';
import { CopiedNote } from '../copied-note.tsx';
import { printTable } from './print-table.tsx';
import { saveTable } from './save-table.ts';
import { copiedRows, type TextColumn } from './table-text.ts';

interface TableActionsProps<Row> {
  /** The title of a printed sheet and the name of a saved file. */
  label: string;
  columns: readonly TextColumn<Row>[];
  rows: readonly Row[];
  /** Placed beside small links rather than buttons. */
  link?: boolean;
}

/** Saves, copies and prints what is shown in a list or a table that is not a DataTable. */
export function TableActions<Row>({ label, columns, rows, link = false }: TableActionsProps<Row>) {
  const { copied, copy, report } = useCopy();
  return (
    <>
      {copied && <CopiedNote copied={copied} />}
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          {link ? (
            <button type="button" className="link" disabled={rows.length === 0}>
              Export
            </button>
          ) : (
            <Button
              disabled={rows.length === 0}
              leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
              rightSection={<IconChevronDown size={14} className="ti" aria-hidden="true" />}
            >
              Export
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => report(() => saveTable(label, columns, rows), 'Not saved')}>Save as CSV…</Menu.Item>
          <Menu.Item onClick={() => copy(copiedRows(columns, rows, true), countOf(rows.length, 'row'))}>
            Copy {countOf(rows.length, 'row')}
          </Menu.Item>
          <Menu.Item onClick={() => report(() => printTable(label, columns, rows), 'Not printed')}>Print…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
