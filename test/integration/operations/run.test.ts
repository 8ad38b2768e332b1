import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { premiseKey } from '../../../renderer/features/lookup/asks.ts';
import { runKey, runs } from '../../../renderer/features/operations/runs.ts';
import { noteKeys } from '../../../renderer/lib/calls/account-key.ts';
import type { OperationForm } from '../../../shared/contract/operations.ts';
import type { CacheMode } from '../../../shared/domain/call.ts';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { endpoints, operations, twins } from '../../fixtures/specification.ts';
import { soapQuestions } from '../../helpers/demo-process.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { type OperationsConsole, openOperationsConsole } from './operations-core.ts';

let it: OperationsConsole;
let forms: OperationForm[];
const form = (name: string): OperationForm => {
  const found = forms.find((one) => one.name === name);
  if (!found) throw new Error(`no form for ${name}`);
  return found;
};
const list = async () => unwrap(await it.call('operations.list', { connectionId: it.connectionId }));
const run = (
  operation: string,
  fields: Record<string, string | string[]> = {},
  dataset = false,
  cache: CacheMode = 'default',
) => it.call('operations.run', { ...it.asked(operation, fields, dataset), cache });
const rawOf = async (answerId: string, side: 'answer' | 'request') => {
  const { total } = unwrap(
    await it.call('operations.raw-lines', { answerId, side, indented: true, from: 0, count: 1 }),
  );
  let text = '';
  for (let from = 0; from < total; from += 1000) {
    const page = unwrap(await it.call('operations.raw-lines', { answerId, side, indented: true, from, count: 1000 }));
    text += page.lines.map((line) => `${line.text}\n`).join('');
  }
  return text;
};

beforeAll(async () => {
  it = await openOperationsConsole(['--radius-operation', '--guide-operation', 'PostcodeLookup']);
});
afterAll(() => it.close());

describe('what can be called', () => {
  test('the catalogue alone, before a description is read: every endpoint, operation and twin, and the guide’s request', async () => {
    forms = (await list()).operations;
    expect(forms.filter(({ known }) => known === 'published')).toHaveLength(endpoints.length + operations.length);
    expect(forms.filter(({ interface: protocol, known }) => protocol === 'rest' && known === 'published')).toHaveLength(
      endpoints.length,
    );
    expect(forms.filter(({ twin }) => twin !== null)).toHaveLength(twins.length);
    const guide = forms.find(({ known }) => known === 'guide');
    expect(guide?.blocked).toContain('has not been read yet');
  });

  test('operations known only from the description are added, marked, with the credentials they take', async () => {
    unwrap(await it.call('connections.read-description', { connectionId: it.connectionId }));
    const read = await list();
    forms = read.operations;
    expect(read.describedAt).not.toBeNull();
    const radius = form('NearestData_ForPostcodeWithinAMaximumRadius');
    expect(radius).toMatchObject({ known: 'described', blocked: null, price: { kind: 'not-published' } });
    expect(radius.fields.map(({ name }) => name)).toContain('sRadius');
    expect(form('PostcodeLookup')).toMatchObject({ known: 'guide', blocked: null });
    expect(form('PostcodeLookup').fields.map(({ name }) => name)).toEqual(['Postcode']);
    expect(forms.filter(({ known }) => known === 'published')).toHaveLength(endpoints.length + operations.length);
    // Neither the twins nor those that only the description has are among these.
    const { steps } = unwrap(await it.call('connections.test', { connectionId: it.connectionId }));
    expect(steps.find(({ id }) => id === 'description')?.text).toMatch(
      /^34 of the catalogue’s 34 SOAP operations, \d+ differences$/,
    );
  });

  test('descriptions are sent as they were typed, one left blank keeps its postcode’s place, and in other letters they are another question', async () => {
    const [first = '', second = '', third = ''] = it.service.demo.sample.nearPostcodes;
    for (const depot of ['Depot', 'DEPOT']) {
      const { answerId } = unwrap(
        await run('NearestData_ForPostcode', {
          sPostcodeDatum: first,
          sPostcodeList: [first, second, third],
          sPostcodeDescriptions: [depot, '', 'Office', ''],
        }),
      );
      expect(await rawOf(answerId, 'request')).toContain(`>${depot},,Office<`);
    }
  });

  test('credentials come from the connection; only the last four of a key are shown', () => {
    const { filled } = form('ReturnPremise_ByPostcode');
    expect(filled.map(({ name }) => name)).toEqual(['AccountName', 'LicenceID', 'MachineID']);
    expect(filled[0]).toMatchObject({ from: 'connection', shown: it.service.demo.accountName });
    expect(filled[1]).toMatchObject({ from: 'keychain', shown: `•••• ${it.service.demo.licenceId.slice(-4)}` });
    expect(filled[2]).toMatchObject({ shown: '', missing: false });
  });

  test('lists say how several values are sent', () => {
    expect(form('GeoData_ForPostcode').fields[0]).toMatchObject({ name: 'sPostcodes', list: 'separator' });
    expect(form('GetPremise').fields.find(({ name }) => name === 'uprn')).toMatchObject({
      type: 'boolean',
      initial: 'false',
    });
  });
});

