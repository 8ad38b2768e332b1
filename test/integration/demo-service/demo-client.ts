import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { actionOf } from '../../../electron/demo-service/soap/served-operations.ts';
import { readXml, type XmlElement } from '../../../electron/demo-service/soap/xml-read.ts';

/** A minimal client for the demo service's tests, with no library between the test and the bytes. */

export interface RestAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of several shapes.
  body: any;
  headers: Headers;
}

/** Makes one REST call, with the lookup key unless another is given. */
export async function callRest(
  demo: RunningDemo,
  path: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  const parameters = new URLSearchParams({ key: demo.demo.lookupKey, ...query });
  const response = await fetch(`${demo.restBaseUrl}${path}?${parameters}`, { headers });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), headers: response.headers };
}

export const envelopes = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
} as const;

/** Posts a body unchanged. */
export function postSoap(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers });
}

/** The C1 credentials of the demo account. */
export const c1 = (demo: RunningDemo): Record<string, string> => ({
  AccountName: demo.demo.accountName,
  LicenceID: demo.demo.licenceId,
  MachineID: demo.demo.machineId,
});

export interface SoapAnswer {
  status: number;
  contentType: string;
  text: string;
  body: XmlElement;
  /** The result element; undefined if the answer is a SOAP fault. */
  result: XmlElement | undefined;
}

/** Makes one SOAP call. Values are not escaped. */
export async function callSoap(
  demo: RunningDemo,
  operation: string,
  fields: Record<string, string>,
  version: '1.1' | '1.2' = '1.1',
): Promise<SoapAnswer> {
  const namespace = demo.settings.namespace;
  const inner = Object.entries(fields)
    .map(([name, value]) => `<m:${name}>${value}</m:${name}>`)
    .join('');
  const envelope = `<e:Envelope xmlns:e="${envelopes[version]}"><e:Body><m:${operation} xmlns:m="${namespace}">${inner}</m:${operation}></e:Body></e:Envelope>`;
  const action = actionOf(namespace, operation);
  const headers: Record<string, string> =
    version === '1.1'
      ? { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${action}"` }
      : { 'content-type': `application/soap+xml; charset=utf-8; action="${action}"` };
  const response = await postSoap(demo.soapUrl, envelope, headers);
  const text = await response.text();
  const root = readXml(text);
  const body = root.children[0]?.children[0];
  if (!body) throw new Error('The answer has an empty body.');
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    text,
    body,
    result: body.name === 'Fault' ? undefined : body.children[0],
  };
}

/** Elements with that name at any depth. */
export function findAll(element: XmlElement | undefined, name: string): XmlElement[] {
  if (!element) return [];
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
}

/** The text of the first such element, or undefined. */
export function textOf(element: XmlElement | undefined, name: string): string | undefined {
  return findAll(element, name)[0]?.text;
}
