import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react';
import { type Place, placeIds } from '../../../shared/places.ts';
import { readSessionText, saveSessionText } from '../session/session-state.ts';

/** The places of the navigation, and the screens outside it: the first run, the help, the set-up file, a support file. */
export type ScreenId = Place | 'first-run' | 'help' | 'setup' | 'support';
/** Every screen, in the order in which those visited are drawn. */
export const screenIds: readonly ScreenId[] = [...placeIds, 'first-run', 'help', 'setup', 'support'];

/** What a screen is asked to show on arrival: `{ premise: '00284147' }`. A new object even for the same parameters. */
type RouteParams = Readonly<Record<string, string>>;

interface Route {
  screen: ScreenId;
  /** The last parameters of each screen. */
  params: Partial<Record<ScreenId, RouteParams>>;
  /** Screens that back and forward lead to, the nearest last. Each is found as it was left. */
  behind: readonly ScreenId[];
  ahead: readonly ScreenId[];
}
/** Screens remembered in each direction. */
const longestWay = 50;
/** Shows a screen; `params` reach the parts of it that listen (`useRouteParams`). */
export type Go = (screen: ScreenId, params?: RouteParams) => void;

const screenKey = 'screen';

/** The screen that the window before this one ended with. */
export const lastScreen = (): ScreenId | undefined => screenIds.find((id) => id === readSessionText(screenKey));

interface RouteValue {
  route: Route;
  go: Go;
  /** One screen back or forward; does nothing if there is none. */
  walk: (way: 'back' | 'forward') => void;
}

const RouteContext = createContext<RouteValue | null>(null);

/** Which screen is shown. No addresses: a window has no address bar, and nothing outside may steer it. */
export function RouteProvider({ start, children }: { start: ScreenId; children: ReactNode }) {
  // A window begins where the one before it ended. The first run is shown only if no connection is set up.
  const [route, setRoute] = useState<Route>(() => {
    const kept = lastScreen();
    const screen = start === 'first-run' || kept === undefined || kept === 'first-run' ? start : kept;
    // What is closed by going back, such as the help, leads somewhere from the beginning.
    return { screen, params: {}, behind: screen === start ? [] : [start], ahead: [] };
  });
  useEffect(() => saveSessionText(screenKey, route.screen), [route.screen]);
  const go = useCallback<Go>((screen, params) => {
    setRoute((now) => ({
      ...now,
      screen,
      params: params ? { ...now.params, [screen]: { ...params } } : now.params,
      // Back never leads to the first run.
      ...(screen === now.screen || (now.screen === 'first-run' && screen !== 'help' && screen !== 'setup')
        ? {}
        : { behind: [...now.behind, now.screen].slice(-longestWay), ahead: [] }),
    }));
  }, []);
  const walk = useCallback((way: 'back' | 'forward') => {
    setRoute((now) => {
      const [from, to] = way === 'back' ? (['behind', 'ahead'] as const) : (['ahead', 'behind'] as const);
      const screen = now[from].at(-1);
      if (screen === undefined) return now;
      return { ...now, screen, [from]: now[from].slice(0, -1), [to]: [...now[to], now.screen] };
    });
  }, []);
  const value = useMemo(() => ({ route, go, walk }), [route, go, walk]);
  return <RouteContext value={value}>{children}</RouteContext>;
}

const useRouteContext = () => {
  const value = useContext(RouteContext);
  if (!value) throw new Error('RouteProvider is missing above this part.');
  return value;
};

/** Goes to a screen, with parameters or without. */
export const useGo = (): Go => useRouteContext().go;

/** Goes back and forward over the screens that were shown. */
export const useWalk = (): RouteValue['walk'] => useRouteContext().walk;

/** The screen that is shown. */
export const useScreen = (): ScreenId => useRouteContext().route.screen;

/** By parameters, the listeners that have already handled them. */
const takenBy = new WeakMap<RouteParams, Set<string>>();

/**
 * Runs once for each set of parameters that reaches this screen, and never twice for the same one: a part that is drawn anew, because the
 * connection was switched, must not send again what an earlier click sent, since that may cost. `part` names the listener within the screen.
 */
export function useRouteParams(screen: ScreenId, part: string, onParams: (params: RouteParams) => void): void {
  const params = useRouteContext().route.params[screen];
  const take = useEffectEvent(onParams);
  useEffect(() => {
    if (!params) return;
    const taken = takenBy.get(params) ?? new Set();
    if (taken.has(part)) return;
    takenBy.set(params, taken.add(part));
    take(params);
  }, [params, part]);
}
