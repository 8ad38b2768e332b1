import { z } from 'zod';
import type { Address } from '../../../shared/domain/address/address.ts';
import type { RawAnswer, RedactedRequest, Timings } from '../../../shared/domain/call.ts';
import { type Protocol, protocols } from '../../../shared/domain/connection.ts';
import type { DistanceRow, SearchOf } from '../../../shared/domain/lookup/lookup.ts';

/** One row of a search answer, as either interface gave it. */
export interface FoundPremise {
  premiseId: string;
  /** The service's one combined line, as it came. */
  line: string;
  kind: 'premise' | 'group' | 'street';
  /** The beginning of the line that the published fields show to be an organisation; absent: not distinguished. */
  organisation?: string;
}

export type AnswerContent =
  | {
      kind: 'search';
      results: FoundPremise[];
      /** How many there are by the answer, with rows that were left out; null: it does not say, or none was left out. */
      total: number | null;
      /** The most that were asked for; null: no number was sent. */
      maxResults: number | null;
      text: string;
      /** Rows left out because of their identifier (`boundContent`); absent: none, or an answer of an earlier version. */
      leftOut?: number;
      /** Absent: the premises found by the text, as in every answer of earlier versions. */
      of?: SearchOf;
    }
  | { kind: 'premise'; address: Address }
  | { kind: 'distances'; from: string; rows: DistanceRow[] }
  /** Of the operations explorer: the first of its values by path (`mostFields`); the raw text has all of it. */
  | { kind: 'operation'; title: string; fields: { path: string; value: string }[]; empty?: true };

/** Enough to compare two answers of the operations explorer. */
export const mostFields = 500;

/** What is cached of an answer: its content, the exchange with secrets masked, and what it cost. */
export interface StoredAnswer {
  interface: Protocol;
  operation: string;
  /** A or B of REST answers, query or phrase of REST searches, null for SOAP. */
  shape: string | null;
  /** When its call began, ISO 8601 UTC. */
  at: string;
  durationMs: number;
  callId: string;
  paidBy: string;
  keyLastFour: string;
  /** Published price; null: none. */
  expectedCredits: number | null;
  content: AnswerContent;
  request: RedactedRequest;
  raw: RawAnswer;
  /** Absent in answers cached by an earlier version. */
  timings?: Timings;
  /** Return_Code of a SOAP answer that holds something under another code than that of success; else absent. */
  returnCode?: string;
  /** Why what it does not name may be there all the same; absent: nothing beside its records says so, or an earlier version stored it. */
  doubt?: string;
}

/** An answer without its bulk. */
export type AnswerHead = Omit<StoredAnswer, 'content' | 'raw'> & { raw: Omit<RawAnswer, 'text'> };
/** An answer as it is read, without its raw text. */
export type ReadAnswer = AnswerHead & Pick<StoredAnswer, 'content'>;

/** Whether the service answered that there is nothing: such an answer may be wrong tomorrow, so it is kept for a day at most. */
export function isEmptyAnswer({ content }: Pick<StoredAnswer, 'content'>): boolean {
  if (content.kind === 'search') return content.results.length === 0;
  return content.kind === 'operation' && content.empty === true;
}

// The database may hold what an older version wrote: the form is checked far enough that nothing downstream breaks on it.
const contentSchema = z.looseObject({ kind: z.enum(['search', 'premise', 'distances', 'operation']) });
const headSchema = z.looseObject({
  interface: z.enum(protocols),
  operation: z.string(),
  at: z.string(),
  callId: z.string(),
  request: z.looseObject({ url: z.string() }),
  raw: z.looseObject({ text: z.string() }),
});
const storedSchema = headSchema.extend({ content: contentSchema });

/** A cached value read back, or undefined if it is not in the current form. */
export function readStoredAnswer(value: unknown): StoredAnswer | undefined {
  if (!storedSchema.safeParse(value).success) return undefined;
  const answer = value as StoredAnswer;
  return { ...answer, content: withDistrict(answer.content) };
}

/** Earlier versions took shape A's district for a dependent locality, which that shape does not have. */
function withDistrict(content: AnswerContent): AnswerContent {
  if (content.kind !== 'premise' || content.address.origin.shape !== 'A') return content;
  const { dependentLocality: district, ...fields } = content.address.fields;
  const emptyFields = content.address.emptyFields.map((name) => (name === 'dependentLocality' ? 'district' : name));
  return {
    ...content,
    address: { ...content.address, fields: { ...(district && { district }), ...fields }, emptyFields },
  };
}

/** What remains of a long answer as its value: the raw text and, behind it, the content are stored apart. */
export interface LongAnswer extends Omit<StoredAnswer, 'content'> {
  content: null;
  /** Characters of the raw text. */
  rawLength: number;
  empty?: true;
}

/** The same for what remains of a long answer. */
export function readLongAnswer(value: unknown): LongAnswer | undefined {
  return headSchema.extend({ rawLength: z.number() }).safeParse(value).success ? (value as LongAnswer) : undefined;
}

/** Content that was read back, or undefined if it is not valid. */
export function readContent(value: unknown): AnswerContent | undefined {
  return contentSchema.safeParse(value).success ? withDistrict(value as AnswerContent) : undefined;
}
