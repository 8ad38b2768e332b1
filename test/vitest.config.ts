import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Unit, contract and integration tests. They bind loopback only; integration tests have files, sockets and a keychain of their own. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/{unit,contract,integration}/**/*.test.{ts,tsx}'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
