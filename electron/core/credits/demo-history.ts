import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import type { Result } from '../../../shared/result.ts';
import { ok } from '../../../shared/result.ts';
import { movementOperation } from '../spend/conclusions.ts';
import { openLedgerRepository } from '../spend/ledger-repository.ts';
import type { Database } from '../storage/database/database.ts';

const dayMs = 86_400_000;

/** Keys of an imaginary office: a made-up year needs more than the demo service's one key. */
const payers = [
  { name: 'Contact centre', share: 0.45, operations: ['GetPremise', 'GetPremise', 'Search', 'GetPremiseGeoData'] },
  { name: 'Nightly batch', share: 0.35, operations: ['GetPremise', 'GetPremiseGeoData'] },
  { name: 'Web forms', share: 0.2, operations: ['Search', 'GetPremise'] },
] as const;

/** Pseudo-random numbers from a fixed seed (mulberry32), so that everybody sees the same year. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Gives a demo connection a history, a year by default, that ends at its first reading: weekdays busier than weekends, August and Christmas
 * quiet, a top-up when it runs low, some days without readings, and spends that no call explains. Every row is marked as made up, and none
 * is made if the connection already has a ledger, or the reading has no figure: then it returns false. Errors: `storage-failed`.
 */
export function makeDemoHistory(
  db: Database,
  connectionId: string,
  sample: BalanceSample,
  days = 365,
): Result<boolean> {
  const { credits } = sample;
  if (credits === null) return ok(false);
  return db.transaction(() => {
    const ledger = openLedgerRepository(db.sql);
    const insertSample = db.sql.prepare(
      `INSERT INTO balance_readings (connection_id, source, label, key_last_four, credits, at, made_up)
       VALUES (?, 'rest-key', ?, ?, ?, ?, 1)`,
    );
    if (!ledger.isEmpty(connectionId)) return ok(false);
    const plan = planDays(Date.parse(sample.at), days);
    // Written forwards, computed backwards: the balance must end where the service's really is.
    let balance = credits + plan.reduce((sum, event) => sum + (event.kind === 'read' ? 0 : event.credits), 0);
    let lastRead: { at: string; credits: number } | null = null;
    let explained = 0;
    let moved = 0;
    for (const event of plan) {
      const at = new Date(event.time).toISOString();
      const before = balance;
      if (event.kind === 'spend') {
        balance -= event.credits;
        explained += event.credits;
        ledger.insertRow({
          ...blank(connectionId, at),
          ...event.entry,
          expected: event.credits,
          observed: event.credits,
          balanceBefore: before,
          balanceAfter: balance,
          verdict: 'cost',
        });
        continue;
      }
      if (event.kind === 'moved') {
        balance -= event.credits;
        moved += event.credits;
        continue;
      }
      insertSample.run(connectionId, sample.label, sample.keyLastFour, balance, at);
      if (moved !== 0 && lastRead) {
        ledger.insertRow({
          ...blank(connectionId, at),
          operation: movementOperation,
          subject: '',
          paidBy: sample.label,
          expected: 0,
          observed: moved,
          explained,
          since: lastRead.at,
          balanceBefore: lastRead.credits,
          balanceAfter: balance,
          verdict: 'unexplained',
          note: moved < 0 ? 'Top-up by purchase order (demo data)' : '',
        });
      }
      lastRead = { at, credits: balance };
      explained = 0;
      moved = 0;
    }
    return ok(true);
  });
}

const blank = (connectionId: string, at: string) => ({
  id: crypto.randomUUID(),
  connectionId,
  run: 'demo-data',
  interface: 'rest' as const,
  at,
  since: null,
  explained: null,
  note: '',
  madeUp: true,
  segment: null,
  origin: '',
  fingerprint: '',
});

type Event =
  | { kind: 'spend'; time: number; credits: number; entry: { operation: string; subject: string; paidBy: string } }
  | { kind: 'moved'; time: number; credits: number }
  | { kind: 'read'; time: number; credits: 0 };

const readOn = (midnight: number): Event[] =>
  [0.2, 4, 6, 8, 11, 14, 17.8].map((hour) => ({ kind: 'read', time: midnight + hour * 3_600_000, credits: 0 }));

function planDays(end: number, days: number): Event[] {
  const random = createRandom(20_260_101);
  const events: Event[] = [];
  const midnight = new Date(end);
  midnight.setHours(0, 0, 0, 0);
  let sinceTopUp = 0;
  for (let back = days; back >= 1; back -= 1) {
    const start = midnight.getTime() - back * dayMs;
    const date = new Date(start + dayMs / 2);
    const weekend = date.getDay() === 0 || date.getDay() === 6;
    const holiday = (date.getMonth() === 11 && date.getDate() > 23) || (date.getMonth() === 0 && date.getDate() < 3);
    const level = (holiday ? 0.1 : weekend ? 0.14 : 1) * (date.getMonth() === 7 ? 0.7 : 1);
    const unread = back > 12 && back <= 16;
    let spent = 0;
    for (const payer of payers) {
      const calls = Math.round((18 + 22 * random()) * payer.share * 2 * level);
      for (let call = 0; call < calls; call += 1) {
        const operation = payer.operations[Math.floor(random() * payer.operations.length)] ?? 'GetPremise';
        const hour = payer.name === 'Nightly batch' ? 1 + 2 * random() : 8.5 + 9 * random();
        const credits = operation === 'GetPremise' && random() < 0.2 ? 2 : 1;
        const subject =
          operation === 'Search' ? 'made-up search' : String(10_000_000 + Math.floor(random() * 8_999_999));
        events.push({
          kind: 'spend',
          time: start + hour * 3_600_000,
          credits,
          entry: { operation, subject, paidBy: payer.name },
        });
        spent += credits;
      }
    }
    sinceTopUp += spent;
    // The last one is yesterday's, so that the ledger opens with one in view.
    if (back === 1 || (random() < 0.045 && !weekend)) {
      const taken = back === 1 ? 26 : 8 + Math.floor(random() * 40);
      events.push({ kind: 'moved', time: start + 5 * 3_600_000, credits: taken });
      sinceTopUp += taken;
    }
    if (sinceTopUp > 4300) {
      events.push({ kind: 'moved', time: start + 7.5 * 3_600_000, credits: -5000 });
      sinceTopUp -= 5000;
    }
    if (!unread) events.push(...readOn(start));
  }
  // Today up to the first real reading, so that the line does not stop at midnight.
  const latest = end - 60_000;
  events.push(...readOn(midnight.getTime()).filter(({ time }) => time < latest));
  events.push({ kind: 'read', time: latest, credits: 0 });
  return events.sort((a, b) => a.time - b.time || (a.kind === 'read' ? 1 : -1));
}
