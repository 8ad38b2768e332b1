import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: standIn, shortCircuit: true }
      : next(specifier, context),
});
process.env.ADDRESS_CONSOLE_HOST = 'development host';

// Electron prints a warning for an unhandled rejection, shows an uncaught error, and continues.
process.on('unhandledRejection', (reason) => {
  console.error('UnhandledPromiseRejectionWarning:', reason);
});
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return;
  console.error('A JavaScript error occurred in the main process:', error);
});

const [main] = process.argv.slice(2);
if (main === undefined) throw new Error('usage: node test/host/run.ts <built main>');
// Arguments as in Electron: a packaged program's argv has no path of a main file before its arguments.
process.argv.splice(1, process.env.ADDRESS_CONSOLE_HOST_PACKAGED === '1' ? 2 : 1);
const { admitsArguments, app } = await import('./app.ts');
if (!admitsArguments(process.argv)) process.exit(255);
const { ownSession } = await import('./session.ts');
// Quits as when the window is closed: calls are cancelled, the demo service stops, the database is closed.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
await import(pathToFileURL(resolve(main)).href);
setImmediate(() => {
  app.becomeReady();
  setImmediate(() => void ownSession.fetchDictionaries());
});
