import { asReported } from '../calls/other-windows.ts';

/**
 * Runs something at once, and again `ms` after its end if it was requested meanwhile; a promise that it returns says when it ends. For what
 * messages of the main process request: the other windows have the same messages, so nothing is passed on to them.
 */
export function atMostEach(ms: number, work: () => unknown): { run: () => void; stop: () => void } {
  let state: 'idle' | 'busy' | 'stopped' = 'idle';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  const rest = (): void => {
    if (state === 'stopped') return;
    timer = setTimeout(() => {
      state = 'idle';
      if (asked) begin();
    }, ms);
  };
  const begin = (): void => {
    state = 'busy';
    asked = false;
    let ended: unknown;
    asReported(() => {
      ended = work();
    });
    if (ended instanceof Promise) ended.then(rest, rest);
    else rest();
  };
  return {
    run: () => {
      if (state === 'idle') begin();
      else asked = true;
    },
    stop: () => {
      state = 'stopped';
      clearTimeout(timer);
    },
  };
}
