import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

// electron-builder's own reader of YAML; it brings no types.
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown };
const root = resolve(import.meta.dirname, '..', '..');
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

describe.each(workflows)('the workflow %s', (_name, workflow) => {
  it('runs only what the project has', () => {
    const lines = stepsOf(workflow).map(({ run }) => run ?? '');
    const asked = lines.flatMap((line) => [...line.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name = '']) => name));
    expect(asked).toContain('test');
    for (const name of asked) expect(Object.keys(scripts)).toContain(name);
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

  it('may only read, but for the one job that drafts a release', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [name, { permissions }] of Object.entries(workflow.jobs))
      expect(permissions).toEqual(name === 'draft' ? { contents: 'write' } : undefined);
  });

  it('puts nothing that others wrote, and no secret, into a command line', () => {
    for (const { run } of stepsOf(workflow)) expect(run ?? '').not.toContain('${{');
  });
});
