import { type SpendingCaps, spendingCapsSchema } from '../../../shared/domain/credits.ts';
import { formatNumber } from '../../lib/format.ts';

export type CapName = keyof SpendingCaps;

export const capNames = ['perDay', 'perRun', 'floor'] as const satisfies readonly CapName[];

export const capWords: Readonly<Record<CapName, { label: string; help: string }>> = {
  perRun: { label: 'Per run', help: 'Credits, from the start of the program to its end' },
  perDay: { label: 'Per day', help: 'Credits, from midnight on this computer' },
  floor: { label: 'Floor under the balance', help: 'Credits that must be left by the balance last read' },
};

export type CapTexts = Readonly<Record<CapName, string>>;

const largest = 10_000_000;

/** What a typed cap means: empty is no cap. Spaces and thousands commas are let pass. */
export function readCap(text: string): { value: number | null } | { problem: string } {
  const plain = text.replace(/[\s,]/g, '');
  if (plain === '') return { value: null };
  const value = /^\d{1,12}$/.test(plain) ? Number(plain) : Number.NaN;
  if (Number.isNaN(value)) return { problem: 'A whole number of credits, or empty for no cap.' };
  if (value > largest) return { problem: `At most ${formatNumber(largest)} credits, or empty for no cap.` };
  return { value };
}

/** All three, or what is wrong with each. */
export function readCaps(texts: CapTexts): { caps: SpendingCaps } | { problems: Partial<Record<CapName, string>> } {
  const problems: Partial<Record<CapName, string>> = {};
  const caps: Record<string, number | null> = {};
  for (const name of capNames) {
    const read = readCap(texts[name]);
    if ('problem' in read) problems[name] = read.problem;
    else caps[name] = read.value;
  }
  return Object.keys(problems).length > 0 ? { problems } : { caps: spendingCapsSchema.parse(caps) };
}

export const capText = (value: number | null): string => (value === null ? '' : String(value));
