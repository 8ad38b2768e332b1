import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as facts from '../../electron/core/spend/facts.ts';
import * as reconcile from '../../electron/core/spend/reconcile.ts';
import { removeFolder } from '../helpers/folders.ts';
import { mutants } from './mutants.ts';
import { type Rules, sweep } from './rules.ts';
import { createRandom, type Fault, faults, makeWorld, type World } from './world.ts';

/**
 * Tests the rules of claims in worlds whose truth is known: no claim is false, whatever a service does; switching off any rule
 * leads to a false claim; and with an honest service the claims say enough. `npm run soak` runs for longer.
 */
const rules: Rules = { ...reconcile, ...facts };
const all: ReadonlySet<Fault> = new Set(faults);
const noFaults: ReadonlySet<Fault> = new Set();
/** A mutant must be found within this many seeds. */
const within = 2000;

test('no claim about money is false, in worlds with every fault', () => {
  const pairs = new Map<string, number>();
  const lies: string[] = [];
  for (let seed = 1; seed <= 3000; seed += 1) {
    const world = makeWorld(seed, all);
    const seen = [...world.faults].sort();
    for (const [index, one] of seen.entries())
      for (const other of seen.slice(index + 1)) {
        const pair = `${one} + ${other}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    lies.push(...sweep(rules, world).lies);
  }
  expect(lies).toEqual([]);
  const rare = faults.flatMap((one, index) =>
    faults
      .slice(index + 1)
      .map((other) => [one, other].sort().join(' + '))
      .filter((pair) => (pairs.get(pair) ?? 0) < 50),
  );
  expect(rare, 'pairs of faults that met fewer than 50 times').toEqual([]);
});

describe('the simulator detects each rule that is switched off', () => {
  const root = resolve(import.meta.dirname, '..', '..');
  let folder: string;
  let worlds: World[];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'address-console-mutants-'));
    worlds = Array.from({ length: within }, (_, seed) => makeWorld(seed + 1, all));
  });
  afterAll(() => removeFolder(folder));

  test.each(mutants.map((mutant, number) => ({ ...mutant, number })))(
    '$name',
    async ({ file, rule, instead, number }) => {
      const source = readFileSync(join(root, 'electron', 'core', 'spend', `${file}.ts`), 'utf8');
      expect(source.split(rule), 'the text of the rule stands once in the source').toHaveLength(2);
      const spend = join(folder, String(number), 'electron', 'core', 'spend');
      mkdirSync(spend, { recursive: true });
      for (const name of ['facts', 'reconcile'])
        cpSync(join(root, 'electron', 'core', 'spend', `${name}.ts`), join(spend, `${name}.ts`));
      symlinkSync(join(root, 'shared'), join(folder, String(number), 'shared'), 'junction');
      writeFileSync(
        join(spend, `${file}.ts`),
        source.replace(rule, () => instead),
      );
      const mutated: Rules = {
        ...((await import(/* @vite-ignore */ join(spend, 'reconcile.ts'))) as typeof reconcile),
        ...((await import(/* @vite-ignore */ join(spend, 'facts.ts'))) as typeof facts),
      };
      // The horizon is stored in the fact when a call ends, so a mutant of it makes different worlds.
      const theirs = rule.includes('timeoutMs')
        ? worlds.map(({ seed }) => makeWorld(seed, all, 14, mutated.horizonOf))
        : worlds;
      const found = theirs.find((world) => sweep(mutated, world).lies.length > 0);
      expect(found?.seed, 'found by no seed').toBeDefined();
    },
  );
});

describe('on an honest service, with this console alone, claims are informative', () => {
  const bursts = (seed: number, size: number, lost: boolean): { exact: number; sums: number; total: number } => {
    const world = makeHonest(seed, size, lost);
    const { ofCalls, lies } = sweep(rules, world);
    expect(lies).toEqual([]);
    const said = world.calls.filter(({ fact }) => fact.ended?.how !== 'lost').map(({ fact }) => ofCalls.get(fact.id));
    return {
      exact: said.filter((kind) => kind === 'cost' || kind === 'at-price').length,
      sums: said.filter((kind) => kind === 'shared' || kind === 'between').length,
      total: said.length,
    };
  };
  const sum = (rows: { exact: number; sums: number; total: number }[]) =>
    rows.reduce((a, b) => ({ exact: a.exact + b.exact, sums: a.sums + b.sums, total: a.total + b.total }), {
      exact: 0,
      sums: 0,
      total: 0,
    });
  const seeds = Array.from({ length: 300 }, (_, seed) => seed + 1);

  test('one call at a time: says what each cost', () => {
    const { exact, total } = sum(seeds.map((seed) => bursts(seed, 1, false)));
    expect(exact / total).toBeGreaterThanOrEqual(0.99);
  });

  test('bursts of ten: says what each cost, or the sum', () => {
    const { exact, sums, total } = sum(seeds.map((seed) => bursts(seed, 10, false)));
    expect((exact + sums) / total).toBeGreaterThanOrEqual(0.55);
  });

  test('a lost call among ten: claims about the others return once its waiting time is over', () => {
    const { exact, sums, total } = sum(seeds.map((seed) => bursts(seed, 10, true)));
    expect((exact + sums) / total).toBeGreaterThanOrEqual(0.95);
  });
});

/** Runs of calls, each followed by a reading, as the program makes them. With `lost`, one call of each run gets no answer. */
function makeHonest(seed: number, size: number, lost: boolean): World {
  const random = createRandom(seed);
  const world = makeWorld(seed, noFaults, 0);
  const [first] = world.samples;
  if (!first) throw new Error('no sample');
  world.calls.length = 0;
  world.samples.length = 1;
  let { sequence } = first.fact.answered;
  let now = first.answeredAt + 1000;
  let balance = first.fact.credits;
  const moment = () => ({ sequence, at: new Date(now).toISOString(), boot: 'boot-0', elapsedMs: now - 999_940_000 });
  for (let run = 0; run < 3; run += 1) {
    const missing = lost ? Math.floor(random() * size) : -1;
    for (let number = 0; number < size; number += 1) {
      sequence += 1;
      const price = random() < 0.2 ? 2 : 1;
      const sent = moment();
      const sentAt = now;
      now += 100 + Math.floor(random() * 400);
      sequence += 1;
      const how = number === missing ? 'lost' : 'answered';
      world.calls.push({
        fact: {
          id: `run-${run}-${number}`,
          interface: 'rest',
          origins: ['https://service.example'],
          fingerprint: 'k1',
          most: price,
          sent,
          ended: { ...moment(), how, horizonMs: facts.horizonOf(30_000) },
        },
        sentAt,
        endedAt: now,
        closedAt: now + (how === 'lost' ? facts.horizonOf(30_000) : 0),
        charges: [{ at: sentAt + 50, credits: price }],
      });
      balance -= price;
    }
    for (const wait of lost ? [300, 125_000] : [300]) {
      now += wait;
      const asked = moment();
      const askedAt = now;
      now += 50;
      sequence += 1;
      world.samples.push({
        ...first,
        askedAt,
        answeredAt: now,
        shownAt: now - 20,
        fact: {
          ...first.fact,
          id: `after-${run}-${wait}`,
          asked,
          answered: moment(),
          credits: balance,
          used: null,
          total: null,
        },
      });
    }
  }
  Object.assign(first.fact, { used: null, total: null });
  return world;
}
