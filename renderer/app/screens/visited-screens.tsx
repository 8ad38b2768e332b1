import { Activity, type ReactNode, useEffect, useRef } from 'react';
import { type ScreenId, screenIds, useScreen } from '../../lib/window/routes.tsx';
import { screens } from './screens.tsx';

/** Moves the focus to the heading of the screen that has just come, so that its name is read and Tab starts there. */
function useHeadingFocus(screen: ScreenId): void {
  const before = useRef(screen);
  useEffect(() => {
    if (before.current === screen) return;
    before.current = screen;
    const place = document.querySelector(`[data-screen="${screen}"]`);
    // A screen that was asked to show something has put the focus there already.
    if (!place?.contains(document.activeElement)) place?.querySelector<HTMLElement>('h1')?.focus();
  }, [screen]);
}

interface ScreensProps {
  /** Wraps each screen, for example in an error boundary. */
  wrap: (screen: ScreenId, content: ReactNode) => ReactNode;
}

/** Draws the screen that is shown and keeps those visited as they were left: what is typed, chosen and scrolled stays. */
export function Screens({ wrap }: ScreensProps) {
  const shown = useScreen();
  const visited = useRef(new Set<ScreenId>());
  visited.current.add(shown);
  useHeadingFocus(shown);
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
