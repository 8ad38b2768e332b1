import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { InstallKind } from '../../../electron/core/updates/plan-updates.ts';
import {
  createUpdateEngine,
  type UpdateEngine,
  waitForSquirrel,
} from '../../../electron/core/updates/update-engine.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { type Answer, programIn, startUpdateFeed, type UpdateFeed, versionList } from '../../helpers/update-feed.ts';

// electron-updater's code with a folder of releases on loopback. The plan enforces that addresses are https
// (test/unit/updates/plan.test.ts); below it any address is accepted.

let folder: string;
let feed: UpdateFeed;
let transport: HttpTransport;
let engines: UpdateEngine[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-program-updates-'));
  feed = await startUpdateFeed();
  transport = createHttpTransport();
  engines = [];
});
afterEach(async () => {
  for (const engine of engines) engine.close();
  await transport.close();
  await feed.close();
  removeFolder(folder);
});

async function engineFor(
  kind: InstallKind = 'nsis',
  make = createUpdateEngine,
  { version = '1.0.0', listMs = 60_000, isAnyCommand = false, address = feed.address } = {},
): Promise<UpdateEngine> {
  const program = programIn(folder, version);
  const engine = await make({
    kind,
    address,
    program,
    connect: transport.connect,
    isCommandAlive: () => isAnyCommand,
    listMs,
  });
  engines.push(engine);
  return engine;
}

const release = { name: 'address-console-2.0.0-setup-x64.exe', content: 'a newer program' };

/** Paths of all files below a folder. */
const filesBelow = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : [];

