import { Activity, type ReactNode, useRef } from 'react';
import { type ScreenId, screenIds, useScreen } from '../../lib/window/routes.tsx';
import { screens } from './screens.tsx';

interface ScreensProps {
  /** Wraps each screen, for example in an error boundary. */
  wrap: (screen: ScreenId, content: ReactNode) => ReactNode;
}

/** Draws the screen that is shown and keeps visited ones as they were left: what is typed, chosen and scrolled stays. */
export function Screens({ wrap }: ScreensProps) {
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
            {wrap(id, <Screen />)}
          </div>
        </Activity>
      );
    });
}