describe('every read', () => {
  test('each operation and each twin is called once, under its own name, and answers with something to show', async () => {
    const { sample } = it.service.demo;
    const fields: Record<string, Record<string, string | string[]>> = {
      ...soapQuestions(it.service.demo),
      Search: { query: sample.postcode },
      GetPremise: { id: sample.leadingZeroId },
      GetPremiseGeoData: { id: sample.leadingZeroId },
      NearestData_ForPostcodeWithinAMaximumRadius: {
        sPostcodeDatum: sample.postcode,
        // In the description the field is text; only the catalogue says which fields are lists.
        sPostcodeList: sample.nearPostcodes.join(','),
        sNumberToReturn: '2',
        sRadius: '50',
        sType: 'km',
      },
      PostcodeLookup: { Postcode: sample.postcode },
    };
    await it.service.resetMeter();
    const called: string[] = [];
    for (const { name, twin, writes } of forms) {
      if (writes) continue;
      for (const dataset of twin === null ? [false] : [false, true]) {
        const answer = await run(name, fields[name], dataset, 'reload');
        const full = dataset ? `${name}_Dataset` : name;
        called.push(full);
        const shown = unwrap(answer);
        expect(shown.provenance.operation, full).toBe(full);
        expect([full, shown.found]).toEqual([full, 'something']);
        expect(shown.tables.length, full).toBeGreaterThan(0);
        expect(shown.timings?.total, full).toBeGreaterThan(0);
        const page = unwrap(
          await it.call('operations.rows', { answerId: shown.answerId, table: 0, from: 0, count: 5 }),
        );
        expect(page.rows.length, full).toBeGreaterThan(0);
        expect(page.rows[0]?.length, full).toBe(shown.tables[0]?.columns.length);
      }
    }
    const { calls } = await it.service.meter();
    const counted = Object.fromEntries(called.map((name) => [name, calls[name]?.hits]));
    expect(Object.values(counted).filter((hits) => hits !== undefined && hits < 1)).toEqual([]);
    expect(called).toHaveLength(endpoints.length + operations.length - 2 + twins.length + 2);
    // Free balance readings after spends are the only other calls.
    for (const name of called) {
      if (['GetCredits', 'GetAvailableCredits', 'ServiceTest'].includes(name)) continue;
      expect([name, calls[name]?.hits]).toEqual([name, 1]);
    }
  });

  test('licence writes are refused before anything leaves', async () => {
    await it.service.resetMeter();
    for (const operation of ['RegisterLicense', 'UnregisterLicense']) {
      expect(form(operation).writes).toBe(true);
      const refused = await run(operation, { iLicenseID: '4101', sMachineName: 'DESK-1' });
      expect(refused).toMatchObject({ ok: false, error: { code: 'not-permitted', charge: 'not-charged' } });
    }
    expect((await it.service.meter()).calls.RegisterLicense).toBeUndefined();
  });

  test('a credential given by the window is refused', async () => {
    expect(await run('ReturnPremise_ByPostcode', { sPostcode: 'ZZ1 1ZZ', LicenceID: 'mine' })).toMatchObject({
      ok: false,
      error: { code: 'bad-input', field: 'LicenceID' },
    });
    expect(await run('Search', { query: 'x', key: 'mine' })).toMatchObject({ ok: false, error: { code: 'bad-input' } });
  });
});

