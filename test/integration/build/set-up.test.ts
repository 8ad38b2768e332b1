import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { isSandboxRefused } from '../../../build/setup.mjs';
import { removeFolder } from '../../helpers/folders.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(removeFolder));

/** A folder with the set-up's own files, folders of `node_modules` and the toolchain's Node. */
function makeFolder(...modules: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'set-up-'));
  folders.push(folder);
  for (const name of ['setup.mjs', 'tools.mjs']) cpSync(join(root, 'build', name), join(folder, 'build', name));
  for (const name of ['node/bin', ...modules]) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  const node = process.platform === 'win32' ? 'node.exe' : 'node';
  symlinkSync(process.execPath, join(folder, 'node_modules', 'node', 'bin', node));
  return folder;
}

/** Runs one function of a folder's set-up. Returns what it printed. */
function runSetup(folder: string, call: string, env: NodeJS.ProcessEnv): string {
  const [name] = call.split('(');
  const words = `import { ${name} } from '${pathToFileURL(resolve(folder, 'build', 'setup.mjs'))}'; await ${call};`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', words], { env }).stderr.toString();
}

/** Electron's install script only writes down these variables, and fails. */
function project(...named: string[]) {
  const folder = makeFolder('electron', '.address-console');
  const tries = join(folder, 'tries');
  writeFileSync(
    join(folder, 'node_modules', 'electron', 'install.js'),
    `const given = ${JSON.stringify(named)}.map((name) => process.env[name] ?? '').join(' ');
     require('node:fs').appendFileSync(${JSON.stringify(resolve(tries))}, given + '\\n');
     process.exit(1);`,
  );
  /** What the script was given when Electron was asked for; nothing: it was not started. */
  return (own: NodeJS.ProcessEnv, options = {}) => {
    rmSync(tries, { force: true });
    writeFileSync(tries, '');
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/electron|proxy|_ca/i.test(name)));
    expect(runSetup(folder, `fetchElectron(${JSON.stringify(options)})`, { ...env, ...own })).not.toMatch(/Error/);
    return readFileSync(tries, 'utf8').trimEnd();
  };
}

test('Electron’s runtime is fetched through the proxy that the environment names, or npm’s settings', () => {
  const fetchWith = project('HTTPS_PROXY', 'ELECTRON_GET_USE_PROXY');
  expect(fetchWith({})).toBe(' true');
  expect(fetchWith({ HTTPS_PROXY: 'http://proxy:8080' })).toBe('http://proxy:8080 true');
  expect(fetchWith({ npm_config_https_proxy: 'http://npms:8080' })).toBe('http://npms:8080 true');
  expect(fetchWith({ npm_config_proxy: 'http://npms:8080', HTTPS_PROXY: 'http://proxy:1' })).toBe(
    'http://proxy:1 true',
  );
});

test('what a command runs is not told by an editor made of Electron to be a plain Node', () => {
  expect(project('npm_config_arch', 'ELECTRON_RUN_AS_NODE')({ ELECTRON_RUN_AS_NODE: '1' })).toBe(process.arch);
});

test('it is fetched for the computer that npm has installed for, also by an ARM Mac’s Node for x64', () => {
  expect(readFileSync(join(root, 'node_modules', 'electron', 'install.js'), 'utf8')).toMatch(
    /arch === 'x64' &&\s+process\.env\.npm_config_arch === undefined/,
  );
  expect(project('npm_config_arch')({})).toBe(process.arch);
});

test('it is fetched with the authorities that the environment names, or npm’s settings', () => {
  const fetchWith = project('ELECTRON_GET_USE_PROXY', 'NODE_EXTRA_CA_CERTS');
  expect(fetchWith({ npm_config_cafile: '/own/npms.pem' })).toBe('true /own/npms.pem');
  expect(fetchWith({ npm_config_cafile: '/own/npms.pem' })).toBe('');
  expect(fetchWith({ npm_config_cafile: '/own/npms.pem', NODE_EXTRA_CA_CERTS: '/own/all.pem' })).toBe(
    'true /own/all.pem',
  );
});

test('a failed download is remembered until a mirror or a proxy is named, and never where somebody insists', () => {
  const fetchWith = project('HTTPS_PROXY', 'ELECTRON_GET_USE_PROXY');
  expect(fetchWith({})).not.toBe('');
  expect(fetchWith({})).toBe('');
  expect(fetchWith({ ELECTRON_MIRROR: 'https://mirror.example/' })).not.toBe('');
  expect(fetchWith({ ELECTRON_MIRROR: 'https://mirror.example/' })).toBe('');
  expect(fetchWith({ ELECTRON_MIRROR: 'https://mirror.example/' }, { insist: true })).not.toBe('');
});

