import { describe, expect, it } from 'vitest';
import { isKnownFree, priceOf, publishedCredits } from '../../shared/catalogue/price.ts';
import { records } from '../../shared/catalogue/records.ts';
import {
  findRestEndpoint,
  type JsonField,
  type RestEndpoint,
  removedParameters,
  restEndpoints,
  searchItemFields,
  searchPhraseForm,
} from '../../shared/catalogue/rest-endpoints.ts';
import { describeReturnCode, returnCodes } from '../../shared/catalogue/return-codes.ts';
import {
  datasetSuffix,
  findSoapOperation,
  type SoapOperation,
  soapOperationNames,
  soapOperations,
} from '../../shared/catalogue/soap-operations.ts';
import type { CredentialGroup, FieldDef, RecordDef } from '../../shared/catalogue/types.ts';
import { isSecretField } from '../../shared/secret-fields.ts';
import * as specification from '../fixtures/specification.ts';

// Whole lists are compared, never "contains", so that an entry too many fails as well as a missing one.

const catalogued: readonly SoapOperation[] = soapOperations;
const cataloguedRecords: Readonly<Record<string, RecordDef>> = records;
const cataloguedEndpoints: readonly RestEndpoint[] = restEndpoints;

const expandField = (field: specification.SpecifiedField) =>
  typeof field === 'string' ? { name: field, type: 'string', required: false } : field;

const readField = ({ name, type, required }: { name: string; type: string; required?: true }) => ({
  name,
  type,
  required: required ?? false,
});

const credentialGroups: Readonly<Record<CredentialGroup, specification.SpecifiedCredentials>> = {
  C1: 'C1',
  C2: 'C2',
  'C2-ip': 'C2 and sIPAddress',
  'licence-key': 'licence key',
  account: 'account',
  'account-ip': 'account and sIPAddress',
  map: 'C1',
  none: 'none',
};

const results: Readonly<Record<string, string>> = { 'not-shown': 'string, older versions' };

describe('the fixture', () => {
  it('has a price, or that none is published, for each operation, twin and endpoint', () => {
    const names = [
      ...specification.operations.map(({ name }) => name),
      ...specification.twins,
      ...specification.endpoints.map(({ name }) => name),
    ];
    expect(Object.keys(specification.prices).sort()).toEqual(names.sort());
  });

  it('agrees with itself about which operations have a twin', () => {
    const marked = specification.operations.filter(({ twin }) => twin).map(({ name }) => `${name}_Dataset`);
    expect(marked).toEqual(specification.twins);
  });

  it('has prices for its names and for no others', () => {
    const names = [...specification.endpoints, ...specification.operations].map(({ name }) => name);
    expect(Object.keys(specification.prices).sort()).toEqual([...names, ...specification.twins].sort());
  });
});

describe('SOAP operations', () => {
  it('are the 34 published ones, in the published order', () => {
    expect(catalogued.map(({ name }) => name)).toEqual(specification.operations.map(({ name }) => name));
  });

  it.each(specification.operations)('$name has the published fields, credentials, result and twin', (row) => {
    const operation = catalogued.find(({ name }) => name === row.name);
    if (!operation) return expect.fail('not in the catalogue');
    expect(operation.fields.map(readField)).toEqual(row.fields.map(expandField));
    expect(credentialGroups[operation.credentials]).toBe(row.credentials);
    expect(results[operation.result] ?? operation.result).toBe(row.result);
    expect(operation.dataset).toBe(row.twin);
  });

  it.each(specification.operations)('$name takes from the connection its credentials and nothing else', (row) => {
    const fields = findSoapOperation(row.name)?.operation.fields ?? [];
    const taken = fields.filter(({ credential }) => credential !== undefined).map(({ name }) => name);
    const specified = [specification.webMapKeyField, ...specification.credentialFields[row.credentials]];
    expect(taken).toEqual(row.fields.filter((field) => typeof field === 'string' && specified.includes(field)));
  });

  it('list the operations and their twins as callable names', () => {
    expect(datasetSuffix).toBe('_Dataset');
    const operations = specification.operations.map(({ name }) => name);
    expect([...soapOperationNames].sort()).toEqual([...operations, ...specification.twins].sort());
    expect(soapOperationNames.filter((name) => name.endsWith('_Dataset'))).toEqual(specification.twins);
  });

  it.each(specification.twins)('%s is found and shares the fields of its operation', (twin) => {
    const base = twin.replace('_Dataset', '');
    expect(findSoapOperation(twin)).toEqual({ operation: findSoapOperation(base)?.operation, dataset: true });
    expect(findSoapOperation(base)?.dataset).toBe(false);
  });

  it.each(specification.operations.filter(({ twin }) => !twin))('$name has no twin to be found', ({ name }) => {
    expect(findSoapOperation(`${name}_Dataset`)).toBeUndefined();
  });

  it('say of a postcode no form that is not published', () => {
    const ofPostcodes = catalogued.flatMap(({ fields }) =>
      (fields as readonly FieldDef[]).filter(({ name }) => /^s?Postcode$/.test(name)).map(({ help }) => help),
    );
    expect([...new Set(ofPostcodes)]).toEqual([undefined, 'The first half of a postcode, such as HR10.']);
  });

  it('change something only by registering or unregistering a licence', () => {
    const writes = catalogued.filter(({ effect }) => effect === 'writes').map(({ name }) => name);
    expect(writes).toEqual(['RegisterLicense', 'UnregisterLicense']);
  });
});

