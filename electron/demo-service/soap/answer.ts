import type { ReturnCode } from '../../../shared/catalogue/return-codes.ts';

/** The fields of one record; those that are missing are sent empty. */
export type Row = Readonly<Record<string, string>>;

/** The answer of an operation, before it becomes XML. */
export type Answer =
  | { readonly kind: 'records'; readonly rows: readonly Row[]; readonly truncated?: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'integer'; readonly value: number }
  /** Code 0 (no records) is not an error; every other code is. */
  | { readonly kind: 'problem'; readonly code: Exclude<ReturnCode, '1'>; readonly message: string }
  | { readonly kind: 'fault'; readonly message: string };

export const nothingFound: Answer = { kind: 'problem', code: '0', message: 'No records found.' };
export const invalidAccount: Answer = { kind: 'problem', code: '201', message: 'Account details not valid.' };
export const noCredits: Answer = { kind: 'problem', code: '203', message: 'Not enough credits.' };
export const tooVague: Answer = { kind: 'problem', code: '302', message: 'Criteria too vague or noise words only.' };

/** Code 301, naming the part of the request that is badly formed. */
export function badInput(what: string): Answer {
  return { kind: 'problem', code: '301', message: `Input badly formed: ${what}` };
}
