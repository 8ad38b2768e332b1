import { Loader } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { ReadFailure } from '../../components/read-failure.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { formatNumber } from '../../lib/text/format.ts';
import { pairUp } from './match-texts.ts';

interface RawCompareProps {
  leftId: string;
  rightId: string;
}

const lineHeight = 18;
/** More lines are not compared: matching them would block the window. */
const mostLines = 2000;
const formatOf = ({ texts }: Side) => (texts[0]?.trimStart().startsWith('<') ? 'XML' : 'JSON');

interface Side {
  texts: string[];
  /** Number of lines of the whole body. */
  total: number;
}

/** The first lines of an answer's body. */
const bodyQuery = (answerId: string) =>
  queryOptions({
    queryKey: ['lookup', 'raw-lines', answerId],
    queryFn: async (): Promise<Side> => {
      const read = (from: number) =>
        call('operations.raw-lines', { answerId, side: 'answer', indented: true, from, count: 1000 });
      const { total, head } = await read(0);
      const texts: string[] = [];
      for (let from = head; from < Math.min(total, head + mostLines); from += 1000)
        texts.push(...(await read(from)).lines.map(({ text }) => text));
      return { texts, total: total - head };
    },
  });

/** The two answers as they came, indented, line against line; secrets masked by the main process. */
export function RawCompare({ leftId, rightId }: RawCompareProps) {
  const left = useQuery(bodyQuery(leftId));
  const right = useQuery(bodyQuery(rightId));
  if (left.error || right.error)
    return (
      <div className="pad">
        <ReadFailure of={[left, right]} />
      </div>
    );
  if (!left.data || !right.data) return <Loader aria-label="Reading the answers" m={16} />;
  return <RawLines left={left.data} right={right.data} />;
}

/** Characters of a line, drawn as one piece. */
const longestLine = 1000;

/** Shown above the lines; for a longer text it says that only its start is compared. */
function noteOf(left: Side, right: Side, different: number | null, pairs: number): string {
  const longer = Math.max(left.total, right.total);
  const part =
    longer > mostLines ? ` Only the first ${formatNumber(mostLines)} of ${formatNumber(longer)} lines are here.` : '';
  return different === null
    ? `${formatOf(left)} against ${formatOf(right)}: lines of two formats are not matched. The fields are.${part}`
    : `${formatNumber(different)} of ${formatNumber(pairs)} lines differ.${part}`;
}

function RawLines({ left, right }: { left: Side; right: Side }) {
  const box = useRef<HTMLElement>(null);
  const sameFormat = formatOf(left) === formatOf(right);
  const { a, b, pairs, different } = useMemo(() => {
    const a = left.texts;
    const b = right.texts;
    const pairs: [number | null, number | null][] = sameFormat
      ? pairUp(a, b)
      : Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [
          i < a.length ? i : null,
          i < b.length ? i : null,
        ]);
    const differs = ([i, j]: [number | null, number | null]) => i === null || j === null || a[i] !== b[j];
    return { a, b, pairs, different: sameFormat ? pairs.filter(differs).length : null };
  }, [left, right, sameFormat]);
  const rows = useVirtualizer({
    count: pairs.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  });
  return (
    <>
      <p className="sm t2 compare-raw-note">{noteOf(left, right, different, pairs.length)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
      <section ref={box} className="compare-scroll" aria-label="Raw answers side by side" tabIndex={0}>
        <div className="compare-raw" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const [i, j] = pairs[row.index] ?? [null, null];
            const l = i === null ? null : (a[i] ?? '');
            const r = j === null ? null : (b[j] ?? '');
            const differs = different !== null && l !== r;
            return (
              <div
                key={row.key}
                ref={rows.measureElement}
                data-index={row.index}
                className="compare-raw-row mono"
                data-differs={differs}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <span className="sel">{l === null ? null : drawable(l, longestLine)}</span>
                <span className="sel">{r === null ? null : drawable(r, longestLine)}</span>
              </div>
            );
          })}
        </div>
      </section>
    </>
  );
}
