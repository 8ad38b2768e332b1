import { findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import type { Exchange } from '../../../shared/domain/call.ts';
import type { Connection, SecretRole } from '../../../shared/domain/connection.ts';
import { type AppError, appError, failsBeforeSending } from '../../../shared/errors.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { soapRoleOf } from '../connections/profile.ts';
import type { Decoder } from '../decode/decoder.ts';
import { callRest } from '../rest/client.ts';
import type { RestFields } from '../rest/parameters.ts';
import type { RestAnswer } from '../rest/rest-answer.ts';
import { foundNothing } from '../rest/transform.ts';
import { callSoap, type SoapAnswer, type SoapValue } from '../soap/client.ts';
import type { KeepAnswer } from '../soap/message/answer.ts';
import type { FieldValues } from '../soap/message/envelope.ts';
import type { Transport } from '../transport/transport.ts';
import type { ApiCall, CallContext, Caller, CallResult } from './caller.ts';
import type { Descriptions } from './descriptions.ts';

export interface ClientParts {
  caller: Caller;
  descriptions: Descriptions;
  transport: Transport;
  decoder: Decoder;
  timeoutMs(): number;
  /** Receives what went over the wire for each logged call, including failed ones. */
  onExchange?(callId: string, exchange: Exchange): void;
}

export type Clients = ReturnType<typeof createClients>;

interface ClientRequest {
  connection: Connection;
  operation: string;
  subject: string;
  /** Receives the exchange, also of a failed call, so that it can be shown. */
  observe?: (exchange: Exchange) => void;
  /** The name under which a long answer stays with the decoder, to be read page by page. `whole`: all of it is wanted here as well. */
  keep?: KeepAnswer | undefined;
}

/** The secrets an operation takes, and no others; one known only from the description may take any. */
function rolesOf(operation: string): SecretRole[] {
  const found = findSoapOperation(operation);
  if (!found) return ['licence-id', 'account-guid', 'licence-key', 'web-map-key'];
  return found.operation.fields.flatMap(({ credential }) => soapRoleOf(credential) ?? []);
}

/** Why a call is not sent whose namespace only the description names. What a server answered for the description is no answer to the call. */
function withoutNamespace({ code, message, next, detail }: AppError): AppError {
  const isUnanswered = failsBeforeSending.has(code) || code.startsWith('client-certificate-');
  return appError(isUnanswered ? code : 'not-configured', {
    message: `The connection has no SOAP namespace, and the service’s description could not be read: ${message}`,
    money: 'The call itself was not sent.',
    next: isUnanswered ? next : 'Try again later, or enter the namespace under Connections.',
    charge: 'not-charged',
    detail,
  });
}

/**
 * Both protocol clients behind the caller, so that every call is priced, capped, logged and entered in the ledger. Errors: those of the
 * caller, and of `callRest` and `callSoap`.
 */
export function createClients({ caller, descriptions, transport, decoder, timeoutMs, onExchange }: ClientParts) {
  /** Reports a call's exchange to whoever asked for it and, under the call's number, to `onExchange`. */
  const report = (request: ClientRequest, callId: string) => (exchange: Exchange) => {
    request.observe?.(exchange);
    onExchange?.(callId, exchange);
  };

  const limitOf = ({ limitMs = Number.POSITIVE_INFINITY }: CallContext): number => Math.min(timeoutMs(), limitMs);

  function rest(
    request: ClientRequest & { fields: RestFields; keyLabel?: string | undefined },
    context: CallContext = {},
  ): Promise<Result<CallResult<RestAnswer>>> {
    const limitMs = limitOf(context);
    const readsBalance = request.operation === 'GetCredits';
    const apiCall: ApiCall<RestAnswer> = {
      ...request,
      interface: 'rest',
      roles: readsBalance ? ['lookup-key', 'master-key'] : ['lookup-key'],
      timeoutMs: limitMs,
      send: (profile, signal, callId) =>
        callRest({
          profile,
          endpoint: request.operation,
          fields: request.fields,
          transport,
          decoder,
          keep: request.keep?.key,
          timeoutMs: limitMs,
          signal,
          observe: report(request, callId),
        }),
      foundNothing: ({ search }) => search !== undefined && foundNothing(search),
    };
    return caller.execute(apiCall, context);
  }

  function soap<N extends string>(
    request: ClientRequest & { operation: N; fields: FieldValues; revealGuidOf?: string },
    context: CallContext = {},
  ): Promise<Result<CallResult<SoapAnswer<SoapValue<N>>>>> {
    const limitMs = limitOf(context);
    const apiCall: ApiCall<SoapAnswer<SoapValue<N>>> = {
      ...request,
      interface: 'soap',
      roles: rolesOf(request.operation),
      timeoutMs: limitMs,
      send: async (profile, signal, callId) => {
        const description = await descriptions.forCalls(profile.connection, signal);
        if (!description.ok) return fail(signal?.aborted ? appError('cancelled') : withoutNamespace(description.error));
        return callSoap<N>({
          profile,
          operation: request.operation,
          fields: request.fields,
          revealGuidOf: request.revealGuidOf,
          description: description.value,
          transport,
          decoder,
          keep: request.keep,
          timeoutMs: limitMs,
          signal,
          observe: report(request, callId),
        });
      },
      foundNothing: (answer) => answer.found === 'nothing',
    };
    return caller.execute(apiCall, context);
  }

  return { rest, soap };
}
