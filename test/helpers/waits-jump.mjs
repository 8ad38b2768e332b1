import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import timers from 'node:timers/promises';

// Preloaded into the program by tests of licence changes, so that half a minute between two reads is half a minute to the program and
// nothing to the test. What a running change waits passes at once; what comes before the program reads again by itself passes once a
// file of this name stands in the data folder. Both clocks jump by as much, and stay ahead in the next start on the same folder. The
// limits of calls, keychain and window's start stay.
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

/** What a running change waits with, between two reads of a machine. */
const realWait = timers.setTimeout;
timers.setTimeout = (ms = 0, value, options) => {
  jump(ms);
  return realWait(0, value, options);
};
syncBuiltinESMExports();

/**
 * What the next read of a change that is on its way waits with: a timer of less than a minute that keeps no process alive. The limit of a
 * call is as long, and is left alone: it does. A whole minute is only looked at again then, and is left alone too.
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
