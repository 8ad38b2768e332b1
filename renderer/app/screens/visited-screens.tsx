import { Activity, useRef } from 'react';
import { type ScreenId, screenIds, useScreen } from '../../lib/window/routes.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { screens } from './screens.tsx';

/** Draws the screen that is shown and keeps visited ones as they were left: what is typed, chosen and scrolled stays. */
export function Screens({ titleOf }: { titleOf: (screen: ScreenId) => string }) {
  const shown = useScreen();
  const visited = useRef(new Set<ScreenId>());
  visited.current.add(shown);
  return screenIds
    .filter((id) => visited.current.has(id))
    .map((id) => {
      const Screen = screens[id];
      return (
        <Activity key={id} mode={id === shown ? 'visible' : 'hidden'}>
          <div className="screen" data-screen={id}>
            <ErrorBoundary screen={id} title={titleOf(id)}>
              <Screen />
            </ErrorBoundary>
          </div>
        </Activity>
      );
    });
}
