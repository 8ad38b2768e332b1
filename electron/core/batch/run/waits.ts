import type { MoneyClaim } from '../../../../shared/claims/money-claims.ts';
import type { BatchWait } from '../../../../shared/domain/batch.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { isServerError } from '../../calls/call-outcome.ts';

/** This many identical failures in a row, and a person should look. */
export const mostAlike = 5;

const titles: Readonly<Record<Exclude<BatchWait['kind'], 'refused'>, string>> = {
  limit: 'the limit holds it back',
  cap: 'a spending cap holds it back',
  'minimum-balance': 'the minimum balance holds it back',
  'no-price': 'a call has no published price',
  credits: 'the service says that the credits are used up',
  key: 'the key cannot be used',
  'fell-more': 'more left the balance than was counted',
  storage: 'the program could not record what it does',
};

/** Causes that share a kind with others, whose title would not be true of them. */
const titlesOfCodes: Partial<Record<AppError['code'], string>> = {
  'no-connection': 'its connection is gone',
  'not-configured': 'its connection is not set up for the call',
  'policy-forbids': 'a policy of this computer does not allow the call',
};

function titleOf(kind: BatchWait['kind'], { code, charge }: AppError, isAlike: boolean): string {
  if (isAlike) return `${mostAlike} failures alike, one after the other`;
  const own = titlesOfCodes[code];
  if (own !== undefined) return own;
  if (kind !== 'refused') return titles[kind];
  return charge === 'may-have-been-charged' ? 'the service cannot be used as it is' : 'no call could be made';
}

/** What the service itself said in a complete answer that says no; empty: nothing, or what is known may not be its words. */
export function serviceWords(error: AppError): string {
  const isQuoted = wordsOfService.has(error.code) && !isServerError(error);
  return isQuoted ? (error.detail ?? '').replace(/^(The answer names )?HTTP \d{3}(: |\.?$)/, '') : '';
}

const wordsOfService: ReadonlySet<AppError['code']> = new Set<AppError['code']>([
  'credentials-refused',
  'not-permitted',
  'no-credits',
  'rate-limited',
  'input-refused',
  'service-error',
  'http-error',
  'soap-fault',
]);

/** Why a batch waits for a person: a failed call, or the last of several alike. */
export const waitAfterError = (
  kind: BatchWait['kind'],
  code: string,
  row: number,
  error: AppError,
  claims: MoneyClaim[],
  isAlike = false,
): BatchWait => ({
  kind,
  row,
  title: `Stopped at row ${row}: ${titleOf(kind, error, isAlike)}`,
  what: isServerError(error) ? `${error.message} ${error.detail}` : error.message,
  claims,
  serviceText: error.charge === 'may-have-been-charged' ? serviceWords(error) : '',
  does: `Waiting for you: ${
    error.code === 'credentials-refused'
      ? 'replace the key or choose another, then resume.'
      : error.next.replace(/^./, (letter) => letter.toLowerCase())
  } Answered rows are not asked again.`,
  code,
  callId: error.callId ?? null,
});

/** The balance did what the calls do not account for. */
export const waitAfterFall = (row: number | null, claims: MoneyClaim[], freeCalls: number): BatchWait => ({
  kind: 'fell-more',
  row,
  title: `Stopped: ${titles['fell-more']}`,
  what: '',
  claims,
  serviceText: '',
  does: `Waiting for you: look at the balance, then resume.${
    freeCalls === 0
      ? ''
      : ` ${freeCalls === 1 ? '1 search' : `${freeCalls} searches`} of this run ${freeCalls === 1 ? 'is' : 'are'} free by published prices, so the limit does not count ${freeCalls === 1 ? 'it' : 'them'}.`
  } Answered rows are not asked again.`,
  code: 'fell-more',
  callId: null,
});

/** Where a list and the answers about its numbers do not agree, further ones would be paid for and not used. */
export const waitAfterStrangers = (row: number): BatchWait => ({
  kind: 'refused',
  row,
  title: `Stopped at row ${row}: ${mostAlike} answers about another postcode, one after the other`,
  what: 'Each was about the number of a premise as the list has it, and named another postcode than the list. Nothing from them is in the rows.',
  claims: [],
  serviceText: '',
  does: 'Waiting for you: open one of these premises in Lookup over REST and over SOAP, which may number premises differently, then resume. Answered rows are not asked again.',
  code: 'other-postcode',
  callId: null,
});

/** It does not go on by itself: what was under way is marked unknown once a person resumes it. */
export const waitForOlderLedger: BatchWait = {
  kind: 'storage',
  row: null,
  title: 'Stopped: an older copy of the database took its place',
  what: 'Calls of this batch may be missing in the ledger. What was under way when the program ended will count as unknown, and is not asked again unless you choose so.',
  claims: [],
  serviceText: '',
  does: 'Waiting for you: look at its rows, then resume. Answered rows are not asked again.',
  code: 'older-database',
  callId: null,
};

/** The disk is full, or the file of the rows cannot be written: what cannot be written down is not sent. */
export const waitForStorage = (cause: unknown): BatchWait => ({
  kind: 'storage',
  row: null,
  title: 'Stopped: the rows could not be saved',
  what: cause instanceof Error ? `This computer said: “${cause.message}”.` : '',
  claims: [],
  serviceText: '',
  does: 'Waiting for you: free some room on the disk, then resume. Answered rows are not asked again.',
  code: 'storage-failed',
  callId: null,
});
