import {
  type CallFact,
  type Ending,
  type Moment,
  horizonOf as ownHorizonOf,
  type SampleFact,
} from '../../electron/core/spend/facts.ts';
import type { Purse } from '../../electron/core/storage/one-balance.ts';

/**
 * Worlds whose truth is known. A service charges late, twice, less or never, refuses and charges, refunds, or answers from a stale copy; others
 * spend, credits are added and expire; two processes of the program make calls and readings, are killed, sleep, and have clocks that jump.
 * What the program can know becomes facts; the truth stays here, for the judge.
 */

export const faults = [
  'late-charge',
  'very-late-charge',
  'double-charge',
  'charged-less',
  'charged-more',
  'free-though-priced',
  'charged-though-refused',
  'charged-though-lost',
  'refund',
  'other-spender',
  'top-up',
  'stale-read',
  'free-call-costs',
  'killed',
  'clock-jump',
  'sleep',
  'reboot',
  'separate-balances',
  'odd-figures',
] as const;
export type Fault = (typeof faults)[number];

/** What a call really did, besides what the program knows of it. */
export interface TrueCall {
  fact: CallFact;
  /** When it was sent, when it really ended, and when its horizon really ended, in milliseconds of true time. */
  sentAt: number;
  endedAt: number;
  closedAt: number;
  charges: { at: number; credits: number }[];
}

export interface TrueSample {
  fact: SampleFact;
  askedAt: number;
  answeredAt: number;
  /** The time whose balance it shows. */
  shownAt: number;
  stale: boolean;
}

/** A change of a balance that no call of this program caused. */
interface OtherChange {
  at: number;
  purse: string;
  kind: 'other' | 'added' | 'free-call';
  credits: number;
}

export interface World {
  seed: number;
  faults: ReadonlySet<Fault>;
  calls: TrueCall[];
  samples: TrueSample[];
  changes: OtherChange[];
  /** The balance from which a key is charged; keys may share one. */
  purseOf(fingerprint: string): string;
}

const origin = 'https://service.example';
export const purses: readonly Purse[] = [
  { origin, fingerprint: 'k1' },
  { origin, fingerprint: 'k2' },
];

/** Pseudo-random numbers from 0 up to but not including 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Process {
  name: number;
  boot: number;
  start: { sequence: number; elapsedMs: number };
  open: Set<TrueCall>;
}

/** How long a charge for a lost call must be waited for, in milliseconds; written independently of the program's rule. */
const dueHorizon = (timeoutMs: number): number => (timeoutMs > 60_000 ? timeoutMs * 2 : 120_000);

/**
 * A world of some steps. `allowed` are the faults that may happen; with none the service is honest and only this program spends. `horizonOf`
 * is the program's rule, whose result is stored in its facts.
 */
