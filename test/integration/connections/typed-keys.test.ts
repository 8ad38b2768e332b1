import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findTypedKey } from '../../../electron/core/connections/typed-keys.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { ChannelInput, ChannelName } from '../../../shared/contract.ts';
import { channels } from '../../../shared/contract.ts';
import { noFilter } from '../../../shared/domain/licences/licence-filter.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import { type FaultyService, startFaultyService } from '../../helpers/faulty-service.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

// A key that is pasted into the wrong field: every channel that takes typed text asks about it before it is sent or stored.

const key = 'LK-7f3a91c2e8d04b56';
const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const licenceNumber = '6210';

/** Every channel that takes typed text, with the text in each of its fields. */
const typedInputs = {
  'lookup.search': (c, text) => [{ connectionId: c, text }],
  'lookup.open': (c, text) => [{ connectionId: c, premiseId: text, interface: 'rest' }],
  'lookup.uprn': (c, text) => [{ connectionId: c, premiseId: text, operation: 'GetPremise' }],
  // A GUID is longer than a postcode may be.
  'lookup.distances': (c, text) =>
    text.length > 20
      ? []
      : [
          { connectionId: c, from: text, to: ['HR2 6DB'] },
          { connectionId: c, from: 'HR2 6DB', to: [text] },
        ],
  'operations.run': (c, text) => [
    { connectionId: c, operation: 'GetPremise', fields: [{ name: 'id', values: ['1', text] }] },
  ],
  'operations.save': (_, text) =>
    [
      { name: text, folder: '', fields: [] },
      { name: 'a', folder: text, fields: [] },
      { name: 'a', folder: '', fields: [{ name: 'id', values: [text] }] },
    ].map((one) => ({ ...one, operation: 'GetPremise', dataset: false })),
  'operations.rename': (_, text) => [
    { savedId: guid, name: text, folder: '' },
    { savedId: guid, name: 'a', folder: text },
  ],
  'connections.save': (_, text) => [
    { id: null, draft: connectionDraft(`n ${text}`) },
    { id: null, draft: connectionDraft('b', { accountName: text }) },
    { id: null, draft: connectionDraft('c', { restBaseUrl: `https://lookup.example/?key=${text}` }) },
    { id: null, draft: connectionDraft('d', { yourReference: text }) },
  ],
  'secrets.put': (c, text) => [{ connectionId: c, role: 'lookup-key', label: text, value: 'some other value 1' }],
  'credits.annotate': (c, text) => [{ connectionId: c, entryId: guid, note: `it was ${text}, I think` }],
  'credits.save-accounting': (c, text) => [
    { connectionId: c, accounting: { poundsPerCredit: null, centres: [{ label: 'main', centre: text }] } },
  ],
  'credits.measure': (c, text) => [{ connectionId: c, operation: 'GetPremise', fields: [{ name: 'id', value: text }] }],
  'licences.ask-machine': (c, text) => [{ connectionId: c, machine: text }],
  'licences.plan': (c, text) => [
    { connectionId: c, kind: 'register', licenceNumber, machine: text },
    { connectionId: c, kind: 'move', licenceNumber, machine: 'PC-1', fromMachine: text },
  ],
  'licences.copy-guid': (c, text) => [{ connectionId: c, licenceNumber, reason: text }],
  'licences.save-label': (c, text) => [{ connectionId: c, label: { field: 'status', value: 'A', label: text } }],
  'licences.save-view': (c, text) => [
    { connectionId: c, name: text, filter: noFilter },
    { connectionId: c, name: 'a', filter: { ...noFilter, text } },
  ],
  'licences.annotate': (c, text) => [{ connectionId: c, own: { licenceNumber, note: text, leadDays: 30 } }],
  'machines.save': (c, text) =>
    (['name', 'nickname', 'owner', 'site', 'note'] as const).map((field) => ({
      connectionId: c,
      machine: { name: 'PC', nickname: '', owner: '', site: '', note: '', [field]: text },
      oldName: null,
    })),
  'machines.scan': (c, text) => [{ connectionId: c, machines: ['PC-1', text] }],
  'licences.resume': (_c, text) => [{ changeId: 'none', action: 'dismiss', reason: text }],
  'bulk.plan': (c, text) =>
    (['licence', 'change', 'machine', 'from', 'state', 'source'] as const).map((field) => {
      const row = { row: 1, licence: licenceNumber, change: '', machine: 'PC-1', from: '', state: '' };
      const rows = [{ ...row, row: 2 }, field === 'source' ? row : { ...row, [field]: text }];
      const moveTo = field === 'machine' ? { moveTo: text } : {};
      return {
        connectionId: c,
        source: field === 'source' ? text : 'pasted',
        kind: 'register' as const,
        rows,
        ...moveTo,
      };
    }),
  'batch.paste': (c, text) => [{ connectionId: c, text: `Postcode\nHR10 2DT\n${text}` }],
} satisfies { [C in ChannelName]?: (connectionId: string, text: string) => ChannelInput<C>[] };

