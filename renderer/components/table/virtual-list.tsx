import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useRef } from 'react';

interface VirtualListProps<Item> {
  items: readonly Item[];
  /** What stands on one line. */
  renderItem: (item: Item, index: number) => ReactNode;
  keyOf: (item: Item, index: number) => string;
  label: string;
  /** The line the keys are on; −1: none. */
  active: number;
  onActiveChange: (index: number) => void;
  /** Enter or a click on a line. It may spend: the line shows its price. */
  onOpen: (item: Item, index: number) => void;
  /** The line whose content is shown beside the list. */
  isSelected?: (item: Item, index: number) => boolean;
  rowHeight?: 30 | 26;
}

/** A listbox of any length, drawn as far as it is seen: arrows, Home, End, PageUp, PageDown move; Enter opens. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, renderItem, keyOf, label, active, onActiveChange, onOpen, isSelected, rowHeight = 30 } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const count = items.length;
  const at = Math.min(active, count - 1);

  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    // The active line stays in the document however far one scrolls: aria-activedescendant must name a real element.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const seen = defaultRangeExtractor(range);
        return at < 0 || seen.includes(at) ? seen : [...seen, at].sort((a, b) => a - b);
      },
      [at],
    ),
  });

  const lastActive = useRef(at);
  useEffect(() => {
    if (at >= 0 && at !== lastActive.current) rows.scrollToIndex(at, { align: 'auto' });
    lastActive.current = at;
  }, [at, rows]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const item = items[at];
    if (event.key === 'Enter' && item !== undefined) {
      event.preventDefault();
      onOpen(item, at);
      return;
    }
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const target = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? count - 1 : at - 1,
      PageDown: Math.max(at, 0) + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (target === undefined || count === 0) return;
    event.preventDefault();
    onActiveChange(Math.min(count - 1, Math.max(0, target)));
  };

  return (
    <div
      ref={box}
      className="list"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
      onKeyDown={onKeyDown}
      // Only focus that came by keys: a move under the pointer would make the click land on another line.
      onFocus={(event) => at < 0 && count > 0 && event.currentTarget.matches(':focus-visible') && onActiveChange(0)}
    >
      <div className="sizer" role="presentation" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the listbox holds the focus and the keys
            <div
              key={keyOf(item, row.index)}
              id={`${id}-${row.index}`}
              role="option"
              aria-selected={isSelected ? isSelected(item, row.index) : row.index === at}
              aria-setsize={count}
              aria-posinset={row.index + 1}
              data-active={row.index === at}
              className={rowHeight === 26 ? 'result compact' : 'result'}
              style={{ transform: `translateY(${row.start}px)` }}
              onClick={() => {
                onActiveChange(row.index);
                onOpen(item, row.index);
              }}
            >
              {renderItem(item, row.index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
