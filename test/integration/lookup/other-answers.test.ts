import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { editConnection } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { type OperationsConsole, openOperationsConsole } from '../operations/operations-core.ts';

// What a service says of something else than what was asked for, in ways that look like an answer. The service is a server of this test,
// reached over HTTP; nothing of it may be shown, saved or compared as the answer that it is not.

let desk: OperationsConsole;
let origin: string;
let elsewhere: string;
let asked: string[] = [];
let answer: (sent: string) => { type: string; body: string };
const listener: RequestListener = async (request, response) => {
  const sent = `${decodeURIComponent(request.url ?? '')} ${await text(request)}`;
  if (sent.includes('?WSDL')) return void response.writeHead(404).end();
  asked.push(sent);
  const { type, body } = answer(sent);
  response.writeHead(200, { 'content-type': type }).end(body);
};
const servers = [createServer(listener), createServer(listener)];

beforeAll(async () => {
  [origin = '', elsewhere = ''] = await Promise.all(
    servers.map(async (server) => `http://127.0.0.1:${await listenOnLoopback(server)}`),
  );
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(async () => {
  asked = [];
  desk = await openOperationsConsole([], { restBaseUrl: `${origin}/v1`, soapUrl: `${origin}/lookup.asmx` });
  return () => desk.close();
});

const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) });
const soap = (operation: string, result: string) => ({
  type: 'text/xml',
  body: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${operation}Response xmlns="${desk.service.soapNamespace}"><${operation}Result>${result}</${operation}Result></${operation}Response></s:Body></s:Envelope>`,
});
const open = (premiseId: string, protocol: 'rest' | 'soap' = 'rest') =>
  desk.call('lookup.open', { connectionId: desk.connectionId, premiseId, interface: protocol });
const run = (operation: string, fields: Record<string, string>, dataset = false) =>
  desk.call('operations.run', desk.asked(operation, fields, dataset));
const search = (words: string, protocol: 'rest' | 'soap') =>
  desk.call('lookup.search', { connectionId: desk.connectionId, text: words, interface: protocol });

const edit = (change: Partial<ConnectionDraft>) => editConnection(desk, desk.connectionId, change);
const cacheFor = async (mode: 'off' | 'run' | 'days') =>
  unwrap(await desk.call('settings.save', { cachePolicy: { mode, amount: 30 } }));

describe('the record that was asked for', () => {
  const record = (id: string, street: string) =>
    `<AddressPremise><Unique_Delivery_Point>${id}</Unique_Delivery_Point><Street>${street}</Street><IsError>false</IsError><Return_Code>1</Return_Code></AddressPremise>`;

  test.each(['lookup', 'explorer'])('is taken from a list that names another one first (%s)', async (from) => {
    answer = () =>
      soap('GetPremiseAddress', `<List>${record('00000001', 'Wrong Road')}${record('284147', 'Tannery Row')}</List>`);
    if (from === 'explorer') unwrap(await run('GetPremiseAddress', { sUniqueDeliveryPointID: '00284147' }));
    const view = unwrap(await open('00284147', 'soap'));
    expect(view.oneLine).toBe('Tannery Row');
    expect(asked).toHaveLength(1);
  });

  test('comes under a code whose meaning is not published: that is said of it, also once it is saved', async () => {
    const withCode = (code: string) =>
      record('284147', 'Tannery Row').replace('>1</Return_Code>', `>${code}</Return_Code>`);
    for (const [premiseId, code, said] of [
      ['00284147', '7', '7'],
      ['00284147', '7', '7'],
      ['284147', '1', undefined],
    ] as const) {
      if (code === '1') await cacheFor('off');
      answer = () => soap('GetPremiseAddress', `<List>${withCode(code)}</List>`);
      expect(unwrap(await open(premiseId, 'soap')).provenance.returnCode).toBe(said);
    }
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['with its zeros left out', { id: '284147' }],
    ['by its UDPRN', { id: '00284147' }],
  ])('gets the UPRN that was paid for where the other answer names the premise %s', async (_how, named) => {
    const premise = named.id === '284147' ? { id: '00284147' } : { id: 'GBR|17', udprn: '00284147' };
    answer = (sent) =>
      json({
        item: sent.includes('GeoData') ? { ...named, uprn: '100012345678' } : { ...premise, street: 'Tannery Row' },
      });
    const { uprnPlan } = unwrap(await open('00284147'));
    expect(uprnPlan).toMatchObject({ operation: 'GetPremiseGeoData', cameEmpty: false });
    const { connectionId } = desk;
    const asking = { connectionId, premiseId: '00284147', operation: 'GetPremiseGeoData' } as const;
    expect(unwrap(await desk.call('lookup.uprn', asking))).toMatchObject({
      oneLine: 'Tannery Row',
      uprn: { value: '100012345678' },
      uprnPlan: null,
    });
  });

  test('was asked for its UPRN, which came empty: it is not “not asked for” because another way is the cheaper one now', async () => {
    const { connectionId } = desk;
    answer = () => soap('GetPremiseAddress', `<List>${record('00284147', 'Tannery Row')}</List>`);
    const { uprnPlan } = unwrap(await open('00284147', 'soap'));
    expect(uprnPlan).toMatchObject({ operation: 'GetPremise', cameEmpty: false });
    answer = () => json({ item: { id: '00284147', street: 'Tannery Row', uprn: '' } });
    const asking = { connectionId, premiseId: '00284147', operation: 'GetPremise' } as const;
    for (const view of [await desk.call('lookup.uprn', asking), await open('00284147', 'soap')])
      expect(unwrap(view).uprnPlan).toMatchObject({ operation: 'GetPremiseGeoData', cameEmpty: true });
  });

  test.each(['lookup', 'explorer'])(
    'has fields that the published one does not have: they are shown as they came (%s)',
    async (from) => {
      const withNew = record('00284147', 'Tannery Row').replace(
        '<IsError>',
        '<Uprn_New>100012345678</Uprn_New><IsError>',
      );
      answer = () => soap('GetPremiseAddress', `<List>${record('00000001', 'Wrong Road')}${withNew}</List>`);
      if (from === 'explorer') unwrap(await run('GetPremiseAddress', { sUniqueDeliveryPointID: '00284147' }));
      const { otherFields } = unwrap(await open('00284147', 'soap'));
      expect(otherFields).toEqual([{ name: 'Uprn_New', value: '100012345678', source: 'SOAP GetPremiseAddress' }]);
    },
  );

  test('geographic data in shape B that names its premise as shape A does is compared with the question', async () => {
    answer = () =>
      json({ geoData: { id: '00000002', latitude: 51.5, longitude: -0.1, eastings: 530000, northings: 180000 } });
    expect(await run('GetPremiseGeoData', { id: '00284147' })).toMatchObject({
      ok: false,
      error: { code: 'answered-other' },
    });
  });
});

describe('the saved answer of another question', () => {
  const list = (operation: string) =>
    soap(
      operation,
      '<List><ListAddressPremise><List_Address>1 Mill Lane</List_Address><Unique_Delivery_Point>1</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise></List><IsError>false</IsError>',
    );

  test.each([
    ['SearchPremise_ByWordMatchOnAll', 'sSearch', 'Mill*', 'Mill', 'soap'],
    ['SearchPremise_ByWordMatchOnAll', 'sSearch', '"Mill Lane"', 'Mill Lane', 'soap'],
    ['SearchPremise_ByPostcode', 'sPostcode', 'HR10-2DT', 'HR10 2DT', 'soap'],
    ['Search', 'query', 'Mill*', 'Mill', 'rest'],
  ] as const)('%s with %s %s is sent as typed and is not %s', async (operation, field, typed, plain, protocol) => {
    answer = () =>
      protocol === 'rest' ? json({ results: [{ id: '1', address: '1 Mill Lane' }], totalResults: 1 }) : list(operation);
    unwrap(await search(plain, protocol));
    const shown = unwrap(await run(operation, { [field]: typed }));
    expect(shown.provenance.cached).toBe(false);
    expect(asked.at(-1)).toContain(typed.replaceAll('"', protocol === 'rest' ? '"' : '&quot;'));
    // Each keeps its own.
    expect(unwrap(await run(operation, { [field]: typed })).provenance.answerId).toBe(shown.provenance.answerId);
    expect(unwrap(await search(plain, protocol)).provenance).toMatchObject({ cached: true });
    expect(unwrap(await search(plain, protocol)).provenance.answerId).not.toBe(shown.provenance.answerId);
    expect(asked).toHaveLength(2);
  });
});

describe.each([
  ['server', () => `${elsewhere}/v1`],
  ['path of the server', () => `${origin}/live`],
])('after another %s was entered', (_, there) => {
  const premise = (uprn?: string) =>
    json({ item: { id: '00284147', street: 'Tannery Row', ...(uprn ? { uprn } : {}) } });

  test('what the service before answered is in no premise of the new one, not even if nothing is saved', async () => {
    await cacheFor('off');
    answer = () => premise('100012345678');
    unwrap(await open('00284147'));
    await edit({ restBaseUrl: there() });
    answer = () => premise();
    const view = unwrap(await open('00284147'));
    expect(view.uprn).toBeNull();
    expect(view.cachedAnswers).toHaveLength(1);
    await edit({ restBaseUrl: `${origin}/v1` });
    expect(unwrap(await open('00284147')).uprn?.value).toBe('100012345678');
  });

  test('its answers are not called saved, free: asking again is a call', async () => {
    answer = () => premise();
    const { provenance } = unwrap(await open('00284147'));
    const now = async () =>
      unwrap(await desk.call('lookup.provenance', { answerIds: [provenance.answerId] })).answers[0]?.cachedFor;
    expect(await now()).toBe('time');
    await edit({ restBaseUrl: there() });
    expect(await now()).toBe('no');
    answer = () => json({ item: { id: '00284147', street: 'Another Road' } });
    expect(unwrap(await open('00284147'))).toMatchObject({
      oneLine: 'Another Road',
      provenance: { cached: false },
      cachedAnswers: [{}],
    });
    await edit({ restBaseUrl: `${origin}/v1/` });
    expect(await now()).toBe('time');
    expect(unwrap(await open('00284147')).oneLine).toBe('Tannery Row');
  });

  test('another shape there is no change of this service’s', async () => {
    const shape = async () => unwrap(await desk.call('lookup.shape', { connectionId: desk.connectionId }));
    answer = () => premise();
    unwrap(await open('00284147'));
    expect(await shape()).toEqual({ last: 'A', change: null });
    await edit({ restBaseUrl: there() });
    expect(await shape()).toEqual({ last: null, change: null });
    answer = () =>
      json({ premise: { id: '00284147', street: 'Tannery Row', town: 'Hereford', latitude: 52.1, longitude: -2.7 } });
    unwrap(await open('00284147'));
    expect(await shape()).toEqual({ last: 'B', change: null });
  });
});

test('two endpoints that answer in two shapes have not changed them', async () => {
  answer = (sent) =>
    sent.includes('GeoData')
      ? json({
          geoData: { premiseId: '00284147', latitude: 52.1, longitude: -2.7, eastings: 352000, northings: 241000 },
        })
      : json({ item: { id: '00284147', street: 'Tannery Row' } });
  for (const id of ['00284147', '00284148']) {
    answer = ((inner) => (sent: string) => {
      const { type, body } = inner(sent);
      return { type, body: body.replaceAll('00284147', id) };
    })(answer);
    unwrap(await run('GetPremise', { id }));
    unwrap(await run('GetPremiseGeoData', { id }));
  }
  expect(unwrap(await desk.call('lookup.shape', { connectionId: desk.connectionId })).change).toBeNull();
});

test.each([
  ['words of its own', '<Message>Your account is suspended.</Message>'],
  [
    'words of its own, behind a schema',
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:annotation>tables</xs:annotation></xs:schema><Message>Your account is suspended.</Message>',
  ],
])('a data set without rows that has %s is not “nothing found”', async (_what, inner) => {
  answer = () => soap('SearchPremise_ByPostcode_Dataset', inner);
  expect(await run('SearchPremise_ByPostcode', { sPostcode: 'HR10 2DT' }, true)).toMatchObject({
    ok: false,
    error: { code: 'unreadable-answer', detail: expect.stringContaining('Your account is suspended.') },
  });
});

test('a street is neither the premise nor the street whose number it shares', async () => {
  const { connectionId } = desk;
  answer = () => json({ item: { id: '12345678', street: 'Tannery Row' } });
  unwrap(await open('12345678'));
  const streets = 'SearchThoroughfare_ByStreet';
  answer = () =>
    soap(
      streets,
      '<List><ListAddressThoroughfare><List_Address>Mill Lane</List_Address><Identifier>12345678</Identifier><Return_Code>1</Return_Code></ListAddressThoroughfare></List>',
    );
  const { results } = unwrap(
    await desk.call('lookup.search', { connectionId, text: 'Mill Lane', of: { kind: 'streets' } }),
  );
  expect(results).toMatchObject([{ kind: 'street', cached: false }]);
  answer = () => soap('SearchPremise_ByThouroughfareID', '<List/><IsError>false</IsError>');
  for (const id of ['a1B', 'A1b', 'a1B'])
    unwrap(await desk.call('lookup.search', { connectionId, text: 'Mill Lane', of: { kind: 'on-street', id } }));
  expect(asked.filter((sent) => sent.includes('sThouroughfareID'))).toHaveLength(2);
});

test('an answer on the screen is shown although the settings cannot be read, and is not called saved then', async () => {
  answer = () => json({ results: [{ id: '1', address: '1 Mill Lane' }], totalResults: 1 });
  const { provenance } = unwrap(await search('Mill', 'rest'));
  const known = () => desk.call('lookup.provenance', { answerIds: [provenance.answerId] });
  expect(unwrap(await known()).answers).toMatchObject([{ cachedFor: 'time' }]);
  const sql = new DatabaseSync(join(desk.folder, databaseName), { timeout: 5000 });
  sql.exec('ALTER TABLE settings RENAME TO settings_away');
  try {
    expect(await known()).toMatchObject({ ok: true, value: { answers: [{ cachedFor: 'no' }] } });
  } finally {
    sql.exec('ALTER TABLE settings_away RENAME TO settings');
    sql.close();
  }
});

test('a distance is shown although the answer does not repeat the postcode that it was measured to', async () => {
  const { connectionId } = desk;
  const record = '<Nearest><Distance_Metres>1200</Distance_Metres><Return_Code>1</Return_Code></Nearest>';
  answer = (sent) =>
    soap(
      sent.includes('<NearestData') ? 'NearestData_ForPostcode' : 'DistanceBetween_Postcodes',
      `<List>${record}</List>`,
    );
  const from = 'HR10 2DT';
  for (const to of [['HR10 2DU'], ['HR10 2DU', 'HR10 2DX']]) {
    const { rows } = unwrap(await desk.call('lookup.distances', { connectionId, from, to }));
    expect(rows).toMatchObject([{ postcode: to.length === 1 ? 'HR10 2DU' : '', metres: 1200 }]);
  }
  answer = () => soap('DistanceBetween_Postcodes', '<List><Nearest><Return_Code>1</Return_Code></Nearest></List>');
  expect(await desk.call('lookup.distances', { connectionId, from, to: ['HR10 2DY'] })).toMatchObject({
    ok: false,
    error: { code: 'not-found' },
  });
});

test('a list of postcodes of which the first is unknown is shown: “no records” is said of that one', async () => {
  const { connectionId } = desk;
  const from = 'HR10 2DT';
  const to = ['ZZ1 1ZZ', 'HR10 2DU'];
  const pad = ' '.repeat(20);
  const nearest = (postcode: string, code: string) =>
    `<Nearest><Postcode_Return>${postcode}</Postcode_Return>${code === '1' ? '<Distance_Metres>1200</Distance_Metres>' : ''}<Return_Code>${code}</Return_Code></Nearest>`;
  answer = () => soap('NearestData_ForPostcode', `<List>${nearest('', '0')}${nearest('HR10 2DU', '1')}</List>`);
  const measured = unwrap(await desk.call('lookup.distances', { connectionId, from, to }));
  const unknown = { postcode: 'ZZ1 1ZZ', metres: null };
  expect(measured).toMatchObject({
    rows: [{ postcode: 'HR10 2DU', metres: 1200 }, unknown],
    provenance: { returnCode: '0' },
  });
  // A service may leave those that it does not know out, and write the others in another way.
  answer = () => soap('NearestData_ForPostcode', `<List>${nearest('hr102du', '1')}</List>`);
  const again = unwrap(await desk.call('lookup.distances', { connectionId, from, to, cache: 'reload' }));
  expect(again.rows).toMatchObject([
    { postcode: 'hr102du', metres: 1200 },
    { ...unknown, place: null },
  ]);
  expect(again.rows[1]?.distances.map(({ value }) => value)).toEqual(['', '', '', '']);

  const geographic = (postcode: string, code: string) =>
    `<Geographic><Postcode>${postcode}</Postcode><Country_Name>${pad}</Country_Name><Return_Code>${code}</Return_Code></Geographic>`;
  // A short answer, one long enough to be read in runs of records, and the same in the form of a data set.
  for (const [count, twin] of [
    [1, false],
    [1000, false],
    [1, true],
  ] as const) {
    const records = geographic('', '0') + geographic('HR10 2DT', '1').repeat(count);
    const operation = twin ? 'GeoData_ForPostcode_Dataset' : 'GeoData_ForPostcode';
    answer = () =>
      soap(operation, twin ? `<PostcodeUtilities>${records}</PostcodeUtilities>` : `<List>${records}</List>`);
    const asking = { ...desk.asked('GeoData_ForPostcode', { sPostcodes: from }, twin), cache: 'reload' as const };
    const { found, tables, returnMeaning } = unwrap(await desk.call('operations.run', asking));
    expect([found, tables[0]?.rows, returnMeaning]).toEqual(['something', count + 1, 'no records']);
  }
});

test('what stands in a record of “no records” is no distance: of an unknown postcode 0 m is not the nearest', async () => {
  const { connectionId } = desk;
  const from = 'HR10 2DT';
  const to = ['ZZ1 1ZZ', 'HR10 2DU'];
  const nearest = (postcode: string, metres: number, code: string) =>
    `<Nearest><Postcode_Return>${postcode}</Postcode_Return><Distance_Metres>${metres}</Distance_Metres><Return_Code>${code}</Return_Code></Nearest>`;
  const measure = async (...records: string[]) => {
    answer = () => soap('NearestData_ForPostcode', `<List>${records.join('')}</List>`);
    const measured = await desk.call('lookup.distances', { connectionId, from, to, cache: 'reload' as const });
    return unwrap(measured).rows.map(({ postcode, metres, distances }) => [postcode, metres, distances[0]?.value]);
  };
  // From where the grid begins to it, as a service may reckon that has no place of it.
  for (const metres of [0, 331_000])
    expect(await measure(nearest('ZZ1 1ZZ', metres, '0'), nearest('HR10 2DU', 1200, '1'))).toEqual([
      ['HR10 2DU', 1200, '1200'],
      ['ZZ1 1ZZ', null, ''],
    ]);
  // Of a service that writes 0 on all of them.
  expect(await measure(nearest('ZZ1 1ZZ', 0, '0'), nearest('HR10 2DU', 1200, '0'))).toEqual([
    ['HR10 2DU', 1200, '1200'],
    ['ZZ1 1ZZ', null, ''],
  ]);
});

test('a premise that came under the code of “no records” is shown and saved, and its code is said', async () => {
  answer = () =>
    soap(
      'GetPremiseAddress',
      '<List><AddressPremise><Unique_Delivery_Point>00284147</Unique_Delivery_Point><Street>Mill Lane</Street><IsError>false</IsError><Return_Code>0</Return_Code></AddressPremise></List>',
    );
  for (const source of ['asked', 'cached']) {
    const view = unwrap(await open('00284147', 'soap'));
    expect([source, view.provenance.returnCode, asked.length]).toEqual([source, '0', 1]);
    expect(view.fields.map(({ value }) => value)).toContain('Mill Lane');
  }
});

test('a district that an earlier version saved as a dependent locality is a district', async () => {
  answer = () =>
    json({ item: { id: '00284147', street: 'Tannery Row', district: 'Bartonsham', line1: 'Tannery Row' } });
  const named = async () =>
    unwrap(await open('00284147')).fields.flatMap(({ name, label, value }) =>
      value === 'Bartonsham' ? [name, label] : [],
    );
  expect(await named()).toEqual(['district', 'District']);
  const sql = new DatabaseSync(join(desk.folder, databaseName), { timeout: 5000 });
  sql.exec(`UPDATE held_answers SET value = replace(value, '"district":{', '"dependentLocality":{')`);
  expect(sql.prepare('SELECT value FROM held_answers').get()?.value).toContain('"dependentLocality":{');
  sql.close();
  expect(await named()).toEqual(['district', 'District']);
  expect(asked).toHaveLength(1);
});

describe('words beside a list, by which it may not be whole, are said of it, also once it is saved', () => {
  const rows =
    '<ListAddressPremise><List_Address>1 Mill Lane, Ely</List_Address><Unique_Delivery_Point>1</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>';
  const first = 'More than 100 premises match, the first 100 are returned.';
  test.each([
    [
      'soap',
      () =>
        soap(
          'SearchPremise_ByWordMatchOnAll',
          `<IsError>false</IsError><ErrorMessage>${first}</ErrorMessage><List>${rows}</List>`,
        ),
      `its ErrorMessage is “${first}”`,
    ],
    [
      'soap',
      () =>
        soap(
          'SearchPremise_ByWordMatchOnAll',
          `<IsError>false</IsError><IsTruncated>true</IsTruncated><List>${rows}</List>`,
        ),
      'its IsTruncated is set',
    ],
    ['soap', () => soap('SearchPremise_ByWordMatchOnAll', `<List>${rows}</List>`), undefined],
    [
      'rest',
      () => json({ results: [{ id: '1', address: '1 Mill Lane' }], success: false, message: first }),
      `it says “${first}”`,
    ],
    ['rest', () => json({ results: [{ id: '1', address: '1 Mill Lane' }], success: false }), 'it says that it failed'],
    ['rest', () => json({ results: [{ id: '1', address: '1 Mill Lane' }], message: 'OK' }), undefined],
    [
      'rest',
      () => json({ results: [{ id: '1', address: '1 Mill Lane' }], totalResults: 'over 100' }),
      'its totalResults is “over 100”',
    ],
  ] as const)('%s, %#', async (protocol, came, doubt) => {
    answer = came;
    const { connectionId } = desk;
    for (const source of ['asked', 'cached']) {
      const found = unwrap(await search('Mill Lane', protocol));
      expect([source, found.provenance.doubt, asked.length]).toEqual([source, doubt, 1]);
    }
    // A part that is saved is not the free way to the whole.
    const { ways } = unwrap(
      await desk.call('lookup.search-ways', {
        connectionId,
        text: 'Mill Lane',
        maxResults: null,
        of: { kind: 'text' },
      }),
    );
    expect(ways.map((way) => way.interface)[0]).toBe(doubt !== undefined && protocol === 'rest' ? 'soap' : protocol);
  });
});

test('an empty list beside a total that is no count is not “nothing found”', async () => {
  answer = () => json({ results: [], totalResults: 'over 100' });
  expect(await search('Mill Lane', 'rest')).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
});

test('the service’s own address lines are a field of the premise, in every form that is copied', async () => {
  answer = () => json({ item: { id: '00284147', line1: '14 Bartonsham', line2: '', line3: 'Foxley Green' } });
  const { fields } = unwrap(await open('00284147'));
  expect(fields).toContainEqual({
    name: 'lines',
    label: 'Address lines',
    value: '14 Bartonsham, Foxley Green',
    source: 'REST GetPremise, shape A',
  });
});

test('a list that is a part says so wherever it is named', async () => {
  const { connectionId } = desk;
  answer = () => json({ results: [{ id: '1', address: '1 Mill Lane' }], totalResults: 34 });
  unwrap(await search('Mill', 'rest'));
  const { answers } = unwrap(await desk.call('lookup.cached-answers', { connectionId, search: 'mill', limit: 1 }));
  expect(answers[0]?.label).toBe('Mill, 1 of 34 premises');
  answer = () => json({ results: [], totalResults: 34 });
  unwrap(await search('Mill Lane', 'rest'));
  const { calls } = unwrap(await desk.call('activity.list', { before: null, limit: 1 }));
  expect(calls).toMatchObject([{ subject: 'Mill Lane', outcome: 'answered' }]);
  const explored = unwrap(await run('Search', { query: 'Mill Lane' }));
  expect(explored).toMatchObject({ found: 'something', fields: [{ value: '34' }] });
  // Rows are there also where none has an identifier.
  answer = () => json({ results: [{ address: '1 Mill Lane' }] });
  expect(unwrap(await run('Search', { query: 'Tannery Row' }))).toMatchObject({ found: 'something' });
});

test('a list that names a premise twice does not differ from itself', async () => {
  const row = (organisation: string) => ({ id: '1', address: `${organisation}, 1 Mill Lane` });
  answer = () => json({ results: [row('Alder Ltd'), row('Beech Ltd')], totalResults: 2 });
  const ask = async () =>
    unwrap(
      await desk.call('lookup.search', {
        connectionId: desk.connectionId,
        text: 'Mill',
        interface: 'rest',
        cache: 'reload',
      }),
    ).provenance.answerId;
  const [leftId, rightId] = [await ask(), await ask()];
  const { rows } = unwrap(await desk.call('lookup.compare', { leftId, rightId, from: 0 }));
  expect(rows.map(({ verdict }) => verdict)).toEqual(['same', 'same']);
  answer = () => json({ results: [row('Alder Ltd')], totalResults: 1 });
  const shorterId = await ask();
  const verdicts = async (one: string, other: string) =>
    unwrap(await desk.call('lookup.compare', { leftId: one, rightId: other, from: 0 })).rows.map(
      ({ verdict }) => verdict,
    );
  expect(await verdicts(leftId, shorterId)).toEqual(['same', 'left']);
  expect(await verdicts(shorterId, leftId)).toEqual(['same', 'right']);
});

test('of two long answers of Operations, what was not kept to be compared is not said to be missing or the same', async () => {
  const name = 'GetAddressesForPostcode';
  const record = (n: number, street: string) =>
    `<AddressPremise><Unique_Delivery_Point>${n}</Unique_Delivery_Point>${street === '' ? '' : `<Street>${street}</Street>`}<Postcode>HR10 2DT</Postcode><IsError>false</IsError><Return_Code>1</Return_Code></AddressPremise>`;
  const long = 'Tannery Row '.repeat(50);
  const ask = async (streets: string[]) => {
    answer = () => soap(name, `<List>${streets.map((street, n) => record(n, street)).join('')}</List>`);
    const asking = { ...desk.asked(name, { Postcode: 'HR10 2DT' }), cache: 'reload' as const };
    return unwrap(await desk.call('operations.run', asking)).answerId;
  };
  const streets = Array.from({ length: 300 }, () => 'Tannery Row');
  // The second record has a value less in one of them, whose 500th is the 501st of the other.
  const [leftId, rightId] = [await ask([`${long}left`, ...streets]), await ask([`${long}right`, '', ...streets])];
  const { rows, firstOnly } = unwrap(await desk.call('lookup.compare', { leftId, rightId, from: 0 }));
  expect(firstOnly).toBe(500);
  expect(rows.filter(({ explanation }) => explanation.includes('not in that answer'))).toEqual([]);
  const street = rows.find(({ label }) => label.endsWith('[0].Street'));
  expect(street).toMatchObject({ verdict: 'not-compared', explanation: 'begins the same; the rest is not compared' });

  const [shorter, other] = [await ask(['Tannery Row']), await ask(['Mill Lane', 'Tannery Row'])];
  const whole = unwrap(await desk.call('lookup.compare', { leftId: shorter, rightId: other, from: 0 }));
  expect(whole.firstOnly).toBeNull();
  expect(new Set(whole.rows.map(({ verdict }) => verdict))).toEqual(new Set(['same', 'differs', 'right']));
  // Of an answer that is there whole it is known that it does not have it.
  const against = unwrap(await desk.call('lookup.compare', { leftId, rightId: shorter, from: 0 }));
  expect(against.rows.find(({ label }) => label.endsWith('[1].Street'))).toMatchObject({
    verdict: 'left',
    explanation: 'left only; right not in that answer',
  });
});

describe('Operations shows what came, in whatever form', () => {
  const shown = async (answered: ReturnType<typeof run>) => {
    const { answerId, tables, fields } = unwrap(await answered);
    const { rows } = unwrap(await desk.call('operations.rows', { answerId, table: 0, from: 0, count: 10 }));
    return { columns: tables[0]?.columns, rows, fields };
  };

  test('of a data set, what the diffgram says of a row is no value of it', async () => {
    answer = () =>
      soap(
        'SearchPremise_ByPostcode_Dataset',
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="ListAddressPremise"><xs:complexType><xs:sequence><xs:element name="id"/><xs:element name="List_Address"/></xs:sequence><xs:attribute name="kind"/></xs:complexType></xs:element></xs:schema>' +
          '<d:diffgram xmlns:d="urn:schemas-microsoft-com:xml-diffgram-v1"><NewDataSet xmlns="">' +
          '<ListAddressPremise d:id="ListAddressPremise1" kind="flat"><List_Address>1 Mill Lane</List_Address></ListAddressPremise>' +
          '<ListAddressPremise d:id="ListAddressPremise2"><id>7</id></ListAddressPremise></NewDataSet></d:diffgram>',
      );
    expect(await shown(run('SearchPremise_ByPostcode', { sPostcode: 'HR10 2DT' }, true))).toMatchObject({
      columns: ['id', 'List_Address', 'kind'],
      rows: [
        [null, '1 Mill Lane', 'flat'],
        ['7', null, null],
      ],
    });
  });

  test('JSON that looks like a data set, and a list of records with something else in it', async () => {
    answer = () =>
      json({ tables: [{ name: 't', columns: [null], rows: [null, { a: 'b' }] }], results: [{ id: '1' }, 'and more'] });
    const { fields } = await shown(run('Search', { query: 'Mill' }));
    expect(fields.map(({ value }) => value)).toEqual(['t', '', '', 'b', '1', 'and more']);
    answer = () => json({ results: [{ id: '1' }, 'and more'] });
    expect(await shown(run('Search', { query: 'Mill Lane' }))).toMatchObject({
      columns: ['id', 'results'],
      rows: [
        ['1', null],
        [null, 'and more'],
      ],
    });
  });

  test('a field that came twice, and two that nobody knows', async () => {
    answer = () =>
      soap(
        'GetAddress',
        '<Street>Mill Lane</Street><Street>Tannery Row</Street><New>a</New><New>b</New><Unique_Delivery_Point>00284147</Unique_Delivery_Point><IsError>false</IsError><Return_Code>1</Return_Code>',
      );
    const { fields } = await shown(run('GetAddress', { sUDP: '00284147' }));
    const values = fields.flatMap(({ path, value }) => (/^(Street|New)/.test(path) ? [value] : []));
    expect(values.sort()).toEqual(['Mill Lane', 'Tannery Row', 'a', 'b']);
  });
});
