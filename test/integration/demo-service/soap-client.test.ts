import { type Client, createClientAsync } from 'soap';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { type RecordName, records } from '../../../shared/catalogue/records.ts';
import { findSoapOperation, soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import type { RecordDef } from '../../../shared/catalogue/types.ts';
import { startTestService } from '../../helpers/demo-process.ts';

/** An independent SOAP client, generated from the service's description, calls everything in it. */

let demo: RunningDemo;
beforeAll(async () => {
  demo = await startTestService({ premises: 4000 });
});
afterAll(() => demo.stop());

/** Fields for an operation with which it returns an answer. */
function fieldsFor(operation: string): Record<string, string | number> {
  const { demo: account } = demo;
  const { sample } = account;
  const known: Record<string, string | number> = {
    AccountName: account.accountName,
    LicenceID: account.licenceId,
    MachineID: '',
    sAccountName: account.accountName,
    sGUID: account.guid,
    sGuid: account.guid,
    sLicenseID: account.licenceId,
    sIPAddress: account.ipAddress,
    LicenceKey: account.licenceKey,
    YourReference: account.yourReference,
    sWebMapKey: account.webMapKey,
    iLicenseID: account.licences.free ?? 0,
    sMachineName: operation === 'GetLicenseDetails' ? 'FRONT-DESK-01' : 'TEST-MACHINE',
    sPostcode: operation === 'SearchThoroughfare_ByPostcodeDistrict' ? sample.district : sample.postcode,
    Postcode: sample.postcode,
    sPostcodes: [sample.postcode, ...sample.nearPostcodes].join(','),
    sPostcodeDatum: sample.postcode,
    sPostcodeCheck: sample.nearPostcodes[0] ?? '',
    sPostcodeList: sample.nearPostcodes.join(','),
    sPostcodeDescriptions: sample.nearPostcodes.map((_, index) => `Shop ${index} <&>`).join(','),
    sNumberToReturn: '3',
    sFlatOrBuildingName: sample.flatOrBuilding.name,
    sPremisesNumber: '',
    HouseNumber: sample.number,
    sPOBox: sample.poBox.number,
    sOrganisation: sample.organisation.name,
    sStreet: sample.street,
    sNumber: '',
    sTown: operation.includes('POBox') ? sample.poBox.town : sample.town,
    sThouroughfareID: sample.thoroughfareId,
    sUniqueDeliveryPointID: sample.leadingZeroId,
    sUDP: sample.leadingZeroId,
    sField: sample.field.name,
    sValue: sample.field.value,
    sCompany: '',
    sLocality: '',
    sTownOrCity: sample.town,
    sOperator: 'AND',
    sSearchExpression: sample.expression,
    sSearch: operation.includes('OnPremise')
      ? sample.organisation.name
      : operation.includes('OnLocality')
        ? sample.locality
        : operation.includes('OnAll')
          ? sample.words
          : sample.street,
  };
  const found = findSoapOperation(operation);
  return Object.fromEntries((found?.operation.fields ?? []).map(({ name }) => [name, known[name] ?? '']));
}

// biome-ignore lint/suspicious/noExplicitAny: the client's answers have no types.
type Any = any;
const asList = (value: Any): Any[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** Checks that a record has every published field with its type and no other field. */
function expectRecord(name: RecordName, value: Any): void {
  const definition: RecordDef = records[name];
  const published = definition.fields.map((field) => field.name);
  const wanted = definition.listOf === undefined ? published : ['List', ...published];
  expect(Object.keys(value).sort()).toEqual([...wanted].sort());
  for (const { name: field, type } of definition.fields) {
    if (type === 'boolean') expect(value[field], field).toBeTypeOf('boolean');
    else expect(value[field] === null || typeof value[field] === 'string', `${name}.${field}`).toBe(true);
  }
  if ('Return_Code' in value) expect(value.Return_Code).toBe('1');
  if (definition.listOf === undefined) return;
  const members = asList(value.List?.[definition.listOf]);
  expect(members.length).toBeGreaterThan(0);
  for (const member of members) expectRecord(definition.listOf as RecordName, member);
}

describe.each([['1.1', false] as const, ['1.2', true] as const])('over SOAP %s', (version, forceSoap12Headers) => {
  let client: Client;
  beforeAll(async () => {
    client = await createClientAsync(`${demo.soapUrl}?WSDL`, { forceSoap12Headers });
  });

  test('the description has the published operations and no other', () => {
    const services = client.describe() as Record<string, Record<string, Record<string, unknown>>>;
    const [[service, ports]] = Object.entries(services) as [[string, Record<string, Record<string, unknown>>]];
    expect(service).toContain('19');
    expect(Object.keys(ports)).toHaveLength(2);
    for (const port of Object.values(ports)) expect(Object.keys(port).sort()).toEqual([...soapOperationNames].sort());
  });

  test.each(soapOperationNames)('%s answers with its published result', async (operation) => {
    const fields = fieldsFor(operation);
    if (operation === 'UnregisterLicense') await call(client, 'RegisterLicense', fields);
    const [result, raw] = await call(client, operation, fields);
    expect(raw).toContain(version === '1.1' ? 'schemas.xmlsoap.org/soap/envelope' : '2003/05/soap-envelope');
    const found = findSoapOperation(operation);
    const published = found?.operation.result;
    if (found?.dataset) {
      expect(raw).toMatch(/<diffgr:diffgram.*diffgr:id="[A-Za-z]+1"/s);
      expect(raw).toContain('<Return_Code>1</Return_Code>');
    } else if (published === 'integer') expect(result).toBeTypeOf('number');
    else if (published === 'string' || published === 'not-shown') expect(result.length).toBeGreaterThan(5);
    else expectRecord(published as RecordName, result);
    if (operation.endsWith('registerLicense')) expect(result).toMatch(/^Success/);
    if (operation === 'RegisterLicense') await call(client, 'UnregisterLicense', fields);
  });
});

/** Makes one call by the operation's name and returns the result of the answer. */
async function call(
  client: Client,
  operation: string,
  fields: Record<string, string | number>,
): Promise<[Any, string]> {
  const method = client[`${operation}Async`] as (fields: unknown) => Promise<[Any, string]>;
  const [answer, raw] = await method.call(client, fields);
  return [answer[`${operation}Result`], raw];
}

test('text with markup, accents and leading zeros comes back as it was', async () => {
  const client = await createClientAsync(`${demo.soapUrl}?WSDL`);
  const fields = { ...fieldsFor('NearestData_ForPostcode'), sPostcodeDescriptions: `Café <b> & "x" 'y' ]]> 😀` };
  const [answer] = await call(client, 'NearestData_ForPostcode', fields);
  const list = asList(answer.List.Nearest);
  expect(list.map(({ Postcode_Description: text }) => text)).toContain(`Café <b> & "x" 'y' ]]> 😀`);
  const [address] = await call(client, 'GetPremiseAddress', fieldsFor('GetPremiseAddress'));
  const [premise] = asList(address.List.AddressPremise);
  expect(premise.Unique_Delivery_Point).toBe(demo.demo.sample.leadingZeroId);
  expect(premise.Unique_Delivery_Point).toMatch(/^0\d{7}$/);
});

test('a wrong account is reported by IsError, ErrorMessage and code 201', async () => {
  const client = await createClientAsync(`${demo.soapUrl}?WSDL`);
  const fields = { ...fieldsFor('SearchPremise_ByPostcode'), LicenceID: 'none' };
  const [answer] = await call(client, 'SearchPremise_ByPostcode', fields);
  expect(answer.IsError).toBe(true);
  expect(answer.ErrorMessage).toMatch(/not valid/);
  expect(asList(answer.List.ListAddressPremise)[0].Return_Code).toBe('201');
});
