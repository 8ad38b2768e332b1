/** A window that ends more often than this in so long is not started again. */
const mostCrashes = 3;
const crashWindowMs = 60_000;

/** Counts how often one window's process has ended. True: too often to start it again. */
export function createCrashCount(now: () => number = () => performance.now()): () => boolean {
  let crashes: number[] = [];
  return () => {
    crashes = [...crashes.filter((at) => now() - at < crashWindowMs), now()];
    return crashes.length > mostCrashes;
  };
}
