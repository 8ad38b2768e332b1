import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type { Evidence } from '../../../shared/contract/credits.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import type { BalanceReading, LedgerEntry } from '../../../shared/domain/credits.ts';
import { failsBeforeSending } from '../../../shared/errors.ts';

const names = {
  'rest-key': 'Balance read, published as free',
  'soap-account': 'Account balance read',
  'service-test': 'Service test',
  licence: 'Licence read',
} as const;

const endings: Readonly<Record<CallRecord['outcome'], string>> = {
  answered: 'Answered',
  'nothing-found': 'Answered: nothing found',
  held: 'Answered from what is saved',
  refused: 'Refused by the service',
  failed: 'The answer could not be used',
  unknown: 'No complete answer came; it was not sent again',
  cancelled: 'Cancelled before it was sent',
};

const neverLeft = ({ errorCode }: CallRecord): boolean => errorCode !== null && failsBeforeSending.has(errorCode);

/** Claims after which another reading of the balance would show nothing more. */
const closed: ReadonlySet<MoneyClaim['kind']> = new Set<MoneyClaim['kind']>([
  'nothing-left',
  'cost',
  'at-price',
  'between',
  'shared',
  'no-fall',
  'rose',
  'unclear',
  'not-read-before',
  'said-before',
]);

/**
 * What is known of a call, in the order of time: the last reading before it, this console's other calls in between, the call itself,
 * how it ended, the readings after; then what may be said of it. Pure. `readings`: of the balance that the call draws on, oldest
 * first. `others`: entries of the same interface.
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
    ({ at, callId, kind }) =>
      before !== undefined &&
      last !== undefined &&
      callId !== call.id &&
      kind === 'call' &&
      at > before.at &&
      at <= last.at,
  );
  const row = (reading: BalanceReading) => ({ at: reading.at, text: names[reading.source], credits: reading.credits });
  const claims: MoneyClaim[] = entry?.claims ?? (neverLeft(call) ? [{ kind: 'nothing-left' }] : []);
  return {
    callId: call.id,
    operation: call.operation,
    subject: call.subject,
    expected: call.expectedCredits,
    rows: [
      ...(before ? [row(before)] : []),
      ...between.map(({ at, operation, subject, expected }) => ({
        at,
        text: `${operation} ${subject}, another call of this console: ${expected === null ? 'price not published' : `published price ${expected}`}`,
        credits: null,
      })),
      { at: call.at, text: `${call.operation} ${call.subject} ${neverLeft(call) ? 'begun' : 'sent'}`, credits: null },
      { at: ended, text: neverLeft(call) ? 'Not sent' : endings[call.outcome], credits: null },
      ...after.map(row),
    ].sort((a, b) => a.at.localeCompare(b.at)),
    claims,
    mayShowMore: !claims.some(({ kind }) => closed.has(kind)),
  };
}
