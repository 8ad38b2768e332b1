import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/** Up to so many rows all are drawn. Laying out two hundred takes longer than a letter typed into a filter may. */
const drawAllUpTo = 60;
/** The same for rows with a second line: its height need not be known as long as all rows are drawn. */
const drawAllWithLinesUpTo = 200;

/** Which of the rows are drawn: all of a short table, of a longer one those in sight. `before` and `after`: pixels of those that are not. */
export function useRowsInSight(
  count: number,
  box: RefObject<HTMLDivElement | null>,
  heightOf: (index: number) => number,
  hasLines: boolean,
) {
  const virtual = count > (hasLines ? drawAllWithLinesUpTo : drawAllUpTo);
  const inSight = useVirtualizer({
    count: virtual ? count : 0,
    getScrollElement: () => box.current,
    estimateSize: heightOf,
    overscan: 10,
    // The head covers the first rows' place, so the last row in sight ends that much lower.
    scrollPaddingEnd: 28,
  });
  const seen = inSight.getVirtualItems();
  return {
    virtual,
    first: virtual ? (seen[0]?.index ?? 0) : 0,
    last: virtual ? (seen.at(-1)?.index ?? -1) : count - 1,
    before: virtual ? (seen[0]?.start ?? 0) : 0,
    after: virtual ? inSight.getTotalSize() - (seen.at(-1)?.end ?? 0) : 0,
    scrollTo: (index: number) => inSight.scrollToIndex(index, { align: 'auto' }),
  };
}
