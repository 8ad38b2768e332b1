import type { BatchWait } from '../../../../shared/domain/batch.ts';
import { type AppError, failsBeforeSending } from '../../../../shared/errors.ts';
import { isServerError, statusIn } from '../../calls/call-outcome.ts';
import type { BatchRefusal } from '../../spend/caps.ts';

/** What a failed question means for a batch. */
export type Failure =
  /** A complete answer: there is no such record. `status` (404, 410): or the server has no such page. */
  | { is: 'nothing'; status?: string }
  /** It may have left, and no complete answer came: never asked again automatically. */
  | { is: 'unknown'; code: string }
  /** A complete answer that says no; the batch goes on with other rows. */
  | { is: 'refused'; code: string }
  /** 429: it may be asked again, after so long (ms). */
  | { is: 'again'; afterMs: number | undefined }
  /** The service refused the key or the account: nothing more is sent until a person has seen it. */
  | { is: 'person'; kind: BatchWait['kind']; code: string }
  /** Nothing left this computer. `kind` null: the network or the program; it resumes by itself. */
  | { is: 'unsent'; kind: BatchWait['kind'] | null; code: string };

const unsentForPerson: Partial<Record<AppError['code'], BatchWait['kind']>> = {
  'no-credential': 'key',
  'wrong-key-role': 'key',
  'keychain-locked': 'key',
  'keychain-absent': 'key',
  'keychain-unreadable': 'key',
  'no-connection': 'key',
  'not-configured': 'key',
  'insecure-address': 'refused',
  'wrong-origin': 'refused',
  'certificate-not-trusted': 'refused',
  'client-certificate-unusable': 'refused',
  // At the handshake; with TLS 1.3 the server may say it after the request.
  'client-certificate-needed': 'refused',
  'client-certificate-refused': 'refused',
  'policy-forbids': 'cap',
  'looks-like-key': 'refused',
  'storage-failed': 'storage',
  'part-missing': 'refused',
};

const ofTerms: Readonly<Record<BatchRefusal, BatchWait['kind']>> = {
  'batch.limit': 'limit',
  'batch.minimumBalance': 'minimum-balance',
  'batch.price': 'no-price',
};

/** No complete answer that is certainly the call's own. A published price of 0 changes nothing about that. */
const lost: ReadonlySet<AppError['code']> = new Set<AppError['code']>([
  'sent-no-answer',
  'cancelled-after-sending',
  'unreadable-answer',
  'answered-other',
  'unsafe-answer',
  'answer-too-large',
  'not-the-service',
]);

/** HTTP status or return code of a refusal, as result files have it; otherwise the code of the closed list. */
function codeOf(error: AppError): string {
  const { code, detail = '' } = error;
  const status = statusIn(error);
  if (status !== undefined) return `refused-${status}`;
  // Where the decoder puts it (soap/message/outcome.ts): before the words, or behind them where its meaning is not published.
  const ofAnswer = /^Return_Code (\d{1,3}):|\(Return_Code (\d{1,4})\)$/.exec(code === 'soap-fault' ? '' : detail);
  const returnCode = ofAnswer?.[1] ?? ofAnswer?.[2];
  if (returnCode !== undefined) return `refused-${returnCode}`;
  const usual: Partial<Record<AppError['code'], string>> = {
    'credentials-refused': 'refused-401',
    'no-credits': 'refused-402',
    'not-permitted': 'refused-403',
    'rate-limited': 'refused-429',
  };
  return usual[code] ?? `refused-${code}`;
}

/** Reads an error of a call. Pure. */
export function readFailure(error: AppError): Failure {
  const { code } = error;
  if (lost.has(code)) return { is: 'unknown', code };
  if (isServerError(error)) return { is: 'unknown', code: `http-${statusIn(error)}` };
  if (code === 'cap-reached')
    return { is: 'unsent', kind: ofTerms[error.field as BatchRefusal] ?? 'cap', code: 'limit' };
  const forPerson = unsentForPerson[code];
  if (forPerson !== undefined && error.charge !== 'may-have-been-charged')
    return { is: 'unsent', kind: forPerson, code };
  if (failsBeforeSending.has(code)) return { is: 'unsent', kind: null, code };
  switch (code) {
    case 'not-found': {
      const status = statusIn(error);
      return { is: 'nothing', ...(status === undefined ? {} : { status }) };
    }
    case 'rate-limited':
      return { is: 'again', afterMs: error.retryAfterMs };
    case 'no-credits':
      return { is: 'person', kind: 'credits', code: codeOf(error) };
    case 'credentials-refused':
    case 'not-permitted':
      return { is: 'person', kind: 'key', code: codeOf(error) };
    case 'client-certificate-needed':
    case 'client-certificate-refused':
      return { is: 'person', kind: 'refused', code };
    case 'service-error':
    case 'http-error':
    case 'soap-fault':
    case 'input-refused':
    case 'redirect-refused':
      return { is: 'refused', code: codeOf(error) };
    case 'demo-failed':
    case 'internal':
      return error.charge === 'may-have-been-charged'
        ? { is: 'unknown', code }
        : { is: 'unsent', kind: 'refused', code };
    default:
      // Whatever else there is may have left.
      return error.charge === 'not-charged' ? { is: 'unsent', kind: 'refused', code } : { is: 'unknown', code };
  }
}
