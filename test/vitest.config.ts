import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { enterTemporaryFolder } from './helpers/temporary-folder.ts';

enterTemporaryFolder();

/** Files that take longest: begun first, so that none of them is alone at the end. Vitest begins with the largest, and these are short. */
const longest = [
  'integration/faults/program.test.ts',
  'integration/licences/bulk-http.test.ts',
  'integration/licences/sigkill.test.ts',
  'integration/licences/kill.test.ts',
  'integration/licences/bulk.test.ts',
  'integration/lookup/spending.test.ts',
  'integration/cli/secrets.test.ts',
  'integration/build/built-program.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = longest.length;
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? others : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Unit, contract and integration tests. They bind loopback only; integration tests have files, sockets and a keychain of their own. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  // The shell's modules are tested against the same stand-in that the development host runs them on.
  resolve: { alias: { electron: resolve(import.meta.dirname, 'host', 'electron.ts') } },
  test: {
    include: ['test/{unit,contract,integration,simulator}/**/*.test.{ts,tsx}'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Most of these tests wait, for a socket, a disk or a child: more of them than cores is quicker.
    maxWorkers: 4,
    // Limits for what hangs, not for what is slow: a busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
