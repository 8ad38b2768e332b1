import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askPremise, premiseKey, premises } from '../../../renderer/features/lookup/asks.ts';
import { askSaved } from '../../../renderer/features/lookup/premise/use-premise.ts';
import { cachedPremisesQuery } from '../../../renderer/lib/calls/queries.ts';
import type { ChannelInput, ChannelName } from '../../../shared/contract.ts';
import type { CacheMode } from '../../../shared/domain/call.ts';
import type { PremiseView } from '../../../shared/domain/lookup/lookup.ts';
import type { Result } from '../../../shared/result.ts';
import { startDemo } from '../../helpers/demo-process.ts';
import { editConnection } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { type OperationsConsole, openOperationsConsole } from '../operations/operations-core.ts';

type UprnPlan = NonNullable<PremiseView['uprnPlan']>;

// The service's meter shows what was spent; the program reaches that service over HTTP only.

let desk: OperationsConsole;
const hits = async (name: string) => (await desk.service.meter()).calls[name]?.hits ?? 0;
const credits = async () => (await desk.service.meter()).credits;
const search = (text: string, requestId?: string) =>
  desk.call('lookup.search', { connectionId: desk.connectionId, text }, requestId);
const open = (premiseId: string, over: 'rest' | 'soap' = 'rest', cache: CacheMode = 'default', requestId?: string) =>
  desk.call('lookup.open', { connectionId: desk.connectionId, premiseId, interface: over, cache }, requestId);
/** The UPRN by the way that a window was shown. */
const uprn = (premiseId: string, operation: UprnPlan['operation'] = 'GetPremise', cache: CacheMode = 'default') =>
  desk.call('lookup.uprn', { connectionId: desk.connectionId, premiseId, operation, cache });
const held = async () => unwrap(await desk.call('lookup.cached', { connectionId: desk.connectionId })).premises;

afterEach(() => {
  vi.unstubAllGlobals();
  return desk.close();
});

describe.each(['a', 'b'])('shape %s', (shape) => {
  beforeEach(async () => {
    desk = await openOperationsConsole(['--shape', shape]);
    await desk.service.resetMeter();
  });

  it('sends one call for one request, however often and from wherever it is made at once', async () => {
    const { postcode } = desk.service.demo.sample;
    const spellings = [postcode, postcode.toLowerCase(), postcode.replace(' ', '')];
    const answers = await Promise.all([...spellings, ...spellings].map((text) => search(text)));
    expect(new Set(answers.map((answer) => unwrap(answer).provenance.answerId)).size).toBe(1);
    expect([await hits('Search'), await credits()]).toEqual([1, 1]);
    expect(unwrap(await search(postcode)).provenance.cached).toBe(true);
    expect(await hits('Search')).toBe(1);
  });

  it('says over which interface a saved premise is free, and stores every answer', async () => {
    const id = desk.service.demo.sample.leadingZeroId;
    unwrap(await open(id));
    expect(await held()).toMatchObject([{ premiseId: id, free: ['rest'] }]);
    unwrap(await open(id, 'soap'));
    expect(await held()).toMatchObject([{ premiseId: id, free: ['rest', 'soap'] }]);
    const again = unwrap(await open(id, 'rest', 'reload'));
    expect(again.cachedAnswers.map(({ operation }) => operation)).toEqual([
      'GetPremise',
      'GetPremiseAddress',
      'GetPremise',
    ]);
    expect(new Set(again.cachedAnswers.map(({ answerId }) => answerId)).size).toBe(3);
    expect(unwrap(await open(id)).provenance).toMatchObject({ cached: true, answerId: again.provenance.answerId });
    expect([await hits('GetPremise'), await hits('GetPremiseAddress'), await credits()]).toEqual([2, 1, 3]);
  });

  it('gets the UPRN the cheapest way that this shape has, and opens the premise from that answer too', async () => {
    const id = desk.service.demo.sample.leadingZeroId;
    const { uprnPlan } = unwrap(await open(id));
    expect(uprnPlan?.credits).toBe(shape === 'a' ? 1 : 2);
    const before = await credits();
    const view = unwrap(await uprn(id, uprnPlan?.operation));
    expect(view.uprn?.value).toMatch(/^\d+$/);
    expect((await credits()) - before).toBe(shape === 'a' ? 1 : 2);
    const spent = await credits();
    expect(unwrap(await open(id)).uprn?.value).toBe(view.uprn?.value);
    expect(await credits()).toBe(spent);
  });

  it('says of a UPRN that was asked for and came empty that it did, also when the premise is opened again, and asks anew if told', async () => {
    const id = desk.service.demo.sample.leadingZeroId;
    const opened = unwrap(await open(id));
    expect(opened.uprnPlan?.cameEmpty).toBe(false);
    const operation = opened.uprnPlan?.operation ?? 'GetPremise';
    const body = JSON.stringify(
      shape === 'a'
        ? { item: { id, lat: '52.05', long: '-2.71', uprn: '', udprn: '' } }
        : { premise: { premiseId: id, postcode: 'HR10 2DT', postTown: 'Hereford' } },
    );
    const type = 'application/json';
    await desk.service.setFaults({ kind: 'status', status: 200, body, type, on: operation, times: 1, execute: true });
    expect(unwrap(await uprn(id, operation))).toMatchObject({ uprn: null, uprnPlan: { operation, cameEmpty: true } });
    expect(unwrap(await open(id))).toMatchObject({ uprn: null, uprnPlan: { cameEmpty: true } });
    const spent = await credits();
    expect(unwrap(await uprn(id, operation)).provenance.cached).toBe(true);
    expect(await credits()).toBe(spent);
    expect(unwrap(await uprn(id, operation, 'reload')).uprn?.value).toMatch(/^\d+$/);
    expect((await credits()) - spent).toBe(opened.uprnPlan?.credits);
  });

  it('leaves a shared call to the others when one stops waiting, and ends it with the last', async () => {
    const id = desk.service.demo.sample.leadingZeroId;
    await desk.service.setFaults({ kind: 'delay', milliseconds: 60_000, on: 'GetPremise', times: 1 });
    const first = open(id, 'rest', 'default', 'window-1');
    const second = open(id, 'rest', 'default', 'window-2');
    await expect.poll(() => hits('GetPremise')).toBe(1);
    desk.cancel('window-1');
    expect(await first).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await desk.service.clearFaults();
    unwrap(await second);
    expect(await hits('GetPremise')).toBe(1);

    await desk.service.setFaults({ kind: 'delay', milliseconds: 60_000, on: 'GetPremise', times: 1 });
    const alone = open(id, 'rest', 'reload', 'window-3');
    await expect.poll(() => hits('GetPremise')).toBe(2);
    desk.cancel('window-3');
    expect(await alone).toMatchObject({
      ok: false,
      error: { code: 'cancelled-after-sending', charge: 'may-have-been-charged' },
    });
    expect(await hits('GetPremise')).toBe(2);
  });
});

