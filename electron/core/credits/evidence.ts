import type { Evidence } from '../../../shared/contract/credits.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import type { BalanceReading, LedgerEntry } from '../../../shared/domain/credits.ts';
import { type ErrorCode, errorCodes, failsBeforeSending } from '../../../shared/errors.ts';

const names = {
  'rest-key': 'Balance read',
  'soap-account': 'Account balance read',
  'service-test': 'Service test',
  licence: 'Licence read',
} as const;

/**
 * What is known of a call, in the order of time: the last reading before it, this console's other calls in between, the call itself,
 * how it ended, the readings after. Pure. `readings`: of the source the call draws on, oldest first, from the last one before the
 * call on. `others`: entries of the same source; those between the readings have moved the balance too, and are taken off.
 */
export function describeEvidence(
  call: CallRecord,
  entry: LedgerEntry | undefined,
  readings: readonly BalanceReading[],
  others: readonly LedgerEntry[] = [],
): Evidence {
  const ended = new Date(Date.parse(call.at) + call.durationMs).toISOString();
  const before = readings.filter(({ at }) => at < call.at).at(-1);
  const after = readings.filter(({ at }) => at >= call.at).slice(0, 6);
  const last = after.at(-1);
  const between = others.filter(
    ({ at, callId, verdict }) =>
      before !== undefined &&
      last !== undefined &&
      callId !== call.id &&
      verdict !== 'unexplained' &&
      at > before.at &&
      at <= last.at,
  );
  const row = (reading: BalanceReading) => ({
    at: reading.at,
    text: `${names[reading.source]}, free`,
    credits: reading.credits,
  });
  const verdict = entry?.verdict ?? (call.expectedCredits === 0 ? 'not-charged' : 'not-read');
  return {
    callId: call.id,
    operation: call.operation,
    subject: call.subject,
    expected: call.expectedCredits,
    rows: [
      ...(before ? [row(before)] : []),
      ...between.map(({ at, operation, subject, expected }) => ({
        at,
        text: `${operation} ${subject}, another call of this console: ${expected === null ? 'price not published' : `expected ${expected}`}`,
        credits: null,
      })),
      { at: call.at, text: `${call.operation} ${call.subject} ${neverLeft(call) ? 'begun' : 'sent'}`, credits: null },
      { at: ended, text: neverLeft(call) ? `Not sent. ${wordsOf(call)}` : endings[call.outcome], credits: null },
      ...after.map(row),
    ].sort((a, b) => a.at.localeCompare(b.at)),
    verdict,
    conclusion:
      verdict === 'not-charged'
        ? concludeNotCharged(call, entry)
        : conclude(
            verdict,
            call.expectedCredits,
            fallOf(before, last, between),
            before !== undefined,
            last !== undefined,
          ),
  };
}

const endings: Readonly<Record<CallRecord['outcome'], string>> = {
  answered: 'Answered',
  'nothing-found': 'Answered: nothing found',
  held: 'Answered from what is held',
  refused: 'Refused by the service',
  failed: 'The answer could not be used',
  unknown: 'No complete answer came; it was not sent again',
  cancelled: 'Cancelled before it was sent',
};

const neverLeft = ({ errorCode }: CallRecord): boolean => errorCode !== null && failsBeforeSending.has(errorCode);

const wordsOf = ({ errorCode }: CallRecord): string =>
  errorCode !== null && Object.hasOwn(errorCodes, errorCode) ? errorCodes[errorCode as ErrorCode].what : '';

/** A reading proved it where the entry has one; else it is known by where the call ended. */
function concludeNotCharged(call: CallRecord, entry: LedgerEntry | undefined): string {
  if (neverLeft(call)) return 'Not charged: nothing left this computer.';
  if (entry === undefined) return 'Not charged: by its published price it is free.';
  if (entry.balanceAfter !== null) return 'Not charged: the balance did not move for it.';
  return `Not charged, by what came back: ${wordsOf(call)}`;
}

/** How far the balance fell beyond what this console's other calls account for; null where that cannot be told. */
function fallOf(
  before: BalanceReading | undefined,
  after: BalanceReading | undefined,
  between: readonly LedgerEntry[],
): number | null {
  if (before?.credits == null || after?.credits == null) return null;
  const costs = between.map(({ observed, expected }) => observed ?? expected);
  if (costs.includes(null)) return null;
  return before.credits - after.credits - costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}

function conclude(
  verdict: Evidence['verdict'],
  expected: number | null,
  fell: number | null,
  readBefore: boolean,
  readAfter: boolean,
): string {
  if (verdict === 'charged-answer-lost')
    return 'Probably charged once; not proved. The balance fell by its price, which another key of this account could also have done.';
  if (verdict !== 'unsettled') return 'The call is settled.';
  if (!readBefore) return 'Unknown: no balance was read before the call, so a reading now proves nothing.';
  if (!readAfter) return 'Unknown so far. One reading of the balance may settle it.';
  if (fell === null)
    return 'Unknown: another call of this console in between has no published price, so the balance cannot say whose it was.';
  if (fell === 0)
    return 'Not charged so far. A late charge would show within half a minute; one more reading settles it.';
  if (fell === expected)
    return 'Probably charged once; not proved. The balance fell by its price, which another key of this account could also have done.';
  return 'Unknown: the balance moved by something else than this call’s price, so others spent or added in between.';
}
