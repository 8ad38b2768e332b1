import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { announce } from '../../lib/window/announce.ts';
import { Dialog } from '../dialog.tsx';
import { moveColumn, orderColumns, resetLook, shownColumns, useTableLook } from './table-look.ts';
import { headText } from './table-text.ts';

interface ColumnsDialogProps {
  /** The name under which the table's look is stored. */
  table: string;
  columns: readonly { id: string; head: unknown; name?: string }[];
  /** Columns that are hidden until a person shows them. */
  hiddenAtFirst: readonly string[];
  onClose: () => void;
}

/** Which columns a table shows, and in which order. */
export function ColumnsDialog({ table, columns, hiddenAtFirst, onClose }: ColumnsDialogProps) {
  const [look, change] = useTableLook(table);
  const ordered = orderColumns(columns, look);
  const shown = shownColumns(columns, look, hiddenAtFirst);
  const move = (id: string, by: number) => {
    const order = moveColumn(columns, look, id, by);
    change({ order });
    announce(`Column ${order.indexOf(id) + 1} of ${order.length}`);
  };
  /** Hiding it would leave none. */
  const isOnly = (column: (typeof ordered)[number]) => shown.length === 1 && shown.includes(column);
  const first = ordered.find((column) => !isOnly(column));
  return (
    <Dialog title="Columns" size={340} closeLabel="Close the columns" onClose={onClose}>
      <ul className="table-columns">
        {ordered.map((column, index) => {
          const name = headText(column);
          const isShown = shown.includes(column);
          return (
            <li key={column.id}>
              <Checkbox
                className="grow"
                label={name}
                checked={isShown}
                disabled={isOnly(column)}
                data-autofocus={column === first || undefined}
                onChange={() =>
                  change({
                    hidden: isShown
                      ? [...(look.hidden ?? hiddenAtFirst), column.id]
                      : (look.hidden ?? hiddenAtFirst).filter((hidden) => hidden !== column.id),
                  })
                }
              />
              <ActionIcon
                size={24}
                aria-label={`Move ${name} to the left`}
                disabled={index === 0}
                onClick={() => move(column.id, -1)}
              >
                <IconArrowUp size={14} className="ti" aria-hidden="true" />
              </ActionIcon>
              <ActionIcon
                size={24}
                aria-label={`Move ${name} to the right`}
                disabled={index === ordered.length - 1}
                onClick={() => move(column.id, 1)}
              >
                <IconArrowDown size={14} className="ti" aria-hidden="true" />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      <div className="row between">
        <Button variant="subtle" color="gray" onClick={() => resetLook(table)}>
          As they were
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
