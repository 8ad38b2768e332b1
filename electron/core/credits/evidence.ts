import type { Evidence } from '../../../shared/contract/credits.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import type { BalanceReading, LedgerEntry } from '../../../shared/domain/credits.ts';

const names = {
  'rest-key': 'Balance read',
  'soap-account': 'Account balance read',
  'service-test': 'Service test',
  licence: 'Licence read',
} as const;

/**
 * What is known of a call, in the order of time: the last reading before it, the call itself, how it ended, the readings after.
 * Pure. `readings`: of the source the call draws on, oldest first, from the last one before the call on.
 */
export function describeEvidence(
  call: CallRecord,
  entry: LedgerEntry | undefined,
  readings: readonly BalanceReading[],
): Evidence {
  const ended = new Date(Date.parse(call.at) + call.durationMs).toISOString();
  const before = readings.filter(({ at }) => at < call.at).at(-1);
  const after = readings.filter(({ at }) => at >= call.at).slice(0, 6);
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
      { at: call.at, text: `${call.operation} ${call.subject} sent`, credits: null },
      { at: ended, text: endings[call.outcome], credits: null },
      ...after.map(row),
    ],
    verdict,
    conclusion: conclude(verdict, before?.credits ?? null, after.at(-1)?.credits ?? null),
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

function conclude(verdict: Evidence['verdict'], before: number | null, after: number | null): string {
  if (verdict === 'not-charged') return 'Not charged: the balance did not move.';
  if (verdict === 'charged-answer-lost')
    return 'Probably charged once; not proved. The balance fell by its price, which another key of this account could also have done.';
  if (verdict !== 'unsettled') return 'The call is settled.';
  if (before === null) return 'Unknown: no balance was read before the call, so a reading now proves nothing.';
  if (after === null) return 'Unknown so far. One reading of the balance may settle it.';
  if (after === before)
    return 'Not charged so far. A late charge would show within half a minute; one more reading settles it.';
  return 'Unknown: the balance moved by something else than this call’s price, so others spent or added in between.';
}