export function makeWorld(seed: number, allowed: ReadonlySet<Fault>, steps = 14, horizonOf = ownHorizonOf): World {
  const random = createRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const chosen = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const happened = new Set<Fault>();
  const happens = (fault: Fault, chance: number): boolean => {
    if (!allowed.has(fault) || random() >= chance) return false;
    happened.add(fault);
    return true;
  };

  let now = 1_000_000_000;
  let sequence = 0;
  let wallOffset = 0;
  let slept = 0;
  let boot = 0;
  let bootStartedAt = now - 60_000;
  const separate = happens('separate-balances', 0.3);
  const shapeB = random() < 0.4;
  // Systems that have no id of their boot: each process then counts as a separate boot, on the same clock.
  const bootless = random() < 0.4;
  const purseOf = (fingerprint: string) => (separate ? fingerprint : 'shared');
  const calls: TrueCall[] = [];
  const samples: TrueSample[] = [];
  const changes: OtherChange[] = [];
  const elapsed = () => now - bootStartedAt - slept;
  let started = 0;
  const start = (): Process => ({ name: started++, boot, start: { sequence, elapsedMs: elapsed() }, open: new Set() });
  const processes: Process[] = [start(), start()];

  const moment = (at: number, process: Process): Moment => ({
    sequence,
    at: new Date(at + wallOffset).toISOString(),
    boot: bootless ? `process-${process.name}` : `boot-${boot}`,
    elapsedMs: elapsed(),
  });

  /** Everything that is due to happen, in order of time. */
  let agenda: { at: number; order: number; run(): void }[] = [];
  let order = 0;
  const plan = (at: number, run: () => void) => {
    agenda.push({ at, order: order++, run });
  };
  function advance(until: number): void {
    for (;;) {
      const next = agenda.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!next) break;
      agenda = agenda.filter((one) => one !== next);
      now = Math.max(now, next.at);
      next.run();
    }
    now = Math.max(now, until);
  }

  function end(call: TrueCall, how: Ending, timeoutMs: number, process: Process): void {
    if (call.fact.ended) return;
    sequence += 1;
    call.fact.ended = { ...moment(now, process), how, horizonMs: horizonOf(timeoutMs) };
    if (how === 'lost' || how === 'dead') call.closedAt = now + dueHorizon(timeoutMs);
  }

  function call(): void {
    const process = chosen(processes);
    const price = chosen([1, 1, 1, 2, null]);
    const real = price ?? 1 + below(3);
    const fingerprint = chosen(['k1', 'k1', 'k2']);
    const timeoutMs = chosen([30_000, 30_000, 90_000]);
    const length = 50 + below(4000);
    sequence += 1;
    const one: TrueCall = {
      fact: {
        id: `call-${calls.length}`,
        interface: 'rest',
        origins: [origin],
        fingerprint,
        most: price,
        sent: moment(now, process),
        ended: null,
      },
      sentAt: now,
      endedAt: now + length,
      closedAt: now + length,
      charges: [],
    };
    calls.push(one);
    process.open.add(one);
    const began = now;
    const charge = (at: number, credits: number) => one.charges.push({ at, credits });
    let how: Ending = 'answered';
    if (random() < 0.2) how = 'lost';
    else if (random() < 0.15) how = 'refused';
    const within = began + below(length);
    if (how === 'refused') {
      if (happens('charged-though-refused', 0.6)) charge(within, real);
    } else if (how === 'lost') {
      if (happens('charged-though-lost', 0.5)) charge(within + (random() < 0.5 ? below(100_000) : 0), real);
    } else if (happens('free-though-priced', 0.2)) {
      // Nothing was found, which is free here.
    } else if (happens('late-charge', 0.2)) charge(began + length + 1000 + below(90_000), real);
    else if (happens('very-late-charge', 0.1)) charge(began + length + 400_000 + below(4_000_000), real);
    else if (happens('charged-less', 0.1)) charge(within, Math.max(0, real - 1));
    else if (happens('charged-more', 0.1)) charge(within, real + 1);
    else {
      charge(within, real);
      if (happens('double-charge', 0.1)) charge(began + length + below(200_000), real);
    }
    if (happens('refund', 0.05))
      plan(began + length + below(50_000), () =>
        changes.push({ at: now, purse: purseOf(fingerprint), kind: 'added', credits: real }),
      );
    if (how === 'lost') one.endedAt = began + Math.min(timeoutMs, 20_000 + below(10_000));
    if (happens('killed', 0.08)) plan(began + below(Math.max(1, one.endedAt - began)), () => restart(process, false));
    plan(one.endedAt, () => {
      if (!process.open.delete(one)) return;
      end(one, how, timeoutMs, process);
    });
  }

  /** Ends a process. The next one that looks finds its running calls and marks them as lost. */
  function restart(process: Process, reboots: boolean): void {
    if (reboots) {
      boot += 1;
      bootStartedAt = now - 20_000 - below(100_000);
      slept = 0;
    }
    for (const one of processes) {
      if (one !== process && !reboots) continue;
      for (const dead of one.open) dead.endedAt = now;
      one.open.clear();
      Object.assign(one, start());
    }
  }

  function findDead(process: Process): void {
    const alive = new Set(processes.flatMap(({ open }) => [...open]));
    for (const one of calls)
      if (one.fact.ended === null && !alive.has(one) && one.sentAt < now) {
        end(one, 'dead', 0, process);
      }
  }

  function sample(fingerprint: string): void {
    const process = chosen(processes);
    findDead(process);
    const asked = moment(now, process);
    const askedAt = now;
    const processStart = process.start;
    const length = 20 + below(1500);
    const shownAt = askedAt + below(length);
    const stale = happens('stale-read', 0.3);
    const odd = happens('odd-figures', 0.05);
    if (happens('free-call-costs', 0.05))
      plan(askedAt + below(length), () =>
        changes.push({ at: now, purse: purseOf(fingerprint), kind: 'free-call', credits: -1 }),
      );
    plan(askedAt + length, () => {
      // A process that was killed in the meantime records nothing.
      if (process.start !== processStart) return;
      sequence += 1;
      const shown = stale ? shownAt - 1 - below(30_000) : shownAt;
      samples.push({
        fact: {
          origin,
          fingerprint,
          id: `sample-${samples.length}`,
          asked,
          answered: moment(now, process),
          processStart,
          credits: Number.NaN,
          used: shapeB ? (odd ? -1 : Number.NaN) : null,
          total: shapeB ? Number.NaN : null,
          expiryDate: null,
        },
        askedAt,
        answeredAt: now,
        shownAt: shown,
        stale,
      });
    });
  }

  sample('k1');
  advance(now + 3000);
  for (let step = 0; step < steps; step += 1) {
    const choice = random();
    if (choice < 0.36) call();
    else if (choice < 0.7) sample(random() < 0.75 ? 'k1' : 'k2');
    else if (happens('other-spender', 0.3))
      changes.push({ at: now, purse: chosen([purseOf('k1'), purseOf('k2')]), kind: 'other', credits: -(1 + below(3)) });
    else if (happens('top-up', 0.25))
      changes.push({ at: now, purse: chosen([purseOf('k1'), purseOf('k2')]), kind: 'added', credits: 1 + below(3) });
    else if (happens('clock-jump', 0.6)) wallOffset += (below(2) ? 1 : -1) * below(4_000_000);
    else if (happens('sleep', 0.5)) {
      const length = 10_000 + below(600_000);
      advance(now + length);
      slept += length;
    } else if (happens('reboot', 0.9)) restart(processes[0] as Process, true);
    // Steps mostly follow each other closely, sometimes at the same time, sometimes after the horizon.
    advance(now + chosen([0, 100, 1500, 5000, 5000, 40_000, 130_000, 200_000]));
  }
  // Some worlds end while calls are running.
  if (random() < 0.7) advance(now + 260_000);
  for (const fingerprint of ['k1', 'k2']) sample(fingerprint);
  advance(now + 5000);
  fillFigures({ calls, samples, changes, purseOf });
  return { seed, faults: happened, calls, samples, changes, purseOf };
}

/** Fills in what each sample shows, from everything that had happened by then. */
function fillFigures({
  calls,
  samples,
  changes,
  purseOf,
}: Pick<World, 'calls' | 'samples' | 'changes' | 'purseOf'>): void {
  for (const { fact, shownAt } of samples) {
    const purse = purseOf(fact.fingerprint);
    const spent = calls
      .filter((one) => purseOf(one.fact.fingerprint) === purse)
      .flatMap(({ charges }) => charges)
      .filter(({ at }) => at <= shownAt)
      .reduce((sum, { credits }) => sum + credits, 0);
    const mine = changes.filter((one) => one.purse === purse && one.at <= shownAt);
    const taken = mine.filter(({ credits }) => credits < 0).reduce((sum, { credits }) => sum - credits, 0);
    const added = mine.filter(({ credits }) => credits > 0).reduce((sum, { credits }) => sum + credits, 0);
    fact.credits = 1000 + added - taken - spent;
    if (fact.total !== null) {
      fact.total = 1000 + added;
      fact.used = fact.used === -1 ? taken + spent + 7 : taken + spent;
    }
  }
}
