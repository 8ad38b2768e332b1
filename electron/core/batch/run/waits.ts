import type { MoneyClaim } from '../../../../shared/claims/money-claims.ts';
import type { BatchWait } from '../../../../shared/domain/batch.ts';
import type { AppError } from '../../../../shared/errors.ts';

/** This many identical failures in a row, and a person should look. */
export const mostAlike = 5;

const titles: Readonly<Record<BatchWait['kind'], string>> = {
  limit: 'the limit is reached',
  cap: 'a spending cap holds it back',
  'minimum-balance': 'the minimum balance is reached',
  'no-price': 'a call has no published price',
  credits: 'the service says that the credits are used up',
  key: 'the key cannot be used',
  refused: `${mostAlike} failures alike, one after the other`,
  'fell-more': 'the balance fell by more than was counted',
  storage: 'the program could not record what it does',
};

/** Why a batch waits for a person: a failed call. */
export const waitAfterError = (
  kind: BatchWait['kind'],
  code: string,
  row: number,
  error: AppError,
  claims: MoneyClaim[],
): BatchWait => ({
  kind,
  row,
  title: `Stopped at row ${row}: ${titles[kind]}`,
  claims,
  serviceText: error.charge === 'not-charged' ? error.message : (error.detail ?? error.message),
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
  claims,
  serviceText: '',
  does: `Waiting for you: look at the balance, then resume.${
    freeCalls === 0
      ? ''
      : ` ${freeCalls === 1 ? '1 search' : `${freeCalls} searches`} of this run ${freeCalls === 1 ? 'is' : 'are'} free by published prices, so the limit counts none of ${freeCalls === 1 ? 'it' : 'them'}.`
  } Answered rows are not asked again.`,
  code: 'fell-more',
  callId: null,
});

/** The disk is full, or the file of the rows cannot be written: what cannot be written down is not sent. */
export const waitForStorage = (cause: unknown): BatchWait => ({
  kind: 'storage',
  row: null,
  title: 'Stopped: the rows could not be saved',
  claims: [],
  serviceText: cause instanceof Error ? cause.message : '',
  does: 'Waiting for you: free some room on the disk, then resume. Answered rows are not asked again.',
  code: 'storage-failed',
  callId: null,
});
