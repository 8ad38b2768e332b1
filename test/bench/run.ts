import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMissed, judgedRuns } from './support/judge.ts';
import type { Row } from './support/rows.ts';
import { writeHead, writeRow } from './support/table.ts';

/**
 * `npm run bench [-- --only <name>] [--quick] [--check]`: every file of this folder is a subject and runs in a separate process, one
 * after the other. A missed aim is reported and fails the run only with `--check`: then a subject that misses one runs twice more,
 * and a miss by more than the noise of the three runs fails.
 */
const usage = 'usage: npm run bench [-- [--only <subject>]… [--quick] [--check]]';
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const known = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts') && name !== 'run.ts')
  .map((name) => name.replace(/\.ts$/, ''));
const wanted = values.only?.flatMap((name) => name.split(','));
const strange = wanted?.filter((name) => !known.includes(name)) ?? [];
if (strange.length > 0) {
  console.error(`No such subject: ${strange.join(', ')}. There are ${known.join(', ')}.\n${usage}`);
  process.exit(1);
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const flags = values.quick ? ['--quick'] : [];
const all: Row[] = [];
const broken: string[] = [];

print(
  `${new Date().toISOString().slice(0, 10)} · ${availableParallelism()} cores, ${cpus()[0]?.model.trim() || 'unnamed'} · Node ${process.versions.node}`,
);
print(writeHead());
/** The rows of one subject; undefined if it ended without any. */
async function measure(name: string): Promise<Row[] | undefined> {
  const child = fork(
    join(import.meta.dirname, 'support', 'run-subject.ts'),
    [join(import.meta.dirname, `${name}.ts`), ...flags],
    {
      execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  let rows: Row[] | undefined;
  child.on('message', (given) => {
    rows = given as Row[];
    for (const row of rows) print(writeRow(row));
  });
  await once(child, 'exit');
  return rows;
}

const missing = (rows: readonly Row[]) => rows.filter(({ reached }) => reached !== null && reached > 1);
const failed: string[] = [];
for (const name of known.filter((one) => wanted?.includes(one) ?? true)) {
  print(`\n${name}`);
  const rows = await measure(name);
  if (rows === undefined) {
    print('  ended before it gave a figure');
    broken.push(name);
    continue;
  }
  all.push(...rows);
  const doubtful = missing(rows);
  if (!values.check || doubtful.length === 0) continue;
  const runs = [rows];
  while (runs.length < judgedRuns) {
    print(`${name}, run ${runs.length + 1} of ${judgedRuns}`);
    const again = await measure(name);
    if (again === undefined) break;
    runs.push(again);
  }
  for (const { name: of } of doubtful) {
    const reached = runs.flatMap((run) => run.find((row) => row.name === of)?.reached ?? []);
    const shares = reached.map((share) => share.toFixed(2)).join(', ');
    if (isMissed(reached)) failed.push(`${of}: ${shares} of its aim`);
    else print(`  within its noise: ${of}, ${shares} of its aim`);
  }
}

const missed = missing(all);
const met = all.filter(({ reached }) => reached !== null && reached <= 1);
print(`\n${met.length} aims met, ${missed.length} missed${missed.length === 0 ? '' : ':'}`);
for (const { name, ours, other, ratio, aim } of missed)
  print(`  ${name}: ${[ours, other, ratio].filter(Boolean).join(', ')}; aim ${aim}`);
if (broken.length > 0) print(`Not measured: ${broken.join(', ')}`);
if (failed.length > 0) print(`Missed by more than the noise:\n  ${failed.join('\n  ')}`);
if (values.check && failed.length + broken.length > 0) process.exitCode = 1;
