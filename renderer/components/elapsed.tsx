import { formatElapsed } from '../lib/text/format.ts';
import { useNow } from '../lib/window/use-now.ts';

/** Seconds since a time, counting. Hidden from screen readers, which would read every tick. */
export function Elapsed({ since }: { since: string }) {
  const now = useNow(200);
  return (
    <span className="t3 tn" aria-hidden="true">
      {formatElapsed(now.getTime() - new Date(since).getTime())}
    </span>
  );
}

/** An age that stays true: "3 min ago". */
export function Age({ since, format }: { since: string; format: (iso: string, now: Date) => string }) {
  return <>{format(since, useNow(15_000))}</>;
}
