/** One piece of what a person is at: what is typed and not sent, the screen, the search that is shown. Never a secret. */
export interface KeptPiece {
  key: string;
  text: string;
}

export const longestKey = 300;
export const longestPiece = 200_000;
const mostPieces = 300;
const mostCharacters = 4_000_000;

/**
 * What the window would lose with its process, kept by this one until the program ends: in memory alone, bounded, and given back when
 * the window is there again. Past the bounds the pieces that were not touched for longest go.
 */
export function createKeptWork() {
  const pieces = new Map<string, string>();
  let characters = 0;

  function forget(key: string): void {
    characters -= pieces.get(key)?.length ?? 0;
    pieces.delete(key);
  }

  return {
    /** null: it is over, sent or put away. */
    keep(key: string, text: string | null): void {
      forget(key);
      if (text === null) return;
      pieces.set(key, text);
      characters += text.length;
      for (const oldest of pieces.keys()) {
        if (pieces.size <= mostPieces && characters <= mostCharacters) break;
        if (oldest !== key) forget(oldest);
      }
    },
    list: (): KeptPiece[] => [...pieces].map(([key, text]) => ({ key, text })),
  };
}
