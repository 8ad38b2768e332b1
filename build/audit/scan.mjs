// Runs electronegativity from the folder in which it was installed and prints what it found as JSON.
// Usage: node scan.mjs <folder of node_modules> <folder to look at>
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [modules = '', input = ''] = process.argv.slice(2);
const require = createRequire(join(modules, 'scan.cjs'));

// It would fetch translations and Electron's releases. Here every request is rejected, so that the result does not depend on the network.
const got = require.resolve('got');
require.cache[got] = /** @type {any} */ ({
  id: got,
  filename: got,
  loaded: true,
  exports: Object.assign(() => Promise.reject(new Error('offline')), { __esModule: false }),
});

/** @type {string} */
const tool = '@doyensec/electronegativity';
const run = require(tool);
const { issues, errors } = await run({
  input,
  isRelative: true,
  // The newest version whose defaults it knows. Later versions have stricter defaults.
  electronVersionOverride: '30.0.0',
  excludeFromScan: ['availablesecurityfixesglobalcheck'],
});
const found = issues.map((/** @type {any} */ one) => ({
  check: one.id,
  file: one.file === 'N/A' ? '' : one.file.replaceAll('\\', '/'),
  line: one.location?.line ?? 0,
}));
// It prints other lines before, so the caller reads the last line.
process.stdout.write(`\n${JSON.stringify({ found, unread: errors.map((/** @type {any} */ one) => one.file) })}\n`);
