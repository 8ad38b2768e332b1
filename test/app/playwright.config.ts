import { defineConfig } from 'playwright/test';
import { enterTemporaryFolder } from '../helpers/temporary-folder.ts';

enterTemporaryFolder();

/** Tests of the built program, used as a person would. No retries: a test that passes only the second time has found a fault. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  // Limits for tests that hang, not for slow ones: a busy machine is not a failure.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  retries: 0,
  workers: 2,
  fullyParallel: true,
  reporter: process.env.ADDRESS_CONSOLE_REPORT
    ? [['list'], ['json', { outputFile: process.env.ADDRESS_CONSOLE_REPORT }]]
    : 'list',
});
