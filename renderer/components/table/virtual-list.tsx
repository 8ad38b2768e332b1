import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { countOf } from '../../lib/text/format.ts';
import { isMac, marksOneMore } from '../../lib/window/shortcuts.ts';
import { useCopy } from '../../lib/window/use-copy.ts';
import { CopiedNote } from '../copied-note.tsx';
import { rowHeight } from './row-heights.ts';
import { markFrom, markStretch, noMarks, type RowMarks, toggleMark } from './row-marks.ts';
import { placeByKey } from './row-places.tsx';
import { typedRow, typingPause } from './table-text.ts';

interface VirtualListProps<Item> {
  items: readonly Item[];
  /** The content of one line. */
  renderItem: (item: Item, index: number) => ReactNode;
  /** Names a line however the list is filtered. */
  keyOf: (item: Item) => string;
  label: string;
  /** The line the keys are on; −1: none. */
  active: number;
  onActiveChange: (index: number) => void;
  /** Enter or a click on a line. It may spend: the line shows its price. */
  onOpen: (item: Item, index: number) => void;
  /** The line whose content is shown beside the list. */
  isSelected: (item: Item, index: number) => boolean;
  /** A line as a text: typing its beginning goes to it. */
  textOf: (item: Item) => string;
  /** Marked lines for the clipboard. */
  copyText: (items: readonly Item[]) => string;
}

/**
 * A listbox of any length; only lines in sight are drawn. Arrows, Home, End, PageUp, PageDown and typing move; Enter opens. With Shift or
 * Ctrl several lines are marked, which Ctrl and C copies.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, renderItem, keyOf, label, active, onActiveChange, onOpen, isSelected } = props;
  const { textOf, copyText } = props;
  const [marks, setMarks] = useState<RowMarks>(noMarks);
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  const { copied, copy } = useCopy();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const count = items.length;
  const at = Math.min(active, count - 1);

  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    // The active line is drawn however far the list is scrolled: aria-activedescendant must name an existing element.
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

  const order = () => items.map(keyOf);
  // Those marked may all be filtered out, or of the list before: then the open line is the selected one.
  const isAnyMarked = marks.keys.size > 0 && items.some((item) => marks.keys.has(keyOf(item)));
  const mark = (index: number, how: (now: RowMarks, key: string) => RowMarks) => {
    const item = items[index];
    if (item !== undefined) setMarks((now) => how(now, keyOf(item)));
  };
  /** Marks from where marking began, or else from the line the keys were on. */
  const stretchTo = (index: number) => {
    const begin = items[at];
    mark(index, (now, key) => {
      const from = now.anchor === null && begin !== undefined ? markFrom(keyOf(begin)) : now;
      return markStretch(from, key, order());
    });
  };
  const isMod = (event: KeyboardEvent | MouseEvent) => (isMac ? event.metaKey : event.ctrlKey);
  const typeAhead = (key: string, time: number) => {
    const fresh = time - typed.current.at > typingPause;
    const text = (fresh ? '' : typed.current.text) + key;
    typed.current = { text, at: time };
    const index = typedRow([{ value: textOf }], items, text, fresh ? at + 1 : Math.max(0, at));
    if (index < 0) return;
    mark(index, (_, name) => markFrom(name));
    onActiveChange(index);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    // Shift may be down while a text with a space in it is typed.
    const goesOn = event.key === ' ' && !event.ctrlKey && event.timeStamp - typed.current.at <= typingPause;
    if (marksOneMore(event) && !goesOn) {
      event.preventDefault();
      mark(at, toggleMark);
      return;
    }
    if (isMod(event)) {
      // With no line marked the key is left to the screen, which copies what is open.
      const marked = items.filter((item) => marks.keys.has(keyOf(item)));
      if (event.key.toLowerCase() === 'c' && !event.shiftKey && marked.length > 0) {
        event.preventDefault();
        copy(copyText(marked), countOf(marked.length, 'row'));
      }
      if (event.key.toLowerCase() === 'a') {
        event.preventDefault();
        setMarks({ keys: new Set(order()), anchor: null });
      }
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && marks.keys.size > 0) {
      event.preventDefault();
      setMarks(noMarks);
      return;
    }
    if (goesOn || /^[\p{L}\p{N}]$/u.test(event.key)) {
      event.preventDefault();
      typeAhead(event.key, event.timeStamp);
      return;
    }
    const item = items[at];
    if (event.key === 'Enter' && item !== undefined) {
      event.preventDefault();
      onOpen(item, at);
      return;
    }
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const target = placeByKey(event.key, at, count, page);
    if (target === undefined || count === 0) return;
    event.preventDefault();
    const to = Math.min(count - 1, Math.max(0, target));
    if (event.shiftKey) stretchTo(to);
    else mark(to, (_, key) => markFrom(key));
    onActiveChange(to);
  };

  return (
    <>
      <div
        ref={box}
        className="list"
        role="listbox"
        aria-label={label}
        aria-multiselectable
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
                key={keyOf(item)}
                id={`${id}-${row.index}`}
                role="option"
                aria-selected={isAnyMarked ? marks.keys.has(keyOf(item)) : isSelected(item, row.index)}
                aria-setsize={count}
                aria-posinset={row.index + 1}
                data-active={row.index === at}
                className="result"
                style={{ transform: `translateY(${row.start}px)` }}
                onClick={(event) => {
                  onActiveChange(row.index);
                  if (event.shiftKey) stretchTo(row.index);
                  else if (isMod(event)) mark(row.index, toggleMark);
                  else {
                    mark(row.index, (_, key) => markFrom(key));
                    onOpen(item, row.index);
                  }
                }}
              >
                {renderItem(item, row.index)}
              </div>
            );
          })}
        </div>
      </div>
      {copied && (
        <div className="footbar">
          <CopiedNote copied={copied} />
        </div>
      )}
    </>
  );
}
