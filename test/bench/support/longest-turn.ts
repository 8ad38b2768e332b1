import { setImmediate as turn } from 'node:timers/promises';

/** Processor time of this thread (ms): what others do on the machine is none of the program's standing still. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest that this thread worked without giving its turn away while `work` went on (ms). */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let over = false;
  // The first turn is the one in which the work is begun.
  let last = cpu();
  const done = work().finally(() => {
    over = true;
  });
  while (!over) {
    await turn();
    const now = cpu();
    longest = Math.max(longest, now - last);
    last = cpu();
  }
  await done;
  return longest;
}
