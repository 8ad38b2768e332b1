import { Button, Textarea, TextInput } from '@mantine/core';
import {
  IconClipboard,
  IconCopy,
  IconDownload,
  IconFileImport,
  IconListCheck,
  IconPlayerPause,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Connection } from '../../../shared/domain/connection.ts';
import { type Bulk, type BulkRow, type BulkRowState, bulkRowStates } from '../../../shared/domain/licence-bulk.ts';
import { announce } from '../../app/announce.tsx';
import { useDraft } from '../../app/drafts.ts';
import { useGo } from '../../app/routes.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { PriceButton } from '../../components/price-button.tsx';
import { EmptyState } from '../../components/state.tsx';
import { call } from '../../lib/bridge.ts';
import { countOf, formatMoment } from '../../lib/format.ts';
import { bulkColumns, stateWords } from './bulk-columns.tsx';
import { changeBulk, followBulks, openTable, runRows, stopRows, takeTable, useBulkFlow } from './bulk-store.ts';
import { MapForm } from './map-form.tsx';
import { bulkQuery, errorOf, priceOfCalls } from './queries.ts';
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
  const running = bulk?.state === 'running';
  const paste = () => changeBulk(connectionId, { pasting: true, failure: null });
  const actions = (
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
        onClick={paste}
      >
        Paste
      </Button>
      {running && bulk && (
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
      {shown && bar && createPortal(actions, bar)}
      {flow.failure && (
        <div className="pad pane-b">
          <Failure
            error={flow.failure}
            actions={<Button onClick={() => changeBulk(connectionId, { failure: null })}>Close</Button>}
          />
        </div>
      )}
      {body()}
    </div>
  );
}

function PasteForm({ connectionId }: { connectionId: string }) {
  const [text, setText] = useDraft(`licences/bulk-paste-${connectionId}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    takeTable(connectionId, 'Pasted table', text);
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

const barClass: Readonly<Record<BulkRowState, string>> = {
  confirmed: 'confirmed',
  contradicted: 'contradicted',
  unknown: 'unknown',
  sent: 'sent',
  planned: 'waiting',
  failed: 'failed',
  skipped: 'left',
};
const barOrder: readonly BulkRowState[] = [
  'confirmed',
  'contradicted',
  'failed',
  'unknown',
  'sent',
  'planned',
  'skipped',
];

function BulkRows({ bulk }: { bulk: Bulk }) {
  const client = useQueryClient();
  const go = useGo();
  const { connectionId } = bulk;
  const flow = useBulkFlow(connectionId);
  const [typed, setTyped] = useDraft(`licences/bulk-confirm-${bulk.id}`);
  const [told, setTold] = useState<string | null>(null);
  const running = bulk.state === 'running';
  const chosen = useMemo(
    () =>
      new Set(
        bulk.rows
          .filter(({ row, state, advised }) => state === 'planned' && advised !== flow.toggled.has(row))
          .map(({ row }) => row),
      ),
    [bulk.rows, flow.toggled],
  );
  const free = !running && flow.busy === null;
  const toggle = (row: BulkRow) => {
    if (!free || row.state !== 'planned') return;
    const toggled = new Set(flow.toggled);
    if (!toggled.delete(row.row)) toggled.add(row.row);
    changeBulk(connectionId, { toggled });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are stable while nothing is chosen or freed
  const columns = useMemo(() => bulkColumns(chosen, free ? toggle : undefined), [chosen, free]);
  const counts = bulkRowStates.map((state) => ({
    state,
    count: bulk.rows.filter((row) => row.state === state).length,
  }));
  const countOfState = (state: BulkRowState) => counts.find((one) => one.state === state)?.count ?? 0;
  const writes = bulk.rows.filter(({ row }) => chosen.has(row));
  const operations = writes.flatMap(({ kind }) =>
    kind === 'move'
      ? ['RegisterLicense', 'UnregisterLicense', 'GetLicenseDetails']
      : ['RegisterLicense', 'GetLicenseDetails'],
  );
  const say = async (work: () => Promise<string | null>) => {
    try {
      const words = await work();
      setTold(words);
      if (words) announce(words);
    } catch (thrown) {
      changeBulk(connectionId, { failure: errorOf(thrown) });
    }
  };
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (!free || chosen.size === 0 || typed.trim() !== String(chosen.size)) return;
    setTyped('');
    void runRows(client, bulk, [...chosen], typed.trim());
  };
  const unknown = bulk.rows.filter(({ state }) => state === 'unknown');
  return (
    <>
      <section className="bulk-bar" aria-label="States of the rows">
        <span className="h nowrap">{countOf(bulk.rows.length, 'row')}</span>
        <span className="states" aria-hidden="true">
          {barOrder.map((state) => {
            const count = countOfState(state);
            return count > 0 && <i key={state} className={barClass[state]} style={{ flex: count }} />;
          })}
        </span>
        <span className="row wrap g12 sm">
          {barOrder.map((state) => {
            const count = countOfState(state);
            return (
              count > 0 && (
                <span key={state} className={`word ${barClass[state]}`}>
                  {count} {stateWords[state]}
                </span>
              )
            );
          })}
        </span>
      </section>
      {bulk.pause && (
        <div className="pad pane-b">
          <Notice tone="danger" announce>
            <span className="m">Paused at the first contradiction.</span> {bulk.pause} The rest has not been sent.
          </Notice>
        </div>
      )}
      <DataTable
        label="Rows of the bulk change"
        widthsKey="licence-bulk"
        columns={columns}
        rows={bulk.rows}
        keyOf={keyOf}
        onSelect={toggle}
        rowClass={({ state }) => (state === 'contradicted' || state === 'unknown' ? 'warn-row' : undefined)}
      />
      {unknown.length > 0 && !running && (
        <div className="pad">
          <Notice
            tone="warn"
            action={
              <button type="button" className="link" onClick={() => go('licences', { show: 'unfinished' })}>
                Check it
              </button>
            }
          >
            <span className="m">
              {unknown.length === 1
                ? `Row ${unknown[0]?.row} may have happened.`
                : `${unknown.length} rows may have happened.`}
            </span>{' '}
            {unknown[0]?.text} It is not sent again by itself; reading the machine will tell.
          </Notice>
        </div>
      )}
      <form className="footbar bulk-foot" onSubmit={run}>
        <span className="t2 source">
          {told ?? `From ${bulk.source}, planned ${formatMoment(bulk.plannedAt)} from ${countOf(bulk.reads, 'read')}`}
        </span>
        {countOfState('planned') + countOfState('skipped') < bulk.rows.length && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconCopy size={15} aria-hidden="true" />}
            onClick={() =>
              void say(async () => {
                const { text } = await call('bulk.receipt', { bulkId: bulk.id });
                await call('app.copy-text', { text: text.slice(0, 200_000) });
                return 'Receipt copied';
              })
            }
          >
            Copy receipt
          </Button>
        )}
        <Button
          leftSection={<IconDownload size={15} aria-hidden="true" />}
          onClick={() =>
            void say(async () => {
              const { saved, fileName } = await call('bulk.export', { bulkId: bulk.id });
              return saved ? `States saved as ${fileName}. Open it again to do only the rest.` : null;
            })
          }
        >
          Save states
        </Button>
        {countOfState('planned') > 0 && chosen.size === 0 && !running && (
          <span className="sm t2">No row is chosen: Space takes one in.</span>
        )}
        {(chosen.size > 0 || running) && (
          <>
            {free && chosen.size > 0 && (
              <TextInput
                className="low"
                aria-label={`Type ${chosen.size} to confirm`}
                placeholder={`Type ${chosen.size} to confirm`}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                w={150}
                inputMode="numeric"
                autoComplete="off"
              />
            )}
            <PriceButton
              type="submit"
              main
              price={priceOfCalls(operations)}
              disabled={!free || chosen.size === 0 || typed.trim() !== String(chosen.size)}
            >
              {running
                ? 'Running'
                : bulk.rows.every(({ state }) => state === 'planned' || state === 'skipped')
                  ? `Run ${countOf(chosen.size, 'row')}`
                  : `Run the ${chosen.size} not done`}
            </PriceButton>
          </>
        )}
      </form>
    </>
  );
}

const keyOf = ({ row }: BulkRow): string => String(row);
