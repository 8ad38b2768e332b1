/** A day under a chart. */
export const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Round numbers for an axis from 0, or from `bottom` if that is lower, to at least `top`. Pure. */
export function ticksUpTo(top: number, bottom = 0): number[] {
  const rough = Math.max(1, top - Math.min(0, bottom)) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const first = Math.floor(Math.min(0, bottom) / step);
  return Array.from({ length: Math.ceil(Math.max(1, top) / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** Midnights for a time axis, at most this many. Pure except for this computer's zone. */
export function dayTicks(from: number, to: number, most: number): number[] {
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

/** At most so many of the items, in equal steps from the first. Pure. */
export const everyFew = <T>(all: readonly T[], most: number): T[] => {
  const step = Math.ceil(all.length / most);
  return all.filter((_, index) => index % step === 0);
};
