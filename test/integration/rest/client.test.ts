import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { CallSecrets } from '../../../electron/core/connections/profile.ts';
import { callRest, type RestCall } from '../../../electron/core/rest/client.ts';
import { createHttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import { textOf } from '../../../shared/domain/address/address.ts';
import type { Exchange } from '../../../shared/domain/call.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { connectionDraft } from '../../helpers/temp-database.ts';
import { answerText, startTcpServer, type TestServer } from '../transport/servers.ts';

const lookupKey = 'LKUP-0123&456/789+abcdefXYZ1';
const masterKey = 'MSTR-9876543210-zyxwvuXYZ2';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const connectionTo = (restBaseUrl: string, more: Partial<Connection> = {}): Connection => ({
  id: 'c1',
  ...connectionDraft('Test', { restBaseUrl }),
  ...more,
});

type Ask = Partial<RestCall> & { secrets?: CallSecrets; connection?: Partial<Connection> };

/** A server that answers everything with `answer`, and a function that calls it. */
async function serve(answer: Buffer | string) {
  const server: TestServer = await startTcpServer((socket) =>
    typeof answer === 'string' ? socket.end(answer) : socket.write(answer),
  );
  const transport = createHttpTransport();
  closers.push(server.close, transport.close);
  const call = ({ secrets = { lookupKey, masterKey }, connection = {}, ...more }: Ask = {}) =>
    callRest({
      profile: { connection: connectionTo(`http://127.0.0.1:${server.port}/api/v1/`, connection), secrets },
      endpoint: 'GetPremise',
      fields: { id: '00123456' },
      transport: transport.send,
      timeoutMs: 120_000,
      ...more,
    });
  return { server, call };
}
const json = (value: unknown, status = '200 OK', extra = ''): Buffer =>
  answerText(
    typeof value === 'string' ? value : JSON.stringify(value),
    `content-type: application/json\r\n${extra}`,
    status,
  );
const target = (server: TestServer, nth = 0): string => server.hits[nth]?.split(' ')[1] ?? '';
const premiseA = {
  item: { id: '00123456', street: 'High Street', city: 'Ely', postalCode: 'CB7 4AA', udprn: '8', new: 1 },
};

describe('what is sent', () => {
  test('the key first, then the parameters, each escaped; once', async () => {
    const { server, call } = await serve(json({ results: [], totalResults: 0 }));
    const result = await call({ endpoint: 'Search', fields: { query: 'a b+c&d=é#/?', maxresults: '10' } });
    expect(result.ok).toBe(true);
    expect(target(server)).toBe(
      `/api/v1/Search?key=${encodeURIComponent(lookupKey)}&query=a%20b%2Bc%26d%3D%C3%A9%23%2F%3F&maxresults=10`,
    );
    expect(server.hits).toHaveLength(1);
    expect(server.hits[0]).not.toContain(masterKey);
  });

  test('a query in the base address goes with every call, behind the key', async () => {
    const { server, call } = await serve(json(premiseA));
    const base = `http://127.0.0.1:${server.port}/api/v1/?tenant=5&of=a%20b`;
    expect((await call({ connection: { restBaseUrl: base }, fields: { id: '00123456' } })).ok).toBe(true);
    expect(target(server)).toBe(
      `/api/v1/GetPremise?key=${encodeURIComponent(lookupKey)}&tenant=5&of=a%20b&id=00123456`,
    );
  });

  test('uprn as requested; null and undefined are left out', async () => {
    const { server, call } = await serve(json(premiseA));
    await call({ fields: { id: '00123456', uprn: true } });
    await call({ fields: { id: '00123456', uprn: 'False' } });
    await call({ fields: { id: '00123456', uprn: null } });
    expect([0, 1, 2].map((nth) => target(server, nth).split('&').slice(1).join('&'))).toEqual([
      'id=00123456&uprn=true',
      'id=00123456&uprn=false',
      'id=00123456',
    ]);
  });

  test('the phrase form: words anywhere, or a full postcode exactly, never maxresults', async () => {
    const { server, call } = await serve(json({ items: [{ key: '01', text: 'A', type: 'Premise' }] }));
    const connection = { searchForm: 'phrase' } as const;
    const words = await call({ connection, endpoint: 'Search', fields: { query: 'high street', maxresults: 5 } });
    await call({ connection, endpoint: 'Search', fields: { query: 'sw1a 1aa' } });
    await call({ connection, endpoint: 'Search', fields: { phrase: 'sw1a 1aa', opensearch: true } });
    expect([0, 1, 2].map((nth) => target(server, nth).split('&').slice(1).join('&'))).toEqual([
      'phrase=high%20street&opensearch=true',
      'phrase=sw1a%201aa&opensearch=false',
      'phrase=sw1a%201aa&opensearch=true',
    ]);
    expect(words).toMatchObject({ ok: true, value: { shape: 'phrase', search: { items: [{ premiseId: '01' }] } } });
    expect(words.ok && words.value.raw.text).toContain('"key":"01"');
  });
});

describe('refused before anything leaves', () => {
  test.each<[string, Ask, string, string | undefined]>([
    ['an unknown endpoint', { endpoint: 'GetEverything' }, 'unknown-operation', 'endpoint'],
    ['an unknown parameter', { fields: { id: '1', colour: 'red' } }, 'bad-input', 'colour'],
    ['a removed parameter', { fields: { id: '1', includeGeoData: true } }, 'bad-input', 'includeGeoData'],
    [
      'a removed parameter in another case',
      { fields: { id: '1', INCLUDEGEODATA: 'x' } },
      'bad-input',
      'INCLUDEGEODATA',
    ],
    ['a missing parameter', { fields: {} }, 'bad-input', 'id'],
    ['a blank parameter', { fields: { id: '  ' } }, 'bad-input', 'id'],
    ['a number for an identifier', { fields: { id: 123456 } }, 'bad-input', 'id'],
    ['a key as a field', { fields: { id: '1', key: 'x' } }, 'bad-input', 'key'],
    ['no integer', { endpoint: 'Search', fields: { query: 'x', maxresults: 'many' } }, 'bad-input', 'maxresults'],
    ['half a number', { endpoint: 'Search', fields: { query: 'x', maxresults: 1.5 } }, 'bad-input', 'maxresults'],
    ['nought', { endpoint: 'Search', fields: { query: 'x', maxresults: 0 } }, 'bad-input', 'maxresults'],
    ['no boolean', { fields: { id: '1', uprn: 'yes' } }, 'bad-input', 'uprn'],
    ['half a character', { fields: { id: '\ud800' } }, 'bad-input', 'id'],
    ['the other form’s parameter', { endpoint: 'Search', fields: { phrase: 'x' } }, 'bad-input', 'phrase'],
    [
      'two questions',
      { endpoint: 'Search', connection: { searchForm: 'phrase' }, fields: { query: 'x', phrase: 'y' } },
      'bad-input',
      'phrase',
    ],
    ['no words', { endpoint: 'Search', connection: { searchForm: 'phrase' }, fields: {} }, 'bad-input', 'query'],
    ['no key', { secrets: {} }, 'no-credential', 'key'],
    ['only a master key', { secrets: { masterKey } }, 'wrong-key-role', 'key'],
    ['the master key in both places', { secrets: { masterKey, lookupKey: ` ${masterKey}` } }, 'wrong-key-role', 'key'],
    [
      'the master key in both places, in another form of a GUID',
      {
        secrets: {
          masterKey: '3F2504E0-4F89-41D3-9A0C-0305E82C3301',
          lookupKey: '{3f2504e04f8941d39a0c0305e82c3301}',
        },
      },
      'wrong-key-role',
      'key',
    ],
    ['no address', { connection: { restBaseUrl: ' ' } }, 'not-configured', 'restBaseUrl'],
    [
      'plain http elsewhere',
      { connection: { restBaseUrl: 'http://service.example/v1' } },
      'insecure-address',
      'restBaseUrl',
    ],
    [
      'a user name in the address',
      { connection: { restBaseUrl: 'https://a@service.example/v1' } },
      'wrong-origin',
      'restBaseUrl',
    ],
    [
      'a name that only looks like this computer',
      { connection: { restBaseUrl: 'http://127.0.0.1.evil.com/' } },
      'insecure-address',
      'restBaseUrl',
    ],
  ])('%s', async (_name, ask, code, field) => {
    const { server, call } = await serve(json(premiseA));
    const left: Exchange[] = [];
    const result = await call({ ...ask, observe: (exchange) => left.push(exchange) });
    expect(result).toMatchObject({ ok: false, error: { code, charge: 'not-charged', ...(field ? { field } : {}) } });
    expect(server.connections).toBe(0);
    expect(left).toEqual([]);
  });

  test('includeGeoData is refused with what to do instead', async () => {
    const { call } = await serve(json(premiseA));
    const result = await call({ fields: { id: '1', includeGeoData: true } });
    expect(result.ok || result.error.next).toContain('uprn=true');
  });

  test('a cancelled call', async () => {
    const { server, call } = await serve(json(premiseA));
    expect(await call({ signal: AbortSignal.abort() })).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(server.connections).toBe(0);
  });
});

describe('keys', () => {
  test('GetCredits prefers the lookup key, else takes the master key', async () => {
    const { server, call } = await serve(json({ credits: 5 }));
    const ask = { endpoint: 'GetCredits', fields: {} };
    const both = await call(ask);
    const master = await call({ ...ask, secrets: { masterKey } });
    expect([both, master].map((result) => result.ok && result.value.keyRole)).toEqual(['lookup', 'master']);
    expect(target(server, 0)).toContain(encodeURIComponent(lookupKey));
    expect(target(server, 1)).toContain(masterKey);
    expect(both).toMatchObject({ ok: true, value: { shape: 'A', balance: { credits: 5 } } });
  });

  test('no key is in anything returned, also if the service repeats it', async () => {
    const echo = {
      item: {
        ...premiseA.item,
        echo: `key ${lookupKey}`,
        url: `/x?key=${encodeURIComponent(lookupKey)}`,
        GUID: '3f2504e0-4f89-41d3',
      },
    };
    const { call } = await serve(
      json(echo, '200 OK', `x-echo: ${encodeURIComponent(lookupKey)}\r\nset-cookie: s=1\r\n`),
    );
    const left: Exchange[] = [];
    const result = await call({ observe: (exchange) => left.push(exchange) });
    expect(result.ok).toBe(true);
    const all = JSON.stringify([result, left]);
    for (const form of [lookupKey, encodeURIComponent(lookupKey), masterKey, '3f2504e0', 's=1'])
      expect(all).not.toContain(form);
    expect(result.ok && result.value.request.url).toMatch(/\?key=••••XYZ1&id=00123456$/);
    expect(left).toHaveLength(1);
  });

  test('nor in an error', async () => {
    const { call } = await serve(json({ message: `Key ${lookupKey} is not known` }, '401 Unauthorized'));
    const left: Exchange[] = [];
    const result = await call({ observe: (exchange) => left.push(exchange) });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'credentials-refused', detail: 'HTTP 401: Key ••••XYZ1 is not known' },
    });
    expect(JSON.stringify([result, left])).not.toContain(lookupKey);
    expect(left[0]?.raw?.status).toBe(401);
  });

  test('a redirect is not followed: the key is sent nowhere else', async () => {
    const other = await serve(json(premiseA));
    const { call } = await serve(
      answerText(
        '',
        `location: http://127.0.0.1:${other.server.port}/?key=${encodeURIComponent(lookupKey)}\r\n`,
        '302 Found',
      ),
    );
    const result = await call();
    expect(result).toMatchObject({ ok: false, error: { code: 'redirect-refused' } });
    expect(result.ok || result.error.detail).toContain('••••XYZ1');
    expect(other.server.connections).toBe(0);
  });
});

