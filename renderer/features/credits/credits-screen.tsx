import { Button } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { LedgerEntry } from '../../../shared/domain/credits/credits.ts';
import { type RowFilter, wholeTable } from '../../../shared/domain/row-filter.ts';
import { FilterBar, isFiltering, useRowFilter } from '../../components/filter/filter-bar.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { EmptyState } from '../../components/state.tsx';
import { TabBar, TabPanel } from '../../components/tab-bar.tsx';
import { creditsOverviewQuery } from '../../lib/calls/queries.ts';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { useSessionState } from '../../lib/session/session-state.ts';
import { formatNumber } from '../../lib/text/format.ts';
import { closeByEscape } from '../../lib/window/close-by-escape.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { useNow } from '../../lib/window/use-now.ts';
import { useNarrow } from '../../lib/window/width.ts';
import { BalanceFailures } from './balance/balance-failures.tsx';
import { OverviewFigures, ServiceTest } from './balance/balance-figures.tsx';
import { type At, readBalance, useBalanceRead } from './balance/read-balances.ts';
import { ForecastMethod } from './balance/run-out-figures.tsx';
import { missingFor, sourcePrice } from './balance/sources.ts';
import type { CapName } from './caps/caps.ts';
import { CapsAndAlerts } from './caps/caps-and-alerts.tsx';
import { OverviewCharts } from './charts/overview-charts.tsx';
import { RangeBar } from './charts/range-bar.tsx';
import { type Chosen, rangeOf, thisMonth } from './charts/ranges.ts';
import { ExportDialog } from './ledger/export-dialog.tsx';
import { LedgerPane } from './ledger/ledger-pane.tsx';
import { endingChoices, LedgerColumnsButton, LedgerSumsLine } from './ledger/ledger-sums.tsx';
import { NoteDialog } from './ledger/note-dialog.tsx';
import { useLedger } from './ledger/use-ledger.ts';
import { PricesPane } from './prices-pane.tsx';
import { forecastQuery, ledgerChoicesQuery, ledgerSumsQuery, useCreditNews } from './queries.ts';
import { EvidenceDialog } from './reconcile/evidence-dialog.tsx';
import { ReconcilePane } from './reconcile/reconcile-pane.tsx';
import { StatementDialog } from './statement/statement-dialog.tsx';
import './credits.css';

type PaneId = 'overview' | 'ledger' | 'reconcile' | 'caps';
const panes = [
  { id: 'overview', label: 'Overview' },
  { id: 'ledger', label: 'Ledger' },
  { id: 'reconcile', label: 'Reconciliation' },
  { id: 'caps', label: 'Caps and alerts' },
] as const;

/** What is left, where it went, and what may be spent, for the connection in use. */
export function CreditsScreen() {
  const view = useConnection();
  const [editing, setEditing] = useState<{ connectionId: string; cap: CapName } | null>(null);
  if (!view) {
    return (
      <>
        <div className="pagebar">
          <ScreenTitle>Credits</ScreenTitle>
        </div>
        <EmptyState title="No connection is chosen">
          Credits belong to an account. Choose a connection at the top, or add one under Connections.
        </EmptyState>
      </>
    );
  }
  return (
    <CreditsOf
      key={view.connection.id}
      view={view}
      editing={editing?.connectionId === view.connection.id ? editing.cap : null}
      onEdit={(cap) => setEditing(cap && { connectionId: view.connection.id, cap })}
    />
  );
}

/** An export that was asked for: of everything shown, or of one key’s month. */
interface Exporting {
  ofKey: string | null;
  month: boolean;
  /** Only the entries that match the ledger's filter. */
  filtered?: boolean;
}

interface CreditsOfProps {
  view: ConnectionView;
  editing: CapName | null;
  onEdit: (editing: CapName | null) => void;
}

