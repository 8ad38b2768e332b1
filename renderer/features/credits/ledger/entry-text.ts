import { isBesideAdded } from '../../../../shared/claims/money-claims.ts';
import type { LedgerEntry } from '../../../../shared/domain/credits/credits.ts';
import { fallOfClaims, moneyText } from '../../../components/money/money-claims.tsx';
import { formatCredits, formatMoment, formatNumber } from '../../../lib/text/format.ts';

/** The fall seen: a figure if it belongs to this entry alone, else in words. Made-up rows of the demo have a figure and no claims. */
export const fallOf = ({ kind, observed, claims }: LedgerEntry): number | string =>
  observed !== null && (kind === 'movement' || claims.length === 0) && !claims.some(isBesideAdded)
    ? observed
    : fallOfClaims(claims);

export function fallText(entry: LedgerEntry): string {
  const fall = fallOf(entry);
  return typeof fall === 'number' ? formatNumber(fall) : fall;
}

/** The balances read before and after an entry; empty: not both were read. */
const balancesText = ({ balanceBefore, balanceAfter }: LedgerEntry): string =>
  balanceBefore === null || balanceAfter === null
    ? ''
    : `Read before: ${formatNumber(balanceBefore)}; after: ${formatNumber(balanceAfter)}.`;

/** What is shown under an entry: its sentences, the balances they rest on, and a person's note. */
export const sentencesOf = (entry: LedgerEntry): string =>
  [
    entry.madeUp ? 'Made up for the demo connection.' : moneyText(entry.claims),
    balancesText(entry),
    entry.note === '' ? '' : `Your note: “${entry.note}”`,
  ]
    .filter((part) => part !== '')
    .join(' ');

/** One entry as text: one fact per line, each led by its name, so that nothing pasted into a spreadsheet starts a formula. */
export function entryText(entry: LedgerEntry): string {
  const { at, kind, operation, subject, paidBy, expected, balanceAfter, callId } = entry;
  return [
    `Time: ${formatMoment(at)}`,
    `Operation: ${operation}`,
    `Subject: ${oneLine(subject)}`,
    `Paid by: ${oneLine(paidBy)}`,
    `Published price: ${kind === 'movement' ? 'no call' : formatCredits(expected, 'not published')}`,
    `Fall seen: ${fallText(entry)}`,
    `Balance after: ${balanceAfter === null ? 'not known' : formatNumber(balanceAfter)}`,
    `Claim: ${oneLine(sentencesOf(entry))}`,
    ...(callId === null ? [] : [`Call: ${callId}`]),
  ].join('\n');
}

const oneLine = (text: string): string => (text === '' ? 'none' : text.replace(/\s+/g, ' '));