describe('nothing is paid for twice', () => {
  test('a repeated request is saved and free, in any spelling; asking again is a call; the log has all three', async () => {
    const [first = '', second = ''] = it.service.demo.sample.nearPostcodes;
    await it.service.resetMeter();
    const price = async (postcode: string) =>
      unwrap(await it.call('operations.price', it.asked('ReturnPremise_ByPostcode', { sPostcode: postcode }))).price;
    expect(await price(second)).toEqual({ kind: 'credits', credits: 1 });
    const asked = unwrap(await run('ReturnPremise_ByPostcode', { sPostcode: second }));
    expect(await price(second)).toEqual({ kind: 'cached' });
    const again = unwrap(await run('ReturnPremise_ByPostcode', { sPostcode: second.toLowerCase().replace(' ', '') }));
    expect(again.provenance).toMatchObject({ cached: true, answerId: asked.answerId });
    expect(again.tables).toEqual(asked.tables);
    expect((await it.service.meter()).calls.ReturnPremise_ByPostcode?.hits).toBe(1);
    unwrap(await run('ReturnPremise_ByPostcode', { sPostcode: second }, false, 'reload'));
    expect((await it.service.meter()).calls.ReturnPremise_ByPostcode).toMatchObject({ hits: 2, credits: 2 });
    expect(first).not.toBe(second);
  });

  test('a list that would be sent with another separator is another question', async () => {
    const fields = { sPostcodes: it.service.demo.sample.nearPostcodes.slice(0, 2) };
    const isSaved = async () => (await run('GeoData_ForPostcode', fields, false, 'only-if-cached')).ok;
    const { connections } = unwrap(await it.call('connections.list', {}));
    const [own] = connections.filter(({ connection }) => connection.id === it.connectionId);
    const { id = '', ...draft } = own?.connection ?? {};
    const separateBy = async (listSeparator: string) =>
      unwrap(await it.call('connections.save', { id, draft: { ...(draft as ConnectionDraft), listSeparator } }));
    unwrap(await run('GeoData_ForPostcode', fields));
    await separateBy(';');
    expect(await isSaved()).toBe(false);
    await separateBy(',');
    expect(await isSaved()).toBe(true);
  });

  test('a double click is one call', async () => {
    const [first = ''] = it.service.demo.sample.nearPostcodes;
    await it.service.resetMeter();
    const both = await Promise.all([
      run('ReturnPremise_ByPostcode', { sPostcode: first }),
      run('ReturnPremise_ByPostcode', { sPostcode: first }),
    ]);
    expect(both.map((one) => one.ok)).toEqual([true, true]);
    expect((await it.service.meter()).calls.ReturnPremise_ByPostcode).toMatchObject({ hits: 1, credits: 1 });
  });

  test('what the lookup screen has paid for is free here, and the other way round', async () => {
    const { premiseId } = it.service.demo.sample;
    const open = (protocol: 'rest' | 'soap') =>
      it.call('lookup.open', { connectionId: it.connectionId, premiseId, interface: protocol });
    unwrap(await open('rest'));
    unwrap(await run('GetPremiseAddress', { sUniqueDeliveryPointID: premiseId }));
    await it.service.resetMeter();
    const here = unwrap(await run('GetPremise', { id: premiseId, uprn: 'false' }));
    expect(here.provenance.cached).toBe(true);
    expect(here.fields.some(({ value }) => value === premiseId)).toBe(true);
    expect(unwrap(await open('soap')).provenance.cached).toBe(true);
    const { calls } = await it.service.meter();
    expect([calls.GetPremise, calls.GetPremiseAddress]).toEqual([undefined, undefined]);
  });

  test.each(['true', 'TRUE'])(
    'a switch that costs more is counted and capped at its price, typed as %s',
    async (uprn) => {
      const { premiseId } = it.service.demo.sample;
      unwrap(await it.call('lookup.purge', { what: 'all' }));
      await it.service.resetMeter();
      const { connectionId } = it;
      const noCaps = { perRun: null, perDay: null, floor: null };
      const fields = { id: premiseId, uprn };
      const asked = it.asked('GetPremise', fields, false);
      expect(unwrap(await it.call('operations.price', asked)).price).toEqual({ kind: 'credits', credits: 2 });
      const { caps, spentToday } = unwrap(await it.call('credits.overview', { connectionId }));
      unwrap(await it.call('credits.save-caps', { connectionId, caps: { ...noCaps, perDay: spentToday + 1 } }));
      expect(await run('GetPremise', fields)).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
      unwrap(await it.call('credits.save-caps', { connectionId, caps }));
      expect((await it.service.meter()).calls.GetPremise).toBeUndefined();
      expect(unwrap(await run('GetPremise', fields)).provenance.expectedCredits).toBe(2);
      expect((await it.service.meter()).calls.GetPremise).toMatchObject({ hits: 1, credits: 2 });
      const { entries } = unwrap(await it.call('credits.ledger', { connectionId, before: null, limit: 1 }));
      expect(entries[0]).toMatchObject({ operation: 'GetPremise', expected: 2 });
    },
  );

  test('the same question from both screens at once is one call', async () => {
    const { leadingZeroId } = it.service.demo.sample;
    unwrap(await it.call('lookup.purge', { what: 'all' }));
    await it.service.resetMeter();
    const [opened, called] = await Promise.all([
      it.call('lookup.open', { connectionId: it.connectionId, premiseId: leadingZeroId, interface: 'soap' }),
      run('GetPremiseAddress', { sUniqueDeliveryPointID: leadingZeroId }),
    ]);
    expect(unwrap(opened).provenance.callId).toBe(unwrap(called).provenance.callId);
    expect((await it.service.meter()).calls.GetPremiseAddress).toMatchObject({ hits: 1, credits: 1 });
  });

  test('a premise that is not found is saved as such, and does not block the lookup screen', async () => {
    const nothing = unwrap(await run('GetPremiseAddress', { sUniqueDeliveryPointID: '99999999' }));
    expect(nothing.found).toBe('nothing');
    expect(unwrap(await run('GetPremiseAddress', { sUniqueDeliveryPointID: '99999999' })).provenance.cached).toBe(true);
    const opened = await it.call('lookup.open', {
      connectionId: it.connectionId,
      premiseId: '99999999',
      interface: 'soap',
    });
    expect(opened).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });

  test('balances and licences are read anew each time', async () => {
    await it.service.resetMeter();
    unwrap(await run('GetLicenseDetails', { sMachineName: 'DESK-1' }));
    unwrap(await run('GetLicenseDetails', { sMachineName: 'DESK-1' }));
    expect((await it.service.meter()).calls.GetLicenseDetails?.hits).toBe(2);
  });
});

