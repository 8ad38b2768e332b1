import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The outcome of one test or one check. */
export interface Outcome {
  /** Path relative to the project's root with forward slashes; empty for a check, which has no file. */
  file: string;
  title: string;
  state: 'passed' | 'failed' | 'skipped';
  /** How long the test took; absent for a check. */
  seconds?: number;
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    /** `duration` in milliseconds; absent if the test did not run. */
    assertionResults: { status: string; fullName: string; duration?: number | null }[];
  }[];
}

interface PlaywrightTest {
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  /** Each try, with its duration in milliseconds. */
  results: { duration: number }[];
}

interface PlaywrightSuite {
  specs: { title: string; file: string; tests: PlaywrightTest[] }[];
  suites?: PlaywrightSuite[];
}

/** The tests in Vitest's JSON report; undefined if there is no report. A file that did not load counts as one failed test. */
export function readVitest(report: string, root: string): Outcome[] | undefined {
  const read = readJson<VitestReport>(report);
  return read?.testResults.flatMap(({ name, status, assertionResults }): Outcome[] => {
    const file = relative(root, name).replaceAll('\\', '/');
    const tests = assertionResults.map(({ status, fullName, duration }): Outcome => {
      const state = status === 'passed' || status === 'failed' ? status : 'skipped';
      return { file, title: fullName, state, seconds: (duration ?? 0) / 1000 };
    });
    const silent = status !== 'passed' && tests.every(({ state }) => state !== 'failed');
    return silent ? [...tests, { file, title: 'the file itself', state: 'failed' }] : tests;
  });
}

/** The tests in Playwright's JSON report, whose paths are relative to `folder`; undefined if there is no report. A flaky test counts as failed. */
export function readPlaywright(report: string, folder: string): Outcome[] | undefined {
  const read = readJson<{ suites: PlaywrightSuite[] }>(report);
  const states = { expected: 'passed', unexpected: 'failed', flaky: 'failed', skipped: 'skipped' } as const;
  const walk = ({ specs, suites }: PlaywrightSuite): Outcome[] => [
    ...specs.flatMap(({ title, file, tests }) =>
      tests.map(({ status, results }): Outcome => {
        const seconds = results.reduce((sum, { duration }) => sum + duration, 0) / 1000;
        return { file: `${folder}/${file}`, title, state: states[status], seconds };
      }),
    ),
    ...(suites ?? []).flatMap(walk),
  ];
  return read?.suites.flatMap(walk);
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
