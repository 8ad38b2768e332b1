import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppCore } from '../../electron/core/app-core.ts';
import { readDay } from '../../shared/claims/moment.ts';
import { parseMoneyClaim, renderMoneyClaim } from '../../shared/claims/money-claims.ts';
import type { LedgerEntry } from '../../shared/domain/credits/credits.ts';
import { wholeTable } from '../../shared/domain/row-filter.ts';
import { startCore } from '../helpers/core.ts';
import { removeFolder } from '../helpers/folders.ts';
import { listenOnLoopback } from '../helpers/loopback.ts';
import { connectionDraft, unwrap } from '../helpers/temp-database.ts';
import { createRandom } from './world.ts';

/**
 * The program's whole path from a search to the claim, over HTTP, with a service that lies: its ledger is compared with what the service
 * really did. simulator.test.ts tests the rules alone in many more worlds.
 */
type Behaviour =
  | 'charged'
  | 'free'
  | 'double'
  | 'late'
  | 'refused'
  | 'refused-charged'
  | 'lost'
  | 'lost-charged'
  | 'gateway-late';
const behaviours: readonly Behaviour[] = [
  'charged',
  'charged',
  'charged',
  'free',
  'double',
  'late',
  'refused',
  'refused-charged',
  'lost',
  'lost-charged',
];
const hour = 3_600_000;

/** A service whose truth is known: what it charged for each search, and every balance that it showed. */
class LyingService {
  balance = 1000;
  stale: number | null = null;
  /** What it charges for showing the balance, which is free by published prices. */
  readingCosts = 0;
  plan: Behaviour[] = [];
  readonly took = new Map<string, number>();
  readonly lateCharges: (() => void)[] = [];
  private server: Server | undefined;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const json = (status: number, value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (url.pathname.endsWith('/GetCredits')) {
        this.balance -= this.readingCosts;
        return json(200, { credits: this.stale ?? this.balance });
      }
      const query = url.searchParams.get('query') ?? '';
      const take = (credits: number) => {
        this.balance -= credits;
        this.took.set(query, (this.took.get(query) ?? 0) + credits);
      };
      const behaviour = this.plan.shift() ?? 'charged';
      this.took.set(query, 0);
      if (behaviour === 'charged' || behaviour === 'refused-charged' || behaviour === 'lost-charged') take(1);
      if (behaviour === 'double') take(2);
      if (behaviour === 'late' || behaviour === 'gateway-late') this.lateCharges.push(() => take(1));
      if (behaviour.startsWith('lost')) return response.destroy();
      if (behaviour === 'gateway-late')
        return response.writeHead(504, { 'content-type': 'text/html' }).end('<html>Gateway time-out</html>');
      if (behaviour.startsWith('refused')) return json(429, { message: 'Slow down' });
      return json(200, { results: [], totalResults: 0 });
    });
    await listenOnLoopback(this.server);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }
  stop = (): Promise<void> => new Promise((done) => this.server?.close(() => done()));
}

let folder: string;
let core: AppCore;
let connectionId: string;
const service = new LyingService();
const clock = {
  time: Date.parse('2027-03-01T09:00:00Z'),
  passed: 0,
  now: () => clock.time,
  elapsed: () => clock.passed,
  boot: 'one',
};
const pass = (milliseconds: number) => {
  clock.time += milliseconds;
  clock.passed += milliseconds;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-simulator-'));
  core = unwrap(
    await startCore({
      folder,
      clock,
      // The test's sequence determines when a balance is read, not the program's timer.
      readDelayMs: 2_000_000_000,
    }),
  );
  const restBaseUrl = await service.start();
  connectionId = unwrap(core.connections.add(connectionDraft('Liar', { restBaseUrl, soapUrl: '' }))).id;
  unwrap(
    await core.secrets.put({ connectionId, role: 'lookup-key', label: 'Key', value: 'simulated-key-of-one-service' }),
  );
});
afterAll(async () => {
  await core.close();
  await service.stop();
  removeFolder(folder);
});

let number = 0;
async function search(): Promise<string> {
  pass(50);
  number += 1;
  const text = `street ${number}`;
  await core.lookup.search({ connectionId, text, cache: 'default' } as Parameters<typeof core.lookup.search>[0], {});
  return text;
}
const read = async () => {
  pass(50);
  unwrap(await core.reader.read(connectionId, 'rest-key'));
};
const entries = async (): Promise<LedgerEntry[]> =>
  (await core.ledger.search.list(connectionId, wholeTable, { before: null, limit: 60 }, () => [])).entries;

/** What is false in an entry's claim, or null. `clean` means that nothing happened in this sequence which a claim may assume not to happen. */
function lieOf(entry: LedgerEntry, clean: boolean): string | null {
  for (const claim of entry.claims) {
    const day = readDay(clock.time);
    if (JSON.stringify(parseMoneyClaim(renderMoneyClaim(claim, day), day)) === undefined)
      return `cannot be read back: ${claim.kind}`;
    const took = service.took.get(entry.subject) ?? 0;
    if (clean && claim.kind === 'cost' && claim.fall !== took)
      return `${entry.subject} cost ${claim.fall}, but ${took}`;
    if (clean && claim.kind === 'at-price' && claim.price !== took)
      return `${entry.subject} cost ${claim.price}, but ${took}`;
    if (clean && claim.kind === 'no-fall' && took !== 0) return `${entry.subject} no fall, but ${took}`;
    if (clean && claim.kind === 'no-call') return `no call, but the service took nothing else`;
    if (claim.kind === 'cost' && entry.balanceBefore !== null && entry.balanceAfter !== null)
      if (entry.balanceBefore - entry.balanceAfter !== claim.fall) return 'the figures beside it are others';
  }
  return null;
}