describe('asked for only if it is cached', () => {
  beforeEach(async () => {
    desk = await openOperationsConsole();
    await desk.service.resetMeter();
  });

  it('nothing is ever sent: neither before an answer is saved, nor while one is on its way, nor once it is removed', async () => {
    const { connectionId } = desk;
    const { postcode, leadingZeroId: premiseId } = desk.service.demo.sample;
    const asks: Record<string, (cache: CacheMode) => Promise<Result<unknown>>> = {
      Search: (cache) => desk.call('lookup.search', { connectionId, text: postcode, interface: 'rest', cache }),
      GetPremise: (cache) => open(premiseId, 'rest', cache),
      GetPremiseAddress: (cache) => open(premiseId, 'soap', cache),
      NearestData_ForPostcode: (cache) =>
        desk.call('lookup.distances', { connectionId, from: postcode, to: ['HR10 9ZX', 'HR10 2DW'], cache }),
      ReturnPremise_ByPostcode: (cache) =>
        desk.call('operations.run', { ...desk.asked('ReturnPremise_ByPostcode', { sPostcode: 'HR10 2DW' }), cache }),
    };
    for (const [operation, ask] of Object.entries(asks)) {
      const expectRefused = async () =>
        expect(await ask('only-if-cached'), operation).toMatchObject({
          ok: false,
          error: { code: 'not-cached', charge: 'not-charged' },
        });
      await expectRefused();
      await desk.service.setFaults({ kind: 'delay', milliseconds: 60_000, on: operation, times: 1 });
      const sent = ask('default');
      await expect.poll(() => hits(operation)).toBe(1);
      await expectRefused();
      await desk.service.clearFaults();
      unwrap(await sent);
      unwrap(await ask('only-if-cached'));
      unwrap(await desk.call('lookup.purge', { what: 'all' }));
      await expectRefused();
      expect(await hits(operation)).toBe(1);
    }
  });
});

