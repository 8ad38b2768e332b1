import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compareDescriptions } from '../../../electron/core/soap/description/drift.ts';
import { partsOf } from '../../../electron/core/soap/description/drift-comparison.ts';
import { startLooking, viewDescribed } from '../../../electron/core/soap/description/drift-view.ts';
import { readDescriptionText } from '../../../electron/core/soap/description/wsdl.ts';
import { foldDescribed } from '../../../electron/core/soap/message/fold-described.ts';
import { resolveOperation } from '../../../electron/core/soap/operation.ts';
import { parseXml } from '../../../electron/core/soap/xml/parse.ts';
import { soapOperationNames, soapOperations } from '../../../shared/catalogue/soap-operations.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok } from '../../../shared/result.ts';

const folder = new URL('../../fixtures/soap/descriptions/', import.meta.url);
const fixture = (name: string) => readFile(new URL(name, folder), 'utf8');

async function read(name: string, configuredUrl?: string): Promise<ServiceDescription> {
  const source = new URL(name, folder).href;
  const result = await readDescriptionText(await fixture(name), {
    source,
    ...(configuredUrl ? { configuredUrl } : {}),
    load: async (location) => {
      if (!location.startsWith(folder.href)) return fail(appError('wrong-origin'));
      try {
        return ok(await readFile(fileURLToPath(location), 'utf8'));
      } catch {
        return fail(appError('http-error', { detail: 'HTTP 404' }));
      }
    },
    now: () => new Date('2026-02-01T00:00:00Z'),
  });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  // The description is stored and exported as JSON.
  expect(JSON.parse(JSON.stringify(result.value))).toEqual(result.value);
  return result.value;
}