test('the ledger’s claims about real calls are true, whatever the service does with them', async () => {
  const lies: string[] = [];
  const said = new Map<string, number>();
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = createRandom(seed);
    const below = (n: number) => Math.floor(random() * n);
    pass(30 * hour);
    await read();
    let clean = true;
    const before = new Set((await entries()).map(({ id }) => id));
    for (let step = 0; step < 6; step += 1) {
      const choice = random();
      if (choice < 0.5) {
        const calls = 1 + below(3);
        const plan = Array.from({ length: calls }, () => behaviours[below(behaviours.length)] as Behaviour);
        if (plan.includes('double') && calls > 1) clean = false;
        if (plan.includes('late')) clean = false;
        service.plan = [...plan];
        if (random() < 0.5) await Promise.all(plan.map(() => search()));
        else for (const _ of plan) await search();
      } else if (choice < 0.8) await read();
      else if (choice < 0.86) {
        service.balance -= 1;
        clean = false;
      } else if (choice < 0.9) {
        service.stale = service.balance + 1;
        await read();
        service.stale = null;
        clean = false;
      } else if (service.lateCharges.length > 0) service.lateCharges.shift()?.();
      else pass(below(2) ? 130_000 : 5000);
      // Setting the clock must neither shorten nor extend a wait.
      if (random() < 0.1) clock.time += below(2) ? 40_000 : -40_000;
    }
    for (const late of service.lateCharges.splice(0)) late();
    pass(130_000);
    await read();
    for (const entry of (await entries()).filter(({ id }) => !before.has(id))) {
      for (const { kind } of entry.claims) said.set(kind, (said.get(kind) ?? 0) + 1);
      const lie = lieOf(entry, clean);
      if (lie !== null) lies.push(`seed ${seed}: ${lie}`);
    }
  }
  expect(lies).toEqual([]);
  for (const kind of ['cost', 'no-fall', 'shared', 'refused', 'no-answer', 'no-call'])
    expect(said.get(kind) ?? 0, kind).toBeGreaterThan(0);
});

test('what a gateway ended is not called refused by the service, and its late charge is not booked to the next call', async () => {
  pass(30 * hour);
  await read();
  service.plan = ['gateway-late', 'charged'];
  const ended = await search();
  await read();
  service.lateCharges.shift()?.();
  const next = await search();
  await read();
  const kept = await entries();
  const kindsOf = (subject: string) => kept.find((entry) => entry.subject === subject)?.claims.map(({ kind }) => kind);
  expect(kindsOf(ended)).toContain('unusable-answer');
  expect(kindsOf(ended)).toContain('may-come');
  expect(kindsOf(next)).toContain('answered');
  expect(kindsOf(next)).not.toContain('cost');
});

test('a charged reading is never covered by a sentence that no call was open', async () => {
  pass(30 * hour);
  await read();
  service.readingCosts = 1;
  await read();
  service.readingCosts = 0;
  service.plan = ['charged'];
  const subject = await search();
  service.readingCosts = 1;
  await read();
  service.readingCosts = 0;
  const kept = await entries();
  const [cost, movement] = ['cost', 'no-call'].map((kind) =>
    kept.flatMap(({ claims }) => claims).find((claim) => claim.kind === kind),
  );
  const sentenceOf = (claim: typeof cost) => (claim ? renderMoneyClaim(claim, readDay(clock.time)) : '');
  // Two credits were taken, one of them for the search: the claim is true only under its assumption about free calls.
  expect([service.took.get(subject), cost]).toMatchObject([1, { fall: 2, assumes: expect.arrayContaining(['F']) }]);
  for (const claim of [cost, movement])
    expect(sentenceOf(claim)).toContain('apart from those that are free by published prices');
});

test('on an honest service the cost of a single call is stated once its balance has been read', async () => {
  service.plan = [];
  pass(30 * hour);
  await read();
  for (let call = 0; call < 12; call += 1) {
    const subject = await search();
    await read();
    expect((await entries()).find((entry) => entry.subject === subject)?.claims.map(({ kind }) => kind)).toEqual([
      'answered',
      'cost',
    ]);
  }
});

test('after ten calls in a row the balance is read, so that their costs can be separated', async () => {
  service.plan = [];
  pass(30 * hour);
  await read();
  const subjects: string[] = [];
  for (let call = 0; call < 25; call += 1) subjects.push(await search());
  await read();
  const kinds = (await entries())
    .filter(({ subject }) => subjects.includes(subject))
    .map(({ claims }) => claims.at(-1));
  expect(kinds.every((claim) => claim?.kind === 'at-price' && claim.calls <= 10)).toBe(true);
});
