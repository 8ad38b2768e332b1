import {
  IconCoins,
  IconHistory,
  IconLicense,
  IconMapPin,
  IconPlugConnected,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { Place } from '../../../shared/places.ts';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { TabBar, TabPanel } from '../../components/tab-bar.tsx';
import { ActivityScreen } from '../../features/activity/activity-screen.tsx';
import { BatchBar, useBatchOpen } from '../../features/batch/batch-bar.tsx';
import { BatchTab } from '../../features/batch/batch-tab.tsx';
import { BulkTab } from '../../features/bulk/bulk-tab.tsx';
import { MovesPage } from '../../features/bulk/moves/moves-page.tsx';
import { CompareScreen } from '../../features/compare/compare-screen.tsx';
import { ConnectionsScreen } from '../../features/connections/connections-screen.tsx';
import { CreditsScreen } from '../../features/credits/credits-screen.tsx';
import { FirstRunScreen } from '../../features/first-run/first-run-screen.tsx';
import { HelpScreen } from '../../features/help/help-screen.tsx';
import { LicencesScreen } from '../../features/licences/licences-screen.tsx';
import { LookupScreen } from '../../features/lookup/lookup-screen.tsx';
import { TodayNote } from '../../features/lookup/today-note.tsx';
import { MachinesTab } from '../../features/machines/machines-tab.tsx';
import { OperationsTab } from '../../features/operations/operations-tab.tsx';
import { RewriteScreen } from '../../features/rewrite/rewrite-screen.tsx';
import { SettingsScreen } from '../../features/settings/settings-screen.tsx';
import { SetupScreen } from '../../features/setup/setup-screen.tsx';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { useSessionState } from '../../lib/session/session-state.ts';
import { type ScreenId, useRouteParams } from '../../lib/window/routes.tsx';

/** The licences with the tabs of two other features: features import none of each other. */
const LicencesPlace = () => <LicencesScreen machines={MachinesTab} bulk={BulkTab} deadLaptop={MovesPage} />;

interface LookupTab {
  /** Named in the parameters: `go('lookup', { tab: 'operations' })`. */
  id: string;
  label: string;
  /** Drawn anew for another connection. */
  Content: ComponentType<{ connection: Connection }>;
}

const batchTab = 'batch';

/** What stands behind each tab of the lookup screen, each from a feature of its own: features import none of each other. */
const lookupTabs: readonly [LookupTab, ...LookupTab[]] = [
  {
    id: 'search',
    label: 'Search',
    Content: ({ connection }) => <LookupScreen connectionId={connection.id} connection={connection} />,
  },
  { id: batchTab, label: 'Batch', Content: BatchTab },
  { id: 'operations', label: 'Operations', Content: OperationsTab },
  { id: 'compare', label: 'Side by side', Content: CompareScreen },
  { id: 'rewrite', label: 'Rewrite a request', Content: () => <RewriteScreen /> },
];

const idBase = 'lookup';

/** The lookup screen for the connection in use: its page bar with the tabs, and what stands behind the chosen one. */
function LookupPlace() {
  const view = useConnection();
  const [tab, setTab] = useSessionState<string>('lookup/tab', lookupTabs[0].id);
  useRouteParams('lookup', 'tabs', ({ tab: asked }) => {
    // A premise, a text or the search box are for the search.
    setTab(lookupTabs.some(({ id }) => id === asked) ? String(asked) : lookupTabs[0].id);
  });
  const batchOpen = useBatchOpen(view?.connection.id ?? '') && tab === batchTab;
  if (!view)
    return <p className="pad t2">No connection is chosen. Choose one at the top, or add one under Connections.</p>;
  const { connection } = view;
  return (
    <div className="screen lookup">
      <div className="pagebar">
        {batchOpen ? (
          <BatchBar connectionId={connection.id} onLookup={() => setTab(lookupTabs[0].id)} />
        ) : (
          <>
            <ScreenTitle>Lookup</ScreenTitle>
            <TabBar tabs={lookupTabs} value={tab} onChange={setTab} label="Lookup" idBase={idBase} />
            <span className="grow" />
            <TodayNote connectionId={connection.id} />
          </>
        )}
      </div>
      {lookupTabs.map(({ id, Content }) => (
        <VisitedPanel key={`${id}/${connection.id}`} id={id} value={tab}>
          <Content connection={connection} />
        </VisitedPanel>
      ))}
    </div>
  );
}

/** A tab nobody has opened yet is not drawn: it would read what nobody asked to see. */
function VisitedPanel({ id, value, children }: { id: string; value: string; children: ReactNode }) {
  const [visited, setVisited] = useState(id === value);
  if (id === value && !visited) setVisited(true);
  return visited ? (
    <TabPanel idBase={idBase} id={id} value={value}>
      {children}
    </TabPanel>
  ) : null;
}

/** What draws each screen: the feature, or the place composed above of several, since features import none of each other. */
export const screens: Readonly<Record<ScreenId, ComponentType>> = {
  lookup: LookupPlace,
  credits: CreditsScreen,
  licences: LicencesPlace,
  activity: ActivityScreen,
  connections: ConnectionsScreen,
  settings: SettingsScreen,
  'first-run': FirstRunScreen,
  help: HelpScreen,
  setup: SetupScreen,
};

/** The icon of each place, in the navigation and in the palette. */
export const icons: Readonly<Record<Place, TablerIcon>> = {
  lookup: IconMapPin,
  credits: IconCoins,
  licences: IconLicense,
  activity: IconHistory,
  connections: IconPlugConnected,
  settings: IconSettings,
};
