import http from 'node:http';
import { readXml } from '../../../electron/demo-service/soap/xml-read.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';

/** Small services with the same kind of interface, written differently from the demo service, to show that the client is not tuned to that one. */

interface ForeignOperation {
  name: string;
  /** Request fields in the service's own order, with XML Schema types. */
  fields: readonly (readonly [name: string, type: string])[];
  /** Content of the result's complex type, or a simple type's name. */
  result: string;
  action?: string;
  /** The only kind of port that has it; absent: all have. */
  over?: '1.1' | '1.2';
  /** The content of the result element of an answer. */
  answer: (fields: Record<string, string>) => string;
}

export interface ForeignService {
  namespace: string;
  /** The prefixes of the schema namespace and of the service's namespace. */
  prefixes: readonly [schema: string, own: string];
  /** The ports in the order of the description. An address with a scheme is used unchanged. */
  ports: readonly (readonly [kind: 'get' | 'post' | '1.1' | '1.2', address: string])[];
  /** Named types of the schema, as XML. */
  types?: string;
  /** Serves the schema as separate documents, with import and include. */
  schemaByLocation?: boolean;
  operations: readonly ForeignOperation[];
  /** The prefix in answers for elements of the namespace; '' makes it the default namespace. */
  answerPrefix?: string;
}

interface ForeignHit {
  path: string;
  version: '1.1' | '1.2';
  action: string;
  namespace: string;
  name: string;
  fields: [name: string, value: string][];
}

export interface RunningForeign {
  origin: string;
  soapUrl: string;
  hits: ForeignHit[];
  /** The served description. */
  description(): string;
  stop(): Promise<void>;
}

const schemaUri = 'http://www.w3.org/2001/XMLSchema';
const bindings = {
  get: ['http', 'http://schemas.xmlsoap.org/wsdl/http/', '<http:binding verb="GET" />'],
  post: ['http', 'http://schemas.xmlsoap.org/wsdl/http/', '<http:binding verb="POST" />'],
  '1.1': [
    'e11',
    'http://schemas.xmlsoap.org/wsdl/soap/',
    '<e11:binding transport="http://schemas.xmlsoap.org/soap/http" style="document" />',
  ],
  '1.2': [
    'e12',
    'http://schemas.xmlsoap.org/wsdl/soap12/',
    '<e12:binding transport="http://schemas.xmlsoap.org/soap/http" />',
  ],
} as const;

const actionOf = (service: ForeignService, { name, action }: ForeignOperation): string =>
  action ?? `${service.namespace}${service.namespace.endsWith('/') ? '' : '/'}${name}`;

function writeElements({ prefixes: [x], operations }: ForeignService): string {
  return operations
    .map(({ name, fields, result }) => {
      const request = fields.map(
        ([field, type]) =>
          `<${x}:element name="${field}" type="${x}:${type}" minOccurs="${type === 'string' ? 0 : 1}" />`,
      );
      const typed = result.startsWith('<') ? `>${result}</${x}:element>` : ` type="${result}" />`;
      return (
        `<${x}:element name="${name}"><${x}:complexType><${x}:sequence>${request.join('')}</${x}:sequence></${x}:complexType></${x}:element>` +
        `<${x}:element name="${name}Response"><${x}:complexType><${x}:sequence><${x}:element minOccurs="0" name="${name}Result"${typed}</${x}:sequence></${x}:complexType></${x}:element>`
      );
    })
    .join('');
}

function writeSchema(service: ForeignService, content: string): string {
  const [x, own] = service.prefixes;
  return `<${x}:schema xmlns:${x}="${schemaUri}" xmlns:${own}="${service.namespace}" targetNamespace="${service.namespace}" elementFormDefault="qualified">${content}</${x}:schema>`;
}

