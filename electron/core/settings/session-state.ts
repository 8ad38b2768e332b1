/** One piece of what a person is at: what is typed and not sent, the screen, the search that is shown. Never a secret. */
export interface KeptPiece {
  name: string;
  text: string;
}

const mostPieces = 300;
const mostCharacters = 4_000_000;

export type SessionState = ReturnType<typeof createSessionState>;

/**
 * What a window would lose with its process, kept by this one until the program ends: in memory alone, bounded, and given back when
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
