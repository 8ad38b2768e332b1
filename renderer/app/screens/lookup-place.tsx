import { type ComponentType, type ReactNode, useState } from 'react';
import type { Connection } from '../../../shared/domain/connection.ts';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { TabBar, TabPanel } from '../../components/tab-bar.tsx';
import { BatchBar, useBatchOpen } from '../../features/batch/batch-bar.tsx';
import { LookupScreen } from '../../features/lookup/lookup-screen.tsx';
import { TodayNote } from '../../features/lookup/today-note.tsx';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { useSessionState } from '../../lib/session/session-state.ts';
import { part } from '../../lib/window/part.tsx';
import { useRouteParams } from '../../lib/window/routes.tsx';

interface LookupTab {
  /** As the route parameters name it: `go('lookup', { tab: 'operations' })`. */
  id: string;
  label: string;
  /** Mounted anew when the connection changes. */
  Content: ComponentType<{ connection: Connection }>;
}

const batchTab = 'batch';

/** What is behind each tab of the lookup screen, each from a separate feature: features do not import each other. */
const lookupTabs: readonly [LookupTab, ...LookupTab[]] = [
  { id: 'search', label: 'Search', Content: LookupScreen },
  {
    id: batchTab,
    label: 'Batch',
    Content: part(async () => (await import('../../features/batch/batch-tab.tsx')).BatchTab),
  },
  {
    id: 'operations',
    label: 'Operations',
    Content: part(async () => (await import('../../features/operations/operations-tab.tsx')).OperationsTab),
  },
  {
    id: 'compare',
    label: 'Side by side',
    Content: part(async () => (await import('../../features/compare/compare-screen.tsx')).CompareScreen),
  },
  {
    id: 'rewrite',
    label: 'Rewrite a request',
    Content: part(async () => (await import('../../features/rewrite/rewrite-screen.tsx')).RewriteScreen),
  },
];

const idBase = 'lookup';

/** The lookup screen for the connection in use: its page bar with the tabs, and the content of the chosen one. */
export function LookupPlace() {
  const view = useConnection();
  const [tab, setTab] = useSessionState<string>('lookup/tab', lookupTabs[0].id);
  useRouteParams('lookup', 'tabs', ({ tab: asked }) => {
    // Parameters without a tab (a premise, a text, the search box) are for the search.
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

/** Draws a tab once it has been opened; before that it would read data that nobody asked to see. */
function VisitedPanel({ id, value, children }: { id: string; value: string; children: ReactNode }) {
  const [visited, setVisited] = useState(id === value);
  if (id === value && !visited) setVisited(true);
  return visited ? (
    <TabPanel idBase={idBase} id={id} value={value}>
      {children}
    </TabPanel>
  ) : null;
}
