import { Button } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { Connection } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { EmptyState } from '../../components/state.tsx';
import { errorOf } from '../../lib/calls/errors.ts';
import { BulkActions } from './bulk-actions.tsx';
import { BulkRows } from './bulk-rows.tsx';
import { followBulks } from './bulk-run.ts';
import { bulkCalls, changeBulk, useBulkFlow } from './bulk-store.ts';
import { MapForm } from './map-form.tsx';
import { PasteForm } from './paste-form.tsx';
import { bulkQuery } from './queries.ts';
import { openTable } from './take-table.ts';
import './bulk.css';

export interface BulkTabProps {
  connection: Connection;
  /** The end of the page bar, where the tab's own actions stand. */
  bar: HTMLElement | null;
  shown: boolean;
}

/** Many changes from a table: its columns, the plan row by row, then what came of each row. */
export function BulkTab({ connection, bar, shown }: BulkTabProps) {
  const connectionId = connection.id;
  const client = useQueryClient();
  const flow = useBulkFlow(connectionId);
  useEffect(() => followBulks(client), [client]);
  const { data, error, refetch } = useQuery(bulkQuery(connectionId));
  const bulk = data?.bulk ?? null;
  const paste = () => {
    changeBulk(connectionId, { pasting: true });
    bulkCalls.dismiss(connectionId);
  };
  const body = () => {
    if (error)
      return (
        <div className="state">
          <Failure error={errorOf(error)} actions={<Button onClick={() => void refetch()}>Try again</Button>} />
        </div>
      );
    if (!data) return <div className="grow" aria-busy="true" />;
    if (flow.draft) return <MapForm connectionId={connectionId} flow={flow} draft={flow.draft} />;
    if (flow.pasting) return <PasteForm connectionId={connectionId} />;
    if (bulk) return <BulkRows key={bulk.id} bulk={bulk} />;
    return (
      <EmptyState
        icon={<IconListCheck size={24} stroke={1.5} />}
        title="Many machines at once"
        actions={
          <>
            <Button variant="filled" onClick={() => void openTable(connectionId)}>
              Open a CSV file
            </Button>
            <Button onClick={paste}>Paste a table</Button>
          </>
        }
        foot="Each row is planned from reads first. Nothing is changed before you confirm the plan."
      >
        A row names a licence, by its reference or LicenseID, and a machine, or two for a move.
      </EmptyState>
    );
  };
  return (
    <div className="licences bulk">
      {shown &&
        bar &&
        createPortal(<BulkActions connectionId={connectionId} bulk={bulk} flow={flow} onPaste={paste} />, bar)}
      {flow.failure && (
        <div className="pad pane-b">
          <Failure
            error={flow.failure}
            actions={<Button onClick={() => bulkCalls.dismiss(connectionId)}>Close</Button>}
          />
        </div>
      )}
      {body()}
    </div>
  );
}
