import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type { Evidence } from '../../../shared/contract/credits.ts';
import { type CallRecord, describeOutcome, neverLeft } from '../../../shared/domain/activity.ts';
import { type BalanceSample, formatKey, type LedgerEntry } from '../../../shared/domain/credits/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { sourceOf } from '../calls/caller.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Balances } from './balances.ts';

const names = {
  'rest-key': 'Balance read, published as free',
  'soap-account': 'SOAP balance read',
  'service-test': 'Service test',
  licence: 'Licence read',
} as const;

/** Claims after which a further reading of the balance would show nothing more. */
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
 * The most readings of each key after a call, and other calls around it, that are shown: what happened later says nothing about it that its claims do
 * not.
 */
export const mostShown = { samples: 6, calls: 50 } as const;

interface EvidenceParts {
  balances: Pick<Balances, 'samplesAround'>;
  ledger: Pick<Ledger, 'findOfCall' | 'listBetween'>;
}

/**
 * What is known of a call, in order of time: the last reading in the day before it, this console's other calls in between, the call itself,
 * how it ended, the readings after it, and then the claims about it. Reads hardly more rows than it shows, however long ago the call was.
 * `write`: how the subject of a call, which may be an address, is written in the rows; default: as it is. Errors: `storage-failed`.
 */
export function readEvidence(
  call: CallRecord,
  { balances, ledger }: EvidenceParts,
  write: (subject: string) => string = (subject) => subject,
): Result<Evidence> {
  const entry = ledger.findOfCall(call.id);
  if (!entry.ok) return entry;
  const around = balances.samplesAround(call, sourceOf[call.interface], mostShown.samples);
  if (!around.ok) return around;
  const first = around.value[0];
  const last = around.value.at(-1);
  const isBetween = first !== undefined && last !== undefined && first.at < call.at && last.at >= call.at;
  const others = isBetween
    ? ledger.listBetween(call.connectionId, call.interface, first.at, last.at, mostShown.calls + 2)
    : ok([]);
  return others.ok ? ok(describeEvidence(call, entry.value, around.value, others.value, write)) : others;
}

function describeEvidence(
  call: CallRecord,
  entry: LedgerEntry | undefined,
  samples: readonly BalanceSample[],
  others: readonly LedgerEntry[],
  write: (subject: string) => string,
): Evidence {
  const ended = new Date(Date.parse(call.at) + call.durationMs).toISOString();
  const between = others.filter(({ callId, kind }) => callId !== call.id && kind === 'call');
  const shown = between.slice(0, mostShown.calls);
  const several = new Set(samples.map(formatKey)).size > 1;
  // Whether keys share a balance is not known: each figure says whose it is.
  const row = (sample: BalanceSample) => ({
    at: sample.at,
    text: several ? `${names[sample.source]}, ${formatKey(sample)}` : names[sample.source],
    credits: sample.credits,
  });
  const claims: MoneyClaim[] = entry?.claims ?? (neverLeft(call) ? [{ kind: 'nothing-left' }] : []);
  return {
    callId: call.id,
    at: call.at,
    operation: call.operation,
    subject: call.subject,
    expected: call.expectedCredits,
    rows: [
      ...samples.map(row),
      ...shown.map(({ at, operation, subject, expected }) => ({
        at,
        text: `${operation} ${write(subject)}, another call of this console: ${expected === null ? 'price not published' : `published price ${expected}`}`,
        credits: null,
      })),
      ...(shown.length < between.length
        ? [
            {
              at: shown.at(-1)?.at ?? call.at,
              text: 'More calls of this console; the ledger has them all',
              credits: null,
            },
          ]
        : []),
      // Not “sent”: of a call that failed that may not be known.
      { at: call.at, text: `${call.operation} ${write(call.subject)} begun`, credits: null },
      { at: ended, text: describeOutcome(call), credits: null },
    ].sort((a, b) => a.at.localeCompare(b.at)),
    claims,
    // No reading is awaited for a call that is not in the ledger, since it is published as free.
    mayShowMore: claims.length > 0 && !claims.some(({ kind }) => closed.has(kind)),
  };
}
