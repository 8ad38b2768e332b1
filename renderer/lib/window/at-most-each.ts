import { asReported } from '../calls/other-windows.ts';

/**
 * Runs something at once, and again `ms` after its end if it was requested meanwhile; a promise that it returns says when it ends. For what
 * messages of the main process request: the other windows have the same messages, so nothing is passed on to them.
 */
export function atMostEach(
  ms: number,
  work: () => Promise<unknown> | undefined,
): { run: () => void; stop: () => void } {
  let [busy, asked, stopped] = [false, false, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      busy = false;
      if (asked) begin();
    }, ms);
  };
  const begin = (): void => {
    busy = true;
    asked = false;
    asReported(() => {
      const ended = work();
      if (ended) ended.then(rest, rest);
      else rest();
    });
  };
  return {
    run: () => {
      if (busy) asked = true;
      else begin();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
