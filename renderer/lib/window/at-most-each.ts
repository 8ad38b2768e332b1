import { asReported } from '../calls/other-windows.ts';

/**
 * Runs something at once, and again at the end of each interval in which it was requested. For what messages of the main process request:
 * the other windows have the same messages, so nothing is passed on to them.
 */
export function atMostEach(ms: number, work: () => void): { run: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  const rest = (): void => {
    timer = undefined;
    if (!asked) return;
    asked = false;
    begin();
  };
  const begin = (): void => {
    timer = setTimeout(rest, ms);
    asReported(work);
  };
  return {
    run: () => {
      if (timer === undefined) begin();
      else asked = true;
    },
    stop: () => clearTimeout(timer),
  };
}
