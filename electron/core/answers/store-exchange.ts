import type { Protocol } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import type { CallResult } from '../calls/caller.ts';
import type { RestAnswer } from '../rest/rest-answer.ts';
import type { SoapAnswer } from '../soap/client.ts';
import { maskGuids } from '../transport/redact/service-text.ts';
import { boundContent } from './bound-content.ts';
import type { AnswerContent, StoredAnswer } from './stored-answer.ts';

/** A REST answer as it is cached. */
export function storeRest(done: CallResult<RestAnswer>, content: AnswerContent): StoredAnswer {
  const { value, call } = done;
  return {
    ...exchange(done, 'rest'),
    operation: call.operation,
    shape: value.shape,
    content: boundContent(content),
    request: value.request,
    raw: value.raw,
    timings: value.timings,
    ...doubtOf(value.doubt),
  };
}

/** A SOAP answer as it is cached. */
export function storeSoap(
  done: CallResult<SoapAnswer<unknown>>,
  operation: string,
  content: AnswerContent,
): StoredAnswer {
  const { value } = done;
  return {
    ...exchange(done, 'soap'),
    operation,
    shape: null,
    content: boundContent(content),
    request: value.request,
    raw: value.raw,
    timings: value.timings,
    ...(value.found === 'something' && value.returnCode !== undefined && value.returnCode !== '1'
      ? { returnCode: maskGuids(value.returnCode).slice(0, 80) }
      : {}),
    // That older services send no IsError says nothing of one answer.
    ...doubtOf(
      value.errorMessage !== undefined && value.found === 'something'
        ? `its ErrorMessage is “${value.errorMessage}”`
        : value.truncated
          ? 'its IsTruncated is set'
          : undefined,
    ),
  };
}

/** Characters of it that are shown. */
const longestDoubt = 300;
const doubtOf = (doubt: string | undefined): Pick<StoredAnswer, 'doubt'> =>
  doubt === undefined ? {} : { doubt: maskGuids(doubt).slice(0, longestDoubt) };

const exchange = ({ call, paidBy, keyLastFour }: CallResult<unknown>, protocol: Protocol) => ({
  interface: protocol,
  at: call.at,
  durationMs: call.durationMs,
  callId: call.id,
  paidBy,
  keyLastFour,
  expectedCredits: call.expectedCredits,
});

export const unexpectedAnswer = (callId: string) =>
  appError('unreadable-answer', {
    message: 'The service answered with something other than what was asked for.',
    callId,
  });
