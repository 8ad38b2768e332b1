import type { Settings } from './settings.ts';

/** One piece of what a person is at: what is typed and not sent, the screen, the search that is shown. Never a secret. */
export interface KeptPiece {
  name: string;
  text: string;
}

const mostPieces = 300;
const mostCharacters = 4_000_000;

/**
 * What the window would lose with its process, kept by this one until the program ends: in memory alone, bounded, and given back when
 * the window is there again. Past the bounds the pieces that were not touched for longest go.
 */
export function createSessionState() {
  const pieces = new Map<string, string>();
  let characters = 0;

  function forget(name: string): void {
    characters -= pieces.get(name)?.length ?? 0;
    pieces.delete(name);
  }

  return {
    /** null: it is over, sent or put away. */
    keep(name: string, text: string | null): void {
      forget(name);
      if (text === null) return;
      pieces.set(name, text);
      characters += text.length;
      for (const oldest of pieces.keys()) {
        if (pieces.size <= mostPieces && characters <= mostCharacters) break;
        if (oldest !== name) forget(oldest);
      }
    },
    list: (): KeptPiece[] => [...pieces].map(([name, text]) => ({ name, text })),
  };
}

/** Pieces that say where the window is and hold nothing that somebody typed: the next start begins there. */
const placeNames: ReadonlySet<string> = new Set(['screen', 'lookup/tab', 'licences/tab', 'credits/pane', 'help/page']);

/**
 * The session state, with the places kept for the next start. Another version begins afresh: it may have other places. What cannot be
 * stored is not kept; nobody is told, since nothing is lost by it.
 */
export function withLastPlaces(
  session: ReturnType<typeof createSessionState>,
  settings: Pick<Settings, 'read' | 'write'>,
  version: string,
): ReturnType<typeof createSessionState> {
  const stored = settings.read('lastPlaces');
  const places = new Map(stored.ok && stored.value.version === version ? Object.entries(stored.value.places) : []);
  for (const [name, text] of places) if (placeNames.has(name)) session.keep(name, text);
  return {
    ...session,
    keep(name, text) {
      session.keep(name, text);
      if (!placeNames.has(name) || (places.get(name) ?? null) === text) return;
      if (text === null || text.length > 64) places.delete(name);
      else places.set(name, text);
      settings.write('lastPlaces', { version, places: Object.fromEntries(places) });
    },
  };
}
