import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let held: { server: Server; path: string } | undefined;

/**
 * Allows one instance for each data folder. The first listens on a local socket; a second sends its arguments there and fails to get the
 * lock. It fails alike if the folder or the socket cannot be made, as Chromium's does (LOCK_ERROR in electron_api_app.cc).
 */
export function takeLock(
  folder: string,
  args: readonly string[],
  data: unknown,
  onSecond: (argv: string[], cwd: string, data: unknown) => void,
): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) return false;
    // Chromium makes a folder there for its socket (ProcessSingleton::Create in process_singleton_posix.cc).
    if (process.platform === 'linux') rmdirSync(mkdtempSync(join(tmpdir(), 'address-console-')));
  } catch {
    return false;
  }
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\address-console-${name}`
      : join(tmpdir(), `address-console-${name}.sock`);
  if (knock(path, args, data)) return false;
  if (process.platform !== 'win32' && existsSync(path)) rmSync(path);
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', () => {});
    socket.on('end', () => {
      const [argv, cwd, given] = JSON.parse(text) as [string[], string, unknown];
      onSecond(argv, cwd, given);
      socket.end();
    });
  });
  server.listen(path).unref();
  held = { server, path };
  process.on('exit', freeLock);
  return true;
}

export function freeLock(): void {
  if (!held) return;
  held.server.close();
  if (process.platform !== 'win32') rmSync(held.path, { force: true });
  held = undefined;
}

/**
 * Sends the data in a short child process, because Electron's call is synchronous. As long as Chromium waits for a first instance that does
 * not answer: 20 s (process_singleton_posix.cc, kTimeoutInSeconds).
 */
function knock(path: string, args: readonly string[], data: unknown): boolean {
  if (process.platform !== 'win32' && !existsSync(path)) return false;
  const said = JSON.stringify([args, process.cwd(), data]);
  const script = `const s = require('node:net').connect({ path: ${JSON.stringify(path)}, allowHalfOpen: true }); s.on('connect', () => s.end(process.argv[1])); s.resume().on('end', () => process.exit(0)); s.on('error', () => process.exit(1));`;
  return spawnSync(process.execPath, ['-e', script, said], { timeout: 20_000 }).status === 0;
}
