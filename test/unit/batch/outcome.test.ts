import { describe, expect, test } from 'vitest';
import { readFailure } from '../../../electron/core/batch/run/outcome.ts';
import { endOf } from '../../../electron/core/calls/call-outcome.ts';
import { readAnswer } from '../../../electron/core/rest/read-answer.ts';
import { decodeAnswer } from '../../../electron/core/soap/message/answer.ts';
import { type AppError, appError } from '../../../shared/errors.ts';

test.each(['client-certificate-needed', 'client-certificate-refused'] as const)(
  '%s at the handshake costs nothing; after the request it may have cost',
  (code) => {
    expect(readFailure(appError(code, { charge: 'not-charged' }))).toEqual({ is: 'unsent', kind: 'refused', code });
    expect(readFailure(appError(code, { charge: 'may-have-been-charged' }))).toEqual({
      is: 'person',
      kind: 'refused',
      code,
    });
  },
);

const envelope = (body: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
const fault = (words: string) => envelope(`<s:Fault><faultstring>${words}</faultstring></s:Fault>`);
const refusal = (content: string) =>
  envelope(
    `<SearchPremise_ByPostcodeResponse xmlns="http://x/"><SearchPremise_ByPostcodeResult>${content}</SearchPremise_ByPostcodeResult></SearchPremise_ByPostcodeResponse>`,
  );

function errorOfSoap(body: string, status = 200): AppError {
  const { result } = decodeAnswer({
    body: Buffer.from(body),
    status,
    contentType: 'text/xml; charset=utf-8',
    operation: 'SearchPremise_ByPostcode',
    namespace: 'http://x/',
    result: 'ListAddressPremises',
    secrets: [],
  });
  return result.ok ? appError('internal') : result.error;
}

function errorOfRest(body: object, status = 200): AppError {
  const { result } = readAnswer({
    body: Buffer.from(JSON.stringify(body)),
    status,
    headers: { 'content-type': 'application/json' },
    endpoint: 'GetPremise',
    secrets: [],
    bounded: true,
  });
  return result.ok ? appError('internal') : result.error;
}

describe('the status and the code of a refusal are those of the answer, not those that its words name', () => {
  test.each([
    ['a fault', errorOfSoap(fault('Premise index answered HTTP 404'), 500), 'soap-fault', 'refused-soap-fault'],
    ['a fault that begins so', errorOfSoap(fault('HTTP 404: no page'), 500), 'soap-fault', 'refused-soap-fault'],
    ['a code in a fault', errorOfSoap(fault('Return_Code 404: x'), 500), 'soap-fault', 'refused-soap-fault'],
    [
      'an error message',
      errorOfSoap(refusal('<List/><IsError>true</IsError><ErrorMessage>HTTP 401 of Return_Code 9 no</ErrorMessage>')),
      'service-error',
      'refused-service-error',
    ],
    [
      'a code of its own',
      errorOfSoap(
        refusal(
          '<List><ListAddressPremise><Return_Code>77</Return_Code></ListAddressPremise></List><IsError>true</IsError><ErrorMessage>Return_Code 9</ErrorMessage>',
        ),
      ),
      'service-error',
      'refused-77',
    ],
    [
      'a published code',
      errorOfSoap(
        refusal(
          '<List><ListAddressPremise><Return_Code>301</Return_Code></ListAddressPremise></List><IsError>true</IsError><ErrorMessage>HTTP 500</ErrorMessage>',
        ),
      ),
      'input-refused',
      'refused-301',
    ],
    ['a message', errorOfRest({ success: false, message: 'HTTP 404.' }), 'service-error', 'refused-service-error'],
    ['a status in the body', errorOfRest({ status: 400, message: 'HTTP 500' }), '400', 'refused-400'],
    ['a status line', errorOfRest({ message: 'Backend: HTTP 500' }, 422), '422', 'refused-422'],
  ])('%s', (_, error, code, batchCode) => {
    expect(endOf(error)).toEqual({ how: 'refused', code });
    expect(readFailure(error)).toEqual({ is: 'refused', code: batchCode });
  });
});
