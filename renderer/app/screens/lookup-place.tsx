import { type ReactNode, useState } from 'react';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { TabBar, TabPanel } from '../../components/tab-bar.tsx';
import { TodayNote } from '../../features/lookup/today-note.tsx';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { useKept } from '../../lib/session/session-state.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { lookupTabs } from './lookup-tabs.tsx';

const idBase = 'lookup';

/** The lookup screen for the connection in use: its page bar with the tabs, and what stands behind the chosen one. */
export function LookupPlace() {
  const view = useConnection();
  const [tab, setTab] = useKept<string>('lookup/tab', lookupTabs[0].id);
  useRouteParams('lookup', 'tabs', ({ tab: wished }) => {
    // A premise, a text or the search box are wishes for the search.
    setTab(lookupTabs.some(({ id }) => id === wished) ? String(wished) : lookupTabs[0].id);
  });
  if (!view)
    return <p className="pad t2">No connection is chosen. Choose one at the top, or add one under Connections.</p>;
  const { connection } = view;
  return (
    <div className="screen lookup">
      <div className="pagebar">
        <ScreenTitle>Lookup</ScreenTitle>
        {lookupTabs.length > 1 && (
          <TabBar tabs={lookupTabs} value={tab} onChange={setTab} label="Lookup" idBase={idBase} />
        )}
        <span className="grow" />
        <TodayNote connectionId={connection.id} />
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
