// Prepares what the commands need before they can run. Each step is skipped if nothing has changed. It must run on Node 20.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  answers,
  environment,
  giveUp,
  hashOf,
  hashOfTree,
  inRoot,
  once,
  root,
  run,
  runNode,
  say,
  toolchainNode,
} from './tools.mjs';

/** @typedef {import('node:child_process').StdioOptions} Stdio */

/**
 * The Node that runs npm. Windows deletes no program that runs, and the one of this process may be in node_modules, which npm is about to
 * remove: its file is moved out of there.
 */
function outOfTheWay() {
  const own = process.execPath;
  if (process.platform !== 'win32' || !own.startsWith(inRoot('node_modules'))) return own;
  mkdirSync(inRoot('.cache'), { recursive: true });
  const moved = inRoot('.cache', `node-${process.pid}.exe`);
  renameSync(own, moved);
  return process.env.npm_node_execpath ?? moved;
}

/** Installs the locked dependencies, once for each state of the lock file. */
export async function ensureDependencies() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) giveUp(`Node ${process.versions.node} is too old: install Node 20 or newer, then run this again.`);
  // The lock file has all of package.json that matters for this; a new script there must not cause a new installation.
  const key = hashOf([inRoot('package-lock.json')]) + process.platform + process.arch;
  await once(inRoot('node_modules', '.address-console', 'installed'), key, async () => {
    say('Installing dependencies …');
    // Yarn and pnpm name themselves there.
    const named = process.env.npm_execpath ?? '';
    const npm = named.endsWith('npm-cli.js') ? named : undefined;
    const node = outOfTheWay();
    // Whatever npm's settings or NODE_ENV leave out, all of it is needed here; the toolchain's Node comes by its package's script, and is what
    // the parts run on that ask for a newer one than npm's.
    const whole =
      '--include=dev --include=optional --ignore-scripts=false --engine-strict=false --install-strategy=hoisted';
    const args = ['ci', ...whole.split(' '), '--no-audit', '--no-fund', '--loglevel=error'];
    const options = { env: process.env, stdio: /** @type {Stdio} */ (['ignore', 2, 2]) };
    const status = npm
      ? await run(node, [npm, ...args], options)
      : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
          ...options,
          shell: process.platform === 'win32',
        });
    if (status !== 0)
      giveUp(
        'npm could not install the dependencies: its message above says why. It must reach its registry. Then run this again.',
      );
  });
  if (!existsSync(toolchainNode()) || !answers(toolchainNode(), ['--version']))
    giveUp(
      'The toolchain’s Node is missing, or does not run on this system (on Linux it needs glibc). Delete node_modules and run this again.',
    );
}

