import { formatKey } from '../../../../shared/domain/credits/credits.ts';
import type {
  BalancePoint,
  BalanceStream,
  CreditHistory,
  Forecast,
  RunOut,
  SpendBar,
} from '../../../../shared/domain/credits/credits-history.ts';
import { sourceNames } from '../balance/sources.ts';

/** The values at one time; lines are keyed by stream and by stretch between gaps, so that a gap ends a line. */
export type ChartRow = { t: number; likely?: number; cone?: [number, number] } & Record<
  string,
  number | [number, number] | undefined
>;

export interface ChartLine {
  key: string;
  name: string;
  /** Index of its stream; the forecast is of the first. */
  index: number;
  samples: { t: number; credits: number }[];
}

export interface BalanceChartData {
  rows: ChartRow[];
  lines: ChartLine[];
  gaps: { from: number; to: number }[];
  end: number;
  top: number;
  /** Below 0 if a figure is. */
  bottom: number;
}

const order = ['rest-key', 'soap-account', 'licence', 'service-test'];

/** The streams in the order of their sources, the busiest key first. Pure. */
export const sortLines = (lines: CreditHistory['lines']): CreditHistory['lines'] =>
  lines.toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source) || b.points.length - a.points.length);

/** The forecast by the rate of the whole account; if that is not known, by this console's rate. Pure. */
export const coneOf = (forecast: Forecast | undefined): RunOut | null =>
  forecast?.account?.kind === 'runs-out' ? forecast.account : (forecast?.console ?? null);

/** Points, stretches between gaps, and the forecast's cone as rows of one chart. Pure; times in milliseconds. */
export function balanceChart(
  history: CreditHistory,
  forecast: RunOut | null,
  from: number,
  to: number,
): BalanceChartData {
  const rows = new Map<number, ChartRow>();
  const rowAt = (t: number): ChartRow => {
    const found = rows.get(t) ?? { t };
    rows.set(t, found);
    return found;
  };
  const lines: ChartLine[] = [];
  const gaps: { from: number; to: number }[] = [];
  let [top, bottom] = [0, 0];
  const streams = sortLines(history.lines).filter(({ points }) => points.length > 0);
  for (const [index, line] of streams.entries()) {
    const name = lineName(line, streams);
    const begin = (key: string): ChartLine => {
      const begun = { key, name, index, samples: [] };
      lines.push(begun);
      return begun;
    };
    let drawn = begin(`s${index}`);
    for (const [stretch, { at, credits, gap }] of line.points.entries()) {
      const t = Date.parse(at);
      if (gap !== null) {
        if (index === 0) gaps.push({ from: Date.parse(gap.since), to: Date.parse(gap.until) });
        drawn = begin(`s${index}g${stretch}`);
      }
      drawn.samples.push({ t, credits });
      rowAt(t)[drawn.key] = credits;
      top = Math.max(top, credits);
      bottom = Math.min(bottom, credits);
    }
  }
  let end = to;
  if (forecast?.kind === 'runs-out') {
    // At most 0.8 of the past shown, and no less than a week: a cone of ten years would squeeze the past into a line.
    const furthest = to + Math.max((to - from) * 0.8, 7 * 86_400_000);
    const last = streams[0]?.points.at(-1);
    for (const [index, { day, likely, least, most }] of forecast.cone.entries()) {
      const begins = Date.parse(`${day}T00:00:00`);
      const t = index === 0 && last ? Math.max(begins, Date.parse(last.at)) : begins;
      if (t > furthest) break;
      const row = rowAt(t);
      row.likely = likely;
      if (least !== null && most !== null) row.cone = [least, most];
      end = Math.max(end, t);
      top = Math.max(top, most ?? likely);
    }
  }
  return { rows: [...rows.values()].sort((a, b) => a.t - b.t), lines, gaps, end, top, bottom };
}

/** What the bars come to: credits, the part of them that no call explains, and calls that are in no bar. */
export function spendSums(bars: readonly SpendBar[]): { all: number; unexplained: number; unpriced: number } {
  const sums = { all: 0, unexplained: 0, unpriced: 0 };
  for (const { parts, unexplained, unpriced } of bars) {
    sums.all += Object.values(parts).reduce((sum, part) => sum + part, unexplained);
    sums.unexplained += unexplained;
    sums.unpriced += unpriced;
  }
  return sums;
}

/** Each reading that is drawn, as lines of a table. */
export const pointsOf = (history: CreditHistory): (BalancePoint & BalanceStream)[] =>
  sortLines(history.lines).flatMap(({ source, label, keyLastFour, points }) =>
    points.map((point) => ({ ...point, source, label, keyLastFour })),
  );

/** The name of a line: its source, and the key if the source has several. Pure. */
export function lineName(stream: BalanceStream, streams: readonly BalanceStream[]): string {
  const several = streams.filter(({ source }) => source === stream.source).length > 1;
  const name = sourceNames[stream.source];
  return several ? `${name}, ${formatKey(stream)}` : name;
}
