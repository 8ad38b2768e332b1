import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { app, BrowserWindow } from 'electron';
import type { AppCore } from '../core/app-core.ts';
import { createDecoder } from '../core/decode/decoder.ts';
import { readSystemRoots } from '../core/transport/connect/system-roots.ts';
import { isPackaged } from './packaged.ts';

/** Which parts of the running program work: of the package, not of a service. */
export interface SelfCheck {
  packaged: boolean;
  version: string;
  electron: string | null;
  /** The demo service's worker answered. */
  demoWorker: boolean;
  /** The decoding worker answered. */
  decodeWorker: boolean;
  /** SQLite has its full-text search. */
  fullText: boolean;
  /** Certificates of the system's store; null: they cannot be listed. */
  systemRoots: number | null;
  /** The window has shown its page. */
  window: boolean;
}

/** Tries each part that a package may lack and writes the results as JSON into a file. */
export async function writeSelfCheck(
  file: string,
  { demo }: Pick<AppCore, 'demo'>,
  decodeWorker: string,
): Promise<void> {
  const started = await demo.start();
  const check: SelfCheck = {
    packaged: isPackaged,
    version: app.getVersion(),
    electron: process.versions.electron ?? null,
    demoWorker: started.ok,
    decodeWorker: await decodes(decodeWorker),
    fullText: searches(),
    systemRoots: (await readSystemRoots())?.length ?? null,
    window: await isShown(),
  };
  writeFileSync(file, `${JSON.stringify(check)}\n`, { mode: 0o600 });
}

/** Whether the worker rejects a text that is no answer, which only a running worker does. */
async function decodes(workerPath: string): Promise<boolean> {
  const decoder = createDecoder({ workerPath, threshold: 0 });
  const { result } = await decoder.decode({
    operation: 'ServiceTest',
    namespace: 'urn:none',
    result: 'string',
    body: new TextEncoder().encode('no envelope'),
    contentType: 'text/xml',
    status: 200,
    secrets: [],
  });
  await decoder.close();
  return !result.ok && result.error.code !== 'internal';
}

function searches(): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec("CREATE VIRTUAL TABLE words USING fts5(word); INSERT INTO words VALUES ('Hereford')");
    return database.prepare("SELECT count(*) AS found FROM words('hereford')").get()?.found === 1;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

function isShown(): Promise<boolean> {
  const [window] = BrowserWindow.getAllWindows();
  if (!window) return Promise.resolve(false);
  if (window.isVisible()) return Promise.resolve(true);
  return new Promise((done) => window.once('show', () => done(true)));
}
