import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { Breadcrumbs } from '../../components/breadcrumbs.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { EmptyState } from '../../components/state.tsx';
import { TabBar, TabPanel } from '../../components/tab-bar.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { creditsOverviewQuery, unfinishedChangesQuery } from '../../lib/calls/queries.ts';
import { useCompletion } from '../../lib/connection/connection-dialogs.ts';
import { missingForLicences } from '../../lib/connection/missing-for-licences.ts';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { useSessionState } from '../../lib/session/session-state.ts';
import { showFailure } from '../../lib/window/failure-notices.ts';
import { focusList } from '../../lib/window/pane-focus.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { ChangeView } from './change/change-view.tsx';
import {
  dismissFailure,
  type Flow,
  followChanges,
  readLicences,
  resumeChange,
  showChange,
  showList,
  useFlow,
} from './flow.ts';
import { JournalTab } from './journal/journal-tab.tsx';
import { LicencesTab } from './list/licences-tab.tsx';
import { listPrice } from './prices.ts';
import './licences.css';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import type { OpenRequest } from './use-chosen-licence.ts';

/** A tab that another feature draws, with its own actions at the end of the page bar. */
interface OtherTab {
  connection: Connection;
  bar: HTMLElement | null;
  shown: boolean;
}

interface LicencesScreenProps {
  machines: ComponentType<OtherTab>;
  bulk: ComponentType<OtherTab>;
  /** A separate page, opened from the machines, that moves everything of a machine that no longer exists. */
  deadLaptop: ComponentType<{ connection: Connection }>;
}

/** The licences of the connection in use. */
export function LicencesScreen(props: LicencesScreenProps) {
  const view = useConnection();
  useEffect(followChanges, []);
  if (!view) {
    return (
      <>
        <div className="pagebar">
          <ScreenTitle>Licences</ScreenTitle>
        </div>
        <EmptyState title="No connection is set up">Licences belong to an account. Add a connection first.</EmptyState>
      </>
    );
  }
  return <LicencesOf key={view.connection.id} view={view} {...props} />;
}

type TabId = 'all' | 'machines' | 'bulk' | 'journal' | 'dead-laptop';
const tabs = [
  { id: 'all', label: 'All licences' },
  { id: 'machines', label: 'Machines' },
  { id: 'bulk', label: 'Bulk change' },
  { id: 'journal', label: 'Journal' },
] as const;

