import type { ServedOperation } from './served-operations.ts';
import { attributeOf, childOf, readXml, type XmlElement, XmlRefused } from './xml-read.ts';
import { escapeXml } from './xml-write.ts';

export type SoapVersion = '1.1' | '1.2';

const envelopeNamespaces: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
};

export const contentTypes: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'text/xml; charset=utf-8',
  '1.2': 'application/soap+xml; charset=utf-8',
};

export type FaultCode = 'Client' | 'Server' | 'VersionMismatch' | 'MustUnderstand';

/** The request cannot be served; it is answered with a soap:Fault. */
export class SoapFault extends Error {
  readonly code: FaultCode;
  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The element inside the body. Throws `SoapFault` unless the source is one well-formed envelope of that version. */
export function readEnvelope(source: string, version: SoapVersion): XmlElement {
  let root: XmlElement;
  try {
    root = readXml(source);
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    throw new SoapFault(
      'Client',
      `Server was unable to read request. ---> There is an error in XML document. ---> ${error.message}`,
    );
  }
  const namespace = envelopeNamespaces[version];
  if (root.name !== 'Envelope')
    throw new SoapFault('Client', 'Server was unable to read request. ---> No SOAP envelope.');
  if (root.namespace !== namespace)
    throw new SoapFault(
      'VersionMismatch',
      'Possible SOAP version mismatch: the envelope namespace is not the expected one.',
    );
  const understood = childOf(root, namespace, 'Header')?.children.find((header) =>
    ['1', 'true'].includes(attributeOf(header, namespace, 'mustUnderstand') ?? ''),
  );
  if (understood) throw new SoapFault('MustUnderstand', `SOAP header ${understood.name} was not understood.`);
  const body = childOf(root, namespace, 'Body');
  const [request] = body?.children ?? [];
  if (!request) throw new SoapFault('Client', 'Server was unable to read request. ---> The SOAP body is empty.');
  return request;
}

/**
 * The fields of a request as text; missing and nil ones are ''. Elements of other namespaces and unknown elements are
 * ignored, as ASP.NET does. Throws `SoapFault` for an int that is missing or not one, for a field that holds elements and, with
 * `strictOrder`, for fields that are unknown or not in order.
 */
export function readFields(
  request: XmlElement,
  operation: ServedOperation,
  namespace: string,
  strictOrder: boolean,
): Record<string, string> {
  const given = request.children.filter((child) => child.namespace === namespace);
  if (strictOrder) checkOrder(given, operation);
  const fields: Record<string, string> = {};
  for (const { name, type } of operation.fields) {
    const sent = given.find((child) => child.name === name);
    if (sent && sent.children.length > 0)
      throw new SoapFault('Client', `Server was unable to read request. ---> ${name} holds elements, not text.`);
    const text = sent?.text ?? '';
    if (type === 'integer') requireInt(text.trim(), name);
    fields[name] = type === 'integer' ? text.trim() : text;
  }
  return fields;
}

function checkOrder(given: readonly XmlElement[], operation: ServedOperation): void {
  const order = operation.fields.map(({ name }) => name);
  const places = given.map(({ name }) => order.indexOf(name));
  if (places.some((place, index) => place < 0 || place <= (places[index - 1] ?? -1)))
    throw new SoapFault(
      'Client',
      `Server was unable to read request. ---> The fields are not ${order.join(', ')} in that order.`,
    );
}

function requireInt(text: string, name: string): void {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < -2_147_483_648 || value > 2_147_483_647)
    throw new SoapFault(
      'Client',
      `Server was unable to read request. ---> There is an error in XML document. ---> ${name} is not an int: Input string was not in a correct format.`,
    );
}

const wrap = (body: string, version: SoapVersion): string => {
  const prefix = version === '1.1' ? 'soap' : 'soap12';
  return (
    `<?xml version="1.0" encoding="utf-8"?><${prefix}:Envelope xmlns:${prefix}="${envelopeNamespaces[version]}" ` +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">' +
    `<${prefix}:Body>${body}</${prefix}:Body></${prefix}:Envelope>`
  );
};

/** The envelope of an answer, around the content of its result element. */
export function writeResponse(operation: string, result: string, namespace: string, version: SoapVersion): string {
  const name = `${operation}Result`;
  const inner = result === '' ? `<${name} />` : `<${name}>${result}</${name}>`;
  return wrap(`<${operation}Response xmlns="${escapeXml(namespace)}">${inner}</${operation}Response>`, version);
}

const codes12: Readonly<Record<FaultCode, string>> = {
  Client: 'Sender',
  Server: 'Receiver',
  VersionMismatch: 'VersionMismatch',
  MustUnderstand: 'MustUnderstand',
};

/** A fault in the form of the given SOAP version. */
export function writeFault(code: FaultCode, message: string, version: SoapVersion): string {
  const text = escapeXml(message);
  if (version === '1.1')
    return wrap(
      `<soap:Fault><faultcode>soap:${code}</faultcode><faultstring>${text}</faultstring><detail /></soap:Fault>`,
      version,
    );
  return wrap(
    `<soap12:Fault><soap12:Code><soap12:Value>soap12:${codes12[code]}</soap12:Value></soap12:Code>` +
      `<soap12:Reason><soap12:Text xml:lang="en">${text}</soap12:Text></soap12:Reason></soap12:Fault>`,
    version,
  );
}
