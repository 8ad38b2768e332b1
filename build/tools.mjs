// It must run on Node 20 before anything is installed, so it imports Node's own modules only.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
export const inRoot = (/** @type {string[]} */ ...parts) => join(root, ...parts);

/** Prints progress to standard error, so that standard output has the command's output only. */
export const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/** Ends the program with status 1 and one sentence that says what to do. @returns {never} */
export function giveUp(/** @type {string} */ text) {
  say(text);
  process.exit(1);
}

/** Path of the toolchain's Node: the npm package `node`, with the same major version as Electron's. */
export const toolchainNode = () =>
  inRoot('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The environment with the toolchain's Node and the installed commands first on the path, with Node's compile cache, which halves its start,
 * and without NODE_ENV: of `development` Vite makes React's slow build, which names every source file by its path on this computer. Nor is
 * there what an editor made of Electron sets: with it Electron is a plain Node.
 */
export const environment = () => ({
  ...process.env,
  NODE_ENV: undefined,
  ELECTRON_RUN_AS_NODE: undefined,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inRoot('node_modules', '.address-console', 'compiled'),
  PATH: [dirname(toolchainNode()), inRoot('node_modules', '.bin'), process.env.PATH ?? ''].join(
    process.platform === 'win32' ? ';' : ':',
  ),
});

/**
 * Runs a command to its end and shows its output. Resolves with its exit status.
 * @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: environment(), ...options });
    // A terminal sends Ctrl-C to the command as well; a second one would end Electron before it has put itself in order. On Windows, where
    // only a terminal sends it, passing it on would kill.
    const isOfTerminal = process.platform === 'win32' || process.stdin.isTTY;
    const pass = (/** @type {NodeJS.Signals} */ signal) => {
      if (signal !== 'SIGINT' || !isOfTerminal) child.kill(signal);
    };
    process.on('SIGINT', pass).on('SIGTERM', pass);
    child.on('error', (error) => {
      say(`${command}: ${error.message}`);
      done(127);
    });
    child.on('exit', (code, signal) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      done(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

/** Runs a script with the toolchain's Node. @param {string[]} args @param {import('node:child_process').SpawnOptions} [options] */
export const runNode = (args, options) =>
  run(toolchainNode(), ['--disable-warning=ExperimentalWarning', ...args], options);

/** Whether a command can be run and succeeds. @param {string} command @param {string[]} args */
export const answers = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A hash of the contents of files. @param {string[]} paths */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(existsSync(path) ? readFileSync(path) : '');
  return hash.digest('hex');
}

/** A hash of the names, sizes and times of all files below some folders, by which an outdated build is recognised. @param {string[]} folders */
export function hashOfTree(folders) {
  const hash = createHash('sha256');
  const visit = (/** @type {string} */ path) => {
    const stat = statSync(path);
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else hash.update(`${path}:${stat.size}:${stat.mtimeMs};`);
  };
  for (const folder of folders) if (existsSync(folder)) visit(folder);
  return hash.digest('hex');
}

/** Does the work only if its key has changed since it last succeeded. @param {string} stamp @param {string} key @param {() => Promise<void>} work */
export async function once(stamp, key, work) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, key);
}
