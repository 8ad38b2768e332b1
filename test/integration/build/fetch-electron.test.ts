import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { isSandboxRefused } from '../../../build/setup.mjs';
import { removeFolder } from '../../helpers/folders.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(removeFolder));

/** The set-up's own files in a folder where Electron's install script only writes down what it is given, and fails. */
function project() {
  const folder = mkdtempSync('fetch-electron-');
  folders.push(folder);
  for (const name of ['setup.mjs', 'tools.mjs']) cpSync(join(root, 'build', name), join(folder, 'build', name));
  const modules = join(folder, 'node_modules');
  for (const name of ['electron', '.address-console', 'node/bin']) mkdirSync(join(modules, name), { recursive: true });
  symlinkSync(process.execPath, join(modules, 'node/bin', process.platform === 'win32' ? 'node.exe' : 'node'));
  const tries = join(folder, 'tries');
  writeFileSync(
    join(modules, 'electron', 'install.js'),
    `const { HTTPS_PROXY = '', ELECTRON_GET_USE_PROXY } = process.env;
     require('node:fs').appendFileSync(${JSON.stringify(resolve(tries))}, HTTPS_PROXY + ' ' + ELECTRON_GET_USE_PROXY + '\\n');
     process.exit(1);`,
  );
  const setup = pathToFileURL(resolve(folder, 'build', 'setup.mjs'));
  /** What the script was given when Electron was asked for; nothing: it was not started. */
  return (own: NodeJS.ProcessEnv, options = {}) => {
    rmSync(tries, { force: true });
    writeFileSync(tries, '');
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/electron|proxy/i.test(name)));
    const words = `import { fetchElectron } from '${setup}'; await fetchElectron(${JSON.stringify(options)});`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', words], { env: { ...env, ...own } });
    expect(ended.stderr.toString()).not.toMatch(/Error/);
    return readFileSync(tries, 'utf8').trimEnd();
  };
}

test('Electron’s runtime is fetched through the proxy that the environment names, or npm’s settings', () => {
  const fetchWith = project();
  expect(fetchWith({})).toBe(' true');
  expect(fetchWith({ HTTPS_PROXY: 'http://proxy:8080' })).toBe('http://proxy:8080 true');
  expect(fetchWith({ npm_config_https_proxy: 'http://npms:8080' })).toBe('http://npms:8080 true');
  expect(fetchWith({ npm_config_proxy: 'http://npms:8080', HTTPS_PROXY: 'http://proxy:1' })).toBe(
    'http://proxy:1 true',
  );
});

test('a failed download is remembered until a mirror or a proxy is named, and never where somebody insists', () => {
  const fetchWith = project();
  expect(fetchWith({})).not.toBe('');
  expect(fetchWith({})).toBe('');
  expect(fetchWith({ ELECTRON_MIRROR: 'https://mirror.example/' })).not.toBe('');
  expect(fetchWith({ ELECTRON_MIRROR: 'https://mirror.example/' })).toBe('');
  expect(fetchWith({ ELECTRON_MIRROR: 'https://mirror.example/' }, { insist: true })).not.toBe('');
});

test.skipIf(process.platform !== 'linux')(
  'where only listed programs may make user namespaces, the runtime is not started without root’s helper',
  () => {
    const folder = mkdtempSync('sandbox-');
    folders.push(folder);
    const program = join(folder, 'electron');
    const helper = join(folder, 'chrome-sandbox');
    const restriction = join(folder, 'restriction');
    expect(isSandboxRefused(program, restriction)).toBe(false);
    writeFileSync(restriction, '1\n');
    expect(isSandboxRefused(program, restriction)).toBe(true);
    writeFileSync(helper, '');
    chmodSync(helper, 0o4755);
    expect(isSandboxRefused(program, restriction)).toBe(process.getuid?.() !== 0);
    chmodSync(helper, 0o755);
    expect(isSandboxRefused(program, restriction)).toBe(true);
    writeFileSync(restriction, '0\n');
    expect(isSandboxRefused(program, restriction)).toBe(false);
  },
);

test('npm installs the dependencies, whoever runs the script and whatever npm’s settings say of Node’s version', () => {
  const folder = mkdtempSync('install-');
  folders.push(folder);
  for (const name of ['setup.mjs', 'tools.mjs']) cpSync(join(root, 'build', name), join(folder, 'build', name));
  const part = { version: '1.0.0', engines: { node: '>=99' } };
  const dependencies = { part: 'file:part' };
  const files = {
    'package.json': { name: 'whole', version: '1.0.0', dependencies },
    'part/package.json': { name: 'part', ...part },
    'package-lock.json': {
      name: 'whole',
      lockfileVersion: 3,
      packages: { '': { dependencies }, 'node_modules/part': { resolved: 'part', link: true }, part },
    },
  };
  mkdirSync(join(folder, 'part'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  const words = `import { ensureDependencies } from '${pathToFileURL(resolve(folder, 'build', 'setup.mjs'))}'; await ensureDependencies();`;
  const env = { ...process.env, npm_execpath: resolve(folder, 'pnpm'), npm_config_engine_strict: 'true' };
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', words], { env });
  expect(existsSync(join(folder, 'node_modules', 'part', 'package.json')), stderr.toString()).toBe(true);
});