describe('what went over the wire', () => {
  test('request and answer in lines, secrets masked by name and by value', async () => {
    const { demo } = it.service;
    const shown = unwrap(await run('ReturnPremise_ByPostcode', { sPostcode: demo.sample.postcode }));
    const request = await rawOf(shown.answerId, 'request');
    expect(request).toMatch(/^POST http:/);
    expect(request).toContain(`<sPostcode>${demo.sample.postcode}</sPostcode>`);
    expect(request).toContain(`<LicenceID>••••${demo.licenceId.slice(-4)}</LicenceID>`);
    expect(await rawOf(shown.answerId, 'answer')).toContain('ReturnPremise_ByPostcodeResult');
    const found = unwrap(
      await it.call('operations.raw-find', {
        answerId: shown.answerId,
        side: 'answer',
        indented: true,
        text: 'list_address',
      }),
    );
    expect(found.lines.length).toBeGreaterThanOrEqual(shown.tables[0]?.rows ?? 0);
    unwrap(await it.call('operations.raw-copy', { answerId: shown.answerId, side: 'request', indented: true }));
    expect(it.copied.at(-1)).toBe(request);
    const file = unwrap(
      await it.call('operations.raw-save', { answerId: shown.answerId, side: 'request', indented: true }),
    );
    expect(file).toMatchObject({ saved: true, bytes: Buffer.byteLength(request) });
    expect(readFileSync(join(it.folder, file.fileName), 'utf8')).toBe(request);
  });

  test('the raw text of a refused call can be opened by its id', async () => {
    const refused = await run('Search', { query: 'ZZ99 9ZZ nowhere at all' });
    const gone = refused.ok ? await run('GetPremise', { id: '99999999' }) : refused;
    if (gone.ok) throw new Error('an unknown premise was found');
    expect(gone.error.callId).toBeDefined();
    const lines = unwrap(
      await it.call('operations.raw-lines', {
        answerId: gone.error.callId ?? '',
        side: 'answer',
        indented: true,
        from: 0,
        count: 50,
      }),
    );
    expect(lines.lines[0]?.text).toMatch(/^HTTP 4\d\d$/);
  });

  test('a call that is cancelled after sending says so, and its history row is unknown', async () => {
    await it.service.resetMeter();
    await it.service.setFaults({ kind: 'hang', on: 'GetAddress' });
    const waiting = it.call(
      'operations.run',
      it.asked('GetAddress', { sUDP: it.service.demo.sample.premiseId }),
      'to-be-cancelled',
    );
    await expect.poll(async () => (await it.service.meter()).calls.GetAddress?.hits).toBe(1);
    it.cancel('to-be-cancelled');
    const ended = await waiting;
    await it.service.clearFaults();
    expect(ended).toMatchObject({
      ok: false,
      error: { code: 'cancelled-after-sending', charge: 'may-have-been-charged' },
    });
    const { rows } = unwrap(
      await it.call('operations.history', {
        connectionId: it.connectionId,
        operation: 'GetAddress',
        search: '',
        before: null,
        limit: 10,
      }),
    );
    expect(rows[0]).toMatchObject({ call: { outcome: 'unknown' }, stored: null });
    expect(rows[0]?.asked?.fields).toEqual([{ name: 'sUDP', values: [it.service.demo.sample.premiseId] }]);
  });
});

