import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One instance for each data folder: the first listens on a local socket, a second knocks there and gives up. */
export function takeLock(folder: string, onSecond: () => void): boolean {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\address-console-${name}`
      : join(tmpdir(), `address-console-${name}.sock`);
  if (knock(path)) return false;
  if (process.platform !== 'win32' && existsSync(path)) rmSync(path);
  const server = createServer((socket) => {
    socket.destroy();
    onSecond();
  });
  server.listen(path).unref();
  if (process.platform !== 'win32') process.on('exit', () => rmSync(path, { force: true }));
  return true;
}

/** Electron's call is synchronous, so the knock is a short child process. */
function knock(path: string): boolean {
  if (process.platform !== 'win32' && !existsSync(path)) return false;
  const script = `const s = require('node:net').connect(${JSON.stringify(path)}); s.on('connect', () => process.exit(0)); s.on('error', () => process.exit(1));`;
  return spawnSync(process.execPath, ['-e', script], { timeout: 3000 }).status === 0;
}
