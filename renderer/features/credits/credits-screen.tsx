import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { creditsOverviewQuery } from '../../app/queries.ts';
import { ScreenTitle, useRouteParams } from '../../app/routes.tsx';
import { useConnection } from '../../app/use-connection.ts';
import { Failure } from '../../components/failure.tsx';
import { EmptyState } from '../../components/state.tsx';
import { TabBar } from '../../components/tab-bar.tsx';
import { BalanceFigures } from './balance-figures.tsx';
import { CapsPane } from './caps-pane.tsx';
import { useCreditCommands } from './credits-commands.ts';
import { about, errorOf } from './error-of.ts';
import { EvidenceDialog } from './evidence-dialog.tsx';
import { LedgerPane } from './ledger-pane.tsx';
import { ReadButton } from './read-button.tsx';
import { ReadFailures } from './read-failures.tsx';
import { useCreditNews } from './use-credit-news.ts';
import { useLedger } from './use-ledger.ts';
import './credits.css';

type PaneId = 'balances' | 'ledger' | 'caps';
const panes = [
  { id: 'balances', label: 'Balances' },
  { id: 'ledger', label: 'Ledger' },
  { id: 'caps', label: 'Caps' },
] as const;

/** What is left, where it went, and what may be spent, for the connection in use. */
export function CreditsScreen() {
  const view = useConnection();
  const [pane, setPane] = useState<PaneId>('balances');
  const [editingCapsOf, setEditingCapsOf] = useState<string | null>(null);
  useCreditCommands();
  useRouteParams('credits', (params) => {
    if (params.do === 'show-balances') setPane('balances');
    if (params.do !== 'change-caps' || !view) return;
    setPane('caps');
    setEditingCapsOf(view.connection.id);
  });
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
      pane={pane}
      onPane={setPane}
      editing={editingCapsOf === view.connection.id}
      onEdit={(editing) => setEditingCapsOf(editing ? view.connection.id : null)}
    />
  );
}

interface CreditsOfProps {
  view: ConnectionView;
  /** Which pane a narrow window shows. */
  pane: PaneId;
  onPane: (pane: PaneId) => void;
  editing: boolean;
  onEdit: (editing: boolean) => void;
}

function CreditsOf({ view, pane, onPane, editing, onEdit }: CreditsOfProps) {
  const client = useQueryClient();
  const connectionId = view.connection.id;
  const at = { connectionId, client };
  const [evidenceOf, setEvidenceOf] = useState<string | null>(null);
  const overview = useQuery(creditsOverviewQuery(connectionId));
  const ledger = useLedger(connectionId);
  const narrow = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false }) ?? false;
  useCreditNews(connectionId, evidenceOf);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !narrow || pane === 'balances') return;
    event.preventDefault();
    onPane('balances');
  };
  const place = (id: PaneId, content: ReactNode) => (
    <Pane id={id} shown={pane} narrow={narrow}>
      {content}
    </Pane>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is listened for on behalf of whatever holds the focus in it
    <div className="credits" onKeyDown={onKeyDown}>
      <div className="pagebar">
        <ScreenTitle>Credits</ScreenTitle>
        {narrow && (
          <TabBar label="Credits" idBase="credits" tabs={panes} value={pane} onChange={onPane} collapse={false} />
        )}
        <span className="grow" />
        {/* A narrow window shows where the reading, and its failure, have their place. */}
        <ReadButton at={at} view={view} onRead={() => onPane('balances')} />
      </div>
      {place(
        'balances',
        <>
          <ReadFailures at={at} onEvidence={setEvidenceOf} />
          {overview.data && <BalanceFigures at={at} view={view} overview={overview.data} ledger={ledger.loaded} />}
          {overview.error && (
            <div className="credits-failures">
              <Failure
                error={about('Figures not read', errorOf(overview.error))}
                actions={
                  <Button loading={overview.isFetching} onClick={() => void overview.refetch()}>
                    Read the figures again
                  </Button>
                }
              />
            </div>
          )}
        </>,
      )}
      <div className="credits-below">
        {place('ledger', <LedgerPane ledger={ledger} onEvidence={setEvidenceOf} />)}
        {place(
          'caps',
          <>
            {overview.data && (
              <CapsPane connectionId={connectionId} overview={overview.data} editing={editing} onEdit={onEdit} />
            )}
            {overview.error && !overview.data && (
              <p className="pad sm t2">
                The caps could not be read, with the figures.{' '}
                <button type="button" className="link" onClick={() => void overview.refetch()}>
                  Read the caps again
                </button>
              </p>
            )}
          </>,
        )}
      </div>
      {evidenceOf !== null && (
        <EvidenceDialog connectionId={connectionId} callId={evidenceOf} onClose={() => setEvidenceOf(null)} />
      )}
    </div>
  );
}

/** A part of the screen; in a narrow window a tab's panel, hidden while another one is shown so that what is typed stays. */
function Pane({ id, shown, narrow, children }: { id: PaneId; shown: PaneId; narrow: boolean; children: ReactNode }) {
  if (!narrow) return <div className={`credits-pane ${id}`}>{children}</div>;
  return (
    <div
      className={`credits-pane ${id}`}
      role="tabpanel"
      id={`credits-panel-${id}`}
      aria-labelledby={`credits-tab-${id}`}
      hidden={id !== shown}
    >
      {children}
    </div>
  );
}
