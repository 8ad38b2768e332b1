import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Row } from './support/rows.ts';
import { writeHead, writeRow } from './support/table.ts';

/**
 * `npm run bench [-- --only <name>] [--quick]`: every file of this folder is a subject and runs in a process of its own, one after
 * the other. A missed aim is said and is no failure of the run.
 */
const usage = 'usage: npm run bench [-- [--only <subject>]… [--quick]]';
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, quick: { type: 'boolean', default: false } },
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
for (const name of known.filter((one) => wanted?.includes(one) ?? true)) {
  const file = join(import.meta.dirname, `${name}.ts`);
  print(`\n${name}`);
  const child = fork(join(import.meta.dirname, 'support', 'run-subject.ts'), [file, ...flags], {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let rows: Row[] | undefined;
  child.on('message', (given) => {
    rows = given as Row[];
    for (const row of rows) print(writeRow(row));
    all.push(...rows);
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (rows === undefined) {
    print(`  ended with ${status} before it gave a figure`);
    broken.push(name);
  }
}

const missed = all.filter(({ met }) => met === false);
const met = all.filter((row) => row.met === true);
print(`\n${met.length} aims met, ${missed.length} missed${missed.length === 0 ? '' : ':'}`);
for (const { name, ours, other, ratio, aim } of missed)
  print(`  ${name}: ${[ours, other, ratio].filter(Boolean).join(', ')}; aim ${aim}`);
if (broken.length > 0) print(`Not measured: ${broken.join(', ')}`);
