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

/** Tests that change their process for good, or read how it began. */
const apart = [
  'test/integration/{build,cli,host,updates}/**/*.test.ts',
  'test/integration/connections/keychain-*.test.ts',
  'test/integration/faults/{program,state}.test.ts',
  'test/integration/interface/{faults,hostile-answers}.test.ts',
  'test/integration/transport/{roots,certificates-always}.test.ts',
  'test/unit/{shell,window}/**/*.test.{ts,tsx}',
];

const project = (name: string, include: string[], exclude: string[]) => ({
  extends: true as const,
  test: { name, include, exclude, isolate: name === 'alone' },
});

/** Unit, contract and integration tests. They bind loopback only; integration tests have files, sockets and a keychain of their own. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  // The shell's modules are tested against the same stand-in that the development host runs them on.
  resolve: { alias: { electron: resolve(import.meta.dirname, 'host', 'electron.ts') } },
  test: {
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Most of these tests wait, for a socket, a disk or a child: more of them than cores is quicker. Not many more: the app tests run beside them.
    maxWorkers: 3,
    // Limits for what hangs, not for what is slow: a busy machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      project('alone', apart, []),
      // What only computes, or has its files, sockets and processes for itself, shares a process with others: half a second a file.
      project('together', ['test/{unit,contract,integration,simulator}/**/*.test.{ts,tsx}'], apart),
    ],
  },
});
