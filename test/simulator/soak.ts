import * as facts from '../../electron/core/spend/facts.ts';
import * as reconcile from '../../electron/core/spend/reconcile.ts';
import { soakOffice } from './office-soak.ts';
import { sweep } from './rules.ts';
import { faults, makeWorld } from './world.ts';

// Runs that take too long for a test. `npm run soak -- --minutes N --seed S`: worlds with every fault, seed by seed, until the time is over.
// `npm run soak -- --days N --seed S`: office days through the whole program; 250 are a year.

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  const value = at === -1 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} takes a number.`);
  return value;
};
const first = option('seed', 1);
const days = option('days', 0);

function soakWorlds(minutes: number): boolean {
  const until = performance.now() + minutes * 60_000;
  const said = new Map<string, number>();
  let lies = 0;
  let seed = first;
  for (; performance.now() < until; seed += 1) {
    // Worlds of different lengths, because some combinations occur only in long ones.
    const verdicts = sweep({ ...reconcile, ...facts }, makeWorld(seed, new Set(faults), 6 + (seed % 40)));
    for (const kind of verdicts.ofCalls.values()) said.set(kind, (said.get(kind) ?? 0) + 1);
    for (const lie of verdicts.lies) console.error(lie);
    lies += verdicts.lies.length;
  }
  process.stdout.write(
    `Seeds ${first} to ${seed - 1}: ${[...said].map(([kind, count]) => `${count} ${kind}`).join(', ')}.\n`,
  );
  process.stdout.write(`${lies} false\n`);
  return lies === 0;
}

const isGood = days > 0 ? await soakOffice(days, first) : soakWorlds(option('minutes', 1));
process.exitCode = isGood ? 0 : 1;
