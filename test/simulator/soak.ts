import * as facts from '../../electron/core/spend/facts.ts';
import * as reconcile from '../../electron/core/spend/reconcile.ts';
import { sweep } from './rules.ts';
import { faults, makeWorld } from './world.ts';

// Longer than a test may take: worlds with every fault, seed by seed, until the time is over. `npm run soak -- --minutes N --seed S`.

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  const value = at === -1 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} takes a number.`);
  return value;
};
const minutes = option('minutes', 1);
const first = option('seed', 1);
const until = performance.now() + minutes * 60_000;
const said = new Map<string, number>();
let lies = 0;
let seed = first;
for (; performance.now() < until; seed += 1) {
  // Worlds of different lengths: long ones hold what short ones cannot.
  const verdicts = sweep({ ...reconcile, ...facts }, makeWorld(seed, new Set(faults), 6 + (seed % 40)));
  for (const kind of verdicts.ofCalls.values()) said.set(kind, (said.get(kind) ?? 0) + 1);
  for (const lie of verdicts.lies) console.error(lie);
  lies += verdicts.lies.length;
}
process.stdout.write(
  `Seeds ${first} to ${seed - 1}: ${[...said].map(([kind, count]) => `${count} ${kind}`).join(', ')}.\n`,
);
process.stdout.write(`${lies} false\n`);
process.exitCode = lies === 0 ? 0 : 1;
