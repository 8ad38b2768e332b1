import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallProfile } from '../../../electron/core/connections/profile.ts';
import { callRest, type RestCall } from '../../../electron/core/rest/client.ts';
import { createHttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { positionOf, textOf } from '../../../shared/domain/address/address.ts';
import { envelopeLines } from '../../../shared/domain/address/address-envelope.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { connectionDraft } from '../../helpers/temp-database.ts';

let demo: RunningDemo;
const transport = createHttpTransport();
beforeAll(async () => {
  demo = await startTestService({ premises: 2000, now: '2027-03-01T09:00:00Z' });
});
afterAll(async () => {
  await transport.close();
  await demo.stop();
});

const profileOf = (searchForm: 'query' | 'phrase', lookupKey: string): CallProfile => ({
  connection: {
    id: 'demo',
    ...connectionDraft('Demo', { restBaseUrl: demo.restBaseUrl, soapUrl: demo.soapUrl, searchForm }),
    kind: 'demo',
  },
  secrets: { lookupKey },
});
const call = (endpoint: string, fields: RestCall['fields'] = {}, profile = profileOf('query', demo.demo.lookupKey)) =>
  callRest({ profile, endpoint, fields, transport: transport.send, timeoutMs: 120_000 });

describe.each(['a', 'b'] as const)('against the demo service in shape %s', (shape) => {
  test('search, premise, UPRN and position fit together, and cost what is published', async () => {
    demo.settings.shape = shape;
    const creditsLeft = async (): Promise<number> => {
      const read = await call('GetCredits');
      if (!read.ok) throw new Error(read.error.message);
      return read.value.balance?.credits ?? Number.NaN;
    };
    const before = await creditsLeft();
    const found = await call('Search', { query: demo.demo.sample.postcode, maxresults: 5 });
    const first = found.ok ? found.value.search?.items[0] : undefined;
    expect(first?.premiseId).toMatch(/^\d{8}$/);
    const id = demo.demo.sample.leadingZeroId;
    const plain = await call('GetPremise', { id });
    const full = await call('GetPremise', { id, uprn: true });
    if (!plain.ok || !full.ok) throw new Error('no premise');
    expect(plain.value.shape).toBe(shape.toUpperCase());
    expect(plain.value.address?.premiseId).toBe(id);
    expect(plain.value.address?.fields.uprn).toBeUndefined();
    expect(full.value.address && textOf(full.value.address, 'uprn')).toMatch(/^\d{12}$/);
    expect(full.value.address?.other).toEqual([]);
    const geo = await call('GetPremiseGeoData', { id });
    if (!geo.ok || !geo.value.address || !full.value.address) throw new Error('no position');
    expect(positionOf(geo.value.address)).toEqual(positionOf(full.value.address));
    const envelope = envelopeLines(full.value.address);
    expect(envelope.at(-1)).toBe(textOf(full.value.address, 'postcode'));
    expect(await creditsLeft()).toBe(before - 1 - 1 - 2 - 1);
  });
});

test('the phrase form', async () => {
  const found = await call('Search', { query: demo.demo.sample.postcode }, profileOf('phrase', demo.demo.lookupKey));
  expect(found.ok && found.value.search?.items.length).toBeGreaterThan(0);
});

test('its refusals are distinguished', async () => {
  expect(await call('GetPremise', { id: '99999999' })).toMatchObject({ ok: false, error: { code: 'not-found' } });
  const wrong = await call('GetCredits', {}, profileOf('query', 'no-such-key-0123456789'));
  expect(wrong).toMatchObject({ ok: false, error: { code: 'credentials-refused' } });
});