describe('SOAP records', () => {
  it('are the published ones, in the published order', () => {
    expect(Object.keys(cataloguedRecords)).toEqual(Object.keys(specification.records));
  });

  it.each(Object.entries(specification.records))('%s has the published fields, types and order', (name, fields) => {
    const record = cataloguedRecords[name];
    if (!record) return expect.fail('not in the catalogue');
    const list = record.listOf ? [{ name: 'List', type: `list of ${record.listOf}`, required: false }] : [];
    expect([...list, ...record.fields.map(readField)]).toEqual(fields.map(expandField));
  });

  it('have a definition for every record that an operation or a list names', () => {
    const named = [
      ...catalogued
        .map(({ result }) => result as string)
        .filter((r) => !['string', 'integer', 'not-shown'].includes(r)),
      ...Object.values(cataloguedRecords).flatMap(({ listOf }) => listOf ?? []),
    ];
    expect([...new Set(named)].sort()).toEqual(Object.keys(specification.records).sort());
  });

  it.each(specification.dataSetTables)('define %s, a table of the data set', (table) => {
    expect(cataloguedRecords[table]?.listOf).toBeUndefined();
    expect(cataloguedRecords[table]?.fields.length).toBeGreaterThan(0);
  });
});

describe('published misspellings', () => {
  const spelled = new Map<string, string[]>([
    ['License', cataloguedRecords.License?.fields.map(({ name }) => name) ?? []],
    ['operations', [...soapOperationNames]],
    ['thoroughfare', findSoapOperation('SearchPremise_ByThouroughfareID')?.operation.fields.map((f) => f.name) ?? []],
    ['credits', findSoapOperation('GetAvailableCredits')?.operation.fields.map((f) => f.name) ?? []],
  ]);

  it.each(specification.misspellings)(
    '$published is kept in $where, not corrected',
    ({ where, published, corrected }) => {
      expect(spelled.get(where)).toContain(published);
      expect(spelled.get(where)).not.toContain(corrected);
    },
  );
});

describe('REST endpoints', () => {
  const readParameter = ({ name, type, required, default: byDefault }: FieldDef) => ({
    name,
    type,
    required: required ?? false,
    ...(byDefault === undefined ? {} : { default: byDefault }),
  });
  const readJsonField = ({ name, type }: JsonField) => ({ name, type });
  const readShape = (shape: RestEndpoint['shapes']['A'] | undefined) => ({
    member: shape?.member ?? null,
    fields: shape?.fields.map(readJsonField),
  });

  it('are the four published ones, in the published order', () => {
    expect(cataloguedEndpoints.map(({ name }) => name)).toEqual(specification.endpoints.map(({ name }) => name));
  });

  it.each(specification.endpoints)('$name has the published path, parameters and key roles', (row) => {
    const endpoint = findRestEndpoint(row.name);
    expect(endpoint?.path).toBe(row.path);
    expect(endpoint?.parameters.map(readParameter)).toEqual(row.parameters);
    expect(endpoint?.keyRoles).toEqual(row.keys);
  });

  it.each(specification.endpoints)('$name takes from the connection the key alone', ({ name }) => {
    const taken = findRestEndpoint(name)?.parameters.filter(({ credential }) => credential !== undefined);
    expect(taken?.map((field) => [field.name, field.credential])).toEqual([['key', 'apiKey']]);
  });

  it.each(['GetPremise', 'GetPremiseGeoData', 'GetCredits'] as const)('%s has both published shapes', (name) => {
    expect(readShape(findRestEndpoint(name)?.shapes.A)).toEqual(specification.shapeA[name]);
    expect(readShape(findRestEndpoint(name)?.shapes.B)).toEqual(specification.shapeB[name]);
  });

  it('Search answers its list and its count, the same in both shapes', () => {
    const { list, total, item } = specification.searchAnswer;
    const expected = { member: null, fields: [{ name: list, type: 'list' }, total] };
    expect(readShape(findRestEndpoint('Search')?.shapes.A)).toEqual(expected);
    expect(readShape(findRestEndpoint('Search')?.shapes.B)).toEqual(expected);
    expect(searchItemFields.map(readJsonField)).toEqual(item);
  });

  it('notes which fields of shape A are always there and which depends on the request', () => {
    const fields = findRestEndpoint('GetPremise')?.shapes.A.fields ?? [];
    const noted = (words: RegExp) => fields.filter(({ note }) => note && words.test(note)).map(({ name }) => name);
    expect(noted(/\balways present\b/)).toEqual(specification.shapeAPresence.always);
    expect(noted(/\bonly when\b.*\buprn\b/)).toEqual(specification.shapeAPresence.onlyWithUprn);
  });

  it('know the other search form with its answer, and that includeGeoData was removed', () => {
    const [key, ...asked] = searchPhraseForm.parameters;
    expect(key.name).toBe('key');
    expect(asked.map(readParameter)).toEqual(specification.otherSearchForm);
    expect(searchPhraseForm.itemFields.map(readJsonField)).toEqual(specification.otherSearchAnswer.item);
    expect(removedParameters).toEqual([specification.removedParameter]);
    const offered = cataloguedEndpoints.flatMap(({ parameters }) => parameters.map(({ name }) => name));
    expect(offered).not.toContain(specification.removedParameter);
  });
});

