/** A window that ends more often than this in so long is not started again. */
const mostCrashes = 3;
const crashWindowMs = 60_000;

/** Counts the ends of one window's process. True: it ends again and again. */
export function createCrashCount(now: () => number = () => performance.now()): () => boolean {
  let crashes: number[] = [];
  return () => {
    crashes = [...crashes.filter((at) => now() - at < crashWindowMs), now()];
    return crashes.length > mostCrashes;
  };
}
