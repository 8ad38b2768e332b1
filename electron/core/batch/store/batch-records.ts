import type { RowProgress, RowResult } from '../../../../shared/domain/batch.ts';

/** The state of a question. asked: it may have left, and its end is not written down. refused: by a complete answer that says no. */
export type AskState = 'waiting' | 'asked' | 'answered' | 'unknown' | 'refused';

/** One question to the service; rows that need the same share it. */
export interface Ask {
  id: number;
  key: string;
  stage: string;
  /** What is asked: a postcode, words, or an identifier. */
  text: string;
  state: AskState;
  /** The row that asked it last. */
  row: number | null;
  source: 'asked' | 'saved' | null;
  at: string | null;
  callId: string | null;
  /** The last call of the batch itself whose end is written down: `callId` may be the window's, which asked the same. */
  ownCall: string | null;
  /** How often 429 was followed by another try; the last refusal does not count. */
  tries: number;
  /** Credits its calls count for: an answered one costs its price; any other, up to its price. */
  least: number;
  most: number;
  code: string;
  /** The service's own words of a refusal. */
  words: string;
  /** What was read from its answer (JSON). */
  content: string | null;
}

/** The last run of the program that ran the batch, and the newest call in the ledger; null: none. */
export interface LedgerSeen {
  run: string | null;
  call: string | null;
}

/** A row as the batch file stores it. */
export interface FileRow {
  row: number;
  /** Id of the search that finds its premise; null: it needs none. */
  ask: number | null;
  /** The earlier row that says the same. */
  sameAs: number | null;
  /** It may name a flat. */
  flat: boolean;
  given: string;
  /** How it is understood (JSON). */
  understood: string;
  progress: RowProgress;
  result: RowResult;
  reason: string;
  text: string;
  /** JSON: a list of words. */
  notUsed: string;
  source: 'asked' | 'saved' | 'same' | 'earlier-file' | null;
  at: string | null;
  least: number;
  most: number;
  premiseId: string;
  /** JSON: `JudgedCandidate[]`. */
  candidates: string | null;
  /** JSON: `RowFields`. */
  fields: string | null;
  chosenBy: string;
  callId: string | null;
}

/** What ends a row, or changes it; absent members stay. */
export type RowChange = Partial<Omit<FileRow, 'row' | 'ask' | 'sameAs' | 'flat' | 'given' | 'understood'>>;

/** The columns of a question and of a row, under the names of their members. */
export const askColumns = `id, key, stage, text, state, row, source, at, call_id AS callId, own_call AS ownCall, tries,
  least, most, code, words, content`;
export const rowColumns = `row, ask, same_as AS sameAs, flat, given, understood, progress, result, reason, text, not_used AS notUsed, source, at,
  least, most, premise_id AS premiseId, candidates, fields, chosen_by AS chosenBy, call_id AS callId`;
/** The column of each member that a change may have. */
export const columnOf: Readonly<Record<keyof RowChange, string>> = {
  progress: 'progress',
  result: 'result',
  reason: 'reason',
  text: 'text',
  notUsed: 'not_used',
  source: 'source',
  at: 'at',
  least: 'least',
  most: 'most',
  premiseId: 'premise_id',
  candidates: 'candidates',
  fields: 'fields',
  chosenBy: 'chosen_by',
  callId: 'call_id',
};