function LicencesOf({
  view,
  machines: Machines,
  bulk: Bulk,
  deadLaptop: DeadLaptop,
}: LicencesScreenProps & { view: ConnectionView }) {
  const { connection } = view;
  const client = useQueryClient();
  const at = { connectionId: connection.id, client };
  const flow = useFlow(connection.id);
  const unfinished = useQuery(unfinishedChangesQuery());
  useCapRefusal(connection.id, flow);
  const [tab, setTab] = useSessionState<TabId>('licences/tab', 'all');
  const [openRequest, setOpenRequest] = useState<OpenRequest | null>(null);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const leaveChange = () => {
    if (flow.view !== 'change') return;
    showList(connection.id);
    focusList('licences');
  };
  const openEnded = async (changeId: string) => {
    try {
      showChange(connection.id, await call('licences.find-change', { changeId }));
    } catch (thrown) {
      showFailure(errorOf(thrown));
    }
  };
  useRouteParams('licences', 'licences', (params) => {
    if (params.show === 'list') {
      if (tab === 'dead-laptop') setTab('machines');
      leaveChange();
      return;
    }
    if (params.show === 'unfinished') {
      // A single unfinished change is opened; several are listed first on the screen, for a person to choose.
      const [only, ...others] = unfinished.data?.changes ?? [];
      if (only && others.length === 0) showChange(connection.id, only);
      else {
        setTab('all');
        showList(connection.id);
      }
      return;
    }
    const asked = unfinished.data?.changes.find(({ id }) => id === params.change);
    if (asked) {
      showChange(connection.id, asked);
      // Plans the undo from reads, whose price was on the button; the plan still has to be confirmed.
      if (params.do === 'undo') void resumeChange(at, asked, 'undo');
      return;
    }
    if (params.change) {
      void openEnded(params.change);
      return;
    }
    const place = tabs.find(({ id }) => id === params.show);
    setTab(params.show === 'dead-laptop' ? 'dead-laptop' : (place?.id ?? 'all'));
    showList(connection.id);
    if (params.do === 'read') void readLicences(at);
    if (params.licence) setOpenRequest({ licenceNumber: params.licence, form: formOf(params.do) });
  });

  // Both stay drawn, one of them hidden, so that what is typed, chosen and scrolled in the list stays.
  const shown = flow.view === 'change' ? flow.change : null;
  // Reading would fail: the missing parts must be added first.
  const missing = missingForLicences(view);
  const completion = useCompletion(view, missing);
  return (
    <>
      {shown && (
        <ChangeView
          key={shown.id}
          at={at}
          connection={connection}
          flow={flow}
          change={shown}
          onLeave={leaveChange}
          onLicence={() => {
            setTab('all');
            showList(connection.id);
            setOpenRequest({ licenceNumber: shown.licenceNumber, form: null });
          }}
        />
      )}
      <div className="licence-lists" hidden={shown !== null}>
        {tab === 'dead-laptop' && (
          <>
            <div className="pagebar">
              <Breadcrumbs
                places={[{ name: 'Licences', label: 'Back to the licences', onOpen: () => setTab('machines') }]}
              />
              <ScreenTitle>Dead laptop</ScreenTitle>
              <span className="grow" />
              <span className="sm t2">Find it, see what was on it, move it all</span>
            </div>
            <DeadLaptop connection={connection} />
          </>
        )}
        <div className="pagebar" hidden={tab === 'dead-laptop'}>
          <ScreenTitle>Licences</ScreenTitle>
          <TabBar label="Licences" idBase="licences" value={tab} onChange={setTab} tabs={tabs} />
          <span className="grow" />
          <span className="row" ref={setBar} />
          {tab === 'all' && missing !== null && (
            <Button title={`Licences need ${missing.words}`} onClick={completion.open}>
              {completion.label}
            </Button>
          )}
          {tab === 'all' && missing === null && (
            <PriceButton
              price={listPrice()}
              disabled={flow.busy !== null}
              title={flow.busy ? 'Another licence call is under way' : undefined}
              onClick={() => void readLicences(at)}
            >
              Read licences
            </PriceButton>
          )}
        </div>
        <TabPanel idBase="licences" id="all" value={tab}>
          <LicencesTab
            at={at}
            connection={connection}
            flow={flow}
            openRequest={openRequest}
            bar={tab === 'all' ? bar : null}
          />
        </TabPanel>
        <TabPanel idBase="licences" id="machines" value={tab}>
          <Machines connection={connection} bar={bar} shown={tab === 'machines' && shown === null} />
        </TabPanel>
        <TabPanel idBase="licences" id="bulk" value={tab}>
          <Bulk connection={connection} bar={bar} shown={tab === 'bulk' && shown === null} />
        </TabPanel>
        <TabPanel idBase="licences" id="journal" value={tab} keep={false}>
          <JournalTab />
        </TabPanel>
      </div>
    </>
  );
}

const formOf = (text: string | undefined): ChangeKind | null =>
  text === 'register' || text === 'unregister' || text === 'move' ? text : null;

/** Dismisses a refusal by a cap once none is on any more: it would read as if one were. The caps are read after each refusal (flow.ts). */
function useCapRefusal(connectionId: string, { failure }: Flow): void {
  const { data, error } = useQuery(creditsOverviewQuery(connectionId));
  const isOff =
    data &&
    !error &&
    [{ counts: data.counts, floor: data.caps.floor }, ...data.sharedCaps].every(
      ({ counts, floor }) => counts.perDay.cap === null && counts.perRun.cap === null && floor === null,
    );
  const isRefused = failure?.error.code === 'cap-reached';
  useEffect(() => {
    if (isOff && isRefused) dismissFailure(connectionId);
  }, [connectionId, isOff, isRefused]);
}
