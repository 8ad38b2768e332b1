import { Button, Textarea } from '@mantine/core';
import { IconClipboard, IconFileImport, IconListCheck, IconPlayerPause } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { Bulk } from '../../../shared/domain/licences/licence-bulk.ts';
import { Failure } from '../../components/failure.tsx';
import { NotRead, NotReadAgain } from '../../components/read-failure.tsx';
import { EmptyState } from '../../components/state.tsx';
import { forgetSent, useDraft } from '../../lib/session/drafts.ts';
import { BulkRows } from './bulk-rows.tsx';
import { followBulks, stopRows } from './bulk-run.ts';
import { type BulkFlow, bulkCalls, changeBulk, useBulkFlow } from './bulk-store.ts';
import { MapForm } from './map-form.tsx';
import { bulkQuery } from './queries.ts';
import { openTable, takeText } from './take-table.ts';
import './bulk.css';

interface BulkTabProps {
  connection: Connection;
  /** The end of the page bar, into which the tab's own actions are drawn. */
  bar: HTMLElement | null;
  shown: boolean;
}

/** Many changes from a table: its columns, the plan row by row, then the result of each row. */
export function BulkTab({ connection, bar, shown }: BulkTabProps) {
  const connectionId = connection.id;
  const client = useQueryClient();
  const flow = useBulkFlow(connectionId);
  useEffect(() => followBulks(client), [client]);
  const read = useQuery(bulkQuery(connectionId));
  const { data } = read;
  const bulk = data?.bulk ?? null;
  const paste = () => {
    changeBulk(connectionId, { pasting: true });
    bulkCalls.dismiss(connectionId);
  };
  const body = () => {
    if (!data) return <NotRead of={read} />;
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
      {data && <NotReadAgain of={read} />}
      {body()}
    </div>
  );
}

/**
 * The form for a table copied from a spreadsheet. What is typed stays while the form is closed; what was taken goes, because the next table
 * would be pasted into it.
 */
function PasteForm({ connectionId }: { connectionId: string }) {
  const draft = `licences/bulk-paste-${connectionId}`;
  const [text, setText] = useDraft(draft);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await takeText(connectionId, text)) forgetSent(draft, text.trim());
  };
  return (
    <form className="bulk-map" onSubmit={submit} aria-label="Paste a table">
      <Textarea
        ref={field}
        className="codes"
        label="Rows from a spreadsheet or a CSV file"
        description="A row for each change: licence, machine; or licence, from, to. A head names the columns: Licence, Change, From, To."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rows={12}
        spellCheck={false}
        placeholder={'Licence\tFrom\tTo'}
      />
      <div className="row wrap">
        <Button type="submit" variant="filled" disabled={text.trim() === ''}>
          Look through it
        </Button>
        <Button onClick={() => changeBulk(connectionId, { pasting: false })}>Close</Button>
      </div>
    </form>
  );
}

interface BulkActionsProps {
  connectionId: string;
  bulk: Bulk | null;
  flow: BulkFlow;
  onPaste: () => void;
}

/** The tab's own actions in the page bar: another table, and the end of the run under way. */
function BulkActions({ connectionId, bulk, flow, onPaste }: BulkActionsProps) {
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
