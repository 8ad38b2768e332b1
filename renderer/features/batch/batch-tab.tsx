import { Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Connection } from '../../../shared/domain/connection.ts';
import { NotRead, NotReadAgain } from '../../components/read-failure.tsx';
import { UnderWay } from '../../components/state.tsx';
import { useDraft } from '../../lib/session/drafts.ts';
import { formatNumber } from '../../lib/text/format.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { batchCalls, changeBatchForm, showBatch, showBatches, useBatchForm, useRowsRead } from './batch-store.ts';
import { refreshRows } from './follow.ts';
import { BatchFailure } from './parts.tsx';
import { PlanView } from './plan/plan-view.tsx';
import { batchListKey, batchQuery } from './queries.ts';
import { ResultView } from './result/result-view.tsx';
import { RunView } from './run/run-view.tsx';
import { BatchStart } from './start/batch-start.tsx';
import { PasteForm } from './start/paste-form.tsx';
import { TableView } from './table/table-view.tsx';
import { openTable, takeText } from './take-table.ts';
import './batch.css';

/** The open table or batch, or the ways to open one. */
export function BatchTab({ connection }: { connection: Connection }) {
  const connectionId = connection.id;
  const form = useBatchForm(connectionId);
  const { running } = batchCalls.use(connectionId);
  const rowsRead = useRowsRead(connectionId);
  usePastedTable(connectionId);
  const [, setPasted] = useDraft(`lookup/batch-paste-${connectionId}`);
  useRouteParams('lookup', 'batch', ({ batch, do: wanted, table }) => {
    if (table !== undefined) setPasted(table);
    if (batch !== undefined) showBatch(connectionId, batch);
    if (wanted === 'open-table') {
      showBatches(connectionId);
      void openTable(connectionId);
    }
    if (wanted === 'paste-table') changeBatchForm(connectionId, { view: 'start', pasting: true });
  });
  const body = () => {
    if (running?.request === 'read' && form.view !== 'table')
      return (
        <UnderWay
          doing={rowsRead === null ? 'Reading the table' : `Reading the table, ${formatNumber(rowsRead)} rows`}
          since={running.since}
          onStop={() => batchCalls.stop(connectionId)}
          stopLabel="Stop reading"
          foot="It is read on this computer. Nothing is sent."
        />
      );
    if (form.pasting) return <PasteForm connectionId={connectionId} />;
    if (form.view === 'table' && form.table) return <TableView connectionId={connectionId} table={form.table} />;
    if (form.view === 'batch' && form.batchId !== null) return <OneBatch key={form.batchId} batchId={form.batchId} />;
    return <BatchStart connectionId={connectionId} />;
  };
  return (
    <div className="batch">
      <BatchFailure of={connectionId} />
      {body()}
    </div>
  );
}

/** One batch, as far as it has come. */
function OneBatch({ batchId }: { batchId: string }) {
  const client = useQueryClient();
  const read = useQuery(batchQuery(batchId));
  const { data } = read;
  const [connectionId, elsewhere] = [data?.connectionId, data?.elsewhere === true];
  useEffect(() => {
    // Another process has begun to run it: from the list it is followed.
    if (elsewhere && connectionId !== undefined)
      void client.invalidateQueries({ queryKey: batchListKey(connectionId), refetchType: 'all' });
  }, [client, connectionId, elsewhere]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the batch is another than before, also if another process has changed it
  useEffect(() => refreshRows(client, batchId), [client, batchId, data]);
  if (!data)
    return (
      <NotRead of={read}>
        <div className="state" aria-busy="true">
          <Loader size={14} aria-label="Reading the batch" />
        </div>
      </NotRead>
    );
  const View =
    data.state === 'planned' ? PlanView : data.state === 'done' || data.state === 'stopped' ? ResultView : RunView;
  return (
    <>
      <NotReadAgain of={read} subject="The batch" />
      <View batch={data} />
    </>
  );
}

/** What is pasted outside a field while this tab is in sight is a table. */
function usePastedTable(connectionId: string): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.defaultPrevented || target?.closest('input, textarea, [contenteditable="true"], [role="dialog"]')) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (file || text.trim() === '') return;
    event.preventDefault();
    void takeText(connectionId, text);
  });
  useEffect(() => {
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
