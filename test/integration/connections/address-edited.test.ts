import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { type DemoService, startDemo } from '../../helpers/demo-process.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { editConnection, type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/**
 * Calls go where the connection's address says, also after a person has changed it: one server may have live and test data at two paths,
 * each described at its own.
 */

let demo: DemoService;
let program: Program;
let posts: string[];
/** Whether descriptions are answered; if not, asking for one waits. */
let describes: boolean;
/** Whether the path /none has no description. */
let missing: boolean;
let origin: string;
let connectionId: string;
let waiting: () => void;

/** The demo service at any path of one server, each path with a description that names it. */
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '', origin);
  const own = `${origin}${pathname}`;
  const sent = await text(request);
  const isPost = request.method === 'POST';
  if (isPost) posts.push(pathname);
  else if (!describes) return void waiting();
  else if (missing && pathname.startsWith('/none/')) return void response.writeHead(404).end();
  const { host: _host, 'content-length': _length, connection: _connection, ...headers } = request.headers;
  const answer = await fetch(isPost ? demo.soapUrl : `${demo.soapUrl}?WSDL`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(isPost ? { body: sent } : {}),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/xml' });
  response.end((await answer.text()).replaceAll(demo.soapUrl, own));
});

beforeEach(async () => {
  posts = [];
  describes = true;
  missing = true;
  demo = await startDemo('--seed', '42', '--premises', '2000');
  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  program = unwrap(await startProgram());
  connectionId = await program.connect(
    {
      soapUrl: `${origin}/test/Lookup.asmx`,
      soapNamespace: demo.soapNamespace,
      utilitiesNamespace: demo.utilitiesNamespace,
      accountName: demo.demo.accountName,
    },
    { 'account-guid': demo.demo.guid, 'licence-id': demo.demo.licenceId },
  );
});
afterEach(async () => {
  await program.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await demo.stop();
});

const edit = (change: Partial<ConnectionDraft>) => editConnection(program, connectionId, change);

test('a new address on the same server is the one called, and is described anew', async () => {
  unwrap(await program.call('licences.read', { connectionId }));
  expect(new Set(posts)).toEqual(new Set(['/test/Lookup.asmx']));
  expect(unwrap(await program.call('operations.list', { connectionId })).describedAt).not.toBeNull();

  await edit({ soapUrl: `${origin}/live/Lookup.asmx` });
  // What was read at the other address says nothing of this one.
  expect(unwrap(await program.call('operations.list', { connectionId })).describedAt).toBeNull();
  expect(unwrap(await program.call('connections.last-description', { connectionId })).readAt).toBeNull();
  posts.length = 0;
  unwrap(await program.call('licences.read', { connectionId }));
  expect(new Set(posts)).toEqual(new Set(['/live/Lookup.asmx']));
  expect(unwrap(await program.call('operations.list', { connectionId })).describedAt).not.toBeNull();
});

const lastSeen = async () => unwrap(await program.call('licences.last-seen', { connectionId })).list;
const machines = async () =>
  unwrap(await program.call('machines.overview', { connectionId })).machines.map(({ name, askedAt }) => [
    name,
    askedAt !== null,
  ]);

const readAll = async () => {
  unwrap(await program.call('licences.read', { connectionId }));
  unwrap(await program.call('machines.scan', { connectionId, machines: ['DESK-1'] }));
};

test.each<[string, Partial<ConnectionDraft>, Partial<ConnectionDraft>]>([
  ['address', { soapUrl: '/live/Lookup.asmx' }, { soapUrl: '/test/Lookup.asmx' }],
  ['account', { accountName: 'another' }, {}],
])(
  'licences and machines read at another %s are not shown as those of the new one, and come back with it',
  async (_, there, back) => {
    const at = ({ soapUrl, ...rest }: Partial<ConnectionDraft>) =>
      soapUrl === undefined ? rest : { ...rest, soapUrl: `${origin}${soapUrl}` };
    const machine = { name: 'DESK-1', nickname: 'Front desk', owner: '', site: '', note: '' };
    unwrap(await program.call('machines.save', { connectionId, machine, oldName: null }));
    await readAll();
    const before = await lastSeen();
    expect(before.readAt).not.toBeNull();
    expect(await machines()).toContainEqual(['DESK-1', true]);

    await edit(at(there));
    expect(await lastSeen()).toMatchObject({ licences: [], readAt: null });
    // The administrator's own entries stay.
    expect(await machines()).toContainEqual(['DESK-1', false]);
    await edit(Object.keys(back).length > 0 ? at(back) : { accountName: demo.demo.accountName });
    expect(await lastSeen()).toEqual(before);
    expect(await machines()).toContainEqual(['DESK-1', true]);
  },
);

