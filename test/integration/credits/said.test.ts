import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAlerts } from '../../../electron/core/credits/alerts.ts';
import { prepareExport } from '../../../electron/core/credits/export.ts';
import { openAlertsRepository } from '../../../electron/core/storage/alerts-repository.ts';
import { databaseName, openDatabase } from '../../../electron/core/storage/database/database.ts';
import { parseMoneyClaim, shortenMoneyClaims } from '../../../shared/claims/money-claims.ts';
import type { AlertNotice } from '../../../shared/domain/credits/credits-history.ts';
import { bundleChild } from '../../helpers/bundled-child.ts';
import { factsOf, forecasterOf, origin } from '../../helpers/spend-facts.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

// What left the program is a fact: a claim that reads differently later says what it read, where that was sent, and when it changed.

const minute = 60_000;
const always = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

const toSecond = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

describe('what left the program', () => {
  let temp: TempDatabase;
  let id: string;
  let facts: ReturnType<typeof factsOf>;
  const later = (ms: number) => {
    temp.clock.time += ms;
  };
  const request = () => ({ connectionId: id, what: 'ledger', format: 'csv', ...always }) as const;

  /** Exports the ledger, records that as saving the file does, and returns the file's rows. `meanwhile` runs while the file is being written. */
  function exportLedger(meanwhile = () => {}): Record<string, string>[] {
    const asOf = facts.ledger.lastFact();
    const made = prepareExport(temp.db, temp.clock, request(), asOf);
    let text = made.pieces.next().value?.text ?? '';
    meanwhile();
    for (const piece of made.pieces) text += piece.text;
    unwrap(made.begin());
    unwrap(made.end(true));
    return parse(text, { columns: true, bom: true });
  }
  const claim = (entry: string, kind: string) => facts.entry(entry)?.claims.find((one) => one.kind === kind);

  beforeEach(() => {
    temp = openTempDatabase();
    id = temp.addConnection().id;
    facts = factsOf(temp.db, temp.clock, id);
  });
  afterEach(() => temp.remove());

  it('contains the sentences of each entry, which can be parsed back', () => {
    facts.read(10);
    facts.call({ subject: 'HR2 6DB' });
    later(minute);
    facts.read(9);
    const [row] = exportLedger();
    const sentences = (row?.claims ?? '').split(/(?<=\.) (?=The balance)/);
    const day = { today: '' };
    expect(sentences.map((sentence) => parseMoneyClaim(sentence, day)?.kind)).toEqual(['answered', 'cost']);
    expect(row?.observed).toBe('1');
  });

  it('is quoted if a later fall says otherwise, with when it left and when it changed', () => {
    facts.read(10);
    const call = facts.call();
    later(minute);
    facts.read(10);
    later(minute);
    const left = toSecond(temp.clock.time);
    const [row] = exportLedger();
    expect(claim(call, 'said-then')).toBeUndefined();
    later(minute);
    const changed = facts.read(9);
    expect(facts.said(call)).toContain('late');
    expect(claim(call, 'said-then')).toMatchObject({
      outlet: 'export',
      at: left,
      until: toSecond(Date.parse(changed.at)),
      words: row?.claims,
    });
    // An export that is made now already has the current claim, so the next one adds no quotation of it.
    expect(exportLedger()[0]?.claims).toContain(`Until 2 Mar 2026, 10:03:00 this read “${row?.claims}”`);
  });

  it('is quoted if the claim was open then, and not for a call outside the range or after it', () => {
    facts.read(10);
    const open = facts.call();
    const [row] = exportLedger();
    expect(row?.claims).toContain('No balance that could show what it cost has been read since.');
    const after = facts.call();
    later(minute);
    facts.read(8);
    expect(claim(open, 'said-then')).toMatchObject({ words: row?.claims });
    expect(claim(after, 'said-then')).toBeUndefined();
  });

  it('killed at any point of saving: the export is quoted for a file that exists, and for no other', async () => {
    facts.read(10);
    const call = facts.call();
    later(minute);
    facts.read(10);
    later(minute);
    const asOf = facts.ledger.lastFact();
    // The facts that change the claim are entered once, after all the kills: each kill runs on a copy of the folder.
    const outcomes: string[] = [];
    for (let point = 0; point <= 6; point += 1) {
      const folder = join(temp.folder, `killed-${point}`);
      const file = join(temp.folder, `ledger-${point}.csv`);
      temp.db.sql.prepare('VACUUM INTO ?').run(join(temp.folder, 'copy.sqlite'));
      mkdirSync(folder);
      renameSync(join(temp.folder, 'copy.sqlite'), join(folder, databaseName));
      const at = new Date(temp.clock.time).toISOString();
      const child = fork(
        await bundleChild('test/helpers/export-kill-child.ts'),
        [folder, id, file, at, String(asOf), String(point)],
        {
          execArgv: ['--disable-warning=ExperimentalWarning'],
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        },
      );
      await once(child, 'exit');
      const clock = { time: temp.clock.time + minute, now: () => clock.time };
      const db = unwrap(openDatabase({ folder, clock }));
      const then = factsOf(db, clock, id);
      then.read(9);
      const said = then.entry(call)?.claims.filter(({ kind }) => kind === 'said-then') ?? [];
      const outlets = said.map((one) => (one.kind === 'said-then' ? one.outlet : ''));
      outcomes.push(`${existsSync(file) ? 'there' : 'not there'}: ${outlets.join(', ') || 'nothing'}`);
      db.close();
    }
    expect(outcomes).toEqual([
      'there: export',
      'not there: nothing',
      'not there: nothing',
      'not there: nothing',
      'not there: export-perhaps',
      'there: export-perhaps',
      'there: export',
    ]);
  });

  it('an export whose file could not be written is not quoted', () => {
    facts.read(10);
    const call = facts.call();
    later(minute);
    facts.read(10);
    const made = prepareExport(temp.db, temp.clock, request(), facts.ledger.lastFact());
    unwrap(made.begin());
    unwrap(made.end(false));
    later(minute);
    facts.read(9);
    expect(facts.said(call)).toContain('late');
    expect(claim(call, 'said-then')).toBeUndefined();
  });

  it('says of two keys what the other key’s fall showed, until the key’s own balance is read', () => {
    facts.read(10);
    facts.read(10, { fingerprint: 'batch' });
    const mine = facts.call();
    facts.read(9, { fingerprint: 'batch' });
    expect(facts.said(mine)).toContain('cost');
    const [row] = exportLedger();
    later(minute);
    facts.read(10);
    expect(facts.said(mine)).toContain('no-fall');
    expect(claim(mine, 'said-then')).toMatchObject({ words: row?.claims });
  });

  it('is stored as two rows, being saved and saved, however many entries it has', () => {
    unwrap(
      temp.db.transaction(() => {
        for (let n = 0; n < 2500; n += 1) facts.call();
        return { ok: true, value: undefined };
      }),
    );
    expect(exportLedger()).toHaveLength(2500);
    expect(temp.db.sql.prepare('SELECT count(*) AS n FROM said').get()).toEqual({ n: 2 });
    expect(() => temp.db.sql.exec(`UPDATE said SET at = ''`)).toThrow('what was said is not changed');
  });

  it('says in all of its rows what was known when it began', () => {
    facts.read(10);
    facts.call();
    const rows = exportLedger(() => {
      facts.read(9);
      facts.call({ subject: 'after' });
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ observed: '', balanceAfter: '' });
    expect(rows[0]?.claims).toContain('No balance that could show what it cost has been read since.');
  });

  it('is not recomputed by another rule: if a person has said something about the keys since, that is shown', () => {
    facts.read(10);
    const call = facts.call();
    facts.read(9);
    exportLedger();
    later(minute);
    unwrap(facts.ledger.declareSeparate(origin, true));
    expect(facts.said(call)).toEqual(['answered', 'cost', 'said-by-other-rule']);
  });

  /** Alerts on falls that are not explained, of at least so many credits. */
  function alertsAt(...thresholds: number[]) {
    const notices: AlertNotice[] = [];
    const alerts = createAlerts({
      db: temp.db,
      clock: temp.clock,
      nameOf: () => 'Wyebank',
      forecaster: forecasterOf(temp.db, temp.clock),
      ledger: facts.ledger,
      notify: (notice) => notices.push(notice),
    });
    for (const threshold of thresholds) openAlertsRepository(temp.db.sql).add(id, { kind: 'unexplained', threshold });
    return { alerts, notices };
  }

  it('a fall that is not explained is one notice, marked at each alert that it reaches; one at 1 reports any fall', () => {
    const { alerts, notices } = alertsAt(1, 100, 1000);
    const told = () => unwrap(alerts.list(id)).map(({ threshold, toldAt }) => [threshold, toldAt !== null]);
    const fall = (from: number, to: number) => {
      later(minute);
      facts.read(from);
      facts.read(to);
      const [entry] = facts.entries();
      if (!entry?.observed) throw new Error('no movement');
      unwrap(alerts.checkFall(id, { entry, credits: entry.observed }));
    };
    fall(2000, 1400);
    expect(notices).toHaveLength(1);
    expect(told()).toEqual([
      [1000, false],
      [100, true],
      [1, true],
    ]);
    fall(1400, 1399.5);
    expect(notices.map(({ title }) => title)).toEqual([
      expect.stringMatching(/fell by 600 credits/),
      expect.stringMatching(/fell by 0\.5 credits/),
    ]);
    // The balance rose by 95.
    facts.read(207, { used: 93, total: 300 });
    facts.read(302, { used: 98, total: 400 });
    const entry = facts.entries().find(({ observed }) => observed === 5);
    if (!entry) throw new Error('no movement');
    unwrap(alerts.checkFall(id, { entry, credits: 5 }));
    expect(notices.at(-1)).toMatchObject({
      title: expect.stringMatching(/^The balance’s “used” rose by 5 credits beyond what the calls/),
      text: expect.stringMatching(
        /^The balance’s “used” rose by 5 and its “total” by 100 between .* from 207 credits to 302 credits\./,
      ),
    });
  });

  it('a movement that an alert reported stays as a row when it is explained later', () => {
    const { alerts, notices } = alertsAt(1);
    unwrap(facts.ledger.declareSeparate(origin, true));
    facts.read(10);
    facts.call({ fingerprint: 'batch', paidBy: 'Batch' });
    facts.read(9);
    const movement = facts.entries().find(({ kind }) => kind === 'movement');
    if (!movement) throw new Error('no movement');
    unwrap(alerts.checkFall(id, { entry: movement, credits: movement.observed ?? 0 }));
    expect(notices).toHaveLength(1);
    expect(movement.claims[0]?.kind).toBe('no-call');
    later(minute);
    // The fall still belonged to the other key’s call.
    unwrap(facts.ledger.declareSeparate(origin, false));
    const [said] = facts.entry(movement.id)?.claims ?? [];
    expect(said).toMatchObject({ kind: 'said-then', outlet: 'alert', until: toSecond(temp.clock.time) });
    expect(said?.kind === 'said-then' && said.words).toContain(
      'No call of this console that may draw on it was open in that time, apart from those that are free by published prices.',
    );
    expect(facts.entry(movement.id)?.observed).toBe(0);
  });

  it('a call that an alert reported says so when its own balance shows another fall', () => {
    const { alerts } = alertsAt(1);
    facts.read(10);
    facts.read(90, { fingerprint: 'batch' });
    const call = facts.call();
    facts.read(80, { fingerprint: 'batch' });
    const entry = facts.entry(call);
    if (!entry) throw new Error('no entry');
    unwrap(alerts.checkFall(id, { entry, credits: 9 }));
    expect(facts.said(call)).toEqual(['answered', 'cost']);
    later(minute);
    facts.read(9);
    expect(facts.entry(call)?.claims).toMatchObject([
      { kind: 'answered' },
      { kind: 'cost', fall: 1 },
      { kind: 'said-then', outlet: 'alert', words: expect.stringContaining('So it cost 10') },
    ]);
  });

  it('a fall beside calls whose own balance did not fall is not said to be beyond them or their prices', () => {
    const { alerts, notices } = alertsAt(1);
    facts.read(400);
    facts.read(1000, { fingerprint: 'batch' });
    facts.call();
    facts.call();
    facts.read(998, { fingerprint: 'batch' });
    facts.read(400);
    const movement = facts.entries().find(({ kind }) => kind === 'movement');
    if (!movement) throw new Error('no movement');
    expect(shortenMoneyClaims(movement.claims)).toBe('2 in 2 calls');
    unwrap(alerts.checkFall(id, { entry: movement, credits: 2 }));
    expect(notices).toMatchObject([
      {
        title: 'The balance fell by 2 credits that no call in the ledger shows',
        text: expect.stringMatching(
          /^Not known: the balance fell by 2 between .*: 2\. Read with Contact centre it went from 1,000/,
        ),
      },
    ]);
  });

  it('removes movements that the facts no longer show', () => {
    unwrap(facts.ledger.declareSeparate(origin, true));
    facts.read(10);
    facts.call({ fingerprint: 'batch', paidBy: 'Batch' });
    facts.read(9);
    expect(facts.entries().filter(({ kind }) => kind === 'movement')).toHaveLength(1);
    unwrap(facts.ledger.declareSeparate(origin, false));
    expect(facts.entries().filter(({ kind }) => kind === 'movement')).toHaveLength(0);
    unwrap(facts.ledger.declareSeparate(origin, true));
    expect(facts.entries().filter(({ kind }) => kind === 'movement')).toHaveLength(1);
  });
});

