import { Button } from '@mantine/core';
import { IconClipboard, IconFileImport, IconPlayerPause } from '@tabler/icons-react';
import type { Bulk } from '../../../shared/domain/licence-bulk.ts';
import { stopRows } from './bulk-run.ts';
import type { BulkFlow } from './bulk-store.ts';
import { openTable } from './take-table.ts';

export interface BulkActionsProps {
  connectionId: string;
  bulk: Bulk | null;
  flow: BulkFlow;
  onPaste: () => void;
}

/** The tab's own actions in the page bar: another table, and the end of the run under way. */
export function BulkActions({ connectionId, bulk, flow, onPaste }: BulkActionsProps) {
  const running = bulk?.state === 'running';
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        disabled={flow.busy !== null || running}
        leftSection={<IconFileImport size={15} aria-hidden="true" />}
        onClick={() => void openTable(connectionId)}
      >
        Open CSV
      </Button>
      <Button
        variant="subtle"
        color="gray"
        disabled={flow.busy !== null || running}
        leftSection={<IconClipboard size={15} aria-hidden="true" />}
        onClick={onPaste}
      >
        Paste
      </Button>
      {running && (
        <Button
          leftSection={<IconPlayerPause size={15} aria-hidden="true" />}
          disabled={flow.stopping}
          onClick={() => void stopRows(bulk)}
        >
          {flow.stopping ? 'Stopping' : 'Stop after these rows'}
        </Button>
      )}
    </>
  );
}
