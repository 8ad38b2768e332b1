// Runs on Node 20 before anything is installed: Node's own modules only.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
export const inRoot = (/** @type {string[]} */ ...parts) => join(root, ...parts);

/** Progress goes to standard error, so that a command's own output stays clean. */
export const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/** Ends the program with one sentence that says what to do. @returns {never} */
export function giveUp(/** @type {string} */ text) {
  say(text);
  process.exit(1);
}

/** The toolchain's Node: the `node` npm package, at Electron's major. */
export const toolchainNode = () =>
  inRoot('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** PATH with the toolchain's Node and the installed commands first; what Node makes of the sources is kept, which halves its start. */
export const environment = () => ({
  ...process.env,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inRoot('node_modules', '.address-console', 'compiled'),
  PATH: [dirname(toolchainNode()), inRoot('node_modules', '.bin'), process.env.PATH ?? ''].join(
    process.platform === 'win32' ? ';' : ':',
  ),
});

/**
 * Runs a command to its end with its output shown; resolves with its exit status.
 * @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: environment(), ...options });
    const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
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

/** True where a command answers. @param {string} command @param {string[]} args */
export const answers = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A hash over files' contents. @param {string[]} paths */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(existsSync(path) ? readFileSync(path) : '');
  return hash.digest('hex');
}

/** A hash over names, sizes and times of all files below some folders: what tells that a build is out of date. @param {string[]} folders */
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

/** Does a piece of work only where its key has changed since it last succeeded. @param {string} stamp @param {string} key @param {() => Promise<void>} work */
export async function once(stamp, key, work) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, key);
}
