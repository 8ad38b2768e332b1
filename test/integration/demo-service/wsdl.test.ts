import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { attributeOf, readXml, type XmlElement } from '../../../electron/demo-service/soap/xml-read.ts';
import { records } from '../../../shared/catalogue/records.ts';
import { findSoapOperation, soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import type { RecordDef } from '../../../shared/catalogue/types.ts';
import * as specification from '../../fixtures/specification.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { c1, callSoap, findAll } from './demo-client.ts';

let demo: RunningDemo;
beforeEach(async () => {
  demo = await startTestService({ premises: 2000 });
});
afterEach(() => demo.stop());

const read = async (): Promise<XmlElement> => readXml(await (await fetch(`${demo.soapUrl}?WSDL`)).text());
const attribute = (of: XmlElement | undefined, name: string): string => (of && attributeOf(of, '', name)) ?? '';
const named = (root: XmlElement, kind: string, name: string): XmlElement | undefined =>
  findAll(root, kind).find((each) => attribute(each, 'name') === name);
/** The schema element of the description. */
const schemaOf = (root: XmlElement): XmlElement => findAll(root, 'schema')[0] as XmlElement;
const fieldsOf = (root: XmlElement, kind: string, name: string): XmlElement[] => {
  const found = schemaOf(root).children.find((each) => each.name === kind && attribute(each, 'name') === name);
  return findAll(found, 'sequence')[0]?.children ?? [];
};

test('every request has its published fields, in order, optional strings but for the required int', async () => {
  const root = await read();
  expect(attribute(schemaOf(root), 'elementFormDefault')).toBe('qualified');
  for (const name of soapOperationNames) {
    const fields = fieldsOf(root, 'element', name);
    expect(fields.map((field) => attribute(field, 'name'))).toEqual(
      findSoapOperation(name)?.operation.fields.map((field) => field.name),
    );
    for (const field of fields) {
      const isInt = attribute(field, 'name') === 'iLicenseID';
      expect(attribute(field, 'type')).toBe(isInt ? 's:int' : 's:string');
      expect(attribute(field, 'minOccurs')).toBe(isInt ? '1' : '0');
    }
  }
});

test('every record has its published fields; lists are repeated nillable children of List', async () => {
  const root = await read();
  for (const [name, definition] of Object.entries(records) as [string, RecordDef][]) {
    const names = fieldsOf(root, 'complexType', name).map((field) => attribute(field, 'name'));
    const wanted = definition.fields.map((field) => field.name);
    expect(names, name).toEqual(definition.listOf === undefined ? wanted : ['List', ...wanted]);
    if (definition.listOf === undefined) continue;
    const [list] = fieldsOf(root, 'complexType', name);
    const child = findAll(list, 'element')[0];
    expect(attribute(child, 'name')).toBe(definition.listOf);
    expect(attribute(child, 'nillable')).toBe('true');
    expect(attribute(child, 'maxOccurs')).toBe('unbounded');
  }
});

test('a twin’s result allows any one element of the utilities namespace', async () => {
  const root = await read();
  const twins = soapOperationNames.filter((name) => name.endsWith('_Dataset'));
  expect(twins).toHaveLength(specification.twins.length);
  for (const name of twins) {
    const [result] = fieldsOf(root, 'element', `${name}Response`);
    expect(attribute(result, 'name')).toBe(`${name}Result`);
    expect(attribute(findAll(result, 'any')[0], 'namespace')).toBe(demo.utilitiesNamespace);
  }
});

test('every reference in the description resolves', async () => {
  demo.settings.httpBindings = 'first';
  demo.settings.guideOperation = 'PostcodeLookup';
  demo.settings.radiusOperation = true;
  const root = await read();
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  const messages = new Set(findAll(root, 'message').map((each) => attribute(each, 'name')));
  const schema = schemaOf(root);
  const elements = new Set(
    schema.children.filter(({ name }) => name === 'element').map((each) => attribute(each, 'name')),
  );
  const types = new Set(
    schema.children.filter(({ name }) => name === 'complexType').map((each) => attribute(each, 'name')),
  );
  for (const part of findAll(root, 'part')) {
    const element = attribute(part, 'element');
    if (element) expect(elements).toContain(local(element));
  }
  for (const element of findAll(schema, 'element')) {
    const type = attribute(element, 'type');
    if (type.startsWith('tns:')) expect(types).toContain(local(type));
  }
  for (const kind of ['input', 'output'])
    for (const each of findAll(root, kind))
      if (attribute(each, 'message')) expect(messages).toContain(local(attribute(each, 'message')));
  for (const binding of findAll(root, 'binding')) {
    const type = attribute(binding, 'type');
    if (type) expect(named(root, 'portType', local(type))).toBeDefined();
  }
  for (const port of findAll(root, 'port'))
    expect(named(root, 'binding', local(attribute(port, 'binding')))).toBeDefined();
  expect(findAll(root, 'port')).toHaveLength(4);
});

test.each(['http://example.test/ws', 'http://example.test/ws/'])(
  'the action follows the namespace %s',
  async (namespace) => {
    demo.settings.namespace = namespace;
    const root = await read();
    const actions = findAll(root, 'operation').map((each) => attribute(each, 'soapAction'));
    expect(actions).toContain('http://example.test/ws/ServiceTest');
    expect((await callSoap(demo, 'ServiceTest', c1(demo))).status).toBe(200);
  },
);

test('the provider’s word, the older operation and the guide’s request are included on request, and answer', async () => {
  const { sample, webMapKey, lookupKey } = demo.demo;
  demo.settings.mapWord = 'Acme';
  demo.settings.radiusOperation = true;
  demo.settings.guideOperation = 'PostcodeLookup';
  const root = await read();
  expect(findAll(root, 'portType')[0]?.children).toHaveLength(soapOperationNames.length + 2);
  const fields = {
    sPostcodeDatum: sample.postcode,
    sPostcodeList: sample.nearPostcodes.join(','),
    sAcmeMapKey: webMapKey,
    ...c1(demo),
  };
  const map = await callSoap(demo, 'FindNearestDataForPostcodeAcmeMap', fields);
  expect(map.result?.text.split('\n')).toHaveLength(5);
  const near = await callSoap(demo, 'NearestData_ForPostcodeWithinAMaximumRadius', {
    ...fields,
    sRadius: '150',
    sType: 'miles',
  });
  expect(near.result?.text.split('\n').length).toBeLessThan(5);
  const guide = await callSoap(demo, 'PostcodeLookup', { ApiKey: lookupKey, Postcode: sample.postcode });
  expect(findAll(guide.result, 'Address')).toHaveLength(34);
  expect(demo.meter.read().payers.lookup?.credits).toBe(1);
});

test('the HTTP bindings answer with the bare result', async () => {
  const path = `${demo.soapUrl}/SearchPremise_ByPostcode`;
  const form = new URLSearchParams({ sPostcode: demo.demo.sample.postcode, ...c1(demo) });
  expect((await fetch(`${path}?${form}`)).status).toBe(404);
  demo.settings.httpBindings = 'last';
  for (const response of [await fetch(`${path}?${form}`), await fetch(path, { method: 'POST', body: form })]) {
    const root = readXml(await response.text());
    expect(root.name).toBe('ListAddressPremises');
    expect(findAll(root, 'ListAddressPremise')).toHaveLength(34);
  }
});
