import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { findRestEndpoint, searchItemFields } from '../../../shared/catalogue/rest-endpoints.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { callRest } from './demo-client.ts';

let demo: RunningDemo;
beforeEach(async () => {
  demo = await startTestService({ premises: 2000, now: '2027-03-01T09:00:00Z' });
});
afterEach(() => demo.stop());

/** The names and types of an answer's members, in the published order. */
const shapeOf = (name: string, shape: 'A' | 'B') => findRestEndpoint(name)?.shapes[shape].fields ?? [];
const typeOf = (type: string) => (type === 'string' ? 'string' : 'number');

describe.each([
  ['a', 'A', 'item'],
  ['b', 'B', 'premise'],
] as const)('shape %s', (shape, published, member) => {
  beforeEach(() => {
    demo.settings.shape = shape;
  });

  test('GetPremise has every published field of its type, the UPRN only if asked for', async () => {
    const id = demo.demo.sample.leadingZeroId;
    const plain = (await callRest(demo, '/GetPremise', { id })).body[member];
    const full = (await callRest(demo, '/GetPremise', { id, uprn: 'true' })).body[member];
    const fields = shapeOf('GetPremise', published);
    expect(Object.keys(full).sort()).toEqual(fields.map(({ name }) => name).sort());
    expect(Object.keys(plain).sort()).toEqual(
      fields
        .map(({ name }) => name)
        .filter((name) => name !== 'uprn')
        .sort(),
    );
    for (const { name, type } of fields) expect(full[name], name).toBeTypeOf(typeOf(type));
    expect(full.id).toBe(id);
    expect(full.uprn).toMatch(/^\d{12}$/);
  });

  test('GetPremiseGeoData and GetCredits have their published fields', async () => {
    const geo = (await callRest(demo, '/GetPremiseGeoData', { id: demo.demo.sample.premiseId })).body;
    const inner = geo[shape === 'a' ? 'item' : 'geoData'];
    const fields = shapeOf('GetPremiseGeoData', published);
    expect(Object.keys(inner).sort()).toEqual(fields.map(({ name }) => name).sort());
    for (const { name, type } of fields) expect(inner[name], name).toBeTypeOf(typeOf(type));
    const { body } = await callRest(demo, '/GetCredits');
    if (shape === 'a') expect(body).toEqual({ credits: 4999 });
    else expect(body).toEqual({ credits: { remaining: 4999, used: 1, total: 5000, expiryDate: '2028-04-04' } });
  });
});

test('missing text is empty and a missing number is 0 in shape A', async () => {
  const { body } = await callRest(demo, '/Search', { query: 'The Old Bark House HR10 2DT' });
  const ranged = await callRest(demo, '/Search', { query: '26-28 HR10 2DT' });
  expect(body.results[0].buildingNumber).toBe('18');
  const { item } = (await callRest(demo, '/GetPremise', { id: ranged.body.results[0].id })).body;
  expect(item).toMatchObject({ buildingName: '26-28', buildingNumber: 0, poBox: '', subBuilding: '' });
});

test('Search answers results with all fields, cut at maxresults, and the total', async () => {
  const { postcode } = demo.demo.sample;
  const { body } = await callRest(demo, '/Search', { query: postcode.toLowerCase().replace(' ', ''), maxresults: '3' });
  expect(body.results).toHaveLength(3);
  expect(body.totalResults).toBe(34);
  expect(Object.keys(body.results[0])).toEqual(searchItemFields.map(({ name }) => name));
  for (const value of Object.values(body.results[0])) expect(value).toBeTypeOf('string');
});

test('the phrase form answers keys, exact postcodes, and groups where there are too many', async () => {
  const { postcode, town } = demo.demo.sample;
  const { body } = await callRest(demo, '/Search', { phrase: postcode, opensearch: 'false' });
  expect(body.items).toHaveLength(34);
  expect(body.items[0]).toMatchObject({ key: expect.stringMatching(/^\d{8}$/), type: 'Premise' });
  const loose = await callRest(demo, '/Search', { phrase: 'not a postcode', opensearch: 'false' });
  expect(loose.status).toBe(400);
  const many = await callRest(demo, '/Search', { phrase: town, maxresults: '1' });
  const group = many.body.items.find(({ type }: { type: string }) => type === 'Group');
  const opened = await callRest(demo, '/Search', { phrase: group.key, opensearch: 'false' });
  expect(opened.body.items.length).toBeGreaterThan(1);
});

