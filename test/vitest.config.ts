import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { enterTemporaryFolder } from './helpers/temporary-folder.ts';

enterTemporaryFolder();

/** Unit, contract and integration tests. They bind loopback only; integration tests have files, sockets and a keychain of their own. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  // The shell's modules are tested against the same stand-in that the development host runs them on.
  resolve: { alias: { electron: resolve(import.meta.dirname, 'host', 'electron.ts') } },
  test: {
    include: ['test/{unit,contract,integration,simulator}/**/*.test.{ts,tsx}'],
    pool: 'forks',
    // Most of these tests wait, for a socket, a disk or a child: more of them than cores is quicker.
    maxWorkers: 4,
    // Limits for what hangs, not for what is slow: a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
