import { Select } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Batch, BatchRow } from '../../../../shared/domain/batch.ts';
import { NotRead, ReadNotice } from '../../../components/read-failure.tsx';
import { tightHeight } from '../../../components/table/row-heights.ts';
import { placeByKey, RowPad } from '../../../components/table/row-places.tsx';
import { formatNumber } from '../../../lib/text/format.ts';
import { batchRowsQuery, type RowFilter, rowsOfPage } from '../queries.ts';
import { answerColumns, numberColumn, reasonColumns } from './row-columns.tsx';
import { RowLine, type RowTicks } from './row-line.tsx';

/** Pixels of the table from which its columns have their full width. */
const roomy = 1000;
const headHeight = 26;
const sentenceHeight = 20;
/** Pixels of a line that one of the usual sentences takes at most. */
const sentenceWidth = 300;
/** An element taller than this many rows cannot be drawn at every zoom; more rows are shown in parts. */
const rowsOfSection = 200_000;

interface RowsTableProps {
  batch: Batch;
  filter: RowFilter;
  /** With the reason and its code in place of result and answer: for rows without a result. */
  reasons?: boolean;
  ticks?: RowTicks;
  /** Place of the chosen row among those that match the filter; −1: none. */
  active: number;
  onActive: (index: number, row: BatchRow | undefined) => void;
  /** Enter or a click. */
  onOpen?: (row: BatchRow, index: number) => void;
  /** Shown if no row matches the filter. */
  empty: ReactNode;
  /** The place to bring into sight whenever it changes. */
  follow?: number | null;
  onWhatWasSent?: (callId: string) => void;
}

/** A row with an unknown outcome has its claims under it, always open. */
const hasDetail = (row: BatchRow | undefined): row is BatchRow =>
  row !== undefined && row.progress === 'unknown' && row.claims.length > 0;

/**
 * The rows that match a filter, of any number: those in sight are read a page at a time, and again as the batch goes on. They are in
 * the order of the given table.
 */
