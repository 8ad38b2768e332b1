import { ok, type Result } from '../../../shared/result.ts';
import { createSessionState, type SessionState } from './session-state.ts';
import { readOrDefault, type Settings } from './settings.ts';

/** Pieces about what a window shows, without typed text: the next start begins there. */
const placeNames: ReadonlySet<string> = new Set(['screen', 'lookup/tab', 'licences/tab', 'credits/pane', 'help/page']);

interface WindowState {
  session: SessionState;
  /** Chosen in this window; null: not yet. */
  connectionId: string | null;
  /** Opened beside another window: notices about the program's start were shown there. */
  beside: boolean;
  /** Its process ended and was restarted. */
  crashed: boolean;
}

export type WindowStates = ReturnType<typeof createWindowStates>;

/**
 * What each window shows, by the number that the shell gives it: a window has its own connection, way and half-typed texts. The next start
 * of the same version begins where the window used last was; another version begins afresh, since it may have other places. What cannot be
 * stored is dropped silently, since nothing is lost by it.
 */
export function createWindowStates(settings: Pick<Settings, 'read' | 'write'>, version: string) {
  const open = new Map<number, WindowState>();
  let used: number | null = null;
  /** From the last window that was closed while the program kept running, as on macOS: the next window takes it up. */
  let left: WindowState | null = null;
  let stored = '';

  function firstState(): WindowState {
    const session = createSessionState();
    const last = readOrDefault(settings, 'lastPlaces');
    if (last.version === version)
      for (const [name, text] of Object.entries(last.places)) if (placeNames.has(name)) session.keep(name, text);
    stored = JSON.stringify(placesOf(session));
    return { session, connectionId: null, beside: false, crashed: false };
  }

  function stateOf(window: number): WindowState {
    const known = open.get(window);
    if (known) return known;
    const beside = open.size > 0;
    const state = beside
      ? { session: createSessionState(), connectionId: selected(), beside, crashed: false }
      : (left ?? firstState());
    left = null;
    open.set(window, state);
    used ??= window;
    return state;
  }

  const selected = (): string | null => readOrDefault(settings, 'selectedConnectionId');

  function storePlaces(session: SessionState): void {
    const places = placesOf(session);
    const text = JSON.stringify(places);
    if (text === stored) return;
    stored = text;
    settings.write('lastPlaces', { version, places });
  }

  return {
    keep(window: number, name: string, text: string | null): void {
      const { session } = stateOf(window);
      session.keep(name, text);
      if (placeNames.has(name) && window === used) storePlaces(session);
    },
    kept: (window: number) => stateOf(window).session.list(),

    /** The connection that this window shows, of those there are; null: there is none. */
    connection(window: number, ids: readonly string[]): Result<string | null> {
      const state = stateOf(window);
      if (state.connectionId !== null && ids.includes(state.connectionId)) return ok(state.connectionId);
      const chosen = settings.read('selectedConnectionId');
      if (!chosen.ok) return chosen;
      state.connectionId = chosen.value !== null && ids.includes(chosen.value) ? chosen.value : (ids[0] ?? null);
      return ok(state.connectionId);
    },
    chooseConnection(window: number, id: string): Result<void> {
      const saved = settings.write('selectedConnectionId', id);
      if (saved.ok) stateOf(window).connectionId = id;
      return saved;
    },

    /** Somebody has turned to this window: a start, a new window and automatic readings go by what it shows. */
    use(window: number): void {
      const state = stateOf(window);
      used = window;
      if (state.connectionId !== null && state.connectionId !== selected())
        settings.write('selectedConnectionId', state.connectionId);
      storePlaces(state.session);
    },
    crash(window: number): void {
      stateOf(window).crashed = true;
    },
    isBeside: (window: number): boolean => stateOf(window).beside,
    hasCrashed: (window: number): boolean => stateOf(window).crashed,
    close(window: number): void {
      const state = open.get(window);
      open.delete(window);
      if (used === window) used = null;
      if (state && open.size === 0) left = state;
    },
  };
}

/** The places ordered by name, whatever order they were visited in; a long text is none. */
const placesOf = (session: SessionState): Record<string, string> =>
  Object.fromEntries(
    session
      .list()
      .filter(({ name, text }) => placeNames.has(name) && text.length <= 64)
      .map(({ name, text }): [string, string] => [name, text])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