describe('return codes', () => {
  it('are the known ones and no others', () => {
    expect(Object.keys(returnCodes).sort()).toEqual(specification.returnCodes.map(({ code }) => code).sort());
  });

  it.each(specification.returnCodes)('$code says what it means', ({ code, says }) => {
    expect(describeReturnCode(code)).toMatch(says);
  });

  it.each(['', '01', '202', '-1', 'constructor', '__proto__'])('"%s" has no meaning made up for it', (code) => {
    expect(describeReturnCode(code)).toBeUndefined();
  });
});

describe('prices', () => {
  const priced = Object.entries(specification.prices);

  it.each(priced)('%s costs what is published for it: %s', (name, credits) => {
    expect(publishedCredits(priceOf(name))).toBe(credits ?? undefined);
    expect(isKnownFree(name)).toBe(credits === 0);
  });

  it.each(priced)('%s says where its price is published', (name, credits) => {
    const price = priceOf(name);
    if (credits === null) return expect(price).toEqual({ kind: 'not-published' });
    const source = findRestEndpoint(name) ? 'specification' : 'field-notes';
    expect(price).toMatchObject({ kind: 'credits', source });
  });

  it.each(priced)('%s costs more only for what the specification prices apart', (name, credits) => {
    const extra = specification.endpoints.find((endpoint) => endpoint.name === name)?.extra;
    const price = priceOf(name);
    for (const parameter of ['uprn', 'maxresults', 'query', 'id', 'sPostcode']) {
      const added = extra?.parameter === parameter ? extra.credits : 0;
      expect(publishedCredits(price, { [parameter]: true })).toBe(credits === null ? undefined : credits + added);
      expect(publishedCredits(price, { [parameter]: false })).toBe(credits ?? undefined);
      expect(isKnownFree(name, { [parameter]: true })).toBe(credits !== null && credits + added === 0);
    }
  });

  it('a premise with its UPRN costs 2, without it 1', () => {
    expect(publishedCredits(priceOf('GetPremise'), { uprn: true })).toBe(2);
    expect(publishedCredits(priceOf('GetPremise'), { uprn: false })).toBe(1);
  });

  it.each(['NoSuchOperation', 'SearchPremise_ByNothing', 'ServiceTest_Dataset', 'search', '', 'toString'])(
    'for the unknown name "%s" nothing is claimed',
    (name) => {
      expect(priceOf(name)).toEqual({ kind: 'not-published' });
      expect(isKnownFree(name)).toBe(false);
    },
  );
});

describe('secret fields', () => {
  const requestFields: readonly FieldDef[] = [
    ...catalogued.flatMap(({ fields }) => fields),
    ...cataloguedEndpoints.flatMap(({ parameters }) => parameters),
    ...searchPhraseForm.parameters,
  ];

  it.each(specification.secretFields)('%s is one, however its letters are cased', (name) => {
    expect(isSecretField(name)).toBe(true);
    expect(isSecretField(name.toUpperCase())).toBe(true);
    expect(isSecretField(name.toLowerCase())).toBe(true);
  });

  it.each(specification.openCredentialFields)('%s is not one', (name) => {
    expect(isSecretField(name)).toBe(false);
  });

  it('cover every field of the catalogue that the connection fills: each is known to be secret or to be open', () => {
    const filled = new Set(requestFields.filter(({ credential }) => credential).map(({ name }) => name));
    const known = [...specification.secretFields, ...specification.openCredentialFields];
    expect([...filled].filter((name) => !known.includes(name))).toEqual([]);
    expect([...filled].filter(isSecretField).sort()).toEqual(
      specification.secretFields.filter((name) => filled.has(name)).sort(),
    );
  });

  it('leave every field that the user fills readable', () => {
    const asked = requestFields.filter(({ credential }) => !credential).map(({ name }) => name);
    expect(asked.filter(isSecretField)).toEqual([]);
  });

  it('hide the GUID of a License record and no other field of an answer', () => {
    const answered = [
      ...Object.values(cataloguedRecords).flatMap(({ fields }) => fields.map(({ name }) => name)),
      ...cataloguedEndpoints.flatMap(({ shapes }) => [...shapes.A.fields, ...shapes.B.fields].map(({ name }) => name)),
      ...searchItemFields.map(({ name }) => name),
    ];
    expect(answered.filter(isSecretField)).toEqual(['GUID']);
  });

  it.each(['sProviderMapKey', 'sXyzKey'])('%s is one: the map key carries a provider’s word', (name) => {
    expect(isSecretField(name)).toBe(true);
  });
});