test('credits are counted exactly, and refusals cost nothing', async () => {
  const { premiseId: id, postcode } = demo.demo.sample;
  const credits = async (): Promise<number> => (await callRest(demo, '/GetCredits')).body.credits;
  const spentBy = async (path: string, query: Record<string, string>): Promise<number> => {
    const before = await credits();
    await callRest(demo, path, query);
    return before - (await credits());
  };
  expect(await spentBy('/Search', { query: postcode })).toBe(1);
  expect(await spentBy('/Search', { query: 'nowhere whatever zzz' })).toBe(1);
  expect(await spentBy('/GetPremise', { id })).toBe(1);
  expect(await spentBy('/GetPremise', { id, uprn: 'true' })).toBe(2);
  expect(await spentBy('/GetPremise', { id, uprn: 'false' })).toBe(1);
  expect(await spentBy('/GetPremise', { id, includeGeoData: 'true' })).toBe(1);
  expect(await spentBy('/GetPremiseGeoData', { id })).toBe(1);
  expect(await spentBy('/GetPremise', { id: '99999999' })).toBe(0);
  expect(await spentBy('/GetPremise', {})).toBe(0);
  expect(await spentBy('/GetPremise', { id, uprn: 'perhaps' })).toBe(0);
  expect(await spentBy('/Search', { query: postcode, maxresults: '0' })).toBe(0);
  expect(await spentBy('/GetPremise', { id, key: demo.demo.masterKey })).toBe(0);
  const reading = demo.meter.read();
  expect(reading.credits).toBe(8);
  expect(reading.calls.GetPremise).toEqual({ hits: 8, answered: 4, refused: 4, credits: 5 });
  expect(reading.payers.lookup?.credits).toBe(8);
});

test('keys have roles, restrictions and limits', async () => {
  const { masterKey, restrictedKey, domainKey, limitedKey, spentKey } = demo.demo;
  const open = async (key: string, headers = {}) =>
    callRest(demo, '/GetPremise', { id: demo.demo.sample.premiseId, key }, headers);
  expect((await open('0'.repeat(32))).status).toBe(401);
  expect((await open('')).status).toBe(400);
  expect((await open(masterKey)).body.error.code).toBe('key-role');
  expect((await callRest(demo, '/GetCredits', { key: masterKey })).status).toBe(200);
  expect((await open(restrictedKey)).body.error.code).toBe('ip-address');
  demo.settings.trustForwarded = true;
  expect((await open(restrictedKey, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
  expect((await open(domainKey)).body.error.code).toBe('domain');
  expect((await open(domainKey, { referer: 'https://shop.example/basket' })).status).toBe(200);
  expect((await open(spentKey)).status).toBe(402);
  const statuses: number[] = [];
  for (let call = 0; call < 6; call += 1) statuses.push((await open(limitedKey)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await open(limitedKey)).headers.get('retry-after')).toBe('60');
  demo.clock.advance(60_000);
  expect((await open(limitedKey)).status).toBe(200);
});

test('the account runs out: a call that costs more than what is left is refused', async () => {
  demo.account.addCredits(-4999);
  const { premiseId: id } = demo.demo.sample;
  expect((await callRest(demo, '/GetPremise', { id, uprn: 'true' })).status).toBe(402);
  expect((await callRest(demo, '/GetCredits')).body.credits).toBe(1);
  expect((await callRest(demo, '/GetPremise', { id })).status).toBe(200);
  expect((await callRest(demo, '/GetPremise', { id })).body.error.code).toBe('no-credits');
});

test('unpublished behaviour can be set', async () => {
  const { premiseId: id, postcode, words } = demo.demo.sample;
  demo.settings.errorStyle = 'body200';
  expect(await callRest(demo, '/GetPremise', { id: 'x' })).toMatchObject({
    status: 200,
    body: { error: { code: 'unknown-id' } },
  });
  demo.settings.errorStyle = 'status';
  demo.settings.includeGeoData = 'refuse';
  expect((await callRest(demo, '/GetPremise', { id, includeGeoData: 'true' })).status).toBe(400);
  demo.settings.unknownParameter = 'refuse';
  expect((await callRest(demo, '/GetPremise', { id, colour: 'red' })).status).toBe(400);
  demo.settings.maxResults = 5;
  expect((await callRest(demo, '/Search', { query: postcode, maxresults: '50' })).body.results).toHaveLength(5);
  demo.settings.overMax = 'refuse';
  expect((await callRest(demo, '/Search', { query: postcode, maxresults: '50' })).status).toBe(400);
  demo.settings.searchForm = 'phrase';
  expect((await callRest(demo, '/Search', { query: postcode })).status).toBe(400);
  demo.settings.searchAnswer = 'results';
  expect((await callRest(demo, '/Search', { phrase: words })).body.totalResults).toBeGreaterThan(0);
  demo.settings.prices.GetPremise = 4;
  const before = demo.account.balance().remaining;
  await callRest(demo, '/GetPremise', { id, uprn: 'true' });
  expect(before - demo.account.balance().remaining).toBe(5);
});

test('it says that it is a demo', async () => {
  const { headers } = await callRest(demo, '/GetCredits');
  expect(headers.get('x-demo-service')).toBe('invented data');
});
