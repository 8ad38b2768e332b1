import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { Failure } from '../../components/failure.tsx';
import { errorOf } from '../../lib/calls/errors.ts';
import { formatNumber } from '../../lib/text/format.ts';
import { prettyPrint } from '../../lib/text/pretty-print.ts';
import { pairUp } from './match-texts.ts';
import { rawQuery } from './queries.ts';

interface RawCompareProps {
  leftId: string;
  rightId: string;
}

const lineHeight = 18;
const formatOf = (text: string) => (text.trimStart().startsWith('<') ? 'XML' : 'JSON');

/** The two answers as they came, indented, line against line; secrets masked by the main process. */
export function RawCompare({ leftId, rightId }: RawCompareProps) {
  const left = useQuery(rawQuery(leftId));
  const right = useQuery(rawQuery(rightId));
  const failed = left.error ?? right.error;
  if (failed)
    return (
      <div className="pad">
        <Failure error={errorOf(failed)} />
      </div>
    );
  if (!left.data || !right.data) return <Loader aria-label="Reading the answers" m={16} />;
  return <RawLines left={left.data.answer.text} right={right.data.answer.text} />;
}

/** Characters of a line, drawn as one piece. */
const longestLine = 1000;

function RawLines({ left, right }: { left: string; right: string }) {
  const box = useRef<HTMLElement>(null);
  const sameFormat = formatOf(left) === formatOf(right);
  const { a, b, pairs, different } = useMemo(() => {
    const a = prettyPrint(left).split('\n');
    const b = prettyPrint(right).split('\n');
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
      <p className="sm t2 compare-raw-note">
        {different === null
          ? `${formatOf(left)} against ${formatOf(right)}: lines of two formats are not matched. The fields are.`
          : `${formatNumber(different)} of ${formatNumber(pairs.length)} lines differ.`}
      </p>
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
