import { changing, coverageOf, judged } from '../helpers/spend-histories.ts';
import type { BenchOptions, Row } from './support/rows.ts';

const percent = (part: number): string => `${(part * 100).toFixed(0)} %`;

/** How often the forecast's range contained the balance, for histories by a known rule, and how often it gave a range. */
export function measureForecast({ quick }: BenchOptions): Row[] {
  const histories = quick ? 250 : 2000;
  const rowOf = (name: string, rule: (typeof judged)[string], days: number): Row => {
    const { given, covered } = coverageOf(rule, days, histories);
    const steady = name in judged;
    return {
      name: `${name}, ${days} days known`,
      ours: given === 0 ? 'no range' : percent(covered),
      other: `a range in ${percent(given)}`,
      ratio: '',
      aim: steady ? '75 to 88 %' : '≤ 10 %',
      reached: (steady ? given === 0 || (covered >= 0.75 && covered <= 0.88) : given <= 0.1) ? 1 : 2,
    };
  };
  return [
    ...Object.entries(judged).flatMap(([name, rule]) => [10, 21, 28].map((days) => rowOf(name, rule, days))),
    ...Object.entries(changing).map(([name, rule]) => rowOf(name, rule, 28)),
  ];
}