export function RowsTable(props: RowsTableProps) {
  const { batch, filter, reasons = false, ticks, active, onActive, onOpen, follow = null } = props;
  const id = useId();
  const client = useQueryClient();
  const box = useRef<HTMLDivElement>(null);
  const [section, setSection] = useState(0);
  const [width, setWidth] = useState(1000);
  const columns = reasons ? reasonColumns : answerColumns;
  const start = section * rowsOfSection;

  const rowAt = (index: number): BatchRow | undefined =>
    client.getQueryData(batchRowsQuery(batch.id, filter, Math.floor(index / rowsOfPage)).queryKey)?.rows[
      index % rowsOfPage
    ];
  const [total, setTotal] = useState<number | null>(null);
  const count = Math.max(0, Math.min(rowsOfSection, (total ?? 0) - start));
  const detailOf = (row: BatchRow) =>
    sentenceHeight * Math.ceil(((row.claims.length + 1) * sentenceWidth) / Math.max(200, width - 90)) + 10;
  const heightOf = (offset: number) => {
    const row = rowAt(start + offset);
    return tightHeight + (hasDetail(row) ? detailOf(row) : 0);
  };
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: heightOf,
    overscan: 12,
    // The head covers the first rows' place, so the last row in sight ends that much lower.
    scrollPaddingEnd: headHeight,
  });
  const seen = virtual.getVirtualItems();
  const firstSeen = seen[0]?.index ?? 0;
  const lastSeen = seen.at(-1)?.index ?? 0;
  const firstPage = Math.floor((start + firstSeen) / rowsOfPage);
  const lastPage = Math.floor((start + lastSeen) / rowsOfPage);
  const pages = useQueries({
    queries: Array.from({ length: lastPage - firstPage + 1 }, (_, at) =>
      batchRowsQuery(batch.id, filter, firstPage + at),
    ),
  });
  const known = pages.find(({ data }) => data !== undefined)?.data?.total;
  if (known !== undefined && known !== total) setTotal(known);
  const failed = pages.some((page) => page.error);
  const updated = Math.max(0, ...pages.map(({ dataUpdatedAt }) => dataUpdatedAt));

  // biome-ignore lint/correctness/useExhaustiveDependencies: heights follow what was read and how wide it is drawn
  useLayoutEffect(() => virtual.measure(), [updated, width, section]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const bring = (index: number, align: 'auto' | 'center' = 'auto') => {
    const part = Math.floor(index / rowsOfSection);
    if (part !== section) setSection(part);
    virtual.scrollToIndex(index - part * rowsOfSection, { align });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new place moves anything
  useEffect(() => {
    if (follow !== null && follow >= 0) bring(follow, 'center');
  }, [follow, total === null]);
  const broughtTo = useRef(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new place moves anything
  useEffect(() => {
    if (total === null) return;
    // Every effect runs when the screen is shown again, where it was scrolled to since.
    if (active >= 0 && active !== broughtTo.current) bring(active);
    broughtTo.current = active;
  }, [active, total === null]);

  const moveTo = (index: number) => {
    if (total === null || total === 0) return;
    const to = Math.min(total - 1, Math.max(0, index));
    onActive(to, rowAt(to));
    bring(to);
    // In a low window the page around the box scrolls too.
    box.current?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = active >= 0 ? rowAt(active) : undefined;
    if (event.key === ' ' && row && ticks?.fixed(row) === null) {
      event.preventDefault();
      ticks.toggle(row);
      return;
    }
    if (event.key === 'Enter' && row && onOpen) {
      event.preventDefault();
      onOpen(row, active);
      return;
    }
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / tightHeight) - 2);
    const target = placeByKey(event.key, active, total ?? 1, page);
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
  };

  if (failed && !total) return <NotRead of={pages} />;
  if (total === 0) return props.empty;
  const span = columns.length + (ticks ? 1 : 0);
  const before = seen[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0);
  return (
    <>
      {failed && (
        <div className="pad pane-b">
          <ReadNotice of={pages}>Not all of these rows could be read. Those shown may be out of date.</ReadNotice>
        </div>
      )}
      {total !== null && total > rowsOfSection && (
        <SectionChoice total={total} section={section} onSection={setSection} />
      )}
      <div className="table-scroll" ref={box} aria-busy={total === null}>
        <table
          className="tbl tight sticky-head batch-rows"
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are chosen by keys is a grid
          role="grid"
          aria-label="Rows"
          aria-rowcount={(total ?? 0) + 1}
          aria-activedescendant={
            active >= start + firstSeen && active <= start + lastSeen ? `${id}-${active}` : undefined
          }
          tabIndex={0}
          onKeyDown={onKeyDown}
          onFocus={(event) =>
            active < 0 &&
            event.target === event.currentTarget &&
            event.currentTarget.matches(':focus-visible') &&
            moveTo(start)
          }
        >
          <colgroup>
            {ticks && <col style={{ width: 40 }} />}
            {columns.map((column) => (
              <col
                key={column.id}
                style={{
                  width: column === numberColumn && (total ?? 0) > 99_999 ? 96 : column.width?.[width < roomy ? 1 : 0],
                }}
              />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {ticks && (
                <th scope="col">
                  <span className="spoken">Run again</span>
                </th>
              )}
              {columns.map((column) => (
                <th key={column.id} scope="col" className={column.numeric ? 'num' : undefined}>
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <RowPad height={before} span={span} />}
            {seen.map(({ index: offset }) => {
              const index = start + offset;
              const row = rowAt(index);
              if (!row)
                return (
                  <tr key={index} id={`${id}-${index}`} aria-rowindex={index + 2} aria-busy="true">
                    <td colSpan={span} />
                  </tr>
                );
              return (
                <RowLine
                  key={index}
                  id={`${id}-${index}`}
                  batch={batch}
                  row={row}
                  index={index}
                  columns={columns}
                  ticks={ticks}
                  active={index === active}
                  detailHeight={hasDetail(row) ? detailOf(row) : null}
                  onPress={() => {
                    onActive(index, row);
                    onOpen?.(row, index);
                  }}
                  onWhatWasSent={props.onWhatWasSent}
                />
              );
            })}
            {after > 0 && <RowPad height={after} span={span} />}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Chooses which part of very many rows is shown. */
function SectionChoice({
  total,
  section,
  onSection,
}: {
  total: number;
  section: number;
  onSection: (section: number) => void;
}) {
  const data = Array.from({ length: Math.ceil(total / rowsOfSection) }, (_, index) => ({
    value: String(index),
    label: `${formatNumber(index * rowsOfSection + 1)} to ${formatNumber(Math.min(total, (index + 1) * rowsOfSection))}`,
  }));
  return (
    <div className="subbar">
      <span className="t2">Shown of {formatNumber(total)}</span>
      <Select
        className="low"
        aria-label="Shown rows"
        w={210}
        data={data}
        value={String(section)}
        onChange={(value) => value !== null && onSection(Number(value))}
      />
    </div>
  );
}
