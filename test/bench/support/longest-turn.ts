import { setImmediate as turn } from 'node:timers/promises';

/** Processor time of this thread (ms), which does not depend on other work on the machine. */
function cpu(): number {
  // Linux adds what a running thread has used at its next tick, 4 ms apart, unless the whole process is asked about: 12 ms read as 16.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest turn of this thread's event loop during `work`, in milliseconds of processor time. */
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