function CreditsOf({ view, editing, onEdit }: CreditsOfProps) {
  const client = useQueryClient();
  const connectionId = view.connection.id;
  const at = { connectionId, client };
  const [evidenceOf, setEvidenceOf] = useState<string | null>(null);
  const [pane, setPane] = useSessionState<PaneId>('credits/pane', 'overview');
  const [exporting, setExporting] = useState<Exporting | null>(null);
  const [stating, setStating] = useState(false);
  useRouteParams('credits', 'credits', (params) => {
    if (params.do === 'show-balances') setPane('overview');
    if (params.do === 'alerts') setPane('caps');
    if (params.do === 'export') setExporting({ ofKey: params.key ?? null, month: params.key !== undefined });
    if (params.do === 'statement') setStating(true);
    if (params.do !== 'change-caps') return;
    setPane('caps');
    onEdit('perDay');
  });
  const [noteOf, setNoteOf] = useState<LedgerEntry | null>(null);
  const [chosen, setChosen] = useState<Chosen>({ preset: '30' });
  const now = useNow(60_000);
  const range = rangeOf(chosen, now);
  const overview = useQuery(creditsOverviewQuery(connectionId));
  const forecast = useQuery(forecastQuery(connectionId));
  const ledger = useLedger(connectionId);
  const [filter, setFilter] = useRowFilter(`credits/filter/${connectionId}`);
  // The days of the charts are the days of the rows.
  const inDays = useMemo(() => ({ ...wholeTable, from: range.from, to: range.to }), [range.from, range.to]);
  const left = useDeferredValue(
    useMemo(() => ({ ...filter, from: range.from, to: range.to }), [filter, range.from, range.to]),
  );
  const shown = useLedger(connectionId, pane === 'ledger' ? left : inDays);
  const sums = useQuery({ ...ledgerSumsQuery(connectionId, left), enabled: pane === 'ledger' });
  // The previous filter's sums are of other rows, so they are not shown.
  const counted = sums.isPlaceholderData ? undefined : sums.data;
  const choices = useQuery({ ...ledgerChoicesQuery(connectionId), enabled: pane === 'ledger' });
  const onFilter = (next: RowFilter) => {
    const { from, to } = next;
    if (from !== null && to !== null && (from !== range.from || to !== range.to)) setChosen({ from, to });
    setFilter({ ...next, from: null, to: null });
  };
  const narrow = useNarrow();
  // Figures and charts are drawn first, what is below them next.
  const drawsBelow = useDeferredValue(!narrow, false);
  useCreditNews(connectionId);
  const onKeyDown = closeByEscape(
    () => setPane('overview'),
    () => narrow && pane !== 'overview',
  );
  const rangeBar = (
    <RangeBar
      chosen={chosen}
      range={range}
      onChoose={setChosen}
      onExport={() => setExporting({ ofKey: null, month: false })}
    />
  );
  const ledgerPane = (
    <LedgerPane
      connectionId={connectionId}
      ledger={shown}
      others={pane === 'ledger' ? [sums, choices] : []}
      onEvidence={setEvidenceOf}
      onNote={setNoteOf}
      filtered={pane === 'ledger' && isFiltering({ ...filter, from: null, to: null })}
      onClear={() => setFilter(wholeTable)}
      beside={pane === 'ledger'}
    />
  );
  const caps = (
    <CapsAndAlerts
      view={view}
      overview={overview}
      editing={editing}
      onEdit={(wanted) => {
        if (wanted) setPane('caps');
        onEdit(wanted);
      }}
      full={pane === 'caps'}
    />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is listened for on behalf of whatever holds the focus in it
    <div className="credits" onKeyDown={onKeyDown}>
      <div className="pagebar">
        <ScreenTitle>Credits</ScreenTitle>
        <TabBar label="Credits" idBase="credits" tabs={panes} value={pane} onChange={setPane} />
        <span className="grow" />
        {/* The overview shows the reading and its failure. */}
        <ReadButton at={at} view={view} onRead={() => setPane('overview')} />
      </div>
      <TabPanel idBase="credits" id="overview" value={pane} keep={false}>
        <div className="credits-overview">
          <BalanceFailures at={at} view={view} onEvidence={setEvidenceOf} />
          <div className="credits-top">
            <OverviewFigures at={at} view={view} overview={overview} forecast={forecast} ledger={ledger.loaded} />
            {rangeBar}
          </div>
          <OverviewCharts
            connectionId={connectionId}
            overview={overview.data}
            forecast={forecast.data}
            range={range}
            onChoose={setChosen}
          />
          {drawsBelow && (
            <div className="credits-below">
              <div className="credits-pane ledger">{ledgerPane}</div>
              <div className="credits-pane caps">
                {caps}
                <ForecastMethod forecast={forecast.data} />
              </div>
            </div>
          )}
        </div>
      </TabPanel>
      <TabPanel idBase="credits" id="ledger" value={pane} keep={false}>
        <FilterBar
          label="Search the ledger"
          filter={{ ...filter, from: range.from, to: range.to }}
          onFilter={onFilter}
          choices={choices.data}
          outcomes={endingChoices}
          daysAlways
        />
        {(sums.data || sums.error) && (
          <LedgerSumsLine sums={counted ?? null} failed={sums.error !== null}>
            <button type="button" className="link nowrap" onClick={() => setStating(true)}>
              Statement…
            </button>
            <LedgerColumnsButton />
            <Button
              className="small"
              disabled={counted?.entries === 0}
              leftSection={<IconDownload size={14} className="ti" aria-hidden="true" />}
              onClick={() => setExporting({ ofKey: null, month: false, filtered: true })}
            >
              Export these{counted ? ` ${formatNumber(counted.entries)}` : ''}…
            </Button>
          </LedgerSumsLine>
        )}
        {ledgerPane}
      </TabPanel>
      <TabPanel idBase="credits" id="reconcile" value={pane} keep={false}>
        {rangeBar}
        <div className="credits-proof">
          <ReconcilePane connectionId={connectionId} range={range} />
          <div className="credits-pane">
            {overview.data && <ServiceTest at={at} view={view} overview={overview.data} />}
            <PricesPane connectionId={connectionId} />
          </div>
        </div>
      </TabPanel>
      <TabPanel idBase="credits" id="caps" value={pane} keep={false}>
        <div className="credits-pane caps-full">{caps}</div>
      </TabPanel>
      {evidenceOf !== null && (
        <EvidenceDialog connectionId={connectionId} callId={evidenceOf} onClose={() => setEvidenceOf(null)} />
      )}
      {noteOf !== null && <NoteDialog connectionId={connectionId} entry={noteOf} onClose={() => setNoteOf(null)} />}
      {stating && (
        <StatementDialog
          connectionId={connectionId}
          connectionName={view.connection.name}
          keys={[...new Set(view.secrets.map(({ label }) => label))]}
          onClose={() => setStating(false)}
        />
      )}
      {exporting && (
        <ExportDialog
          connectionId={connectionId}
          range={exporting.month ? thisMonth(now) : range}
          keys={[...new Set(view.secrets.map(({ label }) => label))]}
          ofKey={exporting.ofKey}
          filter={exporting.filtered ? left : null}
          entries={exporting.filtered ? (counted?.entries ?? null) : null}
          onClose={() => setExporting(null)}
        />
      )}
    </div>
  );
}

/** Reads the free source. Sources without a published price have their own buttons, each beside its figure. */
function ReadButton({ at, view, onRead }: { at: At; view: ConnectionView; onRead: () => void }) {
  const { running } = useBalanceRead(at.connectionId, 'rest-key');
  const missing = missingFor('rest-key', view);
  return (
    <PriceButton
      price={sourcePrice('rest-key')}
      disabled={missing !== null || running !== null}
      title={missing === null ? undefined : `It cannot be read without ${missing.words}`}
      leftSection={<IconRefresh size={15} className="ti" aria-hidden="true" />}
      onClick={() => {
        onRead();
        void readBalance(at, 'rest-key');
      }}
    >
      Read balance
    </PriceButton>
  );
}
