import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageConfig } from '../../../build/package/config.ts';

// The YAML reader that electron-builder uses; it has no types.
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown };
const root = resolve(import.meta.dirname, '..', '..', '..');
const folder = join(root, '.github', 'workflows');

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}
interface Job {
  'runs-on': string;
  strategy?: { matrix: { os: string[] } };
  permissions?: Record<string, string>;
  env?: Record<string, string>;
  steps: Step[];
}
interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflows = readdirSync(folder).map(
  (name) => [name, load(readFileSync(join(folder, name), 'utf8')) as Workflow] as const,
);
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
  .scripts;

it('one job runs the same tests on the development host, without Electron', () => {
  const jobs = workflows.flatMap(([, workflow]) => Object.values(workflow.jobs));
  const without = jobs.filter(({ env }) => env?.ADDRESS_CONSOLE_WITHOUT_ELECTRON === '1');
  expect(without).toHaveLength(1);
  const runs = without.flatMap(({ steps }) => steps.map(({ run }) => run ?? '')).join('\n');
  expect(runs).toContain('npm test');
  expect(runs).not.toContain('electron/install.js');
});

it('a release starts the program installed from its package, on each system, where the package installs it', () => {
  const { productName = '', linux } = packageConfig({});
  const places = {
    '/i': `$env:ProgramFiles\\${productName}\\${productName}.exe`,
    'hdiutil attach': `/Applications/${productName}.app/Contents/MacOS/${productName}`,
    'apt-get install -y ./out/': `/opt/${productName}/${linux?.executableName}`,
  };
  const steps = workflows.find(([name]) => name === 'release.yml')?.[1].jobs.package?.steps ?? [];
  const made = steps.findIndex(({ run }) => run === 'npm run package');
  for (const [how, place] of Object.entries(places)) {
    const at = steps.findIndex(({ run }) => run?.includes(how) && run.includes(`start-once.ts "${place}"`));
    expect(at, place).toBeGreaterThan(made);
  }
});

describe.each(workflows)('the workflow %s', (name, workflow) => {
  it('runs only what the project has', () => {
    const lines = stepsOf(workflow).map(({ run }) => run ?? '');
    const asked = lines.flatMap((line) => [...line.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name = '']) => name));
    expect(asked).toContain('test');
    for (const script of asked) expect(Object.keys(scripts)).toContain(script);
    const files = lines.flatMap((line) =>
      [...line.matchAll(/node ((?:build|test)\/\S+)/g)].map(([, file = '']) => file),
    );
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  });

  it('tests on all three systems, on real Electron, before anything else is made', () => {
    const job = Object.values(workflow.jobs)[0];
    expect(job?.strategy?.matrix.os.map((os) => os.replace(/-.*/, '')).sort()).toEqual(['macos', 'ubuntu', 'windows']);
    const runs = (job?.steps ?? []).map(({ run }) => run ?? '');
    const at = (text: string) => runs.findIndex((run) => run.includes(text));
    expect(at('electron/install.js')).toBeGreaterThan(-1);
    expect(at('electron/install.js')).toBeLessThan(at('npm test'));
    if (at('npm run package') !== -1) expect(at('npm test')).toBeLessThan(at('npm run package'));
  });

  it('may only read, except for the one job that drafts a release', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [job, { permissions }] of Object.entries(workflow.jobs))
      expect(permissions).toEqual(job === 'draft' ? { contents: 'write' } : undefined);
  });

  // The owner of a tag can move it to other code; a commit cannot be changed. A comment has the tag of each commit.
  it('pins each action to one commit, the same everywhere', () => {
    const text = readFileSync(join(folder, name), 'utf8');
    const uses = [...text.matchAll(/uses: (\S+)(.*)/g)];
    for (const [, action, comment] of uses) {
      expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
      expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
    const pins = new Set(uses.map(([, action = '']) => action));
    expect(pins.size).toBe(new Set([...pins].map((pin) => pin.split('@')[0])).size);
  });

  it('puts no text from outside and no secret into a command line', () => {
    for (const { run } of stepsOf(workflow)) expect(run ?? '').not.toContain('${{');
  });
});