describe('days', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('are those of the zone where the computer is now, all of them', () => {
    process.env.TZ = 'Europe/London';
    const temp = openTempDatabase();
    try {
      const { id } = temp.addConnection();
      let facts = factsOf(temp.db, temp.clock, id);
      const days = () => temp.db.sql.prepare('SELECT day, credits FROM spend_days WHERE calls != 0 ORDER BY day').all();
      temp.clock.time = Date.parse('2026-03-02T23:30:00.000Z');
      facts.read(10);
      const call = facts.call();
      expect(days()).toEqual([{ day: '2026-03-02', credits: 1 }]);
      process.env.TZ = 'Europe/Berlin';
      temp.reopen();
      facts = factsOf(temp.db, temp.clock, id);
      // Updates the entry in another time zone: the first day's sum must not keep what the second day then has.
      temp.db.sql.prepare(`UPDATE ledger SET observed = 1 WHERE id = ?`).run(call);
      expect(days()).toEqual([{ day: '2026-03-03', credits: 1 }]);
      expect(temp.db.sql.prepare('SELECT day FROM reading_days').all()).toEqual([{ day: '2026-03-03' }]);
      // A file of a zone, and a zone that does not exist.
      for (const zone of [':/etc/localtime', 'Nowhere/Land']) {
        process.env.TZ = zone;
        temp.reopen();
        expect(temp.db.sql.prepare('SELECT zone FROM day_zone').get()).toEqual({ zone });
        expect(temp.db.sql.prepare('SELECT day FROM reading_days').all()).toHaveLength(1);
      }
    } finally {
      temp.remove();
    }
  });
});
