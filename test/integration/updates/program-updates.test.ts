import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsWithPolicy } from '../../../electron/core/policy/enforce-policy.ts';
import type { Policy } from '../../../electron/core/policy/policy-schema.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { createProgramUpdates } from '../../../electron/core/updates/program-updates.ts';
import { type ProgramPlace, readInstallPlace } from '../../../electron/platform/install-place.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { programIn } from '../../helpers/update-feed.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'address-program-updates-'));
});
afterEach(() => removeFolder(folder));

describe('updates under a policy and the user’s settings', () => {
  let opened: string[];
  let ends: (() => void)[];
  beforeEach(() => {
    opened = [];
    ends = [];
  });
  afterEach(() => {
    for (const end of ends.reverse()) end();
  });

  /** Starts the program again with the same settings. Its transport records each request and never connects. */
  function start(policy: Omit<Policy, 'version'> = {}, packaged = true) {
    for (const end of ends.splice(0).reverse()) end();
    const db = unwrap(openDatabase({ folder, clock: { now: () => 0 } }));
    const updates = createProgramUpdates({
      host: {
        program: programIn(folder),
        place: { packaged, kind: 'nsis', folder, writable: true, publisherKnown: true },
      },
      policy: { version: 1, ...policy },
      settings: settingsWithPolicy(createSettings(db), { version: 1, ...policy }),
      clock: { now: () => 0 },
      connect: async (url) => {
        opened.push(url.href);
        return fail(appError('name-not-found'));
      },
      isBusy: () => false,
      isCommandAlive: () => false,
      onChange: () => {},
    });
    ends.push(
      () => db.close(),
      () => updates.close(),
    );
    return updates;
  }

  it('makes no request until an address is named, and then only to that', async () => {
    const updates = start();
    await updates.look();
    expect(opened).toEqual([]);
    expect(unwrap(updates.choose({ mode: 'notify', address: ' https://updates.example/console ' }))).toMatchObject({
      mode: 'notify',
      address: 'https://updates.example/console',
    });
    await updates.look();
    expect([...new Set(opened)]).toEqual(['https://updates.example/console/']);
    expect(updates.state().error).toMatchObject({ code: 'name-not-found', charge: 'not-applicable' });
  });

  it('keeps the choice over a restart', () => {
    unwrap(start().choose({ mode: 'automatic', address: 'https://updates.example' }));
    expect(start().state()).toMatchObject({
      mode: 'automatic',
      chosen: 'automatic',
      address: 'https://updates.example',
    });
  });

  it('does nothing if the program is not installed, whatever was chosen', async () => {
    const updates = start({ updateMode: 'automatic', updateUrl: 'https://it.example' }, false);
    updates.start();
    await updates.look();
    expect(updates.state().mode).toBe('off');
    expect(opened).toEqual([]);
  });

  it('follows the policy: its address wins, more than it allows is refused, and the user’s choice returns after it', () => {
    unwrap(start().choose({ mode: 'automatic', address: 'https://updates.example' }));
    const updates = start({ updateMode: 'notify', updateUrl: 'https://it.example' });
    expect(updates.state()).toMatchObject({
      mode: 'notify',
      most: 'notify',
      address: 'https://it.example',
      addressLocked: true,
    });
    for (const wish of [
      { mode: 'automatic', address: 'https://it.example' },
      { mode: 'notify', address: 'https://updates.example' },
    ] as const)
      expect(updates.choose(wish)).toMatchObject({ ok: false, error: { code: 'policy-forbids' } });
    expect(unwrap(updates.choose({ mode: 'off', address: 'https://it.example' })).mode).toBe('off');
    expect(start().state()).toMatchObject({ mode: 'off', address: 'https://updates.example', addressLocked: false });
  });

  it('refuses an address that is not https and keeps the former', () => {
    const updates = start();
    expect(updates.choose({ mode: 'notify', address: 'http://updates.example' })).toMatchObject({
      ok: false,
      error: { code: 'bad-input', field: 'address' },
    });
    expect(updates.state().address).toBe('');
  });
});

describe('how the program was installed', () => {
  const place = (some: Partial<ProgramPlace>): ProgramPlace => ({
    packaged: true,
    platform: 'linux',
    program: join(folder, 'address-console'),
    resources: join(folder, 'resources'),
    productName: 'Address Console',
    env: {},
    ...some,
  });
  const write = (...path: string[]) => writeFileSync(join(folder, ...path), '');

  it('is recognised by the files beside the program', async () => {
    const windows = { platform: 'win32', program: join(folder, 'Address Console.exe') } as const;
    expect(await readInstallPlace(place(windows))).toMatchObject({ kind: 'msi', folder });
    write('Uninstall Address Console.exe');
    expect(await readInstallPlace(place(windows))).toMatchObject({
      kind: 'nsis',
      folder,
      writable: true,
      publisherKnown: false,
    });

    mkdirSync(join(folder, 'resources'));
    const publisherOf = async (text: string) => {
      writeFileSync(join(folder, 'resources', 'app-update.yml'), text);
      return (await readInstallPlace(place(windows))).publisherKnown;
    };
    expect(await publisherOf('provider: generic\npublisherName:\n  - Wyebank Software\n')).toBe(true);
    expect(await publisherOf('publisherName: Wyebank Software')).toBe(true);
    for (const none of ['provider: generic', 'publisherName: []', 'publisherName: ""', 'publisherName:\n  - 7', ': ['])
      expect(await publisherOf(none)).toBe(false);
    write('resources', 'for-everyone');
    expect(await readInstallPlace(place(windows))).toMatchObject({ kind: 'everyone', folder, writable: true });

    expect(await readInstallPlace(place({}))).toMatchObject({ kind: 'loose' });
    writeFileSync(join(folder, 'resources', 'package-type'), 'deb\n');
    expect(await readInstallPlace(place({}))).toMatchObject({ kind: 'deb', folder });

    const bundle = join(folder, 'Address Console.app');
    mkdirSync(join(bundle, 'Contents', 'MacOS'), { recursive: true });
    const program = join(bundle, 'Contents', 'MacOS', 'Address Console');
    expect(await readInstallPlace(place({ platform: 'darwin', program }))).toMatchObject({
      kind: 'mac',
      folder: bundle,
    });
    expect(await readInstallPlace(place({ packaged: false }))).toMatchObject({ packaged: false, writable: false });
  });

  it('is an AppImage only if the program runs from the mounted image', async () => {
    const images = join(folder, 'images');
    mkdirSync(images);
    const env = { APPIMAGE: join(images, 'console.AppImage'), APPDIR: join(folder, 'mounted') };
    const program = join(folder, 'mounted', 'address-console');
    expect(await readInstallPlace(place({ env, program }))).toMatchObject({ kind: 'appimage', folder: images });
    // Started by another AppImage, whose variables it inherits.
    expect(await readInstallPlace(place({ env }))).toMatchObject({ kind: 'loose', folder });
  });

  it('distinguishes a folder that cannot be written, and leaves nothing behind', async () => {
    expect((await readInstallPlace(place({}))).writable).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
    expect((await readInstallPlace(place({ program: join(folder, 'gone', 'address-console') }))).writable).toBe(false);
    write('file');
    expect((await readInstallPlace(place({ program: join(folder, 'file', 'address-console') }))).writable).toBe(false);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'distinguishes a folder of another user',
    async () => {
      chmodSync(folder, 0o500);
      try {
        expect((await readInstallPlace(place({}))).writable).toBe(false);
      } finally {
        chmodSync(folder, 0o700);
      }
    },
  );
});
