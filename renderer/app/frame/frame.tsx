import type { ReactNode } from 'react';
import type { SecretStore } from '../../../shared/domain/connection.ts';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import type { Place } from '../../../shared/places.ts';
import { useSaid } from '../../lib/window/announce.ts';
import type { RunningTask } from '../../lib/window/long-tasks.ts';
import type { ChipConnection } from './connection-chip.tsx';
import { NavBar, type RecentItem } from './nav-bar.tsx';
import { StatusBar } from './status-bar.tsx';
import { type ChipBalance, TopBar } from './top-bar.tsx';

interface FrameProps {
  /** null: a screen outside the navigation (first run). */
  at: Place | null;
  onGo: (place: Place) => void;
  /** Without a connection no screen can be opened, and all are grey. */
  enabled: boolean;
  connections: readonly ChipConnection[];
  current: ChipConnection | null;
  onSwitch: (connectionId: string) => void;
  onManageConnections: () => void;
  /** null: never read, or the service sent no number; undefined: not known. */
  balance: ChipBalance | null | undefined;
  onOpenPalette: () => void;
  recent: readonly RecentItem[];
  onOpenRecent: (item: RecentItem) => void;
  /** null: not known yet. */
  running: readonly RunningTask[] | null;
  onCancel: (taskId: string) => void;
  unfinished: number | null;
  onShowUnfinished: () => void;
  /** null: not known yet. */
  store: SecretStore | null;
  children: ReactNode;
}

/** The frame around every screen: connection and balance above, navigation on the left, what runs and where keys are below. */
export function Frame(props: FrameProps) {
  const { current } = props;
  return (
    <div className="app">
      <LiveRegion />
      {current?.kind === 'production' && <div className="band" style={{ background: current.colour }} />}
      <TopBar
        connections={props.connections}
        current={current}
        onSwitch={props.onSwitch}
        onManage={props.onManageConnections}
        balance={props.balance}
        onOpenPalette={props.onOpenPalette}
        onOpenCredits={() => props.onGo('credits')}
      />
      <NavBar
        at={props.at}
        onGo={props.onGo}
        enabled={props.enabled}
        recent={props.recent}
        onOpenRecent={props.onOpenRecent}
      />
      <main className="main" id="screen" tabIndex={-1}>
        {props.children}
      </main>
      <StatusBar
        running={props.running}
        onCancel={props.onCancel}
        unfinished={props.unfinished}
        onShowUnfinished={props.onShowUnfinished}
        store={props.store}
      />
    </div>
  );
}

/** Characters of one announcement; nobody listens to a longer one. */
const longestSaid = 500;

/** The live regions that announcements are written into. Drawn once, at the top of the window. */
function LiveRegion() {
  const now = useSaid();
  return (
    <>
      <div className="spoken" role="status" aria-live="polite">
        {drawable(now.polite, longestSaid)}
      </div>
      <div className="spoken" role="alert" aria-live="assertive">
        {drawable(now.urgent, longestSaid)}
      </div>
    </>
  );
}
