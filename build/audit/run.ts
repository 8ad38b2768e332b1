import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gatherLicences } from '../licences.ts';
import { type Answer, compareFindings, type Finding } from './findings.ts';
import { findDrift } from './pins.ts';

// npm run audit: checks the program with tools of others. Exits with 1 if one of them reports something without an answer.

const root = resolve(import.meta.dirname, '..', '..');
const say = (text: string) => process.stderr.write(`${text}\n`);
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const npm = (args: string[], cwd = root) =>
  spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  });

/** The last published version. Its dependencies are old, so it is installed in a separate folder and without running their scripts. */
const scanner = '@doyensec/electronegativity@1.10.3';

/** Checks Electron’s security rules with a scanner that is not ours. Returns what is wrong. */
function lookAtElectron(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-audit-'));
  try {
    const tool = join(folder, 'tool');
    // A separate project, so that npm installs into this folder and no path has to pass through cmd.exe.
    mkdirSync(tool);
    writeFileSync(join(tool, 'package.json'), '{}');
    const got = npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', scanner], tool);
    if (got.status !== 0)
      return [`${scanner} could not be installed, so nothing was looked at: ${got.stderr.trim().split('\n')[0]}`];
    const sources = join(folder, 'sources');
    for (const part of ['electron', 'renderer', 'shared'])
      cpSync(join(root, part), join(sources, part), { recursive: true });
    const scan = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'scan.mjs'), join(tool, 'node_modules'), sources],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    if (scan.status !== 0) return [`${scanner} ended with ${scan.status}: ${scan.stderr.trim().split('\n').at(-1)}`];
    const { found, unread } = JSON.parse(scan.stdout.trim().split('\n').at(-1) ?? '') as {
      found: Finding[];
      unread: string[];
    };
    const answers = readJson('build', 'audit', 'answers.json') as Answer[];
    say(`electronegativity: ${found.length} findings, ${answers.length} answered in build/audit/answers.json.`);
    return [
      ...compareFindings(found, answers),
      ...unread.map((file) => `${file} could not be read by electronegativity`),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Looks for known weaknesses: of any kind in what is shipped unbundled, high or critical ones in all packages. Returns what is wrong. */
function lookForWeaknesses(): string[] {
  const wrong: string[] = [];
  for (const [what, args, kinds] of [
    ['what is shipped beside the bundles', ['--omit=dev'], ['info', 'low', 'moderate', 'high', 'critical']],
    // npm counts the packages in the bundles as development dependencies, so these are checked too.
    ['everything', [], ['high', 'critical']],
  ] as const) {
    const { stdout } = npm(['audit', '--json', ...args]);
    const answer = (() => {
      try {
        return JSON.parse(stdout) as { metadata?: { vulnerabilities: Record<string, number> }; message?: string };
      } catch {
        return {};
      }
    })();
    if (!answer.metadata) {
      say(`npm audit, ${what}: not looked at, the registry in use offers none (${answer.message ?? 'no answer'}).`);
      continue;
    }
    const counts = answer.metadata.vulnerabilities;
    say(`npm audit, ${what}: ${counts.total ?? 0} known weaknesses.`);
    for (const kind of kinds) if (counts[kind]) wrong.push(`npm audit, ${what}: ${counts[kind]} of kind ${kind}`);
  }
  return wrong;
}

function lookAtPins(): string[] {
  const wrong = findDrift(readJson('package.json'), readJson('package-lock.json'));
  say(`Dependencies: ${wrong.length === 0 ? 'each one exact, as locked, with its hash' : 'not as they should be'}.`);
  return wrong;
}

function lookAtLicences(): string[] {
  try {
    const licences = gatherLicences(join(root, 'dist'), join(root, 'node_modules'));
    say(`Licences: ${licences.length} parts of the program, all on the list.`);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

const wrong = [...lookAtPins(), ...lookAtLicences(), ...lookForWeaknesses(), ...lookAtElectron()];
for (const one of wrong) say(`✗ ${one}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