test('the history opens the stored answer of each call for free', async () => {
  const { sample } = it.service.demo;
  unwrap(await run('GeoData_ForUDP', { sUDP: sample.premiseId }, false, 'reload'));
  await it.service.resetMeter();
  const { rows } = unwrap(
    await it.call('operations.history', {
      connectionId: it.connectionId,
      operation: 'GeoData_ForUDP',
      search: sample.premiseId,
      before: null,
      limit: 10,
    }),
  );
  const row = rows.find(({ call }) => call.subject === sample.premiseId);
  expect(row?.stored).toBe('saved');
  const opened = unwrap(await it.call('operations.open-stored', { callId: row?.call.id ?? '' }));
  expect(opened.provenance).toMatchObject({ callId: row?.call.id, cached: true });
  expect(opened.fields.length).toBeGreaterThan(3);
  expect((await it.service.meter()).requests).toBe(0);
});

test('the history does not call saved what may not be saved: it is at hand as long as it is in memory', async () => {
  const { sample } = it.service.demo;
  const settings = unwrap(await it.call('settings.read', {}));
  unwrap(await it.call('settings.save', { cachePolicy: { mode: 'off', amount: 30 } }));
  try {
    unwrap(await run('ReturnPremise_ByPostcode', { sPostcode: sample.postcode }, false, 'reload'));
    const asked = { connectionId: it.connectionId, operation: 'ReturnPremise_ByPostcode', search: '' };
    const { rows } = unwrap(await it.call('operations.history', { ...asked, before: null, limit: 1 }));
    expect(rows[0]?.stored).toBe('at hand');
    unwrap(await it.call('operations.open-stored', { callId: rows[0]?.call.id ?? '' }));
  } finally {
    unwrap(await it.call('settings.save', settings));
  }
});

