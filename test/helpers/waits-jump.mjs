import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import timers from 'node:timers/promises';

// Preloaded into the program by tests of licence changes, so that half a minute between two reads is half a minute to the program and
// nothing to the test. The waits of a running change pass at once; the wait before a scheduled read passes once a
// file of this name is in the data folder. Both clocks jump by as much, and stay ahead in the next start on the same folder. The
// time limits of calls, of the keychain and of the window's start are unchanged.
const folder = process.env.ADDRESS_CONSOLE_DATA_FOLDER ?? '';
const sign = join(folder, 'time-passes');

const jumps = join(folder, 'time-passed');
let jumped = existsSync(jumps) ? Number(readFileSync(jumps, 'utf8')) : 0;
const jump = (/** @type {number} */ ms) => {
  jumped += Math.ceil(ms);
  writeFileSync(jumps, String(jumped));
};
const realNow = Date.now;
const realElapsed = process.hrtime.bigint;
Date.now = () => realNow() + jumped;
process.hrtime.bigint = () => realElapsed() + BigInt(jumped) * 1_000_000n;

/** The function with which a running change waits between two reads of a machine. */
const realWait = timers.setTimeout;
timers.setTimeout = (ms = 0, value, options) => {
  jump(ms);
  return realWait(0, value, options);
};
syncBuiltinESMExports();

/**
 * Whether a timer is that of the next read of a change on its way: less than a minute, and it keeps no process alive. The time limit of a
 * call is as long but keeps the process alive, so it is left alone. After a whole minute the schedule is only checked again: left alone too.
 */
const isNextRead = (/** @type {number | undefined} */ ms) => ms !== undefined && ms > 20_000 && ms < 60_000;
const cleared = new WeakSet();
const realClear = globalThis.clearTimeout;
globalThis.clearTimeout = (timer) => {
  if (typeof timer === 'object' && timer !== null) cleared.add(timer);
  realClear(timer);
};
const realTimer = globalThis.setTimeout;
globalThis.setTimeout = Object.assign(
  /** @type {typeof realTimer} */ (
    (run, ms, ...given) => {
      const timer = realTimer(run, ms, ...given);
      if (!isNextRead(ms)) return timer;
      timer.unref = () => {
        const look = setInterval(() => {
          if (!cleared.has(timer)) {
            if (!existsSync(sign)) return;
            realClear(timer);
            jump(ms ?? 0);
            run(...given);
          }
          clearInterval(look);
        }, 50);
        look.unref();
        return timer;
      };
      return timer;
    }
  ),
  realTimer,
);