test('a machine or a connection that is removed takes with it what was put aside of it', async () => {
  const machine = { name: 'DESK-1', nickname: '', owner: '', site: '', note: '' };
  unwrap(await program.call('machines.save', { connectionId, machine, oldName: null }));
  await readAll();
  await edit({ soapUrl: `${origin}/live/Lookup.asmx` });
  unwrap(await program.call('machines.remove', { connectionId, name: 'DESK-1' }));
  await edit({ soapUrl: `${origin}/test/Lookup.asmx` });
  expect(await machines()).not.toContainEqual(['DESK-1', true]);
  expect((await lastSeen()).readAt).not.toBeNull();

  await readAll();
  await edit({ soapUrl: `${origin}/live/Lookup.asmx` });
  unwrap(await program.call('connections.remove', { connectionId }));
  const sql = new DatabaseSync(join(program.folder, databaseName), { readOnly: true });
  for (const table of ['licence_reading', 'machine_holding', 'machine_history', 'machine_failure', 'machine_scan'])
    expect(sql.prepare(`SELECT connection_id FROM ${table}`).all(), table).toEqual([]);
  sql.close();
});

test('what was under way when the address was changed is not stored as read at the new one', async () => {
  await demo.setFaults({ kind: 'delay', milliseconds: 600_000, on: 'GetLicenseList', times: 1 });
  const reading = program.call('licences.read', { connectionId });
  await expect.poll(async () => (await demo.meter()).calls.GetLicenseList?.hits).toBe(1);
  await edit({ soapUrl: `${origin}/live/Lookup.asmx` });
  await demo.clearFaults();
  expect(await reading).toMatchObject({ ok: false, error: { code: 'wrong-origin', charge: 'may-have-been-charged' } });
  expect((await lastSeen()).readAt).toBeNull();
});

test('another change of the connection leaves what was read', async () => {
  unwrap(await program.call('licences.read', { connectionId }));
  await edit({ name: 'Renamed', soapUrl: `${origin}/test/Lookup.asmx?WSDL` });
  expect((await lastSeen()).readAt).not.toBeNull();
  await edit({ soapUrl: `${origin}/test/Lookup.asmx` });
  expect((await lastSeen()).readAt).not.toBeNull();
  expect(unwrap(await program.call('operations.list', { connectionId })).describedAt).not.toBeNull();
});

describe('a namespace that is left to the description', () => {
  const search = (requestId?: string) =>
    program.call('lookup.search', { connectionId, text: 'HR4 9AA', interface: 'soap' }, requestId);

  test('a description that cannot be read says why, and is asked for again by the next call', async () => {
    await edit({ soapNamespace: '', soapUrl: 'http://127.0.0.1:9/Lookup.asmx' });
    for (const asking of [() => search(), () => program.call('licences.read', { connectionId })])
      expect(await asking()).toMatchObject({
        ok: false,
        error: {
          code: 'connection-refused',
          charge: 'not-charged',
          money: 'The call itself was not sent.',
          message:
            'The connection has no SOAP namespace, and the service’s description could not be read: The server did not accept a connection.',
          next: 'Check the address and this computer’s network, or try later.',
        },
      });
    await edit({ soapUrl: `${origin}/none/Lookup.asmx` });
    expect(await search()).toMatchObject({
      ok: false,
      error: { code: 'not-configured', charge: 'not-charged', message: expect.stringContaining('could not be read: ') },
    });
    missing = false;
    expect((await search()).ok).toBe(true);
  });

  test('a call that is stopped while the description is read leaves the next one to read it', async () => {
    await edit({ soapNamespace: '' });
    describes = false;
    const asked = new Promise<void>((done) => {
      waiting = done;
    });
    const stopped = search('stopped');
    await asked;
    program.cancel('stopped');
    expect(await stopped).toMatchObject({ ok: false, error: { code: 'cancelled', charge: 'not-charged' } });
    describes = true;
    expect((await search()).ok).toBe(true);
  });
});
