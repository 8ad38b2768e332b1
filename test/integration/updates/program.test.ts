import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MachinePolicy } from '../../../electron/core/policy/read-policy.ts';
import { runProgram } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { programIn, versionList } from '../../helpers/update-feed.ts';
import { goodCertificate } from '../transport/certificates.ts';
import { answerText, startTcpServer, startTlsServer, type TestServer } from '../transport/servers.ts';

// The program as an administrator deploys it: the policy sets an https address for updates and a private certificate authority.

let folder: string;
let feed: TestServer;
let service: TestServer;
let program: Program;
let quits: number;
let image: string;
const before = process.env.APPIMAGE;

const release = { name: 'address-console-2.0.0-linux-x86_64.AppImage', content: '#!/bin/sh\n# newer\n' };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-program-updates-'));
  mkdirSync(join(folder, 'programs'));
  image = join(folder, 'programs', 'Address Console.AppImage');
  writeFileSync(image, '#!/bin/sh\n', { mode: 0o755 });
  process.env.APPIMAGE = image;
  feed = await startTlsServer((socket, request) => {
    if (request.startsWith('GET /releases/latest')) socket.write(answerText(versionList('2.0.0', release)));
    else socket.write(answerText(release.content));
  });
  // A service that accepts a call and never answers.
  service = await startTcpServer(() => {});
  quits = 0;
});
afterEach(async () => {
  await program?.close();
  await feed.close();
  await service.close();
  removeFolder(folder);
  if (before === undefined) delete process.env.APPIMAGE;
  else process.env.APPIMAGE = before;
});

async function start(some: Partial<MachinePolicy> = {}): Promise<void> {
  program = unwrap(
    await startProgram({
      folder: join(folder, 'data'),
      policy: {
        state: 'read',
        source: 'the test’s policy',
        policy: {
          version: 1,
          updateMode: 'automatic',
          updateUrl: `https://localhost:${feed.port}/releases`,
          // The allowed addresses of connections do not include that of the updates.
          allowedBaseUrls: [`http://127.0.0.1:${service.port}`],
        },
        extraCa: [goodCertificate],
        notices: [],
        ...some,
      },
      updates: {
        place: {
          packaged: true,
          kind: 'appimage',
          folder: join(folder, 'programs'),
          writable: true,
          publisherKnown: false,
        },
        program: {
          ...programIn(folder),
          quit: () => {
            quits += 1;
          },
        },
      },
    }),
  );
}
const requests = (path: string): number => service.hits.filter((hit) => hit.toLowerCase().includes(path)).length;
const state = async () => unwrap(await program.call('updates.state', {}));

describe.skipIf(process.platform !== 'linux')('an update by policy', () => {
  it('is fetched, waits for a call under way, and replaces the program when it has ended', async () => {
    await start();
    expect(await state()).toMatchObject({ mode: 'automatic', addressLocked: true, stage: 'resting' });
    unwrap(await program.call('updates.look', {}));
    await expect.poll(async () => (await state()).stage, { timeout: 60_000 }).toBe('ready');
    expect(await state()).toMatchObject({ notice: '2.0.0', error: null, currentVersion: '1.0.0' });
    expect(program.told.some(({ event }) => event === 'updates.changed')).toBe(true);
    expect(unwrap(await program.call('updates.put-away', { version: '2.0.0' })).notice).toBeNull();

    const connectionId = await program.connect(
      { restBaseUrl: `http://127.0.0.1:${service.port}` },
      { 'lookup-key': 'key-0001-abcd' },
    );
    const reading = program.call('credits.read-balances', { connectionId, sources: ['rest-key'] }, 'reading');
    await expect.poll(() => service.hits.length, { timeout: 60_000 }).toBe(1);
    expect(await program.call('updates.install', {})).toMatchObject({
      ok: false,
      error: { code: 'unfinished-change', charge: 'not-applicable' },
    });
    expect(quits).toBe(0);
    program.cancel('reading');
    await reading;
    unwrap(await program.call('updates.install', {}));
    expect(quits).toBe(1);

    expect(readFileSync(image, 'utf8')).toBe('#!/bin/sh\n');
    const handOver = await program.core.close();
    expect(readFileSync(image, 'utf8')).toBe('#!/bin/sh\n');
    expect(handOver?.(true)).toBe('installer');
    expect(readFileSync(image, 'utf8')).toBe(release.content);
  });

  it('waits for a batch of the window, and for a command on the same data', async () => {
    await start();
    unwrap(await program.call('updates.look', {}));
    await expect.poll(async () => (await state()).stage, { timeout: 60_000 }).toBe('ready');
    const refused = { ok: false, error: { code: 'unfinished-change', message: expect.stringContaining('a command') } };

    const restBaseUrl = `http://127.0.0.1:${service.port}`;
    const connectionId = await program.connect({ restBaseUrl }, { 'lookup-key': 'key-0001-abcd' });
    const { table } = unwrap(await program.call('batch.paste', { connectionId, text: 'Postcode\nHR10 2DT\n' }));
    const { id } = unwrap(await program.call('batch.plan', { tableId: table?.tableId ?? '', wants: ['exists'] }));
    const terms = { limit: 10, minimumBalance: null, rate: 5, keyLabel: null, goOnUntil: null };
    unwrap(await program.call('batch.run', { batchId: id, ...terms }));
    await expect.poll(() => requests('search'), { timeout: 60_000 }).toBe(1);
    expect(await program.call('updates.install', {})).toMatchObject(refused);
    // Its call never ends; the program is started again.
    await program.close();
    await start();
    unwrap(await program.call('updates.look', {}));
    await expect.poll(async () => (await state()).stage, { timeout: 60_000 }).toBe('ready');

    const connection = join(folder, 'connection.json');
    writeFileSync(connection, JSON.stringify({ restBaseUrl }));
    const before = requests('credits');
    const { status } = await runProgram(['call', 'GetCredits', '--connection', connection], {
      env: { ADDRESS_CONSOLE_DATA_FOLDER: join(folder, 'data'), ADDRESS_CONSOLE_API_KEY: 'key-0001-abcd' },
      during: async (command) => {
        await expect.poll(() => requests('credits'), { timeout: 60_000 }).toBe(before + 1);
        expect(await program.call('updates.install', {})).toMatchObject(refused);
        command.kill('SIGINT');
      },
    });
    expect(status).toBe(1);
    expect(quits).toBe(0);
    unwrap(await program.call('updates.install', {}));
    expect(quits).toBe(1);
  });

  it('does not happen if the certificate is not trusted: nothing is requested, nothing is installed', async () => {
    await start({ extraCa: [] });
    expect(unwrap(await program.call('updates.look', {}))).toMatchObject({
      stage: 'resting',
      error: { code: 'certificate-not-trusted', charge: 'not-applicable' },
    });
    expect(feed.hits).toEqual([]);
    expect(await program.core.close()).toBeNull();
    expect(existsSync(image)).toBe(true);
  });
});