/** Builds main and workers, preload and window, unless no source has changed since the last build. */
export async function ensureBuilt() {
  const sources = ['electron', 'shared', 'renderer', 'build', 'package.json', 'package-lock.json'];
  await once(inRoot('dist', '.stamp'), hashOfTree(sources.map((name) => inRoot(name))), async () => {
    if (/[#?]/.test(root))
      giveUp(`Vite builds nothing in a folder with “#” or “?” in its path: rename it, or move ${root}.`);
    say('Building …');
    rmSync(inRoot('dist', '.stamp'), { force: true });
    const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js');
    for (const part of ['main', 'preload', 'renderer']) {
      const config = inRoot('build', `vite.${part}.ts`);
      const status = await runNode(
        [vite, 'build', '--config', config, '--configLoader', 'native', '--logLevel', 'warn'],
        {
          stdio: ['ignore', 2, 2],
        },
      );
      if (status !== 0) giveUp(`The ${part} part did not build: see the message above.`);
    }
    if ((await runNode([inRoot('build', 'licences.ts')], { stdio: ['ignore', 2, 2] })) !== 0)
      giveUp('The licences of what is in the program could not be put together: see the message above.');
  });
}

/** Where browsers of the Chromium family are on Linux. */
export const linuxBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
];

/** Debian packages, each with the files of which one shows that what it brings is there. */
const systemPackages = {
  // Without Electron the development host takes any of these.
  browser: [['chromium', ...linuxBrowsers]],
  display: [
    ['xvfb', '/usr/bin/Xvfb'],
    ['xauth', '/usr/bin/xauth'],
  ],
  keychain: [
    ['gnome-keyring', '/usr/bin/gnome-keyring-daemon'],
    ['dbus', '/usr/bin/dbus-daemon'],
    ['libglib2.0-bin', '/usr/bin/gdbus'],
  ],
  // What tests start besides: the list of processes, and the copied snippets.
  tests: [
    ['procps', '/bin/ps'],
    ['curl', '/usr/bin/curl'],
    ['python3', '/usr/bin/python3'],
  ],
};

/**
 * As root on Debian, installs what is missing; elsewhere on Linux, stops with the names. Other systems come with a keychain and a display.
 * @param {(keyof typeof systemPackages)[]} kinds
 */
export async function ensureSystemPackages(kinds) {
  if (process.platform !== 'linux') return;
  const named = process.env.CHROMIUM_PATH ?? '';
  const names = kinds
    .filter((kind) => kind !== 'browser' || !existsSync(named))
    .flatMap((kind) => systemPackages[kind])
    .flatMap(([name, ...paths]) => (paths.some((path) => existsSync(path)) ? [] : [String(name)]));
  if (names.length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    giveUp(
      `These system packages are needed: ${names.join(', ')}. On Debian: sudo apt-get install ${names.join(' ')}` +
        (names.includes('chromium') ? '. Chrome or Edge serves as well as chromium.' : ''),
    );
  say(`Installing system packages: ${names.join(', ')} …`);
  const env = { ...environment(), DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = { env, stdio: /** @type {Stdio} */ (['ignore', 'ignore', 2]) };
  await run('apt-get', ['update', '-qq'], quiet);
  if ((await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet)) !== 0)
    giveUp(`apt-get could not install ${names.join(', ')}: see the message above.`);
}

const electronIn = (/** @type {string[]} */ ...parts) => inRoot('node_modules', 'electron', ...parts);

/** Path of the Electron runtime's executable; undefined if it has not been fetched. */
export function electronProgram() {
  const pathFile = electronIn('path.txt');
  if (!existsSync(pathFile)) return undefined;
  const program = electronIn('dist', readFileSync(pathFile, 'utf8'));
  return existsSync(program) ? program : undefined;
}

/**
 * Whether this Linux keeps Electron's runtime from making the engine's sandbox, so that it would end at once: Ubuntu lets only listed programs
 * make user namespaces, hardened systems none, and npm unpacks the helper without root's set-uid bit.
 */
export function isSandboxRefused(/** @type {string} */ program, settings = '/proc/sys') {
  if (process.platform !== 'linux') return false;
  const is = (/** @type {string} */ name, /** @type {string} */ value) =>
    existsSync(join(settings, name)) && readFileSync(join(settings, name), 'utf8').trim() === value;
  const isRestricted =
    is('kernel/apparmor_restrict_unprivileged_userns', '1') ||
    is('kernel/unprivileged_userns_clone', '0') ||
    is('user/max_user_namespaces', '0');
  if (!isRestricted) return false;
  const helper = join(dirname(program), 'chrome-sandbox');
  if (!existsSync(helper)) return true;
  const { mode, uid } = statSync(helper);
  return uid !== 0 || (mode & 0o4000) === 0;
}

const oneDay = 24 * 3600 * 1000;
/** A machine without a network that drops what is sent waits so long, once a day. */
const fetchMinutes = 5;

/** One sentence on why `fetchElectron` gave undefined, without its full stop. */
export const whyNoElectron = () =>
  process.env.ADDRESS_CONSOLE_WITHOUT_ELECTRON === '1'
    ? 'ADDRESS_CONSOLE_WITHOUT_ELECTRON is 1, so Electron’s runtime is not used'
    : `Electron’s runtime is not on this machine: fetching it failed, or took more than ${fetchMinutes} minutes (without that limit: node node_modules/electron/install.js)`;

/** The environment of what fetches Electron: it asks a proxy only if told to, and knows no proxy and no authorities that are set for npm alone. */
export function fetchEnvironment() {
  const npmsProxy = process.env.npm_config_https_proxy || process.env.npm_config_proxy;
  const npmsAuthorities = process.env.npm_config_cafile;
  return {
    ...(npmsProxy ? { HTTPS_PROXY: npmsProxy } : {}),
    ...(npmsAuthorities ? { NODE_EXTRA_CA_CERTS: npmsAuthorities } : {}),
    ...environment(),
    ELECTRON_GET_USE_PROXY: 'true',
  };
}

/** Changes with every variable that may name a mirror, a proxy or authorities. A hash, since a proxy's address may have a password. */
const hashOfWay = () =>
  createHash('sha256')
    .update(
      JSON.stringify(
        Object.entries(process.env)
          .filter(([name]) => /electron|proxy|_ca(?!che)/i.test(name))
          .sort(),
      ),
    )
    .digest('hex');

/**
 * Fetches Electron's runtime if possible, and returns its path or undefined. A failure is remembered for a day, so that the next start is
 * quick, unless a mirror, a proxy or authorities were named since; `insist`: it is tried all the same. With ADDRESS_CONSOLE_WITHOUT_ELECTRON=1 the
 * development host is used even if Electron is available.
 */
export async function fetchElectron({ insist = false } = {}) {
  if (process.env.ADDRESS_CONSOLE_WITHOUT_ELECTRON === '1') return undefined;
  const found = electronProgram();
  if (found) return found;
  const failed = inRoot('node_modules', '.address-console', 'electron-out-of-reach');
  const way = hashOfWay();
  const isRecent = existsSync(failed) && Date.now() - statSync(failed).mtimeMs < oneDay;
  if (!insist && isRecent && readFileSync(failed, 'utf8') === way) return undefined;
  say('Fetching Electron’s runtime …');
  const status = await runNode([electronIn('install.js')], {
    // To an ARM Mac's Node for x64 it would give the runtime for ARM, for which npm has installed no native part of the keychain.
    env: { npm_config_arch: process.arch, ...fetchEnvironment() },
    stdio: 'ignore',
    timeout: fetchMinutes * 60_000,
  });
  if (status !== 0) writeFileSync(failed, way);
  return electronProgram();
}
