import type { SpendVerdict } from '../../../shared/domain/credits.ts';
import type { Provenance } from '../../../shared/domain/lookup.ts';
import { formatCredits, formatTime, formatWhen } from '../../lib/format.ts';

const judged: Record<SpendVerdict, (expected: number | null) => string> = {
  matches: () => 'as expected',
  more: (expected) => `more than the ${formatCredits(expected)} expected`,
  less: (expected) => `less than the ${formatCredits(expected)} expected`,
  'not-read': (expected) =>
    expected === null ? 'the balance was not read' : 'by the price list; the balance was not read',
  measured: () => 'measured; no price is published',
  'held-free': () => 'held',
  'not-charged': () => 'not charged, by the balance',
  'charged-answer-lost': () => 'charged, and the answer was lost',
  unsettled: () => 'unsettled',
  unexplained: () => 'unexplained',
};

const unsure: ReadonlySet<SpendVerdict> = new Set<SpendVerdict>(['more', 'unsettled', 'unexplained']);

export interface SpendWords {
  /** "1 credit", or that no price is published. */
  amount: string;
  judgement: string;
  warn: boolean;
}

/** What an answer cost, and how sure that is: observed where the balance was read, expected where it was not. */
export function describeSpend(answer: Pick<Provenance, 'expectedCredits' | 'observedCredits' | 'verdict'>): SpendWords {
  return {
    amount: formatCredits(answer.observedCredits ?? answer.expectedCredits, 'price not published'),
    judgement: judged[answer.verdict](answer.expectedCredits),
    warn: unsure.has(answer.verdict),
  };
}

/** "REST GetPremise, shape A". */
export function describeSource(answer: Pick<Provenance, 'interface' | 'operation' | 'shape'>, form = 'shape '): string {
  const over = answer.interface === 'rest' ? 'REST' : 'SOAP';
  // A one-letter shape is A or B; a search's form is a word of its own.
  const shape = answer.shape === null ? '' : `, ${answer.shape.length === 1 ? `${form}${answer.shape}` : answer.shape}`;
  return `${over} ${answer.operation}${shape}`;
}

/** A value's source in one word where the word says it all: "REST" for GetPremise in either shape, "SOAP" for GetPremiseAddress. */
export function shortSource(source: string): string {
  const [over = '', operation = ''] = source.replace(',', '').split(' ');
  return ['GetPremise', 'GetPremiseAddress'].includes(operation) ? over : source.replace(/, shape [AB]$/, '');
}

/** "today 09:41:07 GMT". */
export function formatMomentNear(iso: string, now: Date): string {
  const day = formatWhen(iso, now).replace(/ \d{2}:\d{2}$/, '');
  return day === iso ? iso : `${day} ${formatTime(iso)}`;
}
