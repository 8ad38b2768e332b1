import type { LedgerEntry, SpendVerdict } from '../../../shared/domain/credits.ts';
import { Tag } from '../../components/marks.tsx';
import { formatCredits, formatNumber, formatWhen } from '../../lib/format.ts';

const words: Readonly<Record<SpendVerdict, string>> = {
  matches: 'matches',
  more: 'more than expected',
  less: 'less than expected',
  'not-read': 'not read',
  measured: 'measured',
  'held-free': 'held, free',
  'not-charged': 'not charged',
  'charged-answer-lost': 'charged, answer lost',
  unsettled: 'unsettled',
  unexplained: 'unexplained',
};

/** A verdict in the words of the ledger. */
export const verdictText = ({ verdict, observed }: Pick<LedgerEntry, 'verdict' | 'observed'>): string => {
  if (verdict === 'unexplained' && (observed ?? 0) < 0) return 'came in';
  return verdict === 'measured' && observed !== null ? `measured: ${formatNumber(observed)}` : words[verdict];
};

const proved: ReadonlySet<SpendVerdict> = new Set<SpendVerdict>(['held-free', 'not-charged']);

/** Whether an entry wants somebody's eye, so that its sentence stands under it unasked. */
export const standsOut = ({ verdict, observed, note }: LedgerEntry): boolean =>
  verdict === 'unsettled' || (verdict === 'unexplained' && (observed ?? 0) > 0 && note === '');

/** Whether there is evidence to look at: the call had, or has, an unknown outcome. */
export const hasEvidence = ({ verdict, callId }: LedgerEntry): boolean =>
  callId !== null && (verdict === 'unsettled' || verdict === 'charged-answer-lost' || verdict === 'not-charged');

/** Green: proved to have cost nothing. Amber: not sure yet, or more than it should be. */
export function Verdict({ entry }: { entry: LedgerEntry }) {
  const text = verdictText(entry);
  if (standsOut(entry)) return <Tag tone="warn">{text}</Tag>;
  if (entry.verdict === 'more') return <span className="warn">{text}</span>;
  return <span className={proved.has(entry.verdict) ? 'held' : 't2'}>{text}</span>;
}

/** What an entry's verdict rests on, in one or two sentences. */
export function explainVerdict(entry: LedgerEntry): string {
  const { verdict, expected, observed } = entry;
  const seen = formatCredits(observed, 'not read');
  switch (verdict) {
    case 'matches':
      return `The balance moved by what was expected: ${seen}.`;
    case 'more':
      return `The balance moved by ${seen}; ${formatCredits(expected)} expected. Another key or program of the account may have spent at the same time.`;
    case 'less':
      return `The balance moved by ${seen}; ${formatCredits(expected)} expected.`;
    case 'not-read':
      return expected === null
        ? 'The price is not published and no reading tells it yet. It is in no sum.'
        : `No reading tells yet what it cost. It counts with its published price of ${formatCredits(expected)}.`;
    case 'measured':
      return `The price is not published. By the readings before and after, it cost ${seen}.`;
    case 'held-free':
      return 'Answered from what this console holds. Nothing was sent.';
    case 'not-charged':
      return entry.balanceAfter === null
        ? 'Nothing was charged: it was not sent, or what came back says so. The evidence tells which.'
        : 'Sent, and no answer came. The readings show that nothing was charged.';
    case 'charged-answer-lost':
      return `Sent, and no answer came. The readings show that it was charged: ${seen}.`;
    case 'unsettled':
      return expected === null
        ? 'It left this computer, and whether it was charged is not known. Its price is not published.'
        : `It left this computer, and whether it was charged is not known. It counts in full (${formatCredits(expected)}) until a reading settles it.`;
    case 'unexplained':
      return explainMovement(entry);
  }
}

function explainMovement({ observed, balanceBefore, balanceAfter, since, at, explained, note }: LedgerEntry): string {
  const rose = (observed ?? 0) < 0;
  const figures =
    balanceBefore === null || balanceAfter === null
      ? ` by ${formatCredits(Math.abs(observed ?? 0))}`
      : ` from ${formatNumber(balanceBefore)} to ${formatNumber(balanceAfter)}`;
  const between = since === null ? '' : ` between the readings ${formatWhen(since)} and ${formatWhen(at)}`;
  const own = (explained ?? 0) > 0 ? ` Calls of this console explain ${formatCredits(explained)} of it.` : '';
  const words = note === '' ? '' : ` Your note: “${note}”.`;
  const verb =
    balanceBefore !== null && balanceAfter !== null
      ? balanceAfter > balanceBefore
        ? 'rose'
        : 'fell'
      : rose
        ? 'rose'
        : 'fell';
  const who = rose
    ? `${formatCredits(Math.abs(observed ?? 0))} came in.`
    : 'Other keys and programs of the account can spend too; the service does not say which did.';
  return `The balance ${verb}${figures}${between}.${own} ${who}${words}`;
}

/** Where the expected price comes from, and the balance before and after where both were read. */
export function explainPrice({ verdict, expected, balanceBefore, balanceAfter }: LedgerEntry): string {
  if (verdict === 'unexplained') return '';
  const why =
    expected === null ? 'No price is published.' : `Expected by the published price: ${formatCredits(expected)}.`;
  const moved =
    balanceBefore === null || balanceAfter === null
      ? ''
      : ` Balance ${formatNumber(balanceBefore)} before, ${formatNumber(balanceAfter)} after.`;
  return why + moved;
}
