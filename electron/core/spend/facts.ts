import type { Protocol } from '../../../shared/domain/connection.ts';
import type { Purse } from '../storage/one-balance.ts';

/**
 * What is known of money, as facts: a call was sent, it ended, a balance was read. They are appended and never changed; everything said
 * about them is computed (reconcile.ts). Order is the database's: every fact takes the next number of one sequence, in a transaction,
 * before (a call is sent) or after (a call ended, a balance was read) the thing itself. So what does not overlap by numbers did not overlap
 * in time, whichever process wrote it and whatever the clock was set to. Durations are measured by a clock that cannot be set.
 */

/** A point in time as one process saw it. */
export interface Moment {
  /** Position in the sequence of all facts of the data folder. */
  sequence: number;
  /** Wall clock, ISO 8601 UTC: for people, never for conclusions. */
  at: string;
  /** The boot of the computer within which `elapsedMs` may be compared. */
  boot: string;
  /** Milliseconds of a clock that cannot be set. */
  elapsedMs: number;
}

/**
 * answered: an answer came that could be used. refused: the service said no. lost: no complete answer that is certainly the call's own, or
 * one that could not be read. dead: the program ended first.
 */
export type Ending = 'answered' | 'refused' | 'lost' | 'dead';

export interface CallFact {
  id: string;
  interface: Protocol;
  /** Origins (scheme, host, port) of the connection: the balances of both may pay for the call. */
  origins: readonly string[];
  /** Of the key or licence that the call was sent with. */
  fingerprint: string;
  /** The most it costs by its published price, in credits; null: no price is published. */
  most: number | null;
  sent: Moment;
  /** null: it has not ended. `horizonMs`: how long after that a charge is awaited, of a lost or dead call. */
  ended: (Moment & { how: Ending; horizonMs: number }) | null;
}

export interface SampleFact extends Purse {
  id: string;
  /** The last fact there was when the balance was requested. */
  asked: Moment;
  answered: Moment;
  /** The last fact when the process that read it started, and its clock then. */
  processStart: Pick<Moment, 'sequence' | 'elapsedMs'>;
  credits: number;
  /** Credits as the service counts them, as `total`; null: it gave none. */
  used: number | null;
  total: number | null;
  /** As it came. */
  expiryDate: string | null;
}

/** Whether a balance is that of a call's own key, at the server that the call went to: what any other did not do shows nothing about it. */
export const isOwnPurse = (call: Pick<CallFact, 'origins' | 'fingerprint'>, purse: Purse): boolean =>
  call.fingerprint === purse.fingerprint && call.origins[0] === purse.origin;

/** The shortest wait for a late charge, in milliseconds, after the end of a call that brought no complete answer. */
const shortestHorizonMs = 120_000;

/** How long after the end of a lost call a charge for it is awaited; written into the fact, so that a later setting changes nothing. */
export const horizonOf = (timeoutMs: number): number => Math.max(shortestHorizonMs, 2 * timeoutMs);

/**
 * Whether a call may draw on a balance. `separate`: a person has said that the keys of this origin have separate balances. That is said of
 * REST keys: a call over SOAP may draw on any.
 */
export function isCandidate(
  call: Pick<CallFact, 'interface' | 'origins' | 'fingerprint'>,
  purse: Purse,
  separate: boolean,
): boolean {
  return (
    call.origins.includes(purse.origin) &&
    (!separate || call.interface === 'soap' || call.fingerprint === purse.fingerprint)
  );
}

/**
 * The shortest time that can be proved to have passed between the end of a call and the request for a balance: by one clock within a boot;
 * else since the first moment of the sample's boot that came after the end, its process's start or an earlier sample.
 */
function shownElapsedMs(ended: Moment, sample: SampleFact, earlier: readonly SampleFact[]): number {
  const { boot, elapsedMs } = sample.asked;
  if (ended.boot === boot) return elapsedMs - ended.elapsedMs;
  const since = [sample.processStart, ...earlier.filter(({ asked }) => asked.boot === boot).map(({ asked }) => asked)]
    .filter(({ sequence }) => sequence >= ended.sequence)
    .map((moment) => moment.elapsedMs);
  return since.length === 0 ? 0 : elapsedMs - Math.min(...since);
}

/**
 * Whether a call's charge window lies wholly before the request for a balance. The window runs from sending to the end or, if no complete
 * answer came, to the end of the horizon. `earlier`: samples before it, of any balance.
 */
export function isOverBefore({ ended }: CallFact, sample: SampleFact, earlier: readonly SampleFact[]): boolean {
  if (ended === null || ended.sequence > sample.asked.sequence) return false;
  if (ended.how === 'answered' || ended.how === 'refused') return true;
  return shownElapsedMs(ended, sample, earlier) >= ended.horizonMs;
}

/** A sample whose interval meets no charge window: between two of them lies a group of whole windows. `calls`: the candidates. */
export function isCleanCut(sample: SampleFact, calls: Iterable<CallFact>, earlier: readonly SampleFact[]): boolean {
  for (const call of calls)
    if (call.sent.sequence < sample.answered.sequence && !isOverBefore(call, sample, earlier)) return false;
  return true;
}

/**
 * Whether a reading of a balance was requested before an earlier cut of it had come: either figure may be the older one, so neither a fall
 * nor a rise follows from the two.
 */
export const isBeside = (sample: SampleFact, cut: SampleFact | undefined): boolean =>
  cut !== undefined && cut.answered.sequence > sample.asked.sequence;
