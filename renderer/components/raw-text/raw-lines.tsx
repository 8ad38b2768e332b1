import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { showInvisible } from '../../../shared/domain/text/visible-text.ts';
import { countOf } from '../../lib/text/format.ts';
import { countVisible, type Fold, lineAt, outermost, placeOf } from './folds.ts';
import { cutLine } from './pieces.ts';
import { linesAtOnce, linesQuery, type RawWhich } from './queries.ts';

const lineHeight = 24;

interface RawLinesProps {
  which: RawWhich;
  total: number;
  sought: string;
  /** The line to bring into sight; null: none. */
  current: number | null;
  label: string;
}

/** Lines of a raw text of any length: only those in sight are requested and drawn. */
export function RawLines({ which, total, sought, current, label }: RawLinesProps) {
  const box = useRef<HTMLElement>(null);
  const [folded, setFolded] = useState<ReadonlyMap<number, Fold>>(new Map());
  const folds = useMemo(() => outermost([...folded.values()]), [folded]);
  const rows = useVirtualizer({
    count: countVisible(total, folds),
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 12,
  });
  const seen = rows.getVirtualItems().map((row) => ({ start: row.start, line: lineAt(row.index, folds) }));
  const pages = [...new Set(seen.map(({ line }) => Math.floor(line / linesAtOnce)))];
  const read = useQueries({ queries: pages.map((page) => linesQuery(which, page)) });
  const lineOf = (line: number) => {
    const page = pages.indexOf(Math.floor(line / linesAtOnce));
    return read[page]?.data?.lines[line % linesAtOnce];
  };
  const unread = read.find(({ error }) => error)?.error;

  useEffect(() => {
    if (current === null) return;
    setFolded((now) => {
      const hiding = [...now.values()].filter(({ start, end }) => current > start && current <= end);
      if (hiding.length === 0) return now;
      const next = new Map(now);
      for (const { start } of hiding) next.delete(start);
      return next;
    });
  }, [current]);
  useEffect(() => {
    if (current !== null) rows.scrollToIndex(placeOf(current, folds), { align: 'center' });
  }, [current, folds, rows]);

  const toggle = (start: number, end: number) =>
    setFolded((now) => {
      const next = new Map(now);
      if (!next.delete(start)) next.set(start, { start, end });
      return next;
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section ref={box} className="raw-lines" aria-label={label} tabIndex={0}>
      {unread && <p className="pad danger sm">Some lines could not be read: {unread.message}</p>}
      <pre className="raw" style={{ height: rows.getTotalSize() }}>
        {seen.map(({ start, line }) => {
          const read = lineOf(line);
          const isFolded = folded.has(line);
          return (
            <div
              key={line}
              className="raw-line"
              data-current={line === current || undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className="raw-gutter">
                {read?.end != null && (
                  <button
                    type="button"
                    className="bare"
                    aria-expanded={!isFolded}
                    aria-label={`Line ${line + 1}: ${isFolded ? 'unfold' : 'fold'} ${countOf(read.end - line, 'line')}`}
                    onClick={() => toggle(line, read.end ?? line)}
                  >
                    {isFolded ? (
                      <IconChevronRight size={12} aria-hidden="true" />
                    ) : (
                      <IconChevronDown size={12} aria-hidden="true" />
                    )}
                  </button>
                )}
              </span>
              <LineText text={read?.text ?? ''} sought={sought} />
              {isFolded && read?.end != null && (
                <span className="raw-hidden"> … {countOf(read.end - line, 'line')} …</span>
              )}
            </div>
          );
        })}
      </pre>
    </section>
  );
}

const classes = { plain: undefined, tag: 'tagname', name: 'n', mask: 'redact', found: undefined } as const;

const LineText = memo(function LineText({ text, sought }: { text: string; sought: string }) {
  return (
    <span>
      {cutLine(text, sought).map((piece) =>
        piece.kind === 'found' ? (
          <mark key={piece.at}>{showInvisible(piece.text)}</mark>
        ) : (
          <span key={piece.at} className={classes[piece.kind]}>
            {showInvisible(piece.text)}
          </span>
        ),
      )}
    </span>
  );
});
