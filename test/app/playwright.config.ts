import { defineConfig } from 'playwright/test';
import { enterTemporaryFolder } from '../helpers/temporary-folder.ts';

enterTemporaryFolder();

/** The built program, driven as a person would. No retries: a test that passes only the second time has found something. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  // Limits for what hangs, not for what is slow: a busy machine is no failure.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  retries: 0,
  workers: 2,
  fullyParallel: true,
  reporter: process.env.ADDRESS_CONSOLE_REPORT
    ? [['list'], ['json', { outputFile: process.env.ADDRESS_CONSOLE_REPORT }]]
    : 'list',
});
