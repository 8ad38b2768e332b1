/** One piece of what a person is working on: what is typed and not sent, the screen, the search that is shown. Never a secret. */
export interface KeptPiece {
  name: string;
  text: string;
}

const mostPieces = 300;
const mostCharacters = 4_000_000;

export type SessionState = ReturnType<typeof createSessionState>;

/**
 * What a window would lose with its process, kept by this one until the program ends: in memory only, bounded, and returned when the window
 * is back. Beyond the bounds the least recently touched pieces are dropped.
 */
export function createSessionState() {
  const pieces = new Map<string, string>();
  let characters = 0;

  function forget(name: string): void {
    characters -= pieces.get(name)?.length ?? 0;
    pieces.delete(name);
  }

  return {
    /** null: it was sent, dismissed or finished. */
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
