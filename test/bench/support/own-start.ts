import { EventEmitter } from 'node:events';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { wire } from '../../../electron/ipc/wire.ts';

/**
 * A process of its own: `own-start.ts <built main>` runs the built main in the place of Electron, which here does nothing, and
 * prints what its first line to the first answered channel took. What Electron, or the development host, does by itself is not in it.
 */
export interface OwnStart {
  /** Milliseconds of processor time: of main's thread, and of all threads of the process. */
  thread: number;
  process: number;
  /** Milliseconds by the clock. */
  clock: number;
}

/** A stand-in that returns itself for every property, call and construction. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for whatever there is.
const nothing: any = new Proxy(() => {}, {
  get: (_, name) => (name === 'then' || typeof name === 'symbol' ? undefined : nothing),
  apply: () => nothing,
  construct: () => nothing,
});
const over = (own: object) =>
  new Proxy(own, { get: (of, name) => (name in of ? Reflect.get(of, name) : Reflect.get(nothing, name)) });

const handlers = new Map<string, (event: object, ...given: unknown[]) => Promise<{ ok: boolean }>>();
const frame = { url: 'app://console/index.html' };
const ready = new EventEmitter();

class BrowserWindow extends EventEmitter {
  static getAllWindows = () => [];
  webContents: object = over({ mainFrame: frame, on: () => {}, send: () => {} });
  async loadURL(): Promise<void> {
    // In a turn of its own, as messages arrive.
    setImmediate(() => ready.emit('asked', this.webContents));
  }
}
const electron = {
  app: over({
    isPackaged: false,
    commandLine: { hasSwitch: () => false, appendSwitch: () => {} },
    requestSingleInstanceLock: () => true,
    getPath: () => process.env.ADDRESS_CONSOLE_DATA_FOLDER,
    getName: () => 'Address Console',
    getVersion: () => '0.0.0',
    whenReady: () => new Promise<void>((done) => setImmediate(done)),
    resolveProxy: async () => 'DIRECT',
  }),
  BrowserWindow,
  Notification: nothing,
  Menu: nothing,
  ClipboardItem: nothing,
  clipboard: { readText: async () => '' },
  dialog: nothing,
  nativeTheme: { shouldUseDarkColors: false },
  powerMonitor: nothing,
  powerSaveBlocker: nothing,
  protocol: nothing,
  shell: nothing,
  session: nothing,
  ipcMain: {
    handle: (channel: string, handler: (event: object) => Promise<{ ok: boolean }>) => handlers.set(channel, handler),
  },
};
Object.assign(globalThis, { electron });
const source = `const { ${Object.keys(electron).join(', ')} } = globalThis.electron; export { ${Object.keys(electron).join(', ')} };`;
const url = `data:text/javascript,${encodeURIComponent(source)}`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main' ? { url, shortCircuit: true } : next(specifier, context),
});
// Read before the clock starts, as Electron does, together with Node's own code for loading a module from a file.
createRequire(import.meta.url)('node:fs');

const [main = ''] = process.argv.slice(2);
process.argv.splice(1, 2, main);
const asked = new Promise<object>((done) => ready.once('asked', done));
const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;
const before = {
  clock: performance.now(),
  process: milliseconds(process.cpuUsage()),
  thread: milliseconds(process.threadCpuUsage()),
};
await import(pathToFileURL(main).href);
const sender = await asked;
const answer = await handlers.get(wire.invoke)?.({ sender, senderFrame: frame }, 'app.info', 'first', {});
const took: OwnStart = {
  thread: milliseconds(process.threadCpuUsage()) - before.thread,
  process: milliseconds(process.cpuUsage()) - before.process,
  clock: performance.now() - before.clock,
};
if (!answer?.ok) throw new Error(`the first channel was not answered: ${JSON.stringify(answer)}`);
process.stdout.write(`${JSON.stringify(took)}\n`);
process.exit();