describe('answers', () => {
  test('shape A: as it came, raw, and as an address', async () => {
    const { call } = await serve(json(premiseA));
    const result = await call();
    if (!result.ok) throw new Error(result.error.detail);
    const { value, address, shape, raw, timings } = result.value;
    expect(value).toEqual(premiseA);
    expect(raw.text).toBe(JSON.stringify(premiseA));
    expect(shape).toBe('A');
    expect(address?.premiseId).toBe('00123456');
    expect(address && textOf(address, 'postcode')).toBe('CB7 4AA');
    expect(address?.other.map(({ name, value: text }) => [name, text])).toEqual([['new', '1']]);
    expect(timings.decoded).toBeGreaterThanOrEqual(0);
  });

  test('a balance that is not found: no record was asked for, so the address is doubted', async () => {
    const { call } = await serve(json({ Message: 'No HTTP resource was found.' }, '404 None'));
    expect(await call({ endpoint: 'GetCredits', fields: {} })).toMatchObject({
      error: {
        message: 'The server has no such page: the REST address may not be the service’s.',
        next: 'Check the REST address under Connections.',
        detail: 'HTTP 404: No HTTP resource was found.',
      },
    });
  });

  test('404 and 410 may mean the address as well: neither a record nor a search is said to be unknown to the service', async () => {
    for (const [answer, status] of [
      [answerText('', '', '404 None'), 404],
      [json({ Message: 'No HTTP resource was found.' }, '404 None'), 404],
      [json({}, '410 Gone'), 410],
      [json({ status: 404, message: 'None' }), 404],
    ] as const) {
      const { call } = await serve(answer);
      expect(await call()).toMatchObject({
        error: {
          code: 'not-found',
          message: `The answer was ${status}: no such record, or the server has no such page.`,
          next: 'Check the identifier, then the REST address under Connections.',
        },
      });
      expect(await call({ endpoint: 'Search', fields: { query: 'x' } })).toMatchObject({
        error: {
          code: 'http-error',
          message: `The answer was ${status}: nothing was found, or the server has no such page.`,
          next: 'Check what was searched for, then the REST address under Connections.',
          detail: expect.stringContaining(`HTTP ${status}`),
        },
      });
    }
  });

  test('shape B, compressed, in UTF-16', async () => {
    const text = '{"premise":{"id":"00123456","town":"Tŷ","latitude":51.50,"longitude":-1.00}}';
    const body = gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le'));
    const { call } = await serve(answerText(body, 'content-encoding: gzip\r\ncontent-type: application/json\r\n'));
    const result = await call();
    expect(result.ok && result.value.address?.fields).toMatchObject({
      postTown: { value: 'Tŷ' },
      latitude: { value: '51.50' },
    });
  });

  test.each<[string, Buffer | string, string, string]>([
    ['400', json({ error: 'bad id' }, '400 Bad'), 'input-refused', 'may-have-been-charged'],
    ['401', json('', '401 No'), 'credentials-refused', 'may-have-been-charged'],
    ['402', json({ message: 'No credits' }, '402 Pay'), 'no-credits', 'may-have-been-charged'],
    ['403', json({}, '403 No'), 'not-permitted', 'may-have-been-charged'],
    ['404', json({ message: 'none' }, '404 None'), 'not-found', 'may-have-been-charged'],
    [
      '404 with a page',
      answerText('<html>IIS</html>', 'content-type: text/html\r\n', '404 None'),
      'not-the-service',
      'may-have-been-charged',
    ],
    ['407', json('', '407 Proxy'), 'http-error', 'may-have-been-charged'],
    ['418', json({}, '418 Teapot'), 'http-error', 'may-have-been-charged'],
    ['422', json({}, '422 No'), 'input-refused', 'may-have-been-charged'],
    ['429', json({}, '429 Slow', 'retry-after: 30\r\n'), 'rate-limited', 'may-have-been-charged'],
    ['500', json({ message: 'oops' }, '500 Oops'), 'http-error', 'may-have-been-charged'],
    [
      '503 with a page',
      answerText('<html>Busy</html>', 'content-type: text/html\r\n', '503 Busy'),
      'http-error',
      'may-have-been-charged',
    ],
    ['511', answerText('<html>Sign in</html>', '', '511 Portal'), 'not-the-service', 'may-have-been-charged'],
    [
      'a sign-in page',
      answerText('<!DOCTYPE html><html><title>Sign in</title></html>', 'content-type: text/html\r\n'),
      'not-the-service',
      'may-have-been-charged',
    ],
    [
      'a page that calls itself JSON',
      json('  <html><body>x</body></html>'),
      'not-the-service',
      'may-have-been-charged',
    ],
    [
      'an error with status 200',
      json({ error: { message: 'Out of credits' } }),
      'service-error',
      'may-have-been-charged',
    ],
    [
      'an error beside an empty item',
      json({ item: null, message: 'No such premise' }),
      'service-error',
      'may-have-been-charged',
    ],
    ['no such premise', json({ item: null }), 'not-found', 'may-have-been-charged'],
    [
      'an empty premise',
      json({ item: { id: '', street: '', buildingNumber: 0 } }),
      'not-found',
      'may-have-been-charged',
    ],
    ['no change, which sends nobody elsewhere', 'HTTP/1.1 304 Same\r\n\r\n', 'http-error', 'may-have-been-charged'],
    ['nothing', json(''), 'unreadable-answer', 'may-have-been-charged'],
    ['no JSON', json('{"item": {'), 'unreadable-answer', 'may-have-been-charged'],
    ['XML', answerText('<a/>', 'content-type: text/xml\r\n'), 'unreadable-answer', 'may-have-been-charged'],
    ['JSON of something else', json({ hello: 'world' }), 'unreadable-answer', 'may-have-been-charged'],
    [
      'JSON deeper than any',
      json(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
      'unreadable-answer',
      'may-have-been-charged',
    ],
    ['too much', json(`"${'x'.repeat(34_000_000)}"`), 'answer-too-large', 'may-have-been-charged'],
    ['a cut', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"item"', 'sent-no-answer', 'may-have-been-charged'],
  ])('%s', async (_name, answer, code, charge) => {
    const { server, call } = await serve(answer);
    expect(await call()).toMatchObject({ ok: false, error: { code, charge } });
    expect(server.hits).toHaveLength(1);
  });

  test.each([
    ['of the status', {}, '429 Slow'],
    ['named in the body', { status: 429, message: 'Slow' }, '200 OK'],
  ])(
    'the Retry-After of a 429 %s is explained in the message, and what a batch waits by',
    async (_where, body, status) => {
      const { call } = await serve(json(body, status, 'retry-after: 30\r\n'));
      expect(await call()).toMatchObject({
        ok: false,
        error: { code: 'rate-limited', next: 'Ask again in 30 seconds.', retryAfterMs: 30_000 },
      });
    },
  );

  test('an empty search result is an answer', async () => {
    for (const body of [{ results: [], totalResults: 0 }, { results: null, totalResults: 0 }, { items: [] }]) {
      const { call } = await serve(json(body));
      expect(await call({ endpoint: 'Search', fields: { query: 'x' } })).toMatchObject({
        ok: true,
        value: { search: { items: [] } },
      });
    }
    // What a service writes in every answer says nothing of an error.
    for (const more of [{ message: 'OK' }, { error: null }, { error: '', errors: [] }, { error: 0 }, { status: 200 }]) {
      const { call } = await serve(json({ results: [], totalResults: 0, ...more }));
      expect(await call({ endpoint: 'Search', fields: { query: 'x' } })).toMatchObject({ ok: true });
    }
  });

  test('a list as long as its limit that comes without a count of all may be cut off', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ id: `${at}`, address: `${at} Mill Lane` }));
    const doubtOf = async (body: object, more: Ask = {}) => {
      const { call } = await serve(json(body));
      const found = await call({ endpoint: 'Search', fields: { query: 'mill' }, ...more });
      return found.ok ? found.value.doubt : found;
    };
    const full = 'it has 100 rows, which is its limit, and no count of all';
    expect(await doubtOf({ items: rows })).toBe(full);
    expect(await doubtOf({ results: rows }, { fields: { query: 'mill', maxresults: '100' } })).toBe(full);
    const one = { results: rows.slice(0, 1) };
    expect(await doubtOf(one, { fields: { query: 'mill', maxresults: 1 } })).toMatch(/^it has 1 row, /);
    expect(await doubtOf({ results: rows, totalResults: 100 })).toBeUndefined();
    expect(await doubtOf({ results: rows.slice(1) })).toBeUndefined();
    expect(await doubtOf({ results: rows }, { fields: { query: 'mill', maxresults: 200 } })).toBeUndefined();
    // The other form has no limit that is published.
    expect(await doubtOf({ items: rows }, { connection: { searchForm: 'phrase' } })).toBeUndefined();
  });

  test.each([
    ['Search', { results: null, error: 'Too vague' }, 'service-error', 'Too vague'],
    ['Search', { results: [], totalResults: 0, error: 'Too vague' }, 'service-error', 'Too vague'],
    ['Search', { items: [], errors: [{ message: 'No credits left' }] }, 'service-error', 'No credits left'],
    ['Search', { results: [], status: 402, message: 'Top up' }, 'no-credits', 'The answer names HTTP 402: Top up'],
    ['Search', { success: false, results: [] }, 'service-error', 'The answer says that it failed.'],
    ['Search', { IsError: 'true', results: [], message: 'Too vague' }, 'service-error', 'Too vague'],
    ['GetCredits', { credits: 0, error: 'Unknown key' }, 'service-error', 'Unknown key'],
    [
      'GetCredits',
      { credits: { remaining: 0 }, status: 401, message: 'Who?' },
      'credentials-refused',
      'The answer names HTTP 401: Who?',
    ],
  ])('an error beside nothing is no answer: %s %j', async (endpoint, body, code, detail) => {
    const { call } = await serve(json(body));
    const fields = endpoint === 'Search' ? { query: 'x' } : {};
    expect(await call({ endpoint, fields })).toMatchObject({ ok: false, error: { code, detail } });
  });

  test('an answer that gives its list, its record or its balance twice is not read by the last of them', async () => {
    for (const [endpoint, body] of [
      ['Search', '{"results":[{"id":"1","address":"1 Mill Lane"}],"results":[]}'],
      ['GetPremise', '{"item":{"id":"00284147","street":"Mill Lane"},"item":null}'],
      ['GetPremise', '{"premise":{"id":"00284147","town":"Ely"},"premise":{}}'],
      ['GetPremiseGeoData', '{"geoData":{"premiseId":"00284147","latitude":52.1},"geoData":null}'],
      ['GetCredits', '{"credits":500,"credits":5}'],
      ['GetCredits', '{"credits":{"remaining":500,"remaining":5}}'],
    ] as const) {
      const { call } = await serve(json(body));
      const fields = endpoint === 'Search' ? { query: 'x' } : endpoint === 'GetCredits' ? {} : { id: '00284147' };
      expect(await call({ endpoint, fields })).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
    }
  });

  test('what lies deeper than a list or a balance may have members of its name', async () => {
    for (const [endpoint, body, expected] of [
      ['GetCredits', { credits: 500, keys: [{ credits: 300 }, { credits: 200 }] }, { balance: { credits: 500 } }],
      ['GetCredits', { credits: { remaining: 500 }, today: { remaining: 5 } }, { balance: { credits: 500 } }],
      [
        'Search',
        { results: [], totalResults: 0, note: { items: '"items": none', results: 0 } },
        { search: { total: 0 } },
      ],
    ] as const) {
      const { call } = await serve(json(body));
      const fields = endpoint === 'Search' ? { query: 'x' } : {};
      expect(await call({ endpoint, fields })).toMatchObject({ ok: true, value: expected });
    }
  });

  test('a free call is never reported as charged', async () => {
    for (const answer of [json({}, '500 Oops'), json('nonsense'), 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{']) {
      const { call } = await serve(answer);
      expect(await call({ endpoint: 'GetCredits', fields: {} })).toMatchObject({
        ok: false,
        error: { charge: 'not-charged' },
      });
    }
  });

  test('geographic data is an address with a position and identifiers only', async () => {
    const { call } = await serve(
      json({ item: { id: '00123456', lat: '51.50', long: '-0.1', uprn: '100012345678', udprn: '8' } }),
    );
    const result = await call({ endpoint: 'GetPremiseGeoData' });
    expect(result).toMatchObject({
      ok: true,
      value: {
        shape: 'A',
        address: { premiseId: '00123456', fields: { uprn: { value: '100012345678' }, latitude: { value: '51.50' } } },
      },
    });
  });
});