test('an answer that another key paid for is not shown as one of the key in use, and comes back with its key', async () => {
  const { service, connectionId } = it;
  const account = { id: connectionId, restBaseUrl: service.restBaseUrl, soapUrl: service.soapUrl };
  const noteNow = async () => noteKeys(unwrap(await it.call('connections.list', {})).connections);
  const shown = async (name: string) => {
    forms = (await list()).operations;
    await noteNow();
    return runs.read(runKey(account, form(name))).answer?.answerId;
  };
  const answerOf = async (name: string, fields: Record<string, string>) => {
    const answer = unwrap(await run(name, fields, false, 'reload'));
    await shown(name);
    runs.put(runKey(account, form(name)), { ...answer, asked: { fields: [] } });
    return answer.answerId;
  };
  const rest = await answerOf('Search', { query: service.demo.sample.postcode });
  const soap = await answerOf('GetAddress', { sUDP: service.demo.sample.premiseId });
  const { connections } = unwrap(await it.call('connections.list', {}));
  const lookupKey = connections[0]?.secrets.find(({ role }) => role === 'lookup-key');
  const other = { connectionId, role: 'lookup-key', label: 'other', value: 'another-lookup-key-9999' } as const;
  const { id } = unwrap(await it.call('secrets.put', other));
  unwrap(await it.call('secrets.prefer', { secretId: id }));
  expect([await shown('Search'), await shown('GetAddress')]).toEqual([undefined, soap]);
  // Of a premise that Lookup shows, either key may have paid for a part.
  const premise = async () => {
    await noteNow();
    return premiseKey(account, 'one');
  };
  const withOther = await premise();
  unwrap(await it.call('secrets.prefer', { secretId: lookupKey?.id ?? '' }));
  expect(await shown('Search')).toBe(rest);
  const before = await premise();
  expect(before).not.toBe(withOther);
  unwrap(await it.call('secrets.replace', { secretId: id, value: 'another-lookup-key-8888' }));
  expect(await premise()).toBe(before);
  unwrap(await it.call('secrets.remove', { secretId: id }));
});

test('neither a lookup nor the guide’s request takes the master key, also if it was entered as a lookup key in other letters', async () => {
  const { demo } = it.service;
  const { connections } = unwrap(await it.call('connections.list', {}));
  const secretId = connections[0]?.secrets.find(({ role }) => role === 'lookup-key')?.id ?? '';
  unwrap(await it.call('secrets.replace', { secretId, value: demo.masterKey.toUpperCase() }));
  await it.service.resetMeter();
  for (const [operation, fields] of [
    ['PostcodeLookup', { Postcode: demo.sample.postcode }],
    ['Search', { query: demo.sample.postcode }],
    ['GetPremise', { id: demo.sample.premiseId }],
  ] as const)
    expect(await run(operation, fields, false, 'reload'), operation).toMatchObject({
      ok: false,
      error: { code: 'wrong-key-role' },
    });
  expect((await it.service.meter()).requests).toBe(0);
});

test('no secret reached the window', () => {
  const { lookupKey, masterKey, licenceId, guid, licenceKey, webMapKey } = it.service.demo;
  const all = it.crossed.join('\n').toLowerCase();
  expect(all.length).toBeGreaterThan(10_000);
  for (const value of [lookupKey, masterKey, licenceId, guid, licenceKey, webMapKey].filter((one) => one.length >= 8))
    expect(all.includes(value.toLowerCase())).toBe(false);
});