export function writeDescription(service: ForeignService, origin: string): string {
  const [x, own] = service.prefixes;
  const { operations, ports, namespace } = service;
  const w = 'd';
  const messages = operations.map(
    ({ name }) =>
      `<${w}:message name="${name}In"><${w}:part name="parameters" element="${own}:${name}" /></${w}:message>` +
      `<${w}:message name="${name}Out"><${w}:part name="parameters" element="${own}:${name}Response" /></${w}:message>`,
  );
  const portTypes = operations.map(
    ({ name }) =>
      `<${w}:operation name="${name}"><${w}:input message="${own}:${name}In" /><${w}:output message="${own}:${name}Out" /></${w}:operation>`,
  );
  const written = ports.map(([kind, address], index) => {
    const [prefix, , element] = bindings[kind];
    const offered = operations.filter(({ over = kind }) => over === kind);
    const bound = offered.map((operation) =>
      prefix === 'http'
        ? `<${w}:operation name="${operation.name}"><http:operation location="/${operation.name}" /></${w}:operation>`
        : `<${w}:operation name="${operation.name}"><${prefix}:operation soapAction="${actionOf(service, operation)}" /><${w}:input><${prefix}:body use="literal" /></${w}:input></${w}:operation>`,
    );
    const location = address.startsWith('http') ? address : origin + address;
    return {
      binding: `<${w}:binding name="B${index}" type="${own}:Lookup">${element}${bound.join('')}</${w}:binding>`,
      port: `<${w}:port name="P${index}" binding="${own}:B${index}"><${prefix}:address location="${location}" /></${w}:port>`,
    };
  });
  const schema = service.schemaByLocation
    ? `<${x}:schema xmlns:${x}="${schemaUri}"><${x}:import namespace="${namespace}" schemaLocation="?xsd=elements" /></${x}:schema>`
    : writeSchema(service, writeElements(service) + (service.types ?? ''));
  return (
    `<?xml version="1.0"?>\n<${w}:definitions xmlns:${w}="http://schemas.xmlsoap.org/wsdl/" xmlns:http="${bindings.get[1]}" xmlns:e11="${bindings['1.1'][1]}" ` +
    `xmlns:e12="${bindings['1.2'][1]}" xmlns:${x}="${schemaUri}" xmlns:${own}="${namespace}" targetNamespace="${namespace}">` +
    `<${w}:types>${schema}</${w}:types>${messages.join('')}<${w}:portType name="Lookup">${portTypes.join('')}</${w}:portType>` +
    `${written.map(({ binding }) => binding).join('')}<${w}:service name="Lookup">${written.map(({ port }) => port).join('')}</${w}:service></${w}:definitions>`
  );
}

const envelopes = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
};

/** Starts the service. It is strict: a wrong namespace, action or version is a SOAP fault, as with a .NET service. */
export async function startForeignService(service: ForeignService): Promise<RunningForeign> {
  const hits: ForeignHit[] = [];
  let origin = '';
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { pathname, search } = new URL(request.url ?? '', origin);
      if (request.method === 'GET') {
        const documents: Record<string, string> = {
          '?wsdl': writeDescription(service, origin),
          '?xsd=elements': writeSchema(
            service,
            `<${service.prefixes[0]}:include schemaLocation="${pathname}?xsd=types" />${writeElements(service)}`,
          ),
          '?xsd=types': writeSchema(service, service.types ?? ''),
        };
        const found = documents[search.toLowerCase()];
        response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'text/xml' }).end(found ?? 'none');
        return;
      }
      const answer = serve(pathname, request.headers, Buffer.concat(parts).toString('utf8'));
      response.writeHead(answer.status, { 'content-type': 'text/xml; charset=utf-8' }).end(answer.body);
    });
  });

  function serve(path: string, headers: http.IncomingHttpHeaders, body: string): { status: number; body: string } {
    const version = headers['content-type']?.startsWith('application/soap+xml') ? '1.2' : '1.1';
    const action =
      version === '1.1'
        ? String(headers.soapaction)
        : `"${/action="([^"]*)"/.exec(headers['content-type'] ?? '')?.[1]}"`;
    const element = readXml(body).children[0]?.children[0];
    const fields = (element?.children ?? []).map(({ name, text }): [string, string] => [name, text]);
    const name = element?.name ?? '';
    hits.push({ path, version, action, namespace: element?.namespace ?? '', name, fields });
    const operation = service.operations.find((one) => one.name === name);
    const offered = service.ports.some(([kind]) => kind === version);
    const wrap = (content: string): string =>
      `<E:Envelope xmlns:E="${envelopes[version]}" xmlns:i="${schemaUri}-instance"><E:Body>${content}</E:Body></E:Envelope>`;
    if (
      !operation ||
      !offered ||
      element?.namespace !== service.namespace ||
      action !== `"${actionOf(service, operation)}"`
    )
      return {
        status: 500,
        body: wrap(
          `<E:Fault><faultcode>E:Client</faultcode><faultstring>No ${name} over ${version} with ${action}.</faultstring></E:Fault>`,
        ),
      };
    const prefix = service.answerPrefix ?? '';
    const p = prefix === '' ? '' : `${prefix}:`;
    const declared = `xmlns${prefix === '' ? '' : `:${prefix}`}="${service.namespace}"`;
    return {
      status: 200,
      body: wrap(
        `<${p}${name}Response ${declared}><${p}${name}Result>${operation.answer(Object.fromEntries(fields))}</${p}${name}Result></${p}${name}Response>`,
      ),
    };
  }

  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    origin,
    soapUrl: `${origin}/lookup.asmx`,
    hits,
    description: () => writeDescription(service, origin),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