describe('looking', () => {
  it.each([
    ['2.0.0', 'newer'],
    ['1.0.1', 'newer'],
    ['1.0.0', 'not-newer'],
    ['0.9.9', 'not-newer'],
    ['1.0.0-beta.1', 'not-newer'],
    ['2.0.0-beta.1', 'not-newer'],
    ['2.0.0+build.1', 'newer'],
  ])('reads %s as %s than 1.0.0', async (version, is) => {
    feed.files.set('list', versionList(version, release, 'releaseNotes: "Mended:\\n- <b>everything</b>"'));
    expect(await (await engineFor()).look()).toMatchObject({
      ok: true,
      value: {
        is,
        feed: { version, date: '2026-11-02T10:00:00.000Z', notes: 'Mended:\n- <b>everything</b>' },
      },
    });
  });

  it.each<InstallKind>(['msi', 'deb', 'loose'])('looks for what was installed as %s, too', async (kind) => {
    feed.files.set('list', versionList('2.0.0', release));
    const engine = await engineFor(kind);
    expect(await engine.look()).toMatchObject({ ok: true, value: { is: 'newer' } });
    expect(engine.install(true, false)).toBe('failed');
  });

  it('offers a pre-release to those who run one', async () => {
    feed.files.set('list', versionList('2.0.0-beta.2', release));
    const engine = await engineFor('nsis', createUpdateEngine, { version: '2.0.0-beta.1' });
    expect(await engine.look()).toMatchObject({ ok: true, value: { is: 'newer' } });
  });

  it('asks for the folder that was named, also one whose path begins with two slashes', async () => {
    const engine = await engineFor('nsis', createUpdateEngine, { address: `${feed.origin}//releases` });
    await engine.look();
    expect(feed.requests.map(({ line, headers }) => [headers.host, line])).toEqual([
      [new URL(feed.origin).host, expect.stringMatching(/^GET \/\/releases\/latest[\w-]*\.yml$/)],
    ]);
  });

  it('stops reading an endless list', async () => {
    const dripping: ReturnType<typeof setInterval>[] = [];
    feed.files.set('list', (response) => {
      response.writeHead(200).write('version: 2.0.0\n');
      const drip = setInterval(() => response.write('#'), 1);
      dripping.push(drip);
      response.on('close', () => clearInterval(drip));
    });
    let looks = 0;
    // On a busy computer the request may take longer than the list may, and arrive after its look was given up.
    for (let listMs = 50; feed.requests.length === 0; listMs *= 2) {
      looks += 1;
      const engine = await engineFor('nsis', createUpdateEngine, { listMs });
      expect(await engine.look()).toMatchObject({ ok: false, error: { charge: 'not-applicable' } });
    }
    expect(feed.requests.length).toBeLessThanOrEqual(looks);
  });

  it('distinguishes a version that needs a later system from one that can be used', async () => {
    feed.files.set('list', versionList('2.0.0', release, 'minimumSystemVersion: 9999.0.0'));
    expect(await (await engineFor()).look()).toMatchObject({ ok: true, value: { is: 'too-new' } });
  });

  it('ignores a staged rollout, which would need an identity for each computer', async () => {
    feed.files.set('list', versionList('2.0.0', release, 'stagingPercentage: 0'));
    expect(await (await engineFor()).look()).toMatchObject({ ok: true, value: { is: 'newer' } });
  });

  it('sends nothing that identifies a computer, user or version, and writes no identity', async () => {
    feed.files.set('list', (response) =>
      response.writeHead(200, { 'set-cookie': 'seen=1; Path=/' }).end(versionList('2.0.0', release)),
    );
    feed.files.set(`/releases/${release.name}`, release.content);
    const engine = await engineFor();
    await engine.look();
    await engine.look();
    expect(await engine.download(() => {})).toEqual({ ok: true, value: undefined });
    expect(feed.requests).toHaveLength(3);
    for (const { line, headers } of feed.requests) {
      expect(line).toMatch(/^GET \/releases\/[\w.-]+$/);
      expect({ ...headers, host: '', connection: '' }).toEqual({
        host: '',
        connection: '',
        accept: '*/*',
        'accept-encoding': 'identity',
        'cache-control': 'no-cache',
        'user-agent': 'Address Console',
      });
    }
    const sent = JSON.stringify(feed.requests);
    for (const word of [hostname(), userInfo().username, '1.0.0', 'staging', 'noCache', 'seen=1'])
      expect(sent.includes(`"${word}"`) || sent.includes(`=${word}`)).toBe(false);
    expect(filesBelow(join(folder, 'data'))).toEqual([]);
  });

  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
    .split('')
    .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[at]}`).join(',')}]`)
    .join('\n')}\nversion: 2.0.0\nfiles: *j\n`;
  const page = '<!doctype html><title>Sign in to the network</title>';
  const list = (url: string) => versionList('2.0.0', { name: url, content: 'x' });

  it.each<[string, string | Answer, string]>([
    ['garbage', '\u0000\u0001{{{]', 'unreadable-answer'],
    ['nothing', '', 'unreadable-answer'],
    ['a number', '42', 'unreadable-answer'],
    ['a list without files', 'version: 2.0.0\n', 'unreadable-answer'],
    ['a version that is none', versionList('newest', release), 'unreadable-answer'],
    ['a file without a checksum', 'version: 2.0.0\nfiles:\n  - url: a.exe\n', 'unreadable-answer'],
    ['a checksum of the wrong kind', 'version: 2.0.0\nfiles:\n  - url: a.exe\n    sha512: abc\n', 'unreadable-answer'],
    ['a tag of a language', 'version: !!js/function "function(){}"\n', 'unreadable-answer'],
    ['aliases that unfold without end', bomb, 'unreadable-answer'],
    ['more than a list can be', (response) => void response.end('#'.repeat(300_000)), 'answer-too-large'],
    ['the page of a portal', page, 'not-the-service'],
    ['a path upwards', list('../evil.exe'), 'unsafe-answer'],
    ['a path upwards, escaped', list("'%2e%2e%2fevil.exe'"), 'unsafe-answer'],
    ['a path upwards, for Windows', list("'..\\evil.exe'"), 'unsafe-answer'],
    ['a path from the root', list('/evil.exe'), 'unsafe-answer'],
    ['another server', list('https://elsewhere.example/evil.exe'), 'unsafe-answer'],
    ['another server without a scheme', list('//elsewhere.example/evil.exe'), 'unsafe-answer'],
    ['a hidden file', list('.evil'), 'unsafe-answer'],
    ['no such file', (response) => void response.writeHead(404).end(), 'not-found'],
    ['an error', (response) => void response.writeHead(500).end(), 'http-error'],
    ['an empty answer', (response) => void response.writeHead(204).end(), 'http-error'],
    [
      'a form not asked for',
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      'unreadable-answer',
    ],
    [
      'half of a list',
      (response) => {
        response.writeHead(200, { 'content-length': 5000 });
        response.write('version: 2.0.0\n', () => response.destroy());
      },
      'sent-no-answer',
    ],
    ['a connection cut at once', (response) => void response.destroy(), 'sent-no-answer'],
  ])('answers %s with an error value that says nothing about credits', async (_name, answer, code) => {
    feed.files.set('list', answer);
    const looked = await (await engineFor()).look();
    expect(looked).toMatchObject({ ok: false, error: { code, charge: 'not-applicable' } });
    if (!looked.ok) expect(`${looked.error.message} ${looked.error.next}`).not.toMatch(/credit|balance|Connections/);
    expect(feed.requests).toHaveLength(1);
  });

  it('follows no redirect, to the same server or another', async () => {
    const other = await startUpdateFeed();
    try {
      other.files.set('list', versionList('2.0.0', release));
      feed.files.set('/elsewhere/latest.yml', versionList('2.0.0', release));
      for (const location of [`${other.address}/latest.yml`, '/elsewhere/latest.yml']) {
        feed.files.set('list', (response) => response.writeHead(302, { location }).end());
        expect(await (await engineFor()).look()).toMatchObject({ ok: false, error: { code: 'redirect-refused' } });
      }
      expect(other.requests).toEqual([]);
      expect(feed.requests.map(({ line }) => line).join()).not.toContain('elsewhere');
    } finally {
      await other.close();
    }
  });

  it('reports an unreachable server once, and does not try again by itself', async () => {
    const engine = await engineFor();
    await feed.close();
    expect(await engine.look()).toMatchObject({ ok: false, error: { code: 'connection-refused' } });
    expect(feed.requests).toEqual([]);
  });

  it('shows notes as bounded plain text', async () => {
    feed.files.set(
      'list',
      versionList('2.0.0', release, `releaseNotes: ${JSON.stringify(`\u202e\u0007${'😀 note\r\n'.repeat(5000)}`)}`),
    );
    const looked = await (await engineFor()).look();
    if (!looked.ok) throw new Error(looked.error.message);
    const { notes } = looked.value.feed;
    expect(notes.length).toBeLessThanOrEqual(4002);
    expect(notes.startsWith('😀 note\n😀')).toBe(true);
    expect(notes.isWellFormed()).toBe(true);
    for (const character of ['\u202e', '\u0007', '\r']) expect(notes).not.toContain(character);
  });
});

describe('fetching a newer version', () => {
  it('reports its progress, and refuses a file that is not the one described', async () => {
    feed.files.set('list', versionList('2.0.0', release));
    feed.files.set(`/releases/${release.name}`, release.content);
    const engine = await engineFor();
    await engine.look();
    const told: number[] = [];
    expect((await engine.download((percent) => told.push(percent))).ok).toBe(true);
    expect(told.at(-1)).toBe(100);
    expect(filesBelow(join(folder, 'cache'))).toContain(release.name);

    feed.files.set('list', versionList('3.0.0', { ...release, content: 'what was described' }));
    await engine.look();
    expect(await engine.download(() => {})).toMatchObject({
      ok: false,
      error: { code: 'unsafe-answer', charge: 'not-applicable' },
    });
    expect(filesBelow(join(folder, 'cache'))).not.toContain(release.name);
    expect(engine.install(false, false)).toBe('failed');
  });

  it('takes the file for this architecture, whatever the folder is called', async () => {
    const other = process.arch === 'x64' ? 'arm64' : 'x64';
    const setup = (arch: string) => `address-console-2.0.0-setup-${arch}.exe`;
    const files = [other, process.arch].map((arch) => ({ name: setup(arch), content: `for ${arch}` }));
    const listed = files.map((file) => versionList('2.0.0', file).split('\n').slice(2, 5).join('\n')).join('\n');
    const path = `/${process.arch}+${other}`;
    for (const name of ['latest', 'latest-mac', 'latest-linux', 'latest-linux-arm64'])
      feed.files.set(`${path}/${name}.yml`, `version: 2.0.0\nfiles:\n${listed}\n`);
    for (const { name, content } of files) feed.files.set(`${path}/${name}`, content);
    const engine = await engineFor('nsis', createUpdateEngine, { address: feed.origin + path });
    expect(await engine.look()).toMatchObject({ ok: true, value: { is: 'newer' } });
    expect((await engine.download(() => {})).ok).toBe(true);
    expect(filesBelow(join(folder, 'cache'))).toContain(setup(process.arch));
  });

  it.each<[string, Answer, string]>([
    ['a file that is not there', (response) => void response.writeHead(404).end(), 'not-found'],
    [
      'another server',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/evil.exe' }).end(),
      'redirect-refused',
    ],
    [
      'half of it',
      (response) => {
        response.writeHead(200, { 'content-length': Buffer.byteLength(release.content) });
        response.write('half', () => response.destroy());
      },
      'sent-no-answer',
    ],
    ['more than it', (response) => void response.end('x'.repeat(100_000)), 'unsafe-answer'],
    [
      'as many other bytes',
      (response) => void response.end('x'.repeat(Buffer.byteLength(release.content))),
      'unsafe-answer',
    ],
  ])('leaves nothing to install after %s', async (_name, answer, code) => {
    feed.files.set('list', versionList('2.0.0', release));
    feed.files.set(`/releases/${release.name}`, answer);
    const engine = await engineFor();
    await engine.look();
    expect(await engine.download(() => {})).toMatchObject({ ok: false, error: { code, charge: 'not-applicable' } });
    expect(filesBelow(join(folder, 'cache'))).toEqual([]);
    expect(engine.install(true, false)).toBe('failed');
  });

  it('starts no installer of Windows, which ends what runs from the folder, while a command is at work', async () => {
    feed.files.set('list', versionList('2.0.0', release));
    feed.files.set(`/releases/${release.name}`, release.content);
    const engine = await engineFor('nsis', createUpdateEngine, { isAnyCommand: true });
    await engine.look();
    expect((await engine.download(() => {})).ok).toBe(true);
    for (const restart of [false, true]) expect(engine.install(restart, false)).toBe('put-off');
    expect(filesBelow(join(folder, 'cache'))).toContain(release.name);
  });

  it('fetches and starts no installer of Windows, which removes the old program first, without room for it on the disk', async () => {
    const size = Buffer.byteLength(release.content);
    const list = versionList('2.0.0', release);
    const tooLarge = list.replace(`size: ${size}`, `size: ${2 ** 50}`);
    expect(tooLarge).not.toBe(list);
    feed.files.set('list', tooLarge);
    feed.files.set(`/releases/${release.name}`, release.content);
    const engine = await engineFor();
    await engine.look();
    expect(await engine.download(() => {})).toMatchObject({
      ok: false,
      error: {
        code: 'file-failed',
        message: expect.stringContaining('room'),
        next: expect.stringMatching(/[\d,]+ MB/),
      },
    });
    expect(feed.requests.map(({ line }) => line)).not.toContain(`GET /releases/${release.name}`);

    feed.files.set('list', list);
    await engine.look();
    expect((await engine.download(() => {})).ok).toBe(true);
    // Less is free as the program ends.
    feed.files.set('list', tooLarge);
    await engine.look();
    expect(engine.install(false, false)).toBe('failed');
  });

  it('stops when the program ends', async () => {
    feed.files.set('list', versionList('2.0.0', release));
    const begun = new Promise<void>((heard) => {
      feed.files.set(`/releases/${release.name}`, (response) => {
        response.writeHead(200, { 'content-length': Buffer.byteLength(release.content) });
        response.write('the beginning', () => heard());
      });
    });
    const engine = await engineFor();
    await engine.look();
    const fetching = engine.download(() => {});
    await begun;
    engine.close();
    expect(await fetching).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(filesBelow(join(folder, 'cache'))).toEqual([]);
  });

  it('does not trust a file that was there before', async () => {
    feed.files.set('list', versionList('2.0.0', release));
    feed.files.set(`/releases/${release.name}`, release.content);
    const first = await engineFor();
    await first.look();
    await first.download(() => {});
    const kept = join(folder, 'cache', 'address-console-updater', 'pending', release.name);
    writeFileSync(kept, 'changed since');
    const second = await engineFor();
    await second.look();
    expect((await second.download(() => {})).ok).toBe(true);
    expect(readFileSync(kept, 'utf8')).toBe(release.content);
  });
});

// An AppImage is one file that is replaced and started. Here each is a script that records that it ran.
describe.skipIf(process.platform !== 'linux')('replacing an AppImage', () => {
  const name = 'address-console-2.0.0-linux-x86_64.AppImage';
  const before = process.env.APPIMAGE;
  let image: string;
  let ran: string;
  let newer: { name: string; content: string };

  beforeEach(() => {
    mkdirSync(join(folder, 'programs'));
    image = join(folder, 'programs', 'Address Console.AppImage');
    ran = join(folder, 'ran');
    writeFileSync(image, '#!/bin/sh\n', { mode: 0o755 });
    process.env.APPIMAGE = image;
    newer = { name, content: `#!/bin/sh\necho "$APPIMAGE_EXIT_AFTER_INSTALL" > '${ran}'\n` };
    feed.files.set('list', versionList('2.0.0', newer));
  });
  afterEach(() => {
    if (before === undefined) delete process.env.APPIMAGE;
    else process.env.APPIMAGE = before;
  });

  it('replaces the program at its end and not before', async () => {
    feed.files.set(`/releases/${name}`, newer.content);
    const engine = await engineFor('appimage');
    expect(await engine.look()).toMatchObject({ value: { is: 'newer' } });
    expect(await engine.download(() => {})).toEqual({ ok: true, value: undefined });
    expect(readFileSync(image, 'utf8')).toBe('#!/bin/sh\n');
    expect(engine.install(false, false)).toBe('installer');
    expect(readFileSync(image, 'utf8')).toBe(newer.content);
    expect(statSync(image).mode & 0o777).toBe(0o755);
    // The new version was started only to install itself.
    expect(readFileSync(ran, 'utf8')).toBe('true\n');
  });

  /** Fetches a version until it is ready to be installed. */
  const fetched = async (): Promise<{ engine: UpdateEngine; ready: string }> => {
    feed.files.set(`/releases/${name}`, newer.content);
    const engine = await engineFor('appimage');
    await engine.look();
    expect(await engine.download(() => {})).toEqual({ ok: true, value: undefined });
    return { engine, ready: join(folder, 'cache', 'address-console-updater', 'pending', name) };
  };

  it('leaves the program unchanged if it was started again while it ended, unless a restart was asked for', async () => {
    const { engine, ready } = await fetched();
    expect(engine.install(false, true)).toBe('put-off');
    expect(readFileSync(image, 'utf8')).toBe('#!/bin/sh\n');
    expect(existsSync(ready)).toBe(true);
    expect(engine.install(true, true)).toBe('installer');
    expect(readFileSync(image, 'utf8')).toBe(newer.content);
  });

  it('leaves the program unchanged if the downloaded file was changed since', async () => {
    const { engine, ready } = await fetched();
    writeFileSync(ready, `#!/bin/sh\necho another > '${ran}'\n`);
    expect(engine.install(false, false)).toBe('failed');
    expect(readFileSync(image, 'utf8')).toBe('#!/bin/sh\n');
    expect(existsSync(ran)).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'leaves the program unchanged if the disk is full (skipped: takes root)',
    async () => {
      const programs = join(folder, 'programs');
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', programs]);
      try {
        writeFileSync(image, '#!/bin/sh\n', { mode: 0o755 });
        newer.content += `# ${'x'.repeat(100_000)}\n`;
        feed.files.set('list', versionList('2.0.0', newer));
        const { engine } = await fetched();
        expect(engine.install(false, false)).toBe('failed');
        expect(readFileSync(image, 'utf8')).toBe('#!/bin/sh\n');
        expect(filesBelow(programs)).toEqual(['Address Console.AppImage']);
        expect(existsSync(ran)).toBe(false);
      } finally {
        execFileSync('umount', [programs]);
      }
    },
  );

  it('takes the new version’s name if the file is named after its version', async () => {
    const old = join(folder, 'programs', 'address-console-1.0.0-linux-x86_64.AppImage');
    renameSync(image, old);
    process.env.APPIMAGE = old;
    const { engine } = await fetched();
    expect(engine.install(false, false)).toBe('installer');
    expect(filesBelow(join(folder, 'programs'))).toEqual([name]);
  });

  it('refuses a file of another length than the list says before it is whole', async () => {
    const size = Buffer.byteLength(newer.content);
    let sent = 0;
    feed.files.set(`/releases/${name}`, (response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(size))) sent += 1;
      };
      response.on('drain', more);
      more();
    });
    const engine = await engineFor('appimage');
    await engine.look();
    expect(await engine.download(() => {})).toMatchObject({ ok: false, error: { code: 'unsafe-answer' } });
    expect(sent).toBeLessThan(1_000_000);
    feed.files.set(`/releases/${name}`, 'short');
    expect(await engine.download(() => {})).toMatchObject({
      ok: false,
      error: { code: 'unsafe-answer', detail: `5 bytes in place of ${size}.` },
    });
  });

  it('leaves the program unchanged if the file is not the one described', async () => {
    feed.files.set(`/releases/${name}`, `${newer.content}# and something else\n`);
    const engine = await engineFor('appimage');
    await engine.look();
    expect((await engine.download(() => {})).ok).toBe(false);
    expect(engine.install(true, false)).toBe('failed');
    expect(readFileSync(image, 'utf8')).toBe('#!/bin/sh\n');
    expect(existsSync(ran)).toBe(false);
  });
});

