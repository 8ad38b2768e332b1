import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportText } from '../../../electron/core/credits/export.ts';
import { measurePrices } from '../../../electron/core/credits/measured.ts';
import { createReconciler } from '../../../electron/core/credits/reconcile.ts';
import { createCapsStore } from '../../../electron/core/spend/caps-store.ts';
import { type Database, databaseName, openDatabase } from '../../../electron/core/storage/database/database.ts';
import { openSaidRepository } from '../../../electron/core/storage/said-repository.ts';
import { openReadingThinner } from '../../../electron/core/upkeep/thin-readings.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { factsOf, forecasterOf, origin } from '../../helpers/spend-facts.ts';
import { openTempDatabase, unwrap } from '../../helpers/temp-database.ts';

/** One event, with the time since the one before. */
type Event =
  | { kind: 'reads'; count: number; everyMs: number }
  | { kind: 'read'; fingerprint: string; fall: number }
  | { kind: 'read shape'; used: number }
  | {
      kind: 'call';
      fingerprint: string;
      end: 'answered' | 'refused' | 'lost' | 'unsent';
      expected: 1 | 2 | null;
      fall: number;
    }
  | { kind: 'priced calls' }
  | { kind: 'open call' }
  | { kind: 'export' }
  | { kind: 'restart' }
  | { kind: 'separate'; separate: boolean }
  | { kind: 'figure'; credits: number | null }
  | { kind: 'pause'; ms: number }
  | { kind: 'clock'; ms: number };

const second = 1000;
/** Its price is learned from falls that each belong to one call: two calls without a reading between them would share theirs. */
const unpublished = 'GeoData_ForPostcode';
const key = fc.constantFrom('contact-centre', 'night');
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('reads' as const),
      count: fc.integer({ min: 3, max: 40 }),
      everyMs: fc.constantFrom(20 * second, 61 * second, 200 * second),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('read' as const), fingerprint: key, fall: fc.constantFrom(0, 0, 1, -5) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read shape' as const), used: fc.constantFrom(0, 1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      fingerprint: key,
      end: fc.constantFrom('answered', 'answered', 'refused', 'lost', 'unsent'),
      expected: fc.constantFrom(1, 2, null),
      fall: fc.constantFrom(0, 1, 2, 3),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'open call' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'export' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('separate' as const), separate: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('figure' as const), credits: fc.constantFrom(null, 1, 5) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pause' as const),
      ms: fc.constantFrom(2 * second, 130 * second, 3_600_000, 40 * 3_600_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      ms: fc.constantFrom(-3_600_000, 7_200_000, -90 * second),
    }),
  },
);

/** Events after the first removal, without changes of the clock: the rule assumes that it is never set back by the week for which all readings stay. */
const later = event.filter(({ kind }) => kind !== 'clock');

const clock = {
  time: 0,
  passed: 0,
  run: 0,
  now: () => clock.time,
  elapsed: () => clock.passed,
  get boot() {
    return `boot ${Math.floor(clock.run / 2)}`;
  },
};
const pass = (ms: number) => {
  clock.time += ms;
  clock.passed += ms;
};

