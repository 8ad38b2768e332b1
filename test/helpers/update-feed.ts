import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { ProgramAdapter } from '../../electron/core/updates/update-engine.ts';
import { listenOnLoopback } from './loopback.ts';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface UpdateFeed {
  /** The folder of releases. */
  address: string;
  origin: string;
  /** What is served, by the path below the server's root. A list of versions is served under every system's name of it. */
  files: Map<string, string | Buffer | Answer>;
  /** Requests as they came: the first line, then the headers. */
  requests: { line: string; headers: Record<string, string> }[];
  close(): Promise<void>;
}

/** A folder of releases over real HTTP on loopback. `list` is latest.yml, latest-mac.yml, latest-linux.yml and the like. */
export async function startUpdateFeed(): Promise<UpdateFeed> {
  const files: UpdateFeed['files'] = new Map();
  const requests: UpdateFeed['requests'] = [];
  const server = createServer((request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    requests.push({ line: `${request.method} ${request.url}`, headers });
    const path = new URL(request.url ?? '/', 'http://feed').pathname;
    const wanted = files.get(path) ?? (/^\/releases\/latest[\w-]*\.yml$/.test(path) ? files.get('list') : undefined);
    if (typeof wanted === 'function') wanted(response, request);
    else if (wanted === undefined) response.writeHead(404).end('not here');
    else response.writeHead(200, { 'content-length': Buffer.byteLength(wanted) }).end(wanted);
  });
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    address: `${origin}/releases`,
    origin,
    files,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const sha512 = (content: string | Buffer): string => createHash('sha512').update(content).digest('base64');

/** A list of versions as electron-builder writes one. */
export function versionList(version: string, file: { name: string; content: string }, more = ''): string {
  return `version: ${version}
files:
  - url: ${file.name}
    sha512: ${sha512(file.content)}
    size: ${Buffer.byteLength(file.content)}
path: ${file.name}
sha512: ${sha512(file.content)}
releaseDate: '2026-11-02T10:00:00.000Z'
${more}`;
}

/** A packaged program in a folder, as electron-updater sees one; nothing of it can end this process. */
export function programIn(folder: string, version = '1.0.0'): ProgramAdapter {
  mkdirSync(join(folder, 'data'), { recursive: true });
  const config = join(folder, 'app-update.yml');
  writeFileSync(
    config,
    'provider: generic\nurl: https://address-console.invalid\nupdaterCacheDirName: address-console-updater\n',
  );
  return {
    version,
    name: 'Address Console',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: join(folder, 'data'),
    baseCachePath: join(folder, 'cache'),
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  };
}
