import type { Range } from '../queries.ts';

export const presets = [
  { id: '7', label: '7 days', days: 7 },
  { id: '30', label: '30 days', days: 30 },
  { id: '90', label: '90 days', days: 90 },
  { id: '365', label: 'Year', days: 365 },
] as const;
export type PresetId = (typeof presets)[number]['id'];

/** A preset that moves with the time, or a stretch that a person chose. */
export type Chosen = { preset: PresetId } | { from: string; to: string };

/** The range meant, in whole days of this computer's zone: a preset ends with today, a drawn stretch takes in the days it touches. */
export function rangeOf(chosen: Chosen, now: Date): Range {
  if ('from' in chosen) return daysBetween(new Date(chosen.from), new Date(chosen.to));
  const days = presets.find(({ id }) => id === chosen.preset)?.days ?? 30;
  return daysBetween(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1), now);
}

export const thisMonth = (now: Date): Range => daysBetween(new Date(now.getFullYear(), now.getMonth(), 1), now);

/** From midnight of the first day to the last millisecond of the last one. */
const daysBetween = (first: Date, last: Date): Range => ({
  from: new Date(first.getFullYear(), first.getMonth(), first.getDate()).toISOString(),
  to: new Date(new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1).getTime() - 1).toISOString(),
});

const two = (value: number) => String(value).padStart(2, '0');

/** YYYY-MM-DD of a moment on this computer, as a date field takes it. */
export function dayField(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Two whole days of date fields as a range, in either order; null: one of them is no date. */
export function readDays(first: string, last: string): Range | null {
  const read = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`) : null);
  const [from, to] = first <= last ? [read(first), read(last)] : [read(last), read(first)];
  if (!from || !to || Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return null;
  return daysBetween(from, to);
}