const operationOf = (description: ServiceDescription, name: string) => {
  const found = description.operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

test('an old description with GET and POST ports first: the SOAP port is chosen by its binding', async () => {
  const description = await read('old-style.wsdl', 'http://lookup.example.org/lookup.asmx');
  expect(description.ports.map((port) => port.soapVersion)).toEqual([null, null, '1.1']);
  expect(description.targetNamespace).toBe('http://lookup.example.org/webservices');
  expect(description.utilitiesNamespace).toBe('http://lookup.example.org/PostcodeUtilities.xsd');
  expect(description.operations).toHaveLength(5);
  const search = operationOf(description, 'SearchPremise_ByPostcode');
  expect(search.documentation).toBe('Premises of a postcode.');
  expect(search.actions).toEqual({ '1.1': 'http://lookup.example.org/webservices/SearchPremise_ByPostcode' });
  expect(search.request.map((field) => field.name)).toEqual(['sPostcode', 'AccountName', 'LicenceID', 'MachineID']);
  expect(search.result).toMatchObject({ name: 'SearchPremise_ByPostcodeResult', type: 'ListAddressPremises' });
  expect(description.types.ArrayOfListAddressPremise?.fields[0]).toEqual({
    name: 'ListAddressPremise',
    type: 'ListAddressPremise',
    minOccurs: 0,
    maxOccurs: null,
    nillable: true,
  });
  expect(operationOf(description, 'RegisterLicense').request[2]).toMatchObject({ type: 'int', minOccurs: 1 });
  expect(operationOf(description, 'SearchPremise_ByPostcode_Dataset').result?.any).toBe(true);
});

test('plain http elsewhere is reported and not used as the service address', async () => {
  const description = await read('old-style.wsdl', 'https://lookup.example.org/lookup.asmx');
  expect(description.addresses).toEqual({ '1.1': null, '1.2': null });
  expect(description.notes).toContainEqual(
    expect.objectContaining({ kind: 'address-refused', subject: 'http://lookup.example.org/lookup.asmx' }),
  );
});

test('the map operation and its key are found under the provider’s word; the older operation after it is callable', async () => {
  const description = await read('old-style.wsdl');
  const map = resolveOperation('FindNearestDataForPostcodeWebMap', description);
  if (!map.ok) throw new Error(map.error.code);
  expect(map.value.name).toBe('FindNearestDataForPostcodeAcmeMap');
  expect(map.value.fields.find((field) => field.credential === 'webMapKey')?.name).toBe('sAcmeMapKey');
  expect(resolveOperation('FindNearestDataForPostcodeAcmeMap', description)).toEqual(map);

  const radius = resolveOperation('NearestData_ForPostcodeWithinAMaximumRadius', description);
  if (!radius.ok) throw new Error(radius.error.code);
  expect(radius.value.published).toBe(false);
  expect(radius.value.fields.map((field) => [field.name, field.credential])).toEqual([
    ['sPostcodeDatum', undefined],
    ['sPostcodeList', undefined],
    ['sRadius', undefined],
    ['sType', undefined],
    ['sAcmeMapKey', 'webMapKey'],
    ['AccountName', 'accountName'],
    ['LicenceID', 'licenceId'],
    ['MachineID', 'machineId'],
  ]);
  expect(resolveOperation('NearestData_ForPostcodeWithinAMaximumRadius').ok).toBe(false);
});

test('schemas and definitions in other documents: imports, includes, cycles, a missing one and one of another origin', async () => {
  const description = await read('split.wsdl');
  expect(description.addresses['1.2']).toMatch(/^file:\/.*second\/path\.asmx$/);
  const get = operationOf(description, 'GetPremiseAddress');
  expect(get.callable).toBe(true);
  expect(get.actions).toEqual({ '1.1': 'urn:split/eleven', '1.2': 'urn:split/GetPremiseAddress' });
  expect(get.requestNamespace).toBe('urn:split/');
  expect(get.request.map((field) => field.name)).toEqual([
    'sUniqueDeliveryPointID',
    'AccountName',
    'LicenceID',
    'MachineID',
  ]);
  expect(description.targetNamespace).toBe('urn:split/');
  expect(description.notes.map(({ kind, subject }) => [kind, subject.split('/').at(-1)])).toEqual([
    ['import-failed', 'missing.xsd'],
    ['import-refused', 'elsewhere.wsdl'],
  ]);
  const findings = compareDescriptions(description, undefined).findings;
  const resultFields = findings.filter((finding) => finding.operation === 'GetPremiseAddress');
  expect(
    resultFields.some((finding) => finding.kind === 'result-field-removed' && finding.field === '[].FullAddress'),
  ).toBe(true);
  expect(resultFields.some((finding) => finding.field === '[].Number')).toBe(false);
});

test('odd prefixes, SOAP 1.2 only, extension, references, recursive types, rpc and missing types', async () => {
  const description = await read('soap12-only.wsdl', 'https://twelve.example/other.asmx');
  expect(description.addresses).toEqual({ '1.1': null, '1.2': 'https://twelve.example/s.asmx' });
  const guide = operationOf(description, 'PostcodeLookup');
  expect(guide.publishedInGuideOnly).toBe(true);
  expect(guide.responseElement).toBe('PostcodeLookupResponse');
  const fresh = operationOf(description, 'Fresh');
  expect(fresh.publishedInGuideOnly).toBeUndefined();
  expect(fresh.request).toEqual([
    { name: 'AccountName', type: 'string', minOccurs: 0, maxOccurs: 1, nillable: false, namespace: '' },
    { name: 'Shared', type: 'string', minOccurs: 0, maxOccurs: 1, nillable: false, namespace: 'urn:other' },
    { name: 'code', type: 'int', minOccurs: 1, maxOccurs: 1, nillable: false, namespace: '' },
    { name: 'words', type: 'ArrayOfString', minOccurs: 0, maxOccurs: 1, nillable: false, namespace: '' },
  ]);
  expect(description.types.Tree?.fields[1]).toMatchObject({ name: 'branch', type: 'Tree', maxOccurs: null });
  expect(operationOf(description, 'Structured')).toMatchObject({
    callable: false,
    reason: 'Its field tree is a structure.',
  });
  expect(operationOf(description, 'Remote').callable).toBe(false);
  expect(description.notes).toContainEqual(expect.objectContaining({ kind: 'unresolved', subject: 'Nowhere' }));
});

test('references that unfold like an entity bomb end in an error', async () => {
  const level = (n: number) =>
    `<s:element name="e${n}"><s:complexType><s:sequence>${`<s:element ref="t:e${n + 1}"/>`.repeat(10)}</s:sequence></s:complexType></s:element>`;
  const text = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" targetNamespace="urn:t">
    <types><s:schema targetNamespace="urn:t">${Array.from({ length: 30 }, (_, n) => level(n)).join('')}<s:element name="e30" type="s:string"/></s:schema></types>
    <message name="m"><part name="p" element="t:e0"/></message>
    <portType name="P"><operation name="O"><input message="t:m"/></operation></portType>
    <binding name="B" type="t:P"><soap:binding/><operation name="O"><soap:operation soapAction="a"/></operation></binding>
    <service name="S"><port name="P" binding="t:B"/></service></definitions>`;
  expect(await readDescriptionText(text, { source: 'bomb.wsdl' })).toMatchObject({
    ok: false,
    error: { code: 'unsafe-answer' },
  });
});

/** Types, each of which has `width` fields of the next type; all `operations` return the first. */
const nested = (levels: number, width: number, operations = 1) => {
  const members = (type: string) =>
    Array.from({ length: width }, (_, n) => `<s:element name="m${n}" type="${type}"/>`).join('');
  const type = (n: number) =>
    `<s:complexType name="T${n}"><s:sequence>${members(n + 1 < levels ? `t:T${n + 1}` : 's:string')}</s:sequence></s:complexType>`;
  const each = (write: (name: string) => string) =>
    Array.from({ length: operations }, (_, n) => write(`Op${n}`)).join('');
  return `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" targetNamespace="urn:t">
    <types><s:schema targetNamespace="urn:t">${Array.from({ length: levels }, (_, n) => type(n)).join('')}
    ${each((name) => `<s:element name="${name}"><s:complexType/></s:element><s:element name="${name}Response"><s:complexType><s:sequence><s:element name="${name}Result" type="t:T0"/></s:sequence></s:complexType></s:element>`)}</s:schema></types>
    ${each((name) => `<message name="${name}In"><part name="p" element="t:${name}"/></message><message name="${name}Out"><part name="p" element="t:${name}Response"/></message>`)}
    <portType name="P">${each((name) => `<operation name="${name}"><input message="t:${name}In"/><output message="t:${name}Out"/></operation>`)}</portType>
    <binding name="B" type="t:P"><soap:binding/>${each((name) => `<operation name="${name}"><soap:operation soapAction="a"/></operation>`)}</binding>
    <service name="S"><port name="P" binding="t:B"/></service></definitions>`;
};

test('types that name each other twice over 40 levels are walked once each', async () => {
  for (const levels of [2, 26, 40, 99]) {
    const description = await readDescriptionText(nested(levels, 2), { source: 'nested.wsdl' });
    if (!description.ok) throw new Error(description.error.code);
    const looks = startLooking();
    const allowed = looks.left;
    const view = viewDescribed(operationOf(description.value, 'Op0'), description.value, false, looks);
    expect([...(view.result?.keys() ?? [])]).toEqual(['m0', 'm1']);
    expect(allowed - looks.left).toBeLessThanOrEqual(2 * levels + 1);
    const { findings } = compareDescriptions(description.value, description.value);
    expect(findings.filter(({ operation }) => operation === 'Op0').map(({ kind }) => kind)).toEqual([
      'operation-added',
      'action-changed',
    ]);
    // The fields of an operation with such a type, and its answer, are no longer than the description.
    const call = resolveOperation('Op0', description.value);
    if (!call.ok) throw new Error(call.error.code);
    const element = parseXml('<r><m0><m1><m0>deep</m0></m1></m0></r>');
    if (!element.ok) throw new Error(element.error.code);
    const folded = foldDescribed(element.value, call.value.described?.result ?? undefined, description.value.types);
    expect(folded).toEqual({ m0: { m1: { m0: 'deep' } } });
  }
});

test('a result of too many fields is reported as not compared, and none of its fields as missing', async () => {
  const read = async (width: number) => {
    const description = await readDescriptionText(nested(60, width, 400), { source: 'wide.wsdl' });
    if (!description.ok) throw new Error(description.error.code);
    return description.value;
  };
  const { findings } = compareDescriptions(await read(20), await read(19));
  const kinds = new Set(findings.filter(({ against }) => against === 'last-seen').map(({ kind }) => kind));
  expect(kinds).toContain('result-not-compared');
  expect([...kinds].filter((kind) => kind === 'result-field-removed')).toEqual([]);
});

test.each([
  ['nested too deep', nested(300, 1)],
  ['too many operations', nested(1, 1, 1001)],
  ['too many elements', nested(300, 100)],
])('a description with types %s is refused with a code', async (_what, text) => {
  const description = await readDescriptionText(text, { source: 'large.wsdl' });
  expect(description).toMatchObject({ ok: false, error: { code: 'unsafe-answer', charge: 'not-applicable' } });
});

test('types that extend a large one do not multiply it', async () => {
  const inner = '<s:element name="x" type="s:string"/>'.repeat(3000);
  const base = `<s:complexType name="Base"><s:sequence><s:element name="b"><s:complexType><s:sequence>${inner}</s:sequence></s:complexType></s:element></s:sequence></s:complexType>`;
  const derived = Array.from(
    { length: 500 },
    (_, n) =>
      `<s:complexType name="D${n}"><s:complexContent><s:extension base="t:Base"><s:sequence><s:element name="next" type="t:D${n + 1}"/></s:sequence></s:extension></s:complexContent></s:complexType>`,
  ).join('');
  const text = nested(1, 1)
    .replace('</s:schema>', `${base}${derived}</s:schema>`)
    .replace('type="t:T0"', 'type="t:D0"');
  expect(await readDescriptionText(text, { source: 'extends.wsdl' })).toMatchObject({
    ok: false,
    error: { code: 'unsafe-answer' },
  });
});

test('a description without operations, or with only names of JavaScript object members, is refused', async () => {
  const empty = nested(1, 1, 0);
  expect(await readDescriptionText(empty, { source: 'empty.wsdl' })).toMatchObject({
    ok: false,
    error: {
      code: 'unreadable-answer',
      charge: 'not-applicable',
      message: expect.stringMatching(/names no operation/),
    },
  });
  const odd = nested(1, 1).replaceAll('http://schemas.xmlsoap.org/wsdl/soap/', 'constructor');
  expect(await readDescriptionText(odd, { source: 'odd.wsdl' })).toMatchObject({
    ok: false,
    error: { code: 'unreadable-answer' },
  });
});

test('what is no description is an error that involves no credits', async () => {
  expect(await readDescriptionText('<html/>', { source: 'x' })).toMatchObject({
    ok: false,
    error: { code: 'unreadable-answer', charge: 'not-applicable' },
  });
  expect(await readDescriptionText('<!DOCTYPE x><definitions/>', { source: 'x' })).toMatchObject({
    ok: false,
    error: { code: 'unsafe-answer' },
  });
});

test('drift against the one last seen: each kind is found once and names what it affects', async () => {
  const before = await read('old-style.wsdl', 'http://lookup.example.org/lookup.asmx');
  expect(compareDescriptions(before, before).findings.filter((finding) => finding.against === 'last-seen')).toEqual([]);

  const after = structuredClone(before);
  const search = operationOf(after, 'SearchPremise_ByPostcode');
  search.request.reverse();
  search.request.push({ name: 'sCountry', type: 'string', minOccurs: 0, maxOccurs: 1, nillable: false });
  search.actions['1.1'] = 'urn:new';
  const register = operationOf(after, 'RegisterLicense');
  register.request = register.request.filter((field) => field.name !== 'sMachineName');
  for (const field of register.request) if (field.name === 'iLicenseID') field.type = 'string';
  after.operations = after.operations.filter((operation) => operation.name !== 'SearchPremise_ByPostcode_Dataset');
  after.operations.push({ ...operationOf(before, 'RegisterLicense'), name: 'RenewLicense' });
  after.types.ListAddressPremise?.fields.pop();
  after.targetNamespace = 'urn:new';
  after.addresses['1.1'] = 'http://lookup.example.org/second.asmx';

  const found = compareDescriptions(after, before).findings.filter((finding) => finding.against === 'last-seen');
  const summary = found.map(({ kind, operation, field }) => [kind, operation, field].filter(Boolean).join(' '));
  expect(summary.toSorted()).toEqual(
    [
      'namespace-changed',
      'address-changed',
      'fields-reordered SearchPremise_ByPostcode',
      'field-added SearchPremise_ByPostcode sCountry',
      'action-changed SearchPremise_ByPostcode',
      'field-removed RegisterLicense sMachineName',
      'field-retyped RegisterLicense iLicenseID',
      'result-field-removed SearchPremise_ByPostcode [].Return_Code',
      'twin-lost SearchPremise_ByPostcode_Dataset',
      'operation-added RenewLicense',
    ].toSorted(),
  );
  expect(found.find((finding) => finding.operation === 'RegisterLicense')?.touches).toContain('Licences');
  expect(found.find((finding) => finding.kind === 'fields-reordered')?.touches).toContain('Lookup');
});

test('a difference touches Lookup where Lookup or a batch calls the operation, and nowhere else', () => {
  const touching = soapOperations.map(({ name }) => name).filter((name) => partsOf(name).includes('Lookup'));
  expect(touching.toSorted()).toEqual([
    'DistanceBetween_Postcodes',
    'GetPremiseAddress',
    'NearestData_ForPostcode',
    'SearchPremise_ByPOBox',
    'SearchPremise_ByPostcode',
    'SearchPremise_ByThouroughfareID',
    'SearchPremise_ByWordMatchOnAll',
    'SearchThoroughfare_ByPostcodeDistrict',
    'SearchThoroughfare_ByStreet',
  ]);
  expect(partsOf('SearchPremise_ByPostcode_Dataset')).toEqual(['Operations']);
});

test('drift against the catalogue: missing parts are reported, equal ones are not, the map operation is recognised', async () => {
  const findings = compareDescriptions(await read('old-style.wsdl'), undefined, { soapNamespace: 'urn:mine' }).findings;
  const kinds = new Map<string, number>();
  for (const finding of findings) kinds.set(finding.kind, (kinds.get(finding.kind) ?? 0) + 1);
  expect(kinds.get('operation-added')).toBe(1);
  expect(kinds.get('namespace-changed')).toBe(1);
  // The description has four of the published operations (the map operation with its own word).
  expect((kinds.get('operation-removed') ?? 0) + (kinds.get('twin-lost') ?? 0)).toBe(soapOperationNames.length - 4);
  expect(findings.filter((finding) => /Map$/.test(finding.operation ?? ''))).toEqual([]);
  expect([...kinds.keys()].toSorted()).toEqual(['namespace-changed', 'operation-added', 'operation-removed']);
});
