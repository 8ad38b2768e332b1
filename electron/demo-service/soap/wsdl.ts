import { type RecordName, records } from '../../../shared/catalogue/records.ts';
import type { RecordDef } from '../../../shared/catalogue/types.ts';
import type { DemoSettings } from '../options.ts';
import { actionOf, guideAddressFields, listServedOperations, type ServedOperation } from './served-operations.ts';
import { escapeXml } from './xml-write.ts';

/** The service's name carries the number 19 (specification, Versioning 5). */
const serviceName = 'AddressLookup19';

type HttpVerb = 'Get' | 'Post';

/** The whole description, generated from the catalogue and the settings. */
export function writeWsdl(settings: DemoSettings, soapUrl: string): string {
  const operations = listServedOperations(settings);
  const verbs: HttpVerb[] = settings.httpBindings === 'off' ? [] : ['Get', 'Post'];
  const namespace = escapeXml(settings.namespace);
  const soap = [bindSoap(operations, settings, 'soap'), bindSoap(operations, settings, 'soap12')];
  const http = verbs.map((verb) => bindHttp(operations, verb));
  const ports = [
    writePort('Soap', `<soap:address location="${escapeXml(soapUrl)}" />`),
    writePort('Soap12', `<soap12:address location="${escapeXml(soapUrl)}" />`),
  ];
  const httpPorts = verbs.map((verb) => writePort(`Http${verb}`, `<http:address location="${escapeXml(soapUrl)}" />`));
  const order = <T>(own: T[], others: T[]): string =>
    (settings.httpBindings === 'first' ? [...others, ...own] : [...own, ...others]).join('\n');
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="${namespace}" targetNamespace="${namespace}">
<wsdl:documentation>Demo service: every address is invented.</wsdl:documentation>
<wsdl:types>
<s:schema elementFormDefault="qualified" targetNamespace="${namespace}">
${operations.map((operation) => writeElements(operation, settings)).join('\n')}
${writeTypes(operations)}
${verbs.length === 0 ? '' : writeRootElements(operations)}
</s:schema>
</wsdl:types>
${operations.map((operation) => writeMessages(operation, verbs)).join('\n')}
${order(
  [writePortType(operations, 'Soap')],
  verbs.map((verb) => writePortType(operations, `Http${verb}`)),
)}
${order(soap, http)}
<wsdl:service name="${serviceName}">
<wsdl:documentation>Demo service: every address is invented.</wsdl:documentation>
${order(ports, httpPorts)}
</wsdl:service>
</wsdl:definitions>
`;
}

const field = (name: string, type: string, required: boolean): string =>
  `<s:element minOccurs="${required ? 1 : 0}" maxOccurs="1" name="${name}" type="${type}" />`;

function resultElement(operation: ServedOperation, settings: DemoSettings): string {
  const name = `${operation.name}Result`;
  if (operation.dataset)
    return (
      `<s:element minOccurs="0" maxOccurs="1" name="${name}"><s:complexType><s:sequence>` +
      `<s:any namespace="${escapeXml(settings.utilitiesNamespace)}" processContents="lax" /></s:sequence></s:complexType></s:element>`
    );
  return field(name, typeOf(operation), operation.result === 'integer');
}

function typeOf(operation: ServedOperation): string {
  if (operation.result === 'string') return 's:string';
  if (operation.result === 'integer') return 's:int';
  return `tns:${operation.result === 'guide-addresses' ? 'Addresses' : operation.result}`;
}

function writeElements(operation: ServedOperation, settings: DemoSettings): string {
  const fields = operation.fields.map(({ name, type }) =>
    field(name, type === 'integer' ? 's:int' : 's:string', type === 'integer'),
  );
  const wrap = (name: string, content: string): string =>
    `<s:element name="${name}"><s:complexType><s:sequence>${content}</s:sequence></s:complexType></s:element>`;
  return `${wrap(operation.name, fields.join(''))}\n${wrap(`${operation.name}Response`, resultElement(operation, settings))}`;
}

/** Names of the records that the operations return and of the records in them, each once. */
function usedRecords(operations: readonly ServedOperation[]): RecordName[] {
  const used = new Set<RecordName>();
  const add = (name: RecordName): void => {
    const definition: RecordDef = records[name];
    used.add(name);
    if (definition.listOf !== undefined) used.add(definition.listOf as RecordName);
  };
  for (const { result } of operations) if (result in records) add(result as RecordName);
  return [...used];
}

function writeTypes(operations: readonly ServedOperation[]): string {
  const types = usedRecords(operations).map((name) => {
    const definition: RecordDef = records[name];
    const list = definition.listOf === undefined ? '' : repeated('List', definition.listOf);
    const fields = definition.fields.map((each) =>
      field(each.name, each.type === 'boolean' ? 's:boolean' : 's:string', each.required === true),
    );
    return `<s:complexType name="${name}"><s:sequence>${list}${fields.join('')}</s:sequence></s:complexType>`;
  });
  if (operations.some(({ result }) => result === 'guide-addresses')) {
    const fields = guideAddressFields.map((name) => field(name, 's:string', false)).join('');
    types.push(
      '<s:complexType name="Addresses"><s:sequence><s:element minOccurs="0" maxOccurs="unbounded" name="Address" nillable="true" type="tns:Address" /></s:sequence></s:complexType>',
      `<s:complexType name="Address"><s:sequence>${fields}</s:sequence></s:complexType>`,
    );
  }
  return types.join('\n');
}

const repeated = (name: string, child: string): string =>
  `<s:element minOccurs="0" maxOccurs="1" name="${name}"><s:complexType><s:sequence>` +
  `<s:element minOccurs="0" maxOccurs="unbounded" name="${child}" nillable="true" type="tns:${child}" />` +
  '</s:sequence></s:complexType></s:element>';

/** Root elements of the HTTP bindings' answers, which are the result without an envelope. */
function writeRootElements(operations: readonly ServedOperation[]): string {
  const roots = new Map([
    ['string', 's:string'],
    ['int', 's:int'],
    ['DataSet', ''],
  ]);
  for (const operation of operations)
    if (typeOf(operation).startsWith('tns:')) roots.set(typeOf(operation).slice(4), typeOf(operation));
  return [...roots]
    .map(([name, type]) =>
      type === ''
        ? `<s:element name="${name}" nillable="true"><s:complexType><s:sequence><s:any processContents="lax" /></s:sequence></s:complexType></s:element>`
        : `<s:element name="${name}" ${type === 's:int' ? '' : 'nillable="true" '}type="${type}" />`,
    )
    .join('\n');
}

/** Name of the root element of an HTTP binding's answer. */
export function rootElementOf(operation: ServedOperation): string {
  return operation.dataset ? 'DataSet' : typeOf(operation).replace(/^(s|tns):/, '');
}

function writeMessages(operation: ServedOperation, verbs: readonly HttpVerb[]): string {
  const { name } = operation;
  const soap =
    `<wsdl:message name="${name}SoapIn"><wsdl:part name="parameters" element="tns:${name}" /></wsdl:message>\n` +
    `<wsdl:message name="${name}SoapOut"><wsdl:part name="parameters" element="tns:${name}Response" /></wsdl:message>`;
  const parts = operation.fields.map((each) => `<wsdl:part name="${each.name}" type="s:string" />`).join('');
  const http = verbs.map(
    (verb) =>
      `\n<wsdl:message name="${name}Http${verb}In">${parts}</wsdl:message>\n` +
      `<wsdl:message name="${name}Http${verb}Out"><wsdl:part name="Body" element="tns:${rootElementOf(operation)}" /></wsdl:message>`,
  );
  return soap + http.join('');
}

function writePortType(operations: readonly ServedOperation[], kind: string): string {
  const entries = operations.map(
    ({ name }) =>
      `<wsdl:operation name="${name}"><wsdl:input message="tns:${name}${kind}In" /><wsdl:output message="tns:${name}${kind}Out" /></wsdl:operation>`,
  );
  return `<wsdl:portType name="${serviceName}${kind}">\n${entries.join('\n')}\n</wsdl:portType>`;
}

function bindSoap(operations: readonly ServedOperation[], settings: DemoSettings, prefix: 'soap' | 'soap12'): string {
  const body = `<${prefix}:body use="literal" />`;
  const entries = operations.map(({ name }) => {
    const action = escapeXml(actionOf(settings.namespace, name));
    return `<wsdl:operation name="${name}"><${prefix}:operation soapAction="${action}" style="document" /><wsdl:input>${body}</wsdl:input><wsdl:output>${body}</wsdl:output></wsdl:operation>`;
  });
  const suffix = prefix === 'soap' ? 'Soap' : 'Soap12';
  return `<wsdl:binding name="${serviceName}${suffix}" type="tns:${serviceName}Soap">\n<${prefix}:binding transport="http://schemas.xmlsoap.org/soap/http" />\n${entries.join('\n')}\n</wsdl:binding>`;
}

function bindHttp(operations: readonly ServedOperation[], verb: HttpVerb): string {
  const input = verb === 'Get' ? '<http:urlEncoded />' : '<mime:content type="application/x-www-form-urlencoded" />';
  const entries = operations.map(
    ({ name }) =>
      `<wsdl:operation name="${name}"><http:operation location="/${name}" /><wsdl:input>${input}</wsdl:input><wsdl:output><mime:mimeXml part="Body" /></wsdl:output></wsdl:operation>`,
  );
  return `<wsdl:binding name="${serviceName}Http${verb}" type="tns:${serviceName}Http${verb}">\n<http:binding verb="${verb.toUpperCase()}" />\n${entries.join('\n')}\n</wsdl:binding>`;
}

function writePort(suffix: string, address: string): string {
  return `<wsdl:port name="${serviceName}${suffix}" binding="tns:${serviceName}${suffix}">${address}</wsdl:port>`;
}
