import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSavedSearch } from '../../../renderer/features/lookup/asks.ts';
import { changeLookupState } from '../../../renderer/features/lookup/lookup-state.ts';
import { flushSession } from '../../../renderer/lib/session/session-state.ts';
import type { ChannelInput } from '../../../shared/contract.ts';
import type { SearchWay } from '../../../shared/domain/lookup/lookup.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { type OperationsConsole, openOperationsConsole } from '../operations/operations-core.ts';

// The cheapest way of a search, with a service that the program reaches over HTTP only and whose meter shows what was spent.

let desk: OperationsConsole;
afterEach(() => desk.close());

type Search = Partial<ChannelInput<'lookup.search'>> & { text: string };
const search = async (request: Search) =>
  unwrap(await desk.call('lookup.search', { connectionId: desk.connectionId, ...request }));
const ways = async (text: string, more: object = {}): Promise<SearchWay[]> =>
  unwrap(await desk.call('lookup.search-ways', { connectionId: desk.connectionId, text, maxResults: null, ...more }))
    .ways;
const said = async (text: string, more: object = {}) =>
  (await ways(text, more)).map(({ interface: protocol, price }) => [
    protocol,
    price.kind === 'credits' ? price.credits : price.kind,
  ]);
const suggest = async (text: string) =>
  unwrap(await desk.call('lookup.suggest', { connectionId: desk.connectionId, text })).saved;
const hits = async () =>
  Object.fromEntries(
    Object.entries((await desk.service.meter()).calls).map(([name, { hits: count }]) => [name, count]),
  );
const credits = async () => (await desk.service.meter()).credits;

describe.each(['rest', 'soap'] as const)('an account with both interfaces that prefers %s', (preferredInterface) => {
  beforeEach(async () => {
    desk = await openOperationsConsole([], { preferredInterface });
    await desk.service.resetMeter();
  });

  it('is offered the published free search first, for every text that SOAP has a search for', async () => {
    for (const text of ['HR10 2DT', 'Pomona', '14 Tannery Row, Hereford, HR10 2DT', 'PO Box 12, Hereford', ''])
      expect([text, await said(text)]).toEqual([
        text,
        [
          ['soap', 0],
          ['rest', 1],
        ],
      ]);
    // Streets have no published price, so they are offered separately and never before a way that has one.
    expect(await said('HR10', { of: { kind: 'streets' } })).toEqual([['soap', 'not-published']]);
    expect(await said('Tannery Row', { of: { kind: 'on-street', id: '1' } })).toEqual([['soap', 0]]);
    expect(await hits()).toEqual({});
  });

  it('sends the free search once, however the text is punctuated, and then shows the saved answer', async () => {
    const { postcode } = desk.service.demo.sample;
    const first = await search({ text: postcode, interface: 'soap' });
    for (const text of [
      `${postcode}.`,
      ` ${postcode.toLowerCase()}, `,
      `“${postcode.replace(' ', '')}”`,
      `(${postcode})\n`,
    ]) {
      const again = await search({ text, interface: 'soap' });
      expect(again.provenance).toMatchObject({ cached: true, answerId: first.provenance.answerId });
    }
    expect([await hits(), await credits()]).toEqual([{ SearchPremise_ByPostcode: 1 }, 0]);
    // The answer over SOAP is saved, so it comes first. REST is a different request with its own price.
    expect(await said(postcode)).toEqual([
      ['soap', 'cached'],
      ['rest', 1],
    ]);
    await search({ text: postcode, interface: 'rest' });
    expect(await credits()).toBe(1);
    expect((await said(postcode)).map(([, price]) => price)).toEqual(['cached', 'cached']);
  });

  it('reads the connection once, and once more when it has the keys: an edit in mid-call sends neither half of it elsewhere', async () => {
    // What belongs to the first call alone: the description, and parts that are loaded when first needed.
    await search({ text: desk.service.demo.sample.words, interface: preferredInterface });
    const reading = vi.spyOn(StatementSync.prototype, 'get');
    await search({ text: desk.service.demo.sample.postcode, interface: preferredInterface });
    const read = (reading.mock.contexts as StatementSync[]).map(({ sourceSQL }) => sourceSQL);
    reading.mockRestore();
    expect(read.filter((sql) => / draft FROM connections /.test(sql))).toHaveLength(2);
  });

  it('calls the operation that fits: words, a PO box; and REST by its one search', async () => {
    const { poBox, words } = desk.service.demo.sample as unknown as {
      poBox: { number: string; town: string };
      words: string;
    };
    const box = await search({ text: `P.O. Box ${poBox.number}, ${poBox.town}`, interface: 'soap' });
    expect(box.results.length).toBeGreaterThan(0);
    await search({ text: words, interface: 'soap' });
    await search({ text: `PO box ${poBox.number} ${poBox.town}`, interface: 'rest' });
    expect(await hits()).toEqual({ SearchPremise_ByPOBox: 1, SearchPremise_ByWordMatchOnAll: 1, Search: 1 });
    expect(await credits()).toBe(1);
  });

  it('leads from a district to its streets, to the premises on one, to an address, for one credit at the end', async () => {
    const { district } = desk.service.demo.sample as unknown as { district: string };
    const streets = await search({ text: district, of: { kind: 'streets' } });
    expect(streets.results.length).toBeGreaterThan(0);
    expect(new Set(streets.results.map(({ kind }) => kind))).toEqual(new Set(['street']));
    expect(streets.provenance.expectedCredits).toBeNull();
    const [street] = streets.results;
    const premises = await search({
      text: street?.line ?? '',
      of: { kind: 'on-street', id: street?.premiseId ?? '' },
    });
    expect(premises.results.length).toBeGreaterThan(0);
    expect(premises.of).toEqual({ kind: 'on-street', id: street?.premiseId });
    expect(await credits()).toBe(0);
    const { connectionId } = desk;
    unwrap(
      await desk.call('lookup.open', {
        connectionId,
        premiseId: premises.results[0]?.premiseId ?? '',
        interface: preferredInterface,
        cache: 'default',
      }),
    );
    expect(await credits()).toBe(1);
    await search({ text: street?.line ?? '', of: { kind: 'on-street', id: street?.premiseId ?? '' } });
    expect(await hits()).toEqual({
      SearchThoroughfare_ByPostcodeDistrict: 1,
      SearchPremise_ByThouroughfareID: 1,
      [preferredInterface === 'rest' ? 'GetPremise' : 'GetPremiseAddress']: 1,
    });
    // Opened by a click: the same list from the saved answer.
    const [saved] = (await suggest(street?.line ?? '')).filter(({ kind }) => kind === 'search');
    if (saved?.kind !== 'search') throw new Error('the list of premises is not offered');
    const opened = unwrap(await desk.call('lookup.open-search', { connectionId, answerId: saved.answerId }));
    expect(opened.provenance.cached).toBe(true);
    expect(await credits()).toBe(1);
  });
});