it('macOS’s own updater decides on what was fetched, and is ignored afterwards', async () => {
  const native = new EventEmitter();
  const good = waitForSquirrel(native);
  native.emit('update-downloaded');
  await good.verdict;
  good.stop();
  const bad = waitForSquirrel(native);
  native.emit('error', new Error('no signature'));
  await expect(bad.verdict).rejects.toThrow('no signature');
  bad.stop();
  expect(native.listenerCount('error') + native.listenerCount('update-downloaded')).toBe(0);
});

describe('in the built program', () => {
  const built = resolve(import.meta.dirname, '..', '..', '..', 'dist', 'main');
  const chunks = existsSync(join(built, 'chunks')) ? readdirSync(join(built, 'chunks')) : [];

  it('electron-updater is a part that main loads when it is needed', async () => {
    const main = readFileSync(join(built, 'main.js'), 'utf8');
    const [engine = ''] = chunks.filter((name) => name.startsWith('update-engine-'));
    expect(main).toContain(`import("./chunks/${engine}")`);
    expect(main).not.toMatch(/^import .*(?:update-engine|AppUpdater)-/m);
    const parts = (await import(join(built, 'chunks', engine))) as { createUpdateEngine: typeof createUpdateEngine };
    feed.files.set('list', versionList('2.0.0', release));
    feed.files.set(`/releases/${release.name}`, release.content);
    const bundled = await engineFor('nsis', parts.createUpdateEngine);
    expect(await bundled.look()).toMatchObject({ ok: true, value: { is: 'newer' } });
    expect(await bundled.download(() => {})).toEqual({ ok: true, value: undefined });
  });
});
