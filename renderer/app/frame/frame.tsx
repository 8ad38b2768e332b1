import type { ReactNode } from 'react';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { useSaid } from '../../lib/window/announce.ts';
import { NavBar, type NavBarProps } from './nav-bar.tsx';
import { StatusBar, type StatusBarProps } from './status-bar.tsx';
import { TopBar, type TopBarProps } from './top-bar.tsx';

interface FrameProps extends Omit<TopBarProps, 'onOpenCredits'>, NavBarProps, StatusBarProps {
  children: ReactNode;
}

/** The frame around every screen: connection and balance above, navigation on the left, what runs and where keys are below. */
export function Frame(props: FrameProps) {
  const { current } = props;
  return (
    <div className="app">
      <LiveRegion />
      {current?.kind === 'production' && <div className="band" style={{ background: current.colour }} />}
      <TopBar {...props} onOpenCredits={() => props.onGo('credits')} />
      <NavBar {...props} />
      <main className="main" id="screen" tabIndex={-1}>
        {props.children}
      </main>
      <StatusBar {...props} />
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
