import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The outcome of one test or one check. */
export interface Outcome {
  /** Path relative to the project's root with forward slashes; empty for a check, which has no file. */
  file: string;
  title: string;
  state: 'passed' | 'failed' | 'skipped';
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

interface PlaywrightSuite {
  specs: { title: string; file: string; tests: { status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[] }[];
  suites?: PlaywrightSuite[];
}

/** The tests in Vitest's JSON report; undefined if there is no report. A file that did not load counts as one failed test. */
export function readVitest(report: string, root: string): Outcome[] | undefined {
  const read = readJson<VitestReport>(report);
  return read?.testResults.flatMap(({ name, status, assertionResults }): Outcome[] => {
    const file = relative(root, name).replaceAll('\\', '/');
    const tests = assertionResults.map(({ status: state, fullName }): Outcome => {
      return { file, title: fullName, state: state === 'passed' || state === 'failed' ? state : 'skipped' };
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
      tests.map(({ status }): Outcome => ({ file: `${folder}/${file}`, title, state: states[status] })),
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
