import type { GivenAddress, MatchReason, MatchResult } from '../../../../shared/domain/table.ts';

/** A premise of an answer, as it may be the one that a row gives. */
export interface MatchCandidate {
  premiseId: string;
  /** The whole address on one line, as the service wrote it, parts parted by commas. */
  line: string;
  /** Whether the line names the flat where there is one: a SOAP list and an address do, a REST search does not. */
  namesFlats: boolean;
}

export interface JudgedCandidate {
  candidate: MatchCandidate;
  /** Given words that this candidate does not have, as given. */
  notUsed: string[];
  /** Words of the candidate that were not given, as the service wrote them. */
  notGiven: string[];
}

export interface MatchOutcome {
  result: MatchResult;
  reason: MatchReason;
  /** Of the one candidate of `exact` and `differs`; else empty. */
  notUsed: string[];
  /** Those that fit, best first: one of `exact` and `differs`, more of `several`, none of the others. */
  fitting: JudgedCandidate[];
}

/** Which of the premises of an answer a row gives, by rules and no likeness score. Pure. */
export function matchAddress(_given: GivenAddress, candidates: readonly MatchCandidate[]): MatchOutcome {
  if (candidates.length === 0) return { result: 'none', reason: 'none', notUsed: [], fitting: [] };
  return { result: 'premise-not-found', reason: 'not-found-premise', notUsed: [], fitting: [] };
}
