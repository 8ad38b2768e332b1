import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallProfile } from '../../../electron/core/connections/profile.ts';
import { textOf } from '../../../electron/core/decode/shared-text.ts';
import { callRest } from '../../../electron/core/rest/client.ts';
import { callSoap } from '../../../electron/core/soap/client.ts';
import { readDescription } from '../../../electron/core/soap/description/read-description.ts';
import type { DataSet } from '../../../electron/core/soap/message/dataset.ts';
import { createHttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { readXml, type XmlElement } from '../../../electron/demo-service/soap/xml-read.ts';
import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import { type RecordName, records } from '../../../shared/catalogue/records.ts';
import {
  findRestEndpoint,
  type JsonField,
  restEndpoints,
  searchItemFields,
  searchPhraseForm,
} from '../../../shared/catalogue/rest-endpoints.ts';
import { findSoapOperation, soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import type { RecordDef, RecordField } from '../../../shared/catalogue/types.ts';
import { isSecretField } from '../../../shared/secret-fields.ts';
import { buildProfile } from '../../fixtures/soap/profile.ts';
import { soapQuestions, startTestService } from '../../helpers/demo-process.ts';

/**
 * All 54 calls of the published interface: every returned field is compared with the catalogue's definition and with
 * the answer's bytes (read with another parser than the client's), and the price with what the meter took.
 */

let demo: RunningDemo;
const transport = createHttpTransport();
beforeAll(async () => {
  demo = await startTestService({ premises: 6000 });
});
afterAll(async () => {
  await transport.close();
  await demo.stop();
});

function profileOf(changes: Partial<CallProfile['connection']>): CallProfile {
  const { accountName, licenceId, guid, licenceKey, webMapKey, yourReference, lookupKey, masterKey } = demo.demo;
  const { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace } = demo;
  return buildProfile(
    { restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, accountName, yourReference, ...changes },
    { licenceId, guid, licenceKey, webMapKey, lookupKey, masterKey },
  );
}

/** Checks that the service took the catalogue's price, if there is one, and that one call is one hit. */
function expectPrice(name: string, fields: Record<string, unknown>): void {
  const { credits, requests, calls } = demo.meter.read();
  const published = publishedCredits(priceOf(name), fields);
  if (published !== undefined) expect(credits, `price of ${name}`).toBe(published);
  expect(requests).toBe(1);
  expect(calls[name]?.hits).toBe(1);
}

describe.each(['1.1', '1.2'] as const)('SOAP %s', (soapVersion) => {
  test.each(soapOperationNames)('%s', async (name) => {
    const found = findSoapOperation(name);
    if (!found) throw new Error(name);
    const { operation, dataset } = found;
    const profile = profileOf({ soapVersion });
    const { soapUrl } = profile.connection;
    // SOAP 1.1 and 1.2: one with the description, one with the catalogue alone.
    const described = await readDescription({ soapUrl, transport: transport.send, timeoutMs: 120_000 });
    const description = soapVersion === '1.1' && described.ok ? described.value : undefined;
    const fields = soapQuestions(demo.demo)[operation.name] ?? {};
    demo.meter.reset();
    const answer = await callSoap({
      profile,
      operation: name,
      fields,
      description,
      transport: transport.send,
      timeoutMs: 120_000,
    });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    expectPrice(name, fields);
    const { value, unknown, raw, request } = answer.value;
    expect(answer.value.found).toBe('something');
    expect(unknown).toEqual([]);

    const sent = readXml(request.body ?? '').children[0]?.children[0];
    expect(sent?.children.map((child) => child.name)).toEqual(
      operation.fields
        .filter((field) => field.credential !== undefined || field.name in fields)
        .map((field) => field.name),
    );
    const response = readXml(textOf(raw.text)).children[0]?.children[0];
    expect(response?.name).toBe(`${name}Response`);
    const result = response?.children[0];
    expect(result?.name).toBe(`${name}Result`);
    if (!result) throw new Error('no result');

    if (dataset) expectTables(value as DataSet, result, recordOf(operation.result));
    else if (operation.result in records) expectRecord(operation.result as RecordName, value, result);
    else if (operation.result === 'integer') expect(value).toBe(Number(result.text));
    else expect(value).toBe(result.text);
  });
});

/** The record of the rows in a twin's table. */
function recordOf(result: string): RecordName {
  const definition: RecordDef = records[result as RecordName];
  return (definition.listOf ?? result) as RecordName;
}

function expectField(field: RecordField, value: unknown, element: XmlElement | undefined): void {
  if (field.type === 'boolean') {
    expect(value, field.name).toBe(element?.text === 'true');
    return;
  }
  expect(typeof value, field.name).toBe(field.type === 'integer' ? 'number' : 'string');
  if (isSecretField(field.name)) expect(value, field.name).toMatch(/^••••/);
  else expect(String(value), field.name).toBe(element?.text);
}

/** Checks that the answer and the client's value have exactly the fields of the definition, in its order, with the texts that were sent. */
function expectRecord(name: RecordName, value: unknown, element: XmlElement): void {
  const definition: RecordDef = records[name];
  const names = definition.fields.map((field) => field.name);
  const own = element.children.filter((child) => child.name !== 'List');
  expect(own.map((child) => child.name).sort(), name).toEqual([...names].sort());
  const record = value as Record<string, unknown>;
  const expected = definition.listOf === undefined ? names : [...names, 'List'];
  expect(Object.keys(record).sort(), name).toEqual(expected.sort());
  for (const field of definition.fields) {
    expectField(
      field,
      record[field.name],
      own.find((child) => child.name === field.name),
    );
  }
  if (definition.listOf === undefined) return;
  const list = element.children.find((child) => child.name === 'List');
  const members = record.List as unknown[];
  expect(members.length).toBeGreaterThan(0);
  expect(list?.children.map((child) => child.name)).toEqual(members.map(() => definition.listOf));
  members.forEach((member, index) => {
    const child = list?.children[index];
    if (child) expectRecord(definition.listOf as RecordName, member, child);
  });
}

/** Field notes, "Data sets": the table of premises has no coordinates, no error fields and no FullAddress. */
const notInTables: ReadonlySet<string> = new Set(['IsError', 'ErrorMessage', 'FullAddress']);

function expectTables({ tables }: DataSet, element: XmlElement, name: RecordName): void {
  expect(tables.map((table) => table.name)).toEqual([name]);
  const [table] = tables;
  const rows = findAll(element, name);
  expect(table?.rows).toHaveLength(rows.length);
  expect(rows.length).toBeGreaterThan(0);
  const definition: RecordDef = records[name];
  const columns = definition.fields
    .map((field) => field.name)
    .filter((field) => name !== 'AddressPremise' || (!notInTables.has(field) && !/^(Lat|Long)itude_/.test(field)));
  expect(table?.columns).toEqual(columns);
  table?.rows.forEach((row, index) => {
    expect(Object.entries(row)).toEqual(rows[index]?.children.map((cell) => [cell.name, cell.text]));
    expect(Object.keys(row)).toEqual(columns);
  });
}

/** Rows with a name below the diffgram, without the schema's elements. */
function findAll(element: XmlElement, name: string): XmlElement[] {
  if (element.name === 'schema') return [];
  return element.children.flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

const checks: Record<JsonField['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  list: Array.isArray,
  object: (value) => typeof value === 'object',
};

function expectFields(fields: readonly JsonField[], value: unknown): void {
  const record = value as Record<string, unknown>;
  expect(Object.keys(record).sort()).toEqual(fields.map((field) => field.name).sort());
  for (const { name, type } of fields) expect(checks[type](record[name]), `${name} is ${type}`).toBe(true);
}

describe.each(['A', 'B'] as const)('REST shape %s', (shape) => {
  const questions: [string, () => Record<string, string | number | boolean>][] = [
    ['Search', () => ({ query: demo.demo.sample.postcode, maxresults: 3 })],
    ['GetPremise', () => ({ id: demo.demo.sample.leadingZeroId })],
    ['GetPremise', () => ({ id: demo.demo.sample.leadingZeroId, uprn: true })],
    ['GetPremise', () => ({ id: demo.demo.sample.premiseId, uprn: false })],
    ['GetPremiseGeoData', () => ({ id: demo.demo.sample.leadingZeroId })],
    ['GetCredits', () => ({})],
  ];
  test('asks all four endpoints', () => {
    expect(new Set(questions.map(([name]) => name))).toEqual(new Set(restEndpoints.map(({ name }) => name)));
  });

  test.each(questions)('%s, %#', async (name, ask) => {
    demo.settings.shape = shape === 'A' ? 'a' : 'b';
    demo.meter.reset();
    const fields = ask();
    const answer = await callRest({
      profile: profileOf({}),
      endpoint: name,
      fields,
      transport: transport.send,
      timeoutMs: 120_000,
    });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    expectPrice(name, fields);
    const { value, raw } = answer.value;
    expect(value).toEqual(JSON.parse(textOf(raw.text)));
    const definition = findRestEndpoint(name)?.shapes[shape];
    if (!definition) throw new Error(name);
    const outer = value as Record<string, unknown>;
    if (definition.member !== undefined) expect(Object.keys(outer)).toEqual([definition.member]);
    const inner = definition.member === undefined ? outer : outer[definition.member];
    // Present only if requested (specification, shape A).
    const withUprn = shape === 'B' ? 'uprn' in (inner as object) : name !== 'GetPremise' || fields.uprn === true;
    if (name === 'GetPremise' && fields.uprn === true) expect(withUprn).toBe(true);
    expectFields(
      definition.fields.filter((field) => field.name !== 'uprn' || withUprn),
      inner,
    );
    if (name !== 'Search') return;
    const { results, totalResults } = outer as { results: unknown[]; totalResults: number };
    expect([results.length, totalResults >= results.length]).toEqual([3, true]);
    for (const item of results) expectFields(searchItemFields, item);
  });
});

test('the second published form of /Search', async () => {
  demo.meter.reset();
  const profile = profileOf({ searchForm: 'phrase' });
  const fields = { phrase: demo.demo.sample.postcode };
  const answer = await callRest({ profile, endpoint: 'Search', fields, transport: transport.send, timeoutMs: 120_000 });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  expectPrice('Search', fields);
  const { items } = answer.value.value as { items: Record<string, unknown>[] };
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) {
    expectFields(searchPhraseForm.itemFields, item);
    expect(['Premise', 'Group']).toContain(item.type);
  }
});
