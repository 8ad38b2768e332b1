import { Button } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { ColumnsDialog } from './columns-dialog.tsx';
import { shownColumns, useTableLook } from './table-look.ts';

interface ColumnsButtonProps {
  /** The name under which the table's look is stored. */
  table: string;
  columns: readonly { id: string; head: unknown; name?: string }[];
  hiddenAtFirst: readonly string[];
  small?: boolean;
}

/** "Columns, 7 of 12": which a table shows, and the way to choose. */
export function ColumnsButton({ table, columns, hiddenAtFirst, small = false }: ColumnsButtonProps) {
  const [look] = useTableLook(table);
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <Button
        className={small ? 'small' : undefined}
        variant="subtle"
        color="gray"
        leftSection={<IconColumns3 size={15} className="ti" aria-hidden="true" />}
        onClick={() => setChoosing(true)}
      >
        Columns, {shownColumns(columns, look, hiddenAtFirst).length} of {columns.length}
      </Button>
      {choosing && (
        <ColumnsDialog
          table={table}
          columns={columns}
          hiddenAtFirst={hiddenAtFirst}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