test.skipIf(process.platform !== 'linux')(
  'where Electron cannot be had and no browser is installed, it is said why one is needed',
  () => {
    const folder = makeFolder('.address-console');
    cpSync(join(root, 'build', 'run.mjs'), join(folder, 'build', 'run.mjs'));
    const installed = `import { hashOf, inRoot } from '${pathToFileURL(resolve(folder, 'build', 'tools.mjs'))}';
      import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const key = hashOf([inRoot('package-lock.json')]) + process.platform + process.arch;
      fs.writeFileSync(inRoot('node_modules', '.address-console', 'installed'), key);
      const { existsSync } = fs;
      fs.existsSync = (path) => !String(path).startsWith('/usr/bin/') && existsSync(path);
      syncBuiltinESMExports();
      process.getuid = () => 1000;`;
    const { stderr } = spawnSync(
      process.execPath,
      [`--import=data:text/javascript,${encodeURIComponent(installed)}`, join(folder, 'build', 'run.mjs'), 'start'],
      { env: { ...process.env, DISPLAY: ':9', CHROMIUM_PATH: '', ADDRESS_CONSOLE_WITHOUT_ELECTRON: '1' } },
    );
    expect(stderr.toString().split('\n')).toEqual([
      expect.stringMatching(/^ADDRESS_CONSOLE_WITHOUT_ELECTRON is 1, .* over an installed browser\.$/),
      expect.stringMatching(/^These system packages are needed: chromium\./),
      '',
    ]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'where it may make no user namespaces, the runtime is not started without root’s helper',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    folders.push(folder);
    const program = join(folder, 'electron');
    const helper = join(folder, 'chrome-sandbox');
    expect(isSandboxRefused(program, folder)).toBe(false);
    for (const [name, restricts, allows] of [
      ['kernel/apparmor_restrict_unprivileged_userns', '1\n', '0\n'],
      ['kernel/unprivileged_userns_clone', '0\n', '1\n'],
      ['user/max_user_namespaces', '0\n', '15000\n'],
    ] as const) {
      const restriction = join(folder, name);
      mkdirSync(dirname(restriction), { recursive: true });
      writeFileSync(restriction, restricts);
      expect(isSandboxRefused(program, folder), name).toBe(true);
      writeFileSync(helper, '');
      chmodSync(helper, 0o4755);
      expect(isSandboxRefused(program, folder)).toBe(process.getuid?.() !== 0);
      chmodSync(helper, 0o755);
      expect(isSandboxRefused(program, folder)).toBe(true);
      rmSync(helper);
      writeFileSync(restriction, allows);
      expect(isSandboxRefused(program, folder), name).toBe(false);
    }
  },
);

test('npm installs the dependencies as they are locked, whoever runs the script and whatever npm’s settings say', () => {
  const folder = makeFolder();
  const part = { version: '1.0.0', engines: { node: '>=99' } };
  const dependencies = { part: 'file:part.tgz' };
  const files = {
    'package.json': { name: 'whole', version: '1.0.0', dependencies },
    'package/package.json': { name: 'part', ...part },
    'package-lock.json': {
      name: 'whole',
      lockfileVersion: 3,
      packages: { '': { dependencies }, 'node_modules/part': { resolved: 'file:part.tgz', ...part } },
    },
  };
  mkdirSync(join(folder, 'package'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  spawnSync('tar', ['-czf', 'part.tgz', 'package'], { cwd: folder });
  const settings = { npm_config_engine_strict: 'true', npm_config_install_strategy: 'linked' };
  const env = { ...process.env, npm_execpath: resolve(folder, 'pnpm'), ...settings };
  const said = runSetup(folder, 'ensureDependencies()', env);
  const installed = join(folder, 'node_modules', 'part');
  expect(existsSync(join(installed, 'package.json')), said).toBe(true);
  expect(lstatSync(installed).isSymbolicLink()).toBe(false);
});

test('the program is built as it is handed out, whatever NODE_ENV says, and again once its version is raised', () => {
  const folder = makeFolder('vite/bin');
  writeFileSync(join(folder, 'build', 'licences.ts'), '');
  const builds = join(folder, 'builds');
  writeFileSync(
    join(folder, 'node_modules', 'vite', 'bin', 'vite.js'),
    `const { appendFileSync, mkdirSync } = require('node:fs');
     mkdirSync('dist', { recursive: true });
     appendFileSync('builds', (process.env.NODE_ENV ?? 'none') + ' ');`,
  );
  const build = (version: string) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
    writeFileSync(builds, '');
    const said = runSetup(folder, 'ensureBuilt()', { ...process.env, NODE_ENV: 'development' });
    return readFileSync(builds, 'utf8') || said;
  };
  expect(build('0.9.0')).toBe('none none none ');
  expect(build('0.10.0')).toBe('none none none ');
});

test('where Vite can build nothing, it is said which sign of the folder’s path is in the way', () => {
  const folder = makeFolder();
  const moved = `${folder} C#`;
  renameSync(folder, moved);
  folders.push(moved);
  expect(runSetup(moved, 'ensureBuilt()', process.env)).toMatch(
    /^Vite builds nothing in a folder with “#” or “\?” .* C#\.\n$/,
  );
});