let service: FaultyService;
let program: Program;
let connectionId: string;
let names = 0;
const vault = { keychain: createMemoryVault(), missing: null };

beforeEach(async () => {
  service = await startFaultyService();
  program = unwrap(await startProgram({ keychain: vault }));
  connectionId = await program.connect(
    {
      name: `Typed ${++names}`,
      restBaseUrl: service.restBaseUrl,
      soapUrl: service.soapUrl,
      soapNamespace: 'urn:faulty',
      accountName: 'WYE',
    },
    { 'lookup-key': key },
  );
});
afterEach(async () => {
  await program.close();
  await service.close();
});

const onDisk = (text: string): string[] =>
  readdirSync(program.folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /sqlite|log/.test(name) && readFileSync(join(program.folder, name)).includes(text),
  );
const send = (name: string, input: object) => program.call(name as ChannelName, input as never);
const hits = () => [...service.hits.values()].reduce((sum, n) => sum + n, 0);

test('no channel with a marked input is left out here', () => {
  const marked = Object.entries(channels).flatMap(([name, channel]) => ('typed' in channel ? [name] : []));
  expect(Object.keys(typedInputs).sort()).toEqual(marked.sort());
});

test('a stored key and a GUID, typed anywhere: asked about, not sent, not stored; a licence number never', async () => {
  for (const [name, make] of Object.entries(typedInputs))
    for (const text of [key, key.toUpperCase(), guid])
      for (const input of make(connectionId, text)) {
        const result = await send(name, input);
        expect(result, `${name} ${JSON.stringify(input)}`).toMatchObject({
          ok: false,
          error: { code: 'looks-like-key', charge: 'not-charged' },
        });
        expect(JSON.stringify(result).toLowerCase()).not.toContain(text.toLowerCase());
      }
  expect(hits()).toBe(0);
  for (const text of [key, key.toUpperCase(), guid]) expect(onDisk(text)).toEqual([]);
  for (const [name, make] of Object.entries(typedInputs))
    for (const input of make(connectionId, licenceNumber))
      expect(await send(name, input)).not.toMatchObject({ error: { code: 'looks-like-key' } });
});

test('a file of machines: a row that contains a key is not stored and says why, the others are stored', async () => {
  const rows = [
    `PC-1,,,,`,
    `PC-2,nick,owner,site,see ${guid}`,
    `PC-3,${key},,,`,
    `PC-4,,,,ok`,
    `${key.toLowerCase()},,,,`,
  ];
  const text = ['Machine,Nickname,Owner,Site,Note', ...rows].join('\n');
  await program.core.close();
  const { folder } = program;
  program = unwrap(
    await startProgram({
      keychain: vault,
      folder,
      shell: { openTextFile: async () => ({ ok: true, value: { name: 'machines.csv', text } }) },
    }),
  );
  expect(await program.call('machines.import', { connectionId })).toMatchObject({
    ok: true,
    value: {
      added: 2,
      refused: [2, 3, 5].map((row) => ({ row, reason: expect.stringContaining('looks like a key') })),
    },
  });
  for (const one of [guid, key, key.toLowerCase()]) expect(onDisk(one)).toEqual([]);
});

test('after the answer the text is passed to the handler', async () => {
  const [input] = typedInputs['operations.save'](connectionId, guid);
  expect(await send('operations.save', { ...input, sendAnyway: true })).toMatchObject({
    ok: true,
    value: { name: guid },
  });
  const before = hits();
  await send('lookup.open', { connectionId, premiseId: guid, interface: 'rest', sendAnyway: true });
  expect(hits()).toBe(before + 1);
});