describe('a premise that a row says is saved', () => {
  beforeEach(async () => {
    desk = await openOperationsConsole();
    await desk.service.resetMeter();
  });

  it('opens while the list of saved premises is being read again, over the interface that has it, and sends nothing', async () => {
    const { connectionId } = desk;
    const { leadingZeroId: premiseId } = desk.service.demo.sample;
    let walk: Promise<void> | undefined;
    const api = new Proxy(
      {},
      {
        get: (_, channel: ChannelName) => async (id: string, input: ChannelInput<ChannelName>) => {
          if (channel === 'lookup.cached') await walk;
          return desk.call(channel, input, id);
        },
      },
    );
    vi.stubGlobal('window', { api: { call: api } });
    const client = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
    });
    const { restBaseUrl, soapUrl } = desk.service;
    const connection = { id: connectionId, restBaseUrl, soapUrl, preferredInterface: 'rest' } as const;
    const key = premiseKey(connection, premiseId);

    // It was asked for and is not saved: the failure of that call stays.
    await desk.service.setFaults({ kind: 'status', status: 500, on: 'GetPremise', times: 1 });
    const failed = { kind: 'open', connectionId, premiseId, interface: 'rest', cache: 'default' } as const;
    expect(await askPremise(connection, failed)).toMatchObject({ ok: false });
    await askSaved(client, connection, premiseId);
    expect(premises.read(key).failure?.error.code).not.toBe('not-cached');
    premises.dismiss(key);
    await askSaved(client, connection, premiseId);
    expect(premises.read(key)).toEqual({ running: null, answer: null, failure: null });

    unwrap(await open(premiseId, 'soap'));
    await client.refetchQueries(cachedPremisesQuery(connectionId));
    const spent = await credits();
    let end = () => {};
    walk = new Promise((resolve) => {
      end = resolve;
    });
    void client.refetchQueries(cachedPremisesQuery(connectionId));
    await askSaved(client, connection, premiseId);
    expect(premises.read(key).answer?.provenance).toMatchObject({ interface: 'soap', cached: true });
    // An answer of one interface that has expired since does not stand before that of the other.
    client.setQueryData(cachedPremisesQuery(connectionId).queryKey, (was) => ({
      premises: (was?.premises ?? []).map((premise) => ({ ...premise, free: ['rest' as const, 'soap' as const] })),
    }));
    await askSaved(client, connection, premiseId);
    expect(premises.read(key)).toMatchObject({ failure: null, answer: { provenance: { interface: 'soap' } } });
    // What the list still has and is saved no more is said to be gone.
    unwrap(await desk.call('lookup.purge', { what: 'all' }));
    await askSaved(client, connection, premiseId);
    expect(premises.read(key).failure?.error.code).toBe('not-cached');
    expect(await credits()).toBe(spent);
    end();
  });
});

describe('an address edited while a call is on its way', () => {
  it('gets neither the answer nor the call: both belong to the former address', async () => {
    desk = await openOperationsConsole();
    const other = await startDemo('--port', '0', '--premises', '4000');
    try {
      const id = desk.service.demo.sample.leadingZeroId;
      await desk.service.resetMeter();
      await desk.service.setFaults({ kind: 'delay', milliseconds: 60_000, on: 'GetPremise', times: 1 });
      const first = open(id);
      await expect.poll(() => hits('GetPremise')).toBe(1);
      await editConnection(desk, desk.connectionId, { restBaseUrl: other.restBaseUrl });
      const ofOther = unwrap(await open(id)).provenance;
      await desk.service.clearFaults();
      const ofFirst = unwrap(await first).provenance;
      expect((await other.meter()).calls.GetPremise?.hits).toBe(1);
      expect(unwrap(await open(id)).provenance).toMatchObject({ cached: true, answerId: ofOther.answerId });
      // Back at the first address its saved answer is found again, and no call is made twice.
      await editConnection(desk, desk.connectionId, { restBaseUrl: desk.service.restBaseUrl });
      expect(unwrap(await open(id)).provenance).toMatchObject({ cached: true, answerId: ofFirst.answerId });
      expect(await hits('GetPremise')).toBe(1);
    } finally {
      await other.stop();
    }
  });
});

