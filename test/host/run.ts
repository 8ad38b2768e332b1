import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
process.env.ADDRESS_CONSOLE_HOST = 'development host';

const [main] = process.argv.slice(2);
if (main === undefined) throw new Error('usage: node test/host/run.ts <built main>');
await import(pathToFileURL(resolve(main)).href);

// The same way out as closing the window: calls are cancelled, the demo service stops, the database closes.
const { app } = await import('./app.ts');
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
