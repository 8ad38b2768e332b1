import { lastDays, wholeDays } from '../../../lib/text/day-range.ts';
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

/** The range meant, in whole days of this computer's zone: a preset ends with today, a drawn stretch includes the days it touches. */
export function rangeOf(chosen: Chosen, now: Date): Range {
  if ('from' in chosen) return wholeDays(new Date(chosen.from), new Date(chosen.to));
  const days = presets.find(({ id }) => id === chosen.preset)?.days ?? 30;
  return lastDays(days, now);
}

export const thisMonth = (now: Date): Range => wholeDays(new Date(now.getFullYear(), now.getMonth(), 1), now);