describe('a key put first while a call with another is on its way', () => {
  it('is named neither by the refusal nor by the log as the paying key', async () => {
    desk = await openOperationsConsole();
    const put = async (label: string) =>
      unwrap(
        await desk.call('secrets.put', {
          connectionId: desk.connectionId,
          role: 'lookup-key',
          label,
          value: `no-such-key-${label}`,
        }),
      );
    const [sent, other] = [await put('Front desk'), await put('Web shop')];
    unwrap(await desk.call('secrets.prefer', { secretId: sent.id }));
    await desk.service.setFaults({ kind: 'delay', milliseconds: 60_000, on: 'GetPremise', times: 1 });
    const refused = open(desk.service.demo.sample.leadingZeroId);
    await expect.poll(() => hits('GetPremise')).toBe(1);
    unwrap(await desk.call('secrets.prefer', { secretId: other.id }));
    await desk.service.clearFaults();
    expect(await refused).toMatchObject({
      ok: false,
      error: { code: 'credentials-refused', sentWith: { id: sent.id, label: 'Front desk', lastFour: 'desk' } },
    });
  });
});

describe('the store and its policy', () => {
  beforeEach(async () => {
    desk = await openOperationsConsole();
    await desk.service.resetMeter();
  });
  const save = async (mode: 'off' | 'run' | 'days') =>
    unwrap(await desk.call('settings.save', { cachePolicy: { mode, amount: 30 } }));

  it('caches for the run without showing a cached answer as paid, and not at all when off', async () => {
    const id = desk.service.demo.sample.leadingZeroId;
    await save('run');
    expect(unwrap(await open(id)).provenance).toMatchObject({ cachedFor: 'run', expiresAt: null, cached: false });
    expect(unwrap(await open(id)).provenance).toMatchObject({ cachedFor: 'run', cached: true });
    expect(await held()).toMatchObject([{ premiseId: id, free: ['rest'] }]);
    await save('off');
    expect(await held()).toEqual([]);
    expect(unwrap(await open(id)).provenance).toMatchObject({ cachedFor: 'no', cached: false });
    expect(await hits('GetPremise')).toBe(2);
  });

  it('says how much is stored and removes it', async () => {
    unwrap(await open(desk.service.demo.sample.leadingZeroId));
    const store = unwrap(await desk.call('lookup.store', {}));
    expect(store).toMatchObject({ answers: 1, outdated: 0, limitBytes: 64_000_000 });
    await save('off');
    expect(unwrap(await desk.call('lookup.store', {}))).toMatchObject({ answers: 1, outdated: 1 });
    expect(unwrap(await desk.call('lookup.purge', { what: 'outdated' }))).toMatchObject({ removed: 1, answers: 0 });
  });

  it('prices a search with its own limit', async () => {
    const { connectionId } = desk;
    unwrap(await desk.call('lookup.search', { connectionId, text: 'Hereford', maxResults: 5 }));
    const price = async (maxResults: number | null) =>
      unwrap(await desk.call('lookup.search-ways', { connectionId, text: 'hereford', maxResults })).ways.find(
        (way) => way.interface === 'rest',
      )?.price.kind;
    expect([await price(5), await price(null)]).toEqual(['cached', 'credits']);
  });

  it('compares REST with SOAP by meaning, for free', async () => {
    const id = desk.service.demo.sample.leadingZeroId;
    const rest = unwrap(await open(id)).provenance.answerId;
    const soap = unwrap(await open(id, 'soap')).provenance.answerId;
    const before = await credits();
    const { comparable, rows } = unwrap(await desk.call('lookup.compare', { leftId: rest, rightId: soap, from: 0 }));
    expect(comparable).toBe(true);
    const verdict = (name: string) => rows.find((row) => row.name === name)?.verdict;
    expect([verdict('premiseId'), verdict('udprn'), verdict('mailsort')]).toEqual(['same', 'left', 'right']);
    expect(verdict('postcode')).toBe('same');
    const list = unwrap(
      await desk.call('lookup.cached-answers', { connectionId: desk.connectionId, search: '', limit: 10 }),
    ).answers;
    expect(list.map(({ operation }) => operation)).toEqual(['GetPremiseAddress', 'GetPremise']);
    expect(await credits()).toBe(before);
  });

  it('ranks distances in all four units with one call', async () => {
    const { postcode, nearPostcodes } = desk.service.demo.sample;
    const wanted = { connectionId: desk.connectionId, from: postcode, to: [...nearPostcodes] };
    expect(unwrap(await desk.call('lookup.distances-price', wanted)).price.kind).toBe('not-published');
    const [answer] = await Promise.all([1, 2].map(() => desk.call('lookup.distances', wanted)));
    const { rows } = unwrap(answer as NonNullable<typeof answer>);
    expect(rows.length).toBe(nearPostcodes.length);
    const metres = rows.map((row) => row.metres ?? Number.NaN);
    expect(metres).toEqual([...metres].sort((a, b) => a - b));
    for (const { distances } of rows) {
      expect(distances.map(({ unit }) => unit)).toEqual(['m', 'km', 'miles', 'nautical miles']);
      expect(distances.every(({ value }) => value !== '')).toBe(true);
    }
    const [one = ''] = nearPostcodes;
    unwrap(await desk.call('lookup.distances', { ...wanted, to: [one] }));
    expect([await hits('NearestData_ForPostcode'), await hits('DistanceBetween_Postcodes')]).toEqual([1, 1]);
    expect(unwrap(await desk.call('lookup.distances-price', wanted)).price.kind).toBe('cached');
  });

  it('reports a change of the answer shape until it is dismissed', async () => {
    const { connectionId } = desk;
    const id = desk.service.demo.sample.leadingZeroId;
    const { uprnPlan: shown } = unwrap(await open(id));
    expect(unwrap(await desk.call('lookup.shape', { connectionId }))).toEqual({ last: 'A', change: null });
    // Names of properties that every JavaScript object has are not connections.
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(await desk.call('lookup.shape', { connectionId: name })).toMatchObject({
        ok: false,
        error: { code: 'no-connection' },
      });
    // The same service, changed.
    const { port } = new URL(desk.service.restBaseUrl);
    await desk.service.stop();
    const changed = await startDemo('--port', port, '--premises', '4000', '--shape', 'b');
    try {
      unwrap(await open(id, 'rest', 'reload'));
      expect(unwrap(await desk.call('lookup.shape', { connectionId }))).toMatchObject({
        last: 'B',
        change: { from: 'A', to: 'B' },
      });
      // The window still shows the way of shape A with its price: nothing is spent at another.
      const meter = async () => (await changed.meter()).credits;
      const before = await meter();
      expect(await uprn(id, shown?.operation)).toMatchObject({
        ok: false,
        error: { code: 'plan-outdated', charge: 'not-charged' },
      });
      expect(await meter()).toEqual(before);
      const { uprnPlan: now } = unwrap(await open(id, 'rest', 'only-if-cached'));
      expect([shown?.credits, now?.credits]).toEqual([1, 2]);
      expect(unwrap(await desk.call('lookup.uprn-plan', { connectionId, premiseId: id })).plan).toEqual(now);
      unwrap(await uprn(id, now?.operation));
      expect((await meter()) - before).toBe(2);
      unwrap(await desk.call('lookup.dismiss-shape-change', { connectionId }));
      expect(unwrap(await desk.call('lookup.shape', { connectionId }))).toEqual({ last: 'B', change: null });
    } finally {
      await changed.stop();
    }
  });

  it('takes the new way to the UPRN at its price, once it is pressed, although nothing is saved', async () => {
    const { connectionId } = desk;
    const api = new Proxy(
      {},
      {
        get: (_, channel: ChannelName) => (id: string, input: ChannelInput<ChannelName>) =>
          desk.call(channel, input, id),
      },
    );
    vi.stubGlobal('window', { api: { call: api } });
    await save('off');
    const { leadingZeroId: premiseId } = desk.service.demo.sample;
    const account = { id: connectionId, restBaseUrl: desk.service.restBaseUrl, soapUrl: desk.service.soapUrl };
    const key = premiseKey(account, premiseId);
    const asking = { connectionId, premiseId, cache: 'default' } as const;
    expect(await askPremise(account, { ...asking, kind: 'open', interface: 'rest' })).toMatchObject({ ok: true });
    const shown = premises.read(key).answer?.uprnPlan;
    expect(shown).toMatchObject({ operation: 'GetPremiseGeoData', credits: 1 });
    const { port } = new URL(desk.service.restBaseUrl);
    await desk.service.stop();
    const changed = await startDemo('--port', port, '--premises', '4000', '--shape', 'b');
    try {
      // Another window has seen the change.
      unwrap(await open(premiseId, 'rest', 'reload'));
      const before = (await changed.meter()).credits;
      const press = (operation: UprnPlan['operation']) => askPremise(account, { ...asking, kind: 'uprn', operation });
      expect(await press(shown?.operation ?? 'GetPremise')).toMatchObject({ error: { code: 'plan-outdated' } });
      const now = premises.read(key).answer?.uprnPlan;
      expect(now).toMatchObject({ operation: 'GetPremise', credits: 2 });
      expect((await changed.meter()).credits).toBe(before);
      expect(await press(now?.operation ?? 'GetPremiseGeoData')).toMatchObject({ ok: true });
      expect(premises.read(key).answer?.uprn?.value).toMatch(/^\d+$/);
      expect((await changed.meter()).credits - before).toBe(2);
    } finally {
      await changed.stop();
    }
  });
});
