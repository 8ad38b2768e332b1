import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { enterTemporaryFolder } from './helpers/temporary-folder.ts';

enterTemporaryFolder();

// Twelve or thirteen hours ahead of UTC: in UTC itself nothing fails that takes UTC’s day for the computer’s own. `TZ` names another.
process.env.TZ ??= 'Pacific/Auckland';

/** The files that take longest, started first, so that none runs alone at the end; by default Vitest starts with the largest files. */
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

/** Tests that change their process permanently, or depend on how it was started. */
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

/** Unit, contract, integration and simulator tests. They use loopback only; integration tests have separate files, sockets and keychains. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  // The shell's modules are tested with the same replacement for Electron that the development host uses.
  resolve: { alias: { electron: resolve(import.meta.dirname, 'host', 'electron.ts') } },
  test: {
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Garbage is collected less often: 16 MB for what has just been made is too little for what these tests make. 5 % of their time.
    execArgv: ['--max-semi-space-size=64'],
    // As many as keep two cores busy beside the app tests (run-all.ts); with three the whole took longer.
    maxWorkers: 2,
    // Limits for tests that hang, not for slow ones: a busy machine is not a failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      project('alone', apart, []),
      // Tests that only compute, or whose files, sockets and processes are separate, share a process, which saves half a second a file.
      project('together', ['test/{unit,contract,integration,simulator}/**/*.test.{ts,tsx}'], apart),
    ],
  },
});
