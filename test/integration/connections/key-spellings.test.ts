import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A GUID is one key, in whichever letter case and braces it was entered. */

const upper = '3F2A9C1B-7D4E-4A6B-9C8D-0E1F2A3B4C5D';
const lower = upper.toLowerCase();
const braced = `{${lower}}`;

const vault = { keychain: createMemoryVault(), missing: null };
let program: Program;
let folder: string;
let restBaseUrl: string;
/** The keys of the searches that came. */
let sent: (string | null)[];

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.example');
  const isSearch = pathname.endsWith('/Search');
  if (isSearch) sent.push(searchParams.get('key'));
  const found = { id: '00284147', address: '1 High Street, Hereford', postcode: searchParams.get('query') };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(isSearch ? { results: [found], totalResults: 1 } : { credits: 1000 - sent.length }));
});

const start = async () => {
  // The balance is read only when a test asks for it.
  program = unwrap(await startProgram({ folder, keychain: vault, readDelayMs: 2_000_000_000 }));
};
beforeEach(async () => {
  sent = [];
  folder = mkdtempSync(join(tmpdir(), 'address-console-spellings-'));
  restBaseUrl = `http://127.0.0.1:${await listenOnLoopback(server)}/v1`;
  await start();
});
afterEach(async () => {
  await program.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  removeFolder(folder);
});

const connect = (lookupKey: string) => program.connect({ restBaseUrl }, { 'lookup-key': lookupKey });
const search = (connectionId: string, text: string) => program.call('lookup.search', { connectionId, text });
const isSaved = async (connectionId: string, text: string) =>
  unwrap(await search(connectionId, text)).provenance.cached;
const cap = async (connectionId: string, perDay: number) =>
  unwrap(await program.call('credits.save-caps', { connectionId, caps: { perDay } }));
const overview = async (connectionId: string) => unwrap(await program.call('credits.overview', { connectionId }));
async function enterAgain(connectionId: string, value: string): Promise<void> {
  const { connections } = unwrap(await program.call('connections.list', {}));
  const secretId = connections.find(({ connection }) => connection.id === connectionId)?.secrets[0]?.id ?? '';
  unwrap(await program.call('secrets.replace', { secretId, value }));
}

test('two spellings are one key for caps, sums and saved answers, and each is sent as it was typed', async () => {
  const [day, night] = [await connect(upper), await connect(braced)];
  await cap(day, 2);
  unwrap(await search(day, 'HR1 2DT'));
  unwrap(await search(night, 'HR1 2DU'));
  expect(await search(night, 'HR1 2DV')).toMatchObject({ error: { code: 'cap-reached' } });
  expect(sent).toEqual([upper, braced]);
  expect((await overview(night)).sharedCaps).toMatchObject([{ counts: { perDay: { cap: 2, counted: 2 } } }]);
  for (const one of [day, night]) expect((await overview(one)).counts.perDay.counted).toBe(2);
  await enterAgain(day, lower.replaceAll('-', ''));
  expect(await isSaved(day, 'HR1 2DT')).toBe(true);
});

test.each([[[upper]], [[upper, lower]], [['3F2a9C1B-7D4E-4A6B-9C8D-0E1F2A3B4C5d', lower]]])(
  'what an earlier version stored by the text of %j stays in caps, sums and saved answers',
  async (spellings) => {
    const desks: string[] = [];
    for (const spelling of spellings) {
      const connectionId = await connect(spelling);
      desks.push(connectionId);
      unwrap(await search(connectionId, 'HR1 2DT'));
      unwrap(await program.call('credits.read-balances', { connectionId, sources: ['rest-key'] }));
    }
    await program.close();
    const database = new DatabaseSync(join(folder, databaseName));
    const secret = database.prepare('SELECT key FROM fingerprint_key').get()?.key as Uint8Array;
    for (const [index, connectionId] of desks.entries()) {
      const typed = createHmac('sha256', secret)
        .update(spellings[index] ?? '')
        .digest('hex')
        .slice(0, 32);
      for (const table of ['secret_handles', 'key_uses', 'ledger', 'balance_readings'])
        database.prepare(`UPDATE ${table} SET fingerprint = ? WHERE connection_id = ?`).run(typed, connectionId);
      database
        .prepare("UPDATE held_answers SET account = rtrim(account, '0123456789abcdef') || ? WHERE connection_id = ?")
        .run(typed, connectionId);
    }
    database.close();

    await start();
    const [day = '', ...others] = desks;
    await cap(day, desks.length + 2);
    for (const one of desks) expect(await isSaved(one, 'HR1 2DT')).toBe(true);
    for (const one of desks) unwrap(await search(one, 'HR1 2DU'));
    expect((await overview(day)).counts.perDay.counted).toBe(2 * desks.length);
    await cap(day, 2 * desks.length);
    for (const one of [...others, await connect(braced)])
      expect(await search(one, 'HR1 2DV')).toMatchObject({ error: { code: 'cap-reached' } });
    for (const one of desks) expect((await overview(one)).counts.perDay.counted).toBe(2 * desks.length);
    // Its last balance is still the one that a minimum balance is compared to.
    expect((await overview(day)).compared).toMatchObject({ credits: 1000 - desks.length });
    if (others.length === 0) await enterAgain(day, braced);
    expect(await isSaved(day, 'HR1 2DT')).toBe(true);
    expect(sent).toEqual([...spellings, ...spellings]);
  },
);
