import { toSecond } from '../../../shared/claims/moment.ts';
import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import { somethingCame } from '../../../shared/errors.ts';
import type { Ending } from './facts.ts';

/** What is known of one call of the ledger. Pure data, from facts and from the segment that closed over it. */
export interface CallStanding {
  /** unsent: nothing left this computer; null: it has not ended. */
  ending: Ending | 'unsent' | null;
  /** Of a refusal: HTTP status or the code of the error; of a lost call: that code. */
  endingCode: string | null;
  /** ISO 8601 UTC. */
  endedAt: string | null;
  horizonMs: number | null;
  /** What follows from the segment of its own balance; null: none has closed over it. */
  verdict: MoneyClaim | null;
  /** The day on which credits were to expire, if the fall of that segment lies across it; null: it does not. */
  expiry: string | null;
  /** A clean reading of a balance that it may draw on came before it, or is its own. */
  readBefore: boolean;
  /** A balance that fell later, within a day, in a movement that names this call; null: none did. */
  later: { fall: number; added: number; at: string } | null;
}

/** How long after its end a call is named as the possible cause of a later fall, charged late. */
export const namedForMs = 24 * 3_600_000;

/** All claims about a call, in reading order. Pure. */
export function claimsOfCall(call: CallStanding): MoneyClaim[] {
  if (call.ending === 'unsent') return [{ kind: 'nothing-left' }];
  const ended = endingClaim(call);
  if (call.verdict) {
    const late: MoneyClaim[] =
      call.later && call.verdict.kind === 'no-fall'
        ? [
            {
              kind: 'late',
              was: call.verdict.until,
              fall: call.later.fall,
              ...(call.later.added > 0 && { rise: call.later.added }),
              at: toSecond(call.later.at),
            },
          ]
        : [];
    const expired: MoneyClaim[] = call.expiry === null ? [] : [{ kind: 'expiry', day: call.expiry }];
    return [ended, call.verdict, ...expired, ...late];
  }
  const horizon: MoneyClaim[] =
    call.endedAt !== null && (call.ending === 'lost' || call.ending === 'dead') && call.horizonMs !== null
      ? [{ kind: 'may-come', until: toSecond(new Date(Date.parse(call.endedAt) + call.horizonMs + 999).toISOString()) }]
      : [];
  if (call.ending === null) return [ended];
  if (!call.readBefore) return [ended, ...horizon, { kind: 'not-read-before' }];
  // While a charge may come, readings show no end of it; that none has shown it yet goes without saying.
  return horizon.length > 0 ? [ended, ...horizon] : [ended, { kind: 'not-read-since' }];
}

function endingClaim({ ending, endingCode, endedAt }: CallStanding): MoneyClaim {
  const at = toSecond(endedAt ?? new Date(0).toISOString());
  switch (ending) {
    case 'answered':
      return endingCode === null ? { kind: 'answered', at } : { kind: 'unusable-answer', at };
    case 'refused':
      return { kind: 'refused', code: endingCode ?? 'no code' };
    case 'lost':
      return { kind: endingCode !== null && somethingCame.has(endingCode) ? 'unusable-answer' : 'no-answer', at };
    case 'dead':
      return { kind: 'cut-off', at };
    default:
      return { kind: 'under-way' };
  }
}

/** The words of the version that stored verdicts; `n`: the credits it had observed. */
const firstVersionText: Readonly<Record<string, (n: string) => string>> = {
  matches: (n) => `Cost ${n}, as expected`,
  more: (n) => `Cost ${n}, more than expected`,
  less: (n) => `Cost ${n}, less than expected`,
  measured: (n) => `Cost ${n}, measured`,
  'not-read': () => 'The balance was not read',
  'held-free': () => 'Answered from what is saved, free',
  'not-charged': () => 'Not charged',
  'charged-answer-lost': () => 'Charged, the answer was lost',
  unsettled: () => 'Not settled',
  unexplained: () => 'No call of this console',
};

/** A verdict that the first version could have stored. */
export const isKnownVerdict = (verdict: string): boolean => Object.hasOwn(firstVersionText, verdict);

/**
 * What a version that stored verdicts said of a row. Its rules no longer apply, so it is quoted as that version's words. `observed` in
 * credits; null: it had none.
 */
export function saidByFirstVersion(verdict: string, observed: number | null): MoneyClaim {
  const words = isKnownVerdict(verdict) ? firstVersionText[verdict]?.(String(observed ?? '')) : undefined;
  return { kind: 'said-before', version: 1, words: words ?? 'No verdict that can be read' };
}
