import { roundFigure } from '../../../../shared/domain/text/figures.ts';
import { dayMonth, formatNumber, shortClock } from '../../../lib/text/format.ts';

/** Round numbers for an axis from 0, or from `bottom` if that is lower, to at least `top`. Pure. */
export function ticksUpTo(top: number, bottom = 0): number[] {
  const rough = Math.max(1, top - Math.min(0, bottom)) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const first = Math.floor(Math.min(0, bottom) / step);
  return Array.from({ length: Math.ceil(Math.max(1, top) / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** An axis’s levels as they are written: in millions, 0.5m, if one is a million or more, for which there is no room at the left. Pure. */
export const levelTexts = (levels: readonly number[]): string[] =>
  levels.some((level) => Math.abs(level) >= 1_000_000)
    ? levels.map((level) => (level === 0 ? '0' : `${formatNumber(roundFigure(level / 1_000_000))}m`))
    : levels.map(formatNumber);

/** Midnights for a time axis, at most this many. Pure except for this computer's zone. */
function dayTicks(from: number, to: number, most: number): number[] {
  const days = Math.max(1, Math.ceil((to - from) / 86_400_000));
  const step = [1, 2, 3, 5, 7, 10, 14, 21, 31, 61, 92, 122].find((candidate) => days / candidate <= most) ?? 183;
  const first = new Date(from);
  const ticks: number[] = [];
  for (let index = 1; ; index += 1) {
    const at = new Date(first.getFullYear(), first.getMonth(), first.getDate() + index * step - (step - 1)).getTime();
    if (at > to) return ticks;
    if (at >= from) ticks.push(at);
  }
}

const minute = 60_000;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360].map((minutes) => minutes * minute);

/** What is written under a time axis: its days or, if no midnight lies in it, whole minutes of its day. Pure except for this computer's zone. */
export function timeTicks(from: number, to: number): { at: number; text: string }[] {
  const days = dayTicks(from, to, 6);
  if (days.length > 0) return days.map((at) => ({ at, text: dayMonth.format(at) }));
  const step = steps.find((candidate) => (to - from) / candidate <= 5) ?? 720 * minute;
  const midnight = new Date(from).setHours(0, 0, 0, 0);
  // One at the very edge would be cut.
  const edge = (to - from) / 16;
  const ticks: { at: number; text: string }[] = [];
  for (let at = midnight + Math.ceil((from + edge - midnight) / step) * step; at <= to - edge; at += step)
    ticks.push({ at, text: `${dayMonth.format(at)}, ${shortClock.format(at)}` });
  return ticks;
}

/** At most so many of the items, in equal steps from the first. Pure. */
export const everyFew = <T>(all: readonly T[], most: number): T[] => {
  const step = Math.ceil(all.length / most);
  return all.filter((_, index) => index % step === 0);
};