/** Everything that the program says about money, from what is stored. */
function everythingSaid(db: Database, connectionId: string) {
  const facts = factsOf(db, clock, connectionId);
  const reconciler = createReconciler(db, () => false);
  const separately = createReconciler(db, () => true);
  const quarter = 900_000;
  const start = Math.floor(Date.parse('2026-03-02T00:00:00Z') / quarter) * quarter;
  const windows = Array.from({ length: 12 }, (_, index) => {
    const from = start + ((index * 7919) % 300) * quarter;
    return [new Date(from).toISOString(), new Date(from + (index + 1) * 17 * quarter).toISOString()] as const;
  });
  const all = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
  return {
    entries: facts.entries(),
    sums: [
      unwrap(facts.ledger.spentToday(connectionId)),
      unwrap(facts.ledger.countedNow({ kind: 'connection', connectionId })),
    ],
    least: ['contact-centre', 'night'].map((fingerprint) =>
      unwrap(facts.ledger.leastBalance({ connectionId, interface: 'rest', origins: [origin], fingerprint })),
    ),
    latest: unwrap(facts.balances.latestSamples(connectionId)),
    reconciled: windows.map(([from, to]) => [
      unwrap(reconciler.reconcile(connectionId, from, to)),
      unwrap(separately.reconcile(connectionId, from, to)),
    ]),
    forecast: unwrap(forecasterOf(db, clock).read(connectionId)),
    learned: unwrap(measurePrices(db).of(connectionId, unpublished)),
    caps: unwrap(createCapsStore(db, { person: '', clock }).inForce(connectionId, 'contact-centre')),
    days: db.sql.prepare('SELECT * FROM reading_days ORDER BY 1, 2, 3, 4, 5').all(),
    ledgerFile: [...exportText(db, { connectionId, what: 'ledger', format: 'json', ...all }, facts.ledger.lastFact())]
      .map(({ text }) => text)
      .join(''),
  };
}

function live(facts: ReturnType<typeof factsOf>, db: Database, connectionId: string, events: readonly Event[]) {
  let credits = 10_000;
  const used = { now: 0 };
  for (const one of events) {
    pass(3 * second);
    switch (one.kind) {
      case 'reads':
        for (let count = 0; count < one.count; count += 1) {
          pass(one.everyMs);
          facts.read(credits);
        }
        break;
      case 'read':
        credits -= one.fall;
        facts.read(credits, {
          fingerprint: one.fingerprint,
          ...(one.fingerprint === 'night' ? { label: 'Night', keyLastFour: '9c1d' } : {}),
        });
        break;
      case 'read shape':
        used.now += one.used;
        facts.read(credits, { used: used.now, total: credits + used.now, expiryDate: '2026-03-04' });
        break;
      case 'call': {
        const id = facts.send({ fingerprint: one.fingerprint, expected: one.expected, paidBy: one.fingerprint });
        pass(2 * second);
        credits -= one.end === 'unsent' ? 0 : one.fall;
        facts.end(id, one.end);
        break;
      }
      case 'priced calls':
        for (let count = 0; count < 4; count += 1) {
          for (let reads = 0; reads < 3; reads += 1) {
            pass(20 * second);
            facts.read(credits);
          }
          facts.end(facts.send({ operation: unpublished, expected: null }));
          credits -= 2;
        }
        facts.read(credits);
        break;
      case 'open call':
        facts.send();
        break;
      case 'export': {
        const said = openSaidRepository(db.sql);
        const at = new Date(clock.time).toISOString();
        db.transaction(() => {
          const fact = { at, connectionId, asOf: facts.ledger.lastFact() };
          const number = said.beginExport({ ...fact, range: { from: '2026-01-01T00:00:00Z', to: at } });
          said.end('export', number, true, fact);
          return { ok: true, value: undefined };
        });
        break;
      }
      case 'separate':
        unwrap(facts.ledger.declareSeparate(origin, one.separate));
        break;
      case 'figure':
        unwrap(createCapsStore(db).setPrice(connectionId, 'GetPremise', one.credits));
        break;
      case 'pause':
        pass(one.ms);
        break;
      case 'clock':
        clock.time += one.ms;
        break;
    }
  }
}

/** Replaces the ids of calls, which are random, by their position. */
function withoutIds(said: unknown): unknown {
  const ids = new Map<string, string>();
  return JSON.parse(
    JSON.stringify(said).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const named = ids.get(id) ?? `call ${ids.size + 1}`;
      ids.set(id, named);
      return named;
    }),
  );
}