describe('unavailable ways are not offered', () => {
  it('there is only one way if the other interface lacks an address or a credential', async () => {
    desk = await openOperationsConsole([], { soapUrl: '' });
    expect(await said('HR10 2DT')).toEqual([['rest', 1]]);
    await desk.close();
    desk = await openOperationsConsole([], { accountName: '' });
    expect(await said('HR10 2DT')).toEqual([['rest', 1]]);
    await desk.close();
    desk = await openOperationsConsole([], { restBaseUrl: '', preferredInterface: 'soap' });
    expect(await said('HR10 2DT')).toEqual([['soap', 0]]);
  });

  it('offers a saved but cut-off list after a free search that may be complete', async () => {
    desk = await openOperationsConsole();
    const cut = await search({ text: 'Hereford', interface: 'rest', maxResults: 5 });
    expect(cut.truncated).toBe(true);
    expect(await said('Hereford', { maxResults: 5 })).toEqual([
      ['soap', 0],
      ['rest', 'cached'],
    ]);
  });
});

describe('a list that is not whole', () => {
  const rest = async (results: object[], totalResults: number, request: Search) => {
    const body = JSON.stringify({ results, totalResults });
    const type = 'application/json';
    await desk.service.setFaults({ kind: 'status', status: 200, body, type, on: 'Search', times: 1, execute: true });
    return search({ interface: 'rest', ...request });
  };
  const rows = ['1', '2'].map((id) => ({ id, address: `${id} Tannery Row, Hereford` }));

  it('is offered whole only if a larger limit is sent with the search, and is not the one it was asked with', async () => {
    desk = await openOperationsConsole();
    expect(await search({ text: 'Hereford', interface: 'rest', maxResults: 5 })).toMatchObject({ truncated: true });
    expect(await rest(rows, 3, { text: 'Tannery Row' })).toMatchObject({ truncated: true, limitForAll: 3 });
    expect(await rest(rows, 3, { text: 'Tannery Row', maxResults: 3 })).toMatchObject({ limitForAll: null });
    await desk.close();
    desk = await openOperationsConsole([], { searchForm: 'phrase' });
    expect(await rest(rows, 3, { text: 'Tannery Row' })).toMatchObject({ truncated: true, limitForAll: null });
  });

  it('counts the rows that cannot be opened, over either interface, and does not call it cut off for them', async () => {
    desk = await openOperationsConsole();
    const nameless = { id: '', address: '3 Tannery Row, Hereford' };
    const expected = { truncated: false, leftOut: 1, limitForAll: null };
    expect(await rest([...rows, nameless], 3, { text: 'Tannery Row' })).toMatchObject({ ...expected, total: 3 });
    expect(await rest([...rows, nameless], 40, { text: 'Pomona' })).toMatchObject({
      truncated: true,
      leftOut: 1,
      limitForAll: 40,
    });

    const { postcode } = desk.service.demo.sample;
    const whole = await search({ text: postcode, interface: 'soap' });
    const { answerId } = whole.provenance;
    unwrap(await desk.call('operations.raw-copy', { answerId, side: 'answer', indented: false }));
    const body = desk.copied
      .join('')
      .replace(/^[^<]+/, '')
      .replace(/(<Unique_Delivery_Point>)[^<]+/, '$1');
    const on = 'SearchPremise_ByPostcode';
    await desk.service.setFaults({ kind: 'status', status: 200, body, type: 'text/xml; charset=utf-8', on, times: 1 });
    const count = whole.results.length;
    const again = await search({ text: postcode, interface: 'soap', cache: 'reload' });
    expect([again.results.length, again.total]).toEqual([count - 1, count]);
    expect(again).toMatchObject(expected);
  });
});