test('an address is saved without a secret by its name, and ends before a #', async () => {
  for (const [more, message] of [
    ['?key=canary-7781', /contains a secret \(key\)/],
    ['#key=canary-7781', /ends before its #/],
    ['#/account?apikey=canary-7781', /ends before its #/],
  ] as const)
    for (const field of ['restBaseUrl', 'soapUrl']) {
      const draft = connectionDraft('c', { [field]: `https://lookup.example/v1${more}` });
      const result = await send('connections.save', { id: null, draft });
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'bad-input', field, message: expect.stringMatching(message) },
      });
      expect(JSON.stringify(result)).not.toContain('canary');
    }
  expect(onDisk('canary-7781')).toEqual([]);
});

test('a key that no call of this run has read is recognised by its fingerprint', async () => {
  const { folder } = program;
  const withSigns = 'aB3/deF+hij:kLm9==';
  unwrap(await program.call('secrets.put', { connectionId, role: 'lookup-key', label: 'signs', value: withSigns }));
  const small = 'lk-5d0e77aa41b9';
  unwrap(await program.call('secrets.put', { connectionId, role: 'lookup-key', label: 'small', value: small }));
  await program.core.close();
  // Else the balance that is read at the start would read them.
  const locked = { ...vault.keychain, get: async () => fail(appError('keychain-locked')) };
  program = unwrap(await startProgram({ keychain: { keychain: locked, missing: null }, folder }));
  for (const text of [
    key,
    `key=${key}&q=HR2`,
    `my key is ${key}.`,
    `https://x.example/?key=${encodeURIComponent(key)}`,
    // As programs for letters and mail write it, and beside a percent sign that escapes nothing.
    `“${key}”, he wrote`,
    `the key ${key}…`,
    `*${key}*`,
    `{${key}}`,
    `${key}|HR2`,
    key.replace('-', '\u2011'),
    key.replace('-', '–'),
    `\u200B${key}\u00A0`,
    `${key.slice(0, 8)}\u00AD${key.slice(8)}`,
    [...key].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).join(''),
    `100% sure: %4c${key.slice(1)}`,
  ])
    expect(await send('lookup.search', { connectionId, text }), text).toMatchObject({
      error: { code: 'looks-like-key', message: expect.stringContaining('main') },
    });
  for (const [text, label] of [
    [`key=${withSigns}`, 'signs'],
    [`see (${withSigns}).`, 'signs'],
    [small.toUpperCase(), 'small'],
  ] as const)
    expect(await send('lookup.search', { connectionId, text }), text).toMatchObject({
      error: { code: 'looks-like-key', message: expect.stringContaining(label) },
    });
  expect(await send('lookup.search', { connectionId, text: 'LK-7f3a91c2e8d04b57' })).not.toMatchObject({
    error: { code: 'looks-like-key' },
  });
});

describe('what counts as a key', () => {
  const none = { values: [], traces: () => [], fingerprints: () => [] };
  const asks = (text: string) => findTypedKey([text], none) !== null;
  test('the form of a GUID, and nothing that merely has hexadecimal digits', () => {
    for (const text of [
      guid,
      guid.toUpperCase(),
      `{${guid}}`,
      guid.replaceAll('-', ''),
      ` ${guid} `,
      `id ${guid}!`,
      `id ${guid.replaceAll('-', '')}!`,
      `id_${guid}`,
      guid.replaceAll('-', '\u2011'),
      `(${guid.replaceAll('-', '–')})`,
    ])
      expect(asks(text), text).toBe(true);
    for (const text of [
      '6210',
      '00284147',
      '123456789012',
      'HR2 6DB',
      'HFD-LT-0147-ABCD-12',
      'deadbeefdeadbeef',
      `${guid}0`,
      `${guid.replaceAll('-', '')}0`,
      '10 Downing Street, London, SW1A 2AA',
    ])
      expect(asks(text), text).toBe(false);
  });
  test('a secret under twelve characters is never looked for', () => {
    const short = {
      ...none,
      values: [
        { name: 'a', value: '6210' },
        { name: 'b', value: 'elevenchars' },
      ],
    };
    expect(findTypedKey(['licence 6210 elevenchars and more'], short)).toBeNull();
  });
  test('in a long list each word is checked, and a fingerprint is made only if the last four match', () => {
    let made = 0;
    const traces = [{ name: 'x', lastFour: '4b56', fingerprint: 'none' }];
    const texts = Array.from({ length: 25_000 }, (_, index) => `HFD-LT-${String(index).padStart(8, '0')}`);
    const known = { values: [], traces: () => traces, fingerprints: () => [String(made++)] };
    expect(findTypedKey(texts, known)).toBeNull();
    expect(made).toBe(0);
  });
});