it('removing redundant readings changes no claim, sum, day, statement or export, also when everything is recomputed', {
  timeout: 300_000,
}, () => {
  let removed = 0;
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 5, maxLength: 24 }),
      fc.array(later, { maxLength: 8 }),
      (events, laterEvents) => {
        clock.time = Date.parse('2026-03-02T09:00:00Z');
        clock.passed = 0;
        clock.run = 0;
        const temp = openTempDatabase();
        const other = mkdtempSync(join(tmpdir(), 'address-console-thinned-'));
        try {
          const id = temp.addConnection().id;
          // Each restart is another process, and every second one another boot of the computer.
          const runs: Event[][] = [[]];
          for (const one of [{ kind: 'priced calls' } as const, ...events])
            if (one.kind === 'restart') runs.push([]);
            else runs.at(-1)?.push(one);
          for (const run of runs) {
            const db = temp.reopen();
            // The test does not need the disk's guarantees.
            db.sql.exec('PRAGMA synchronous = OFF');
            live(factsOf(db, clock, id), db, id, run);
            clock.run += 1;
            pass(10 * second);
          }
          const whole = temp.reopen();
          // Starts a week after the newest reading, so that none is in the future even if the clock was set back last.
          const newest = String(whole.sql.prepare('SELECT max(at) AS at FROM balance_readings').get()?.at ?? '');
          clock.time = Math.max(clock.time, (Date.parse(newest) || 0) + second);
          const conclude = (db: Database) => {
            const said = [everythingSaid(db, id)];
            const { ledger } = factsOf(db, clock, id);
            unwrap(ledger.rebuildSegments());
            said.push(everythingSaid(db, id));
            for (const separate of [true, false]) {
              unwrap(ledger.declareSeparate(origin, separate));
              said.push(everythingSaid(db, id));
            }
            // Makes the program compute its days again, as after a change of the time zone.
            db.sql.exec(`UPDATE day_zone SET zone = 'elsewhere'`);
            said.push(everythingSaid(db, id));
            return said;
          };
          const before = everythingSaid(whole, id);
          expect(before.learned).toMatchObject({ credits: 2, times: 4 });
          whole.sql.exec('PRAGMA wal_checkpoint(TRUNCATE)');
          copyFileSync(join(temp.folder, databaseName), join(other, databaseName));
          const thinned = unwrap(openDatabase({ folder: other, clock }));
          const thinner = openReadingThinner(thinned);
          const readings = Number(thinned.sql.prepare('SELECT count(*) AS n FROM balance_readings').get()?.n);
          const thin = () => {
            thinner.begin();
            for (let after: number | null = 0; after !== null; ) {
              const turn: { removed: number; next: number | null } = unwrap(thinner.turn(after, '9999'));
              removed += turn.removed;
              after = turn.next;
            }
          };
          thin();
          expect(Number(thinned.sql.prepare('SELECT sum(stands_for) AS n FROM balance_readings').get()?.n)).toBe(
            readings,
          );
          expect(everythingSaid(thinned, id)).toEqual(before);
          expect(conclude(thinned)).toEqual(conclude(whole));
          // Both databases get the same further events, while one of them is thinned after each.
          const now = { time: clock.time, passed: clock.passed, run: clock.run };
          const goOn = (db: Database, afterEach: () => void) => {
            Object.assign(clock, now);
            let facts = factsOf(db, clock, id);
            for (const one of laterEvents) {
              if (one.kind === 'restart') {
                clock.run += 1;
                facts = factsOf(db, clock, id);
              } else live(facts, db, id, [one]);
              afterEach();
            }
            const said = everythingSaid(db, id);
            return withoutIds([said, conclude(db)]);
          };
          const expected = goOn(whole, () => undefined);
          expect(goOn(thinned, thin)).toEqual(expected);
          thinned.close();
        } finally {
          temp.remove();
          removeFolder(other);
        }
      },
    ),
    { numRuns: Number(process.env.THINNED_WORLDS ?? 8), endOnFailure: true },
  );
  // A rule that removes nothing would pass the test above.
  expect(removed).toBeGreaterThan(0);
});
