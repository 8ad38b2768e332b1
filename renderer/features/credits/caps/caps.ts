import { type SpendingCaps, spendingCapsSchema } from '../../../../shared/domain/credits/credits.ts';
import { formatNumber } from '../../../lib/text/format.ts';

export type CapName = keyof SpendingCaps;

export const capNames = ['perDay', 'perRun', 'floor'] as const satisfies readonly CapName[];

/** `note` stands under each: what it counts, which is not what the service books. */
export const capLabels: Readonly<Record<CapName, { label: string; help: string; note: string }>> = {
  perDay: {
    label: 'Today',
    help: 'Credits, from midnight on this computer',
    note: 'Counts every paid call at its highest price from before it is sent until midnight. It counts what was sent, not what the service books.',
  },
  perRun: {
    label: 'Since the program started',
    help: 'Credits, from the start of the program to its end',
    note: 'Counts like today’s, and starts at 0 again with the program. It counts what was sent, not what the service books.',
  },
  floor: {
    label: 'Minimum balance',
    help: 'A paid call is not sent if it could take the balance below this',
    note: 'A paid call is not sent if it could take the balance below this. From the balance last read it takes off what was sent since, not what the service books.',
  },
};

export type CapTexts = Readonly<Record<CapName, string>>;

const largest = 10_000_000;

/** What a typed cap means: empty is no cap. Spaces and thousands commas are let pass. */
function readCap(text: string): { value: number | null } | { problem: string } {
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

/** Whether anything holds calls back; then a call that cannot be counted is not sent. */
export const isCapped = (caps: SpendingCaps): boolean => capNames.some((name) => caps[name] !== null);
