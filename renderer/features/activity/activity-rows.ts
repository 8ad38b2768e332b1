import type { CallFold, CallRecord } from '../../../shared/domain/activity.ts';

/** A line of the list: a call, balance reads folded into one, or one of those that were unfolded. */
export type ActivityRow =
  | { kind: 'call'; id: string; call: CallRecord }
  | { kind: 'fold'; id: string; fold: CallFold; open: boolean }
  | { kind: 'read'; id: string; call: CallRecord };

interface Page {
  calls: readonly CallRecord[];
  folds: readonly CallFold[];
}

/** Named by the oldest read, so that an unfolded line stays open when a newer read joins it. */
export const foldId = ({ oldestId }: CallFold): string => `fold-${oldestId}`;

/** The lines of all pages in order; `unfolded`: the reads of the lines that are open, by their id. Pure. */
export function rowsOf(
  pages: readonly Page[],
  opened: ReadonlySet<string>,
  unfolded: ReadonlyMap<string, readonly CallRecord[]>,
): ActivityRow[] {
  const linesOf = (fold: CallFold): ActivityRow[] => {
    const id = foldId(fold);
    const open = opened.has(id);
    const reads = open ? (unfolded.get(id) ?? []) : [];
    return [
      { kind: 'fold', id, fold, open },
      ...reads.map((call): ActivityRow => ({ kind: 'read', id: call.id, call })),
    ];
  };
  return pages.flatMap(({ calls, folds }) => {
    const under = Map.groupBy(folds, (fold) => fold.under);
    return [
      ...(under.get(null) ?? []).flatMap(linesOf),
      ...calls.flatMap((call): ActivityRow[] => [
        { kind: 'call', id: call.id, call },
        ...(under.get(call.id) ?? []).flatMap(linesOf),
      ]),
    ];
  });
}
