import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatherLicences, licencesText } from '../../../build/licences.ts';
import { checkFuses } from '../../../build/package/fuses.ts';
import { checkPackagedFiles } from '../../../build/package/packaged-files.ts';
import { packageLicenceSchema } from '../../../shared/contract/about.ts';
import { shippedElectron } from '../../helpers/electron-fuses.ts';
import { removeFolder } from '../../helpers/folders.ts';

// The content of the built program and its package. It needs a build (npm run build).

const root = resolve(import.meta.dirname, '..', '..', '..');
const dist = join(root, 'dist');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-package-'));
});
afterEach(() => removeFolder(folder));

it('the licences of everything in the built program are included, as text and for the window', () => {
  expect(existsSync(join(dist, 'licences.json')), 'the program is built first: npm run build').toBe(true);
  const licences = gatherLicences(dist, join(root, 'node_modules'));
  const names = licences.map(({ name }) => name);
  for (const name of ['@napi-rs/keyring', 'react', 'zod', 'geodesy', 'socks', '@fontsource-variable/inter'])
    expect(names).toContain(name);
  for (const { text } of licences) expect(text.length).toBeGreaterThan(100);
  expect(packageLicenceSchema.array().parse(JSON.parse(readFileSync(join(dist, 'licences.json'), 'utf8')))).toEqual(
    licences,
  );
  expect(readFileSync(join(dist, 'THIRD-PARTY-LICENCES.txt'), 'utf8')).toBe(licencesText(licences));
});

it('no part imports the main file, which waits for the command line: it would wait for itself', () => {
  const files = readdirSync(join(dist, 'main'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const importing = files.filter((name) =>
    /(?:from|import)\s*\(?\s*["'][^"']*\/main\.js["']/.test(readFileSync(join(dist, 'main', name), 'utf8')),
  );
  expect(files).toContain('main.js');
  expect(importing).toEqual([]);
});

it('a start that has turned the engine’s sandbox off, as root’s from the sources does, is not taken back in part', () => {
  const host = (file: string) => join(root, 'test', 'host', file);
  const says = `import { app } from ${JSON.stringify(pathToFileURL(host('app.ts')).href)};
    app.once('ready', () => process.exit(app.commandLine.hasSwitch('no-sandbox') ? 4 : 3));`;
  const start = (args: string[]) =>
    spawnSync(
      process.execPath,
      [
        `--import=data:text/javascript,${encodeURIComponent(says)}`,
        ...[host('run.ts'), join(dist, 'main', 'main.js'), ...args],
      ],
      { env: { ...process.env, ADDRESS_CONSOLE_DATA_FOLDER: folder } },
    ).status;
  expect(start(['--no-sandbox'])).toBe(4);
  expect(start([])).toBe(3);
});

// Packaging with a replacement for Electron's runtime that has its folders and fuses but no program.
describe.skipIf(process.platform !== 'linux')('packing the built program', () => {
  function standIn(): string {
    const runtime = join(folder, 'electron');
    mkdirSync(join(runtime, 'resources'), { recursive: true });
    mkdirSync(join(runtime, 'locales'));
    writeFileSync(join(runtime, 'electron'), shippedElectron());
    chmodSync(join(runtime, 'electron'), 0o755);
    for (const file of ['chrome-sandbox', 'version', 'LICENSE', 'LICENSES.chromium.html', 'locales/en-GB.pak'])
      writeFileSync(join(runtime, file), 'x');
    return runtime;
  }

  const pack = (more: string[] = [], arch = 'x64') =>
    spawnSync(
      process.execPath,
      [
        join(root, 'node_modules', 'electron-builder', 'cli.js'),
        ...['--config', 'build/electron-builder.mjs', '--linux', `--${arch}`, '--dir', '--publish', 'never'],
        `-c.electronDist=${standIn()}`,
        `-c.directories.output=${join(folder, 'out')}`,
        ...more,
      ],
      { cwd: root, encoding: 'utf8' },
    );

  it('contains only the program, with its fuses set', async () => {
    expect(existsSync(join(dist, 'main', 'main.js')), 'the program is built first: npm run build').toBe(true);
    const packed = pack();
    expect(packed.status, packed.stdout + packed.stderr).toBe(0);
    const unpacked = join(folder, 'out', 'linux-unpacked');
    expect(await checkFuses(join(unpacked, 'address-console'))).toEqual([]);
    expect(checkPackagedFiles(join(unpacked, 'resources'), 'linux', 'x64')).toEqual([]);
    // electron-updater needs this file to fetch anything.
    expect(readFileSync(join(unpacked, 'resources', 'app-update.yml'), 'utf8')).toContain(
      'updaterCacheDirName: address-console-updater',
    );
    cpSync(join(root, 'build', 'README.md'), join(unpacked, 'resources', 'app', 'main.js'));
    expect(checkPackagedFiles(join(unpacked, 'resources'), 'linux', 'x64').join()).toContain('beside the archive');
  });

  it('has no native part of this computer in a package for another architecture', () => {
    const other = process.arch === 'x64' ? 'arm64' : 'x64';
    const { stdout, stderr } = pack([], other);
    const said = stdout + stderr;
    // Packing looks at the parts: npm has installed this computer's alone, so the other one is missing unless it was fetched.
    const fetched = existsSync(join(root, 'node_modules', '@napi-rs', `keyring-linux-${other}-gnu`));
    expect(said.includes(`keyring-linux-${other}-gnu is not in it`)).toBe(!fetched);
    expect(said).not.toContain('is for another computer');
  });

  it('fails if something else would be included', () => {
    const packed = pack(['-c.files=package.json', '-c.files=dist', '-c.files=build/README.md']);
    expect(packed.status).not.toBe(0);
    expect(packed.stdout + packed.stderr).toContain('build/README.md is in it');
  });
});
