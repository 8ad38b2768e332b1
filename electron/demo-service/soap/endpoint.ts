import type { Account } from '../account/account.ts';
import type { DemoContext } from '../context.ts';
import type { Meter } from '../meter.ts';
import { soapPrice } from '../prices.ts';
import { type Answer, noCredits } from './answer.ts';
import { authorise, isAnswer, type Payer } from './authorise.ts';
import { encodeResult } from './encode-result.ts';
import {
  contentTypes,
  readEnvelope,
  readFields,
  SoapFault,
  type SoapVersion,
  writeFault,
  writeResponse,
} from './envelope.ts';
import type { Fields } from './handler.ts';
import { handlers } from './handlers.ts';
import { actionOf, listServedOperations, type ServedOperation } from './served-operations.ts';

export interface SoapRequest {
  readonly contentType: string;
  /** The SOAPAction header exactly as it was sent, or undefined. */
  readonly soapAction: string | undefined;
  readonly body: Uint8Array;
}

export interface SoapReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Answers one SOAP request of either version. A problem with it becomes a soap:Fault with status 500, another media type a 415. */
export function answerSoap(request: SoapRequest, context: DemoContext, meter: Meter): SoapReply {
  const version = versionOf(request.contentType);
  if (!version)
    return {
      status: 415,
      contentType: 'text/plain; charset=utf-8',
      body: 'Unsupported media type: send text/xml or application/soap+xml.',
    };
  let name = '';
  try {
    const { settings } = context;
    const element = readEnvelope(decodeBody(request), version);
    const operation = listServedOperations(settings).find((served) => served.name === element.name);
    name = operation?.name ?? '';
    checkAction(request, version, element.name, context);
    if (!operation || element.namespace !== settings.namespace)
      throw new SoapFault('Client', `Server did not recognize the request element ${element.name}.`);
    const fields = readFields(element, operation, settings.namespace, settings.fieldOrder === 'strict');
    const { content, fault } = runOperation(operation, fields, context, meter, version);
    if (fault !== undefined) return reply(500, writeFault('Server', fault, version), version);
    return reply(200, writeResponse(operation.name, content, settings.namespace, version), version);
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error;
    meter.record({ name: name || 'unrecognised', payer: '', outcome: 'refused', credits: 0, version });
    return reply(500, writeFault(error.code, error.message, version), version);
  }
}

/**
 * Runs an operation with its fields: finds the payer, answers, charges and counts. The HTTP bindings use it as well. `content`: of the
 * result element; '' beside a `fault`, which is its message.
 */
export function runOperation(
  operation: ServedOperation,
  fields: Fields,
  context: DemoContext,
  meter: Meter,
  version: string,
): { content: string; fault?: string } {
  const payer = authorise(operation.base, fields, context);
  const { answer, credits } = isAnswer(payer)
    ? { answer: payer, credits: 0 }
    : answerAndCharge(operation, fields, payer, context);
  const refused = answer.kind === 'fault' || (answer.kind === 'problem' && answer.code !== '0');
  meter.record({
    name: operation.name,
    payer: isAnswer(payer) ? '' : labelOf(payer),
    outcome: refused ? 'refused' : 'answered',
    credits,
    version,
  });
  const content = encodeResult(answer, operation, context.settings);
  if (content !== undefined) return { content };
  return { content: '', fault: answer.kind === 'fault' ? answer.message : 'Internal error.' };
}

function labelOf(payer: Payer): string {
  if (payer.licence) return `licence ${payer.licence.number}`;
  return payer.key ? payer.key.label : '';
}

function answerAndCharge(
  operation: ServedOperation,
  fields: Fields,
  payer: Payer,
  context: DemoContext,
): { answer: Answer; credits: number } {
  const answer = handlers[operation.base](fields, context);
  const nothing = answer.kind === 'problem' && answer.code === '0';
  const failed = answer.kind === 'fault' || (answer.kind === 'problem' && !nothing);
  const hasPayer = payer.licence !== undefined || payer.key !== undefined;
  const isCharged = hasPayer && !failed && !(nothing && context.settings.chargeNothing === 'no');
  const credits = isCharged ? soapPrice(operation.base, context.settings) : 0;
  if (charge(context.account, payer, credits)) return { answer, credits };
  return {
    answer: operation.result === 'guide-addresses' ? { kind: 'fault', message: 'Not enough credits.' } : noCredits,
    credits: 0,
  };
}

function charge(account: Account, payer: Payer, credits: number): boolean {
  if (payer.licence) return account.chargeLicence(payer.licence, credits);
  return payer.key ? account.chargeKey(payer.key, credits) : true;
}

function reply(status: number, body: string, version: SoapVersion): SoapReply {
  return { status, body, contentType: contentTypes[version] };
}

function versionOf(contentType: string): SoapVersion | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'text/xml') return '1.1';
  return type === 'application/soap+xml' ? '1.2' : undefined;
}

const parameterOf = (contentType: string, name: string): string | undefined => {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]*))`, 'i').exec(contentType);
  return found?.[1] ?? found?.[2];
};

function decodeBody(request: SoapRequest): string {
  const charset = parameterOf(request.contentType, 'charset') ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(request.body);
  } catch {
    throw new SoapFault('Client', `Server was unable to read request. ---> The body is not ${charset}.`);
  }
}

function checkAction(request: SoapRequest, version: SoapVersion, element: string, { settings }: DemoContext): void {
  const sent =
    version === '1.1' ? request.soapAction?.trim().replace(/^"|"$/g, '') : parameterOf(request.contentType, 'action');
  const missing = sent === undefined || sent === '';
  if (missing && (version === '1.2' || settings.action === 'lenient')) return;
  if (missing)
    throw new SoapFault(
      'Client',
      'Unable to handle request without a valid action parameter. Please supply a valid soap action.',
    );
  if (sent !== actionOf(settings.namespace, element))
    throw new SoapFault('Client', `Server did not recognize the value of HTTP Header SOAPAction: ${sent}.`);
}
