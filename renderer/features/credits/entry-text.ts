import type { LedgerEntry } from '../../../shared/domain/credits.ts';
import { formatCredits, formatMoment, formatNumber } from '../../lib/format.ts';
import { explainVerdict, verdictText } from './verdicts.tsx';

/** One entry as text: a fact a line, each led by its name, so that nothing pasted into a spreadsheet starts a formula. */
export function entryText(entry: LedgerEntry): string {
  const { at, operation, subject, paidBy, expected, observed, balanceAfter, callId } = entry;
  return [
    `Time: ${formatMoment(at)}`,
    `Operation: ${operation}`,
    `Subject: ${oneLine(subject)}`,
    `Paid by: ${oneLine(paidBy)}`,
    `Expected: ${formatCredits(expected, 'not published')}`,
    `Observed: ${formatCredits(observed, 'not read')}`,
    `Balance after: ${balanceAfter === null ? 'not read' : formatNumber(balanceAfter)}`,
    `Verdict: ${verdictText(entry)}. ${explainVerdict(entry)}`,
    ...(callId === null ? [] : [`Call: ${callId}`]),
  ].join('\n');
}

const oneLine = (text: string): string => (text === '' ? 'none' : text.replace(/\s+/g, ' '));