describe('saved answers that fit what is typed', () => {
  beforeEach(async () => {
    desk = await openOperationsConsole();
  });

  it('are found by postcode, by half of it, by words and by number, and nothing is sent for it', async () => {
    const { connectionId } = desk;
    const { postcode, leadingZeroId } = desk.service.demo.sample;
    await search({ text: postcode, interface: 'soap' });
    const view = unwrap(
      await desk.call('lookup.open', { connectionId, premiseId: leadingZeroId, interface: 'rest', cache: 'default' }),
    );
    const { operation } = view.uprnPlan ?? { operation: 'GetPremise' };
    const withUprn = unwrap(await desk.call('lookup.uprn', { connectionId, premiseId: leadingZeroId, operation }));
    const before = await hits();
    const [outward = '', inward = ''] = postcode.split(' ');
    for (const typed of [postcode, outward, `${outward} ${inward.slice(0, 1)}`, `${outward}${inward}`.toLowerCase()])
      expect((await suggest(typed))[0]).toMatchObject({
        kind: 'search',
        label: expect.stringContaining(`${postcode}, `),
      });
    // The letter O for the digit 0 is corrected if possible, so the saved answer is found.
    if (outward.endsWith('0'))
      expect((await suggest(`${outward.slice(0, -1)}O ${inward}`))[0]).toMatchObject({ kind: 'search' });
    const word = view.title.split(' ').find((one) => /^[A-Z][a-z]{3,}/.test(one)) ?? '';
    expect(await suggest(word.slice(0, -1))).toContainEqual(
      expect.objectContaining({ kind: 'premise', premiseId: leadingZeroId }),
    );
    expect(await suggest(leadingZeroId)).toMatchObject([{ premiseId: leadingZeroId, found: 'Premise' }]);
    const uprn = withUprn.uprn?.value ?? '';
    expect(uprn).toMatch(/^\d+$/);
    for (const number of [uprn, uprn.replace(/^0+/, ''), view.udprn?.value ?? uprn])
      expect(await suggest(number)).toMatchObject([{ premiseId: leadingZeroId }]);
    // A position, in any notation, finds the saved addresses around it.
    const { latitude, longitude, gridReference } = view;
    const square = (gridReference?.value ?? '').replace(/^(\w\w \d{3})\d\d (\d{3})\d\d$/, '$1 $2');
    for (const typed of [`${latitude?.value}, ${longitude?.value}`, gridReference?.value ?? '', square]) {
      const [near, ...others] = await suggest(typed);
      expect(near).toMatchObject({ kind: 'near', premiseId: leadingZeroId });
      expect(near?.kind === 'near' && near.metres).toBeLessThan(150);
      expect(others).toEqual([]);
    }
    for (const typed of ['99999999', 'ZE1 0AA', 'Nowhere at all', '///kettle.orbit.plum', '57.14965, -2.09428', ' . '])
      expect([typed, await suggest(typed)]).toEqual([typed, []]);
    expect(await hits()).toEqual(before);
  });

  it('are opened by their id for free, and reported as gone once removed', async () => {
    const { connectionId } = desk;
    const { postcode } = desk.service.demo.sample;
    const { provenance } = await search({ text: postcode, interface: 'rest' });
    const before = await credits();
    const opened = unwrap(await desk.call('lookup.open-search', { connectionId, answerId: provenance.answerId }));
    expect(opened).toMatchObject({ text: postcode, of: { kind: 'text' }, provenance: { cached: true } });
    expect(await credits()).toBe(before);
    unwrap(await desk.call('lookup.purge', { what: 'all' }));
    expect(await desk.call('lookup.open-search', { connectionId, answerId: provenance.answerId })).toMatchObject({
      ok: false,
      error: { code: 'not-cached' },
    });
    expect(await suggest(postcode)).toEqual([]);
    expect(await credits()).toBe(before);
  });

  it('that open late do not replace what was chosen meanwhile', async () => {
    const { connectionId } = desk;
    const { restBaseUrl, soapUrl, demo } = desk.service;
    const texts = [demo.sample.postcode, 'Tannery Row'] as const;
    const [first, second] = [await search({ text: texts[0] }), await search({ text: texts[1] })];
    // Each answer is read by main and waits on its way to the window.
    const onTheWay: (() => void)[] = [];
    const opening = async (id: string, input: ChannelInput<'lookup.open-search'>) => {
      const answer = await desk.call('lookup.open-search', input, id);
      await new Promise<void>((resolve) => onTheWay.push(resolve));
      return answer;
    };
    const keeping = (id: string, input: ChannelInput<'app.save-session'>) => desk.call('app.save-session', input, id);
    vi.stubGlobal('window', { api: { call: { 'lookup.open-search': opening, 'app.save-session': keeping } } });
    const choose = async ({ provenance }: { provenance: { answerId: string } }) => {
      const waiting = onTheWay.length;
      const opened = openSavedSearch({ id: connectionId, restBaseUrl, soapUrl }, provenance.answerId);
      await vi.waitFor(() => expect(onTheWay.length).toBe(waiting + 1));
      return { opened, arrive: () => onTheWay[waiting]?.() };
    };
    try {
      const one = await choose(first);
      const other = await choose(second);
      one.arrive();
      expect(await one.opened).toBeNull();
      other.arrive();
      expect(await other.opened).toMatchObject({ text: texts[1] });

      const question = { text: 'HR10 2DT', maxResults: null, interface: 'rest', of: { kind: 'text' } } as const;
      for (const meanwhile of [{ question }, { premise: { id: '00284147', line: '8 Tannery Row' } }]) {
        const late = await choose(first);
        changeLookupState(connectionId, { filter: 'row', ...meanwhile });
        late.arrive();
        expect(await late.opened).toBeNull();
      }
      const alone = await choose(first);
      changeLookupState(connectionId, { filter: '' });
      alone.arrive();
      expect(await alone.opened).toMatchObject({ text: texts[0] });
      await flushSession();
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('that are empty are kept a day, however long the others are, and can be requested again at once', async () => {
    const empty = await search({ text: 'HR10 9ZX', interface: 'soap' });
    expect(empty.results).toEqual([]);
    const { at, expiresAt } = empty.provenance;
    expect(Date.parse(expiresAt ?? '') - Date.parse(at)).toBe(24 * 3_600_000);
    const found = await search({ text: desk.service.demo.sample.postcode, interface: 'soap' });
    expect(Date.parse(found.provenance.expiresAt ?? '') - Date.parse(found.provenance.at)).toBe(30 * 24 * 3_600_000);
    const again = await search({ text: 'HR10 9ZX', interface: 'soap', cache: 'reload' });
    expect(again.provenance.cached).toBe(false);
    expect((await hits()).SearchPremise_ByPostcode).toBe(3);
  });
});
