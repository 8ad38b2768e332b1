import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppCore } from '../../../electron/core/app-core.ts';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { rangeOf } from '../../../renderer/features/credits/charts/ranges.ts';
import type { EventPayload } from '../../../shared/contract.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { type Channels, openChannels, startCore } from '../../helpers/core.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { loggedCalls } from '../../helpers/logged-calls.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';
import { callRest } from '../demo-service/demo-client.ts';

const hour = 3_600_000;
const start = Date.parse('2027-03-01T09:00:00.000Z');

describe('reconciliation', () => {
  let folder: string;
  let demo: RunningDemo;
  let core: AppCore;
  let time: number;
  let connectionId: string;
  let postcodes: string[];
  let told: EventPayload<'credits.alert'>[];
  let shown: string[];
  let saveTo: string | null;
  let call: Channels['call'];
  const keys: Record<string, string> = {};

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'address-console-credits-'));
    time = start;
    told = [];
    shown = [];
    saveTo = null;
    demo = await startTestService({ premises: 2000, admin: true, now: '2027-03-01T09:00:00Z' });
    postcodes = [demo.demo.sample.postcode, ...demo.demo.sample.nearPostcodes, demo.demo.sample.town];
    core = unwrap(
      await startCore({
        folder,
        emit: (event, payload) => {
          if (event === 'credits.alert') told.push(payload as EventPayload<'credits.alert'>);
        },
        // The clock moves by a millisecond each time it is read.
        clock: { now: () => time++ },
        // The program must not read balances by itself, which could happen between any two steps of a test.
        readDelayMs: 2_000_000_000,
        isShown: () => true,
        showNotice: async (title) => shown.push(title) > 0,
      }),
    );
    ({ call } = openChannels(core, {
      chooseSaveFile: async ({ name }) => (saveTo === null ? null : join(saveTo, name)),
    }));
    const added = core.connections.add(
      connectionDraft('Wyebank', {
        restBaseUrl: demo.restBaseUrl,
        soapUrl: demo.soapUrl,
        soapNamespace: demo.soapNamespace,
        utilitiesNamespace: demo.utilitiesNamespace,
        accountName: demo.demo.accountName,
        yourReference: demo.demo.yourReference,
      }),
    );
    connectionId = unwrap(added).id;
    for (const [label, value] of [
      ['Contact centre', demo.demo.lookupKey],
      ['Nightly batch', demo.demo.lookupKey2],
    ] as const)
      keys[label] = unwrap(await call('secrets.put', { connectionId, role: 'lookup-key', label, value })).id;
    unwrap(await call('secrets.put', { connectionId, role: 'account-guid', label: 'Account', value: demo.demo.guid }));
    unwrap(
      await call('secrets.put', { connectionId, role: 'licence-id', label: 'Licence', value: demo.demo.licenceId }),
    );
  });
  afterEach(async () => {
    await core.close();
    await demo.stop();
    removeFolder(folder);
  });

  const later = (milliseconds: number) => {
    time += milliseconds;
  };
  const readBalance = async () => {
    const answer = unwrap(await call('credits.read-balances', { connectionId, sources: ['rest-key'] }));
    expect(answer.failures).toEqual([]);
    return answer.samples[0]?.credits;
  };
  const payWith = async (label: string) => unwrap(await call('secrets.prefer', { secretId: keys[label] ?? '' }));
  let asked = 0;
  /** A paid search by this program, with a new text each time, because a saved answer is free. */
  const search = async () => {
    const text = postcodes[asked++ % postcodes.length] ?? '';
    return unwrap(await call('lookup.search', { connectionId, text, cache: 'reload' }));
  };
  const otherClientSpends = async (times: number) => {
    for (let time = 0; time < times; time += 1)
      expect((await callRest(demo, '/Search', { query: postcodes[0] ?? '' })).status).toBe(200);
  };
  const admin = (path: string, body: object) =>
    fetch(`${new URL(demo.restBaseUrl).origin}/__demo/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const reconcile = async () => {
    const { balances } = unwrap(
      await call('credits.reconcile', {
        connectionId,
        from: new Date(start).toISOString(),
        to: new Date(time).toISOString(),
      }),
    );
    return balances;
  };

  it('attributes spend to two keys, a second client and a top-up exactly', async () => {
    const first = (await readBalance()) ?? 0;
    for (let time = 0; time < 3; time += 1) await search();
    later(hour);
    expect(await readBalance()).toBe(first - 3);
    await payWith('Nightly batch');
    expect(await readBalance()).toBe(first - 3);
    await search();
    await search();
    later(hour);
    await readBalance();
    later(20 * hour);
    await otherClientSpends(7);
    await readBalance();
    later(5 * hour);
    expect((await admin('credits', { add: 5000 })).status).toBe(200);
    await readBalance();
    later(hour);
    await readBalance();
    later(hour);
    // Between two readings: this program's search, and a spend by somebody else.
    await search();
    await search();
    await otherClientSpends(4);
    later(hour);
    const last = await readBalance();

    const [balance, ...more] = await reconcile();
    expect(more).toEqual([]);
    expect(balance).toMatchObject({
      source: 'rest-key',
      opening: { credits: first },
      closing: { credits: last },
      added: 5000,
      spent: [
        { paidBy: 'Nightly batch', credits: 4, calls: 4 },
        { paidBy: 'Contact centre', credits: 3, calls: 3 },
      ],
      expected: 7,
      observed: 18,
      others: 7,
      unexplained: 4,
      open: 0,
      unpriced: 0,
    });
    expect(balance?.additions).toHaveLength(1);
    expect(balance?.quiet.windows).toBeGreaterThanOrEqual(3);
    expect(balance?.quiet.still).toBeGreaterThanOrEqual(1);

    // The ledger has a row for each movement, and a person can say what it was.
    const { entries } = unwrap(await call('credits.ledger', { connectionId, before: null, limit: 100 }));
    const moved = entries.filter(({ kind }) => kind === 'movement');
    expect(moved.map(({ observed, claims }) => [observed, claims[0]?.kind])).toEqual([
      [4, 'beyond'],
      [-5000, 'added'],
      [7, 'no-call'],
    ]);
    const noted = unwrap(
      await call('credits.annotate', { connectionId, entryId: moved[2]?.id ?? '', note: ' The web form ' }),
    );
    expect(noted.note).toBe('The web form');
    expect(await call('credits.annotate', { connectionId, entryId: 'none', note: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });

    // The charts agree with the reconciliation.
    const history = unwrap(
      await call('credits.history', {
        connectionId,
        from: new Date(start - 48 * hour).toISOString(),
        to: new Date(time).toISOString(),
        by: 'key',
      }),
    );
    const total = (of: (bar: (typeof history.bars)[number]) => number) =>
      history.bars.reduce((sum, bar) => sum + of(bar), 0);
    expect(total(({ parts }) => parts['Nightly batch'] ?? 0)).toBe(4);
    expect(total(({ unexplained }) => unexplained)).toBe(11);
    expect(total(({ added }) => added)).toBe(5000);
    expect(history.lines.map(({ label }) => label).sort()).toEqual(['Contact centre', 'Nightly batch']);
  });

  it('reconciles keys with separate balances separately', async () => {
    demo.account.keys.forEach((key) => {
      key.credits = key.label === 'lookup' ? 400 : 90;
    });
    // The balance of each key is read.
    const both = unwrap(await call('credits.read-balances', { connectionId, sources: ['rest-key'] }));
    expect(both.samples.map(({ label, credits }) => [label, credits])).toEqual([
      ['Contact centre', 400],
      ['Nightly batch', 90],
    ]);
    await search();
    later(hour);
    await readBalance();
    await payWith('Nightly batch');
    await readBalance();
    await search();
    await search();
    later(hour);
    expect(await readBalance()).toBe(88);
    await payWith('Contact centre');
    await readBalance();
    const [together] = await reconcile();
    expect(together).toMatchObject({ opening: { credits: 400 }, closing: { credits: 399 } });
    expect(unwrap(await call('credits.separate', { connectionId }))).toEqual({ separate: false });
    unwrap(await call('credits.say-separate', { connectionId, separate: true }));
    const balances = await reconcile();
    expect(
      balances.map(({ keys: [key], expected, observed, others, unexplained, open }) => [
        key?.label,
        expected,
        observed,
        others,
        unexplained,
        open,
      ]),
    ).toEqual([
      ['Contact centre', 1, 1, 0, 0, 0],
      ['Nightly batch', 2, 2, 0, 0, 0],
    ]);
    const { entries } = unwrap(await call('credits.ledger', { connectionId, before: null, limit: 100 }));
    // The two calls of the night cost their published prices together, and each is entered for its key.
    expect(entries.map(({ observed }) => observed)).toEqual([1, 1, 1]);
  });

  it('reports each crossing once, and again only after it was crossed back', async () => {
    const first = (await readBalance()) ?? 0;
    unwrap(
      await call('credits.save-alerts', {
        connectionId,
        alerts: [
          { kind: 'below-credits', threshold: first - 1 },
          { kind: 'unexplained', threshold: 5 },
        ],
      }),
    );
    await search();
    await search();
    later(hour);
    await readBalance();
    expect(told.map(({ title }) => title)).toEqual([`Fewer than ${(first - 1).toLocaleString('en-GB')} credits left`]);
    later(hour);
    await readBalance();
    expect(told).toHaveLength(1);
    await admin('credits', { add: 100 });
    later(hour);
    await readBalance();
    expect(told).toHaveLength(1);
    await admin('credits', { add: -200 });
    later(hour);
    await readBalance();
    expect(told.map(({ title }) => title).slice(1)).toEqual([
      expect.stringMatching(/^The balance fell by 200 credits beyond what the calls/),
      expect.stringMatching(/^Fewer than/),
    ]);
    expect(shown).toHaveLength(3);
    // One call of this program beside what another client takes: its row shows the whole fall.
    await search();
    await otherClientSpends(6);
    later(hour);
    await readBalance();
    expect(told.slice(3)).toMatchObject([
      {
        title: 'The balance fell by 6 credits more than the published price of Search',
        text: expect.stringMatching(
          / The balance fell by 7 between .* So it cost 7, if nothing else used this balance.* Read with Contact centre it went from /,
        ),
      },
    ]);
    const { alerts } = unwrap(await call('credits.alerts', { connectionId }));
    expect(alerts.every(({ toldAt }) => toldAt !== null)).toBe(true);
    const tried = unwrap(await call('credits.try-alert', { connectionId }));
    expect(tried).toMatchObject({ trial: true, shownBySystem: true, connectionName: 'Wyebank' });
  });

  it('reports a fall beside a call to each connection whose balance showed it, though another has read it first', async () => {
    unwrap(await call('secrets.remove', { secretId: keys['Nightly batch'] ?? '' }));
    const draft = connectionDraft('Night', { restBaseUrl: demo.restBaseUrl });
    const night = unwrap(core.connections.add(draft)).id;
    const key = { role: 'lookup-key', label: 'Nightly batch', value: demo.demo.lookupKey2 } as const;
    unwrap(await call('secrets.put', { connectionId: night, ...key }));
    for (const one of [connectionId, night]) {
      unwrap(await call('credits.save-alerts', { connectionId: one, alerts: [{ kind: 'unexplained', threshold: 1 }] }));
      unwrap(await call('credits.read-balances', { connectionId: one, sources: ['rest-key'] }));
    }
    await search();
    await otherClientSpends(9);
    const title = 'The balance fell by 9 credits more than the published price of Search';
    later(hour);
    unwrap(await call('credits.read-balances', { connectionId: night, sources: ['rest-key'] }));
    expect(told).toMatchObject([{ connectionId: night, title }]);
    later(hour);
    await readBalance();
    expect(told.slice(1)).toMatchObject([{ connectionId, title }]);
  });

  it('measures a price by an experiment, and what a reading itself costs', async () => {
    demo.settings.prices.GetAddressesForPostcode = 3;
    demo.account.defaultLicence.credits = 500;
    unwrap(
      await call('secrets.put', { connectionId, role: 'licence-key', label: 'Licence', value: demo.demo.licenceKey }),
    );
    const experiment = async () =>
      unwrap(
        await call('credits.measure', {
          connectionId,
          operation: 'GetAddressesForPostcode',
          fields: [{ name: 'Postcode', value: demo.demo.sample.postcode }],
        }),
      );
    const result = await experiment();
    expect(result.credits).toBe(3);
    expect(result.samples.map(({ credits }) => credits)).toEqual([500, 500, 497]);
    later(24 * hour);
    await experiment();
    const { measured, measurable } = unwrap(await call('credits.prices', { connectionId }));
    // Reading the balance has no published price, so no call can be measured on its own.
    expect(measured).toEqual([]);
    expect(measurable).not.toContain('UnregisterLicense');
    expect(await call('credits.measure', { connectionId, operation: 'RegisterLicense', fields: [] })).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
  });

  it('polls only a free call, once a minute at most, and pauses if the service asks to slow down', async () => {
    const { poller } = core.credits;
    core.settings.write('selectedConnectionId', connectionId);
    expect(await poller.tick()).toBe(false);
    await readBalance();
    expect(await poller.tick()).toBe(false);
    later(61_000);
    expect(await poller.tick()).toBe(true);
    expect(await poller.tick()).toBe(false);
    demo.faults.set({ kind: 'status', status: 429, times: 'always' });
    later(61_000);
    expect(await poller.tick()).toBe(true);
    later(61_000);
    expect(await poller.tick()).toBe(false);
    later(4 * 61_000);
    expect(await poller.tick()).toBe(true);
    later(5 * 61_000);
    expect(await poller.tick()).toBe(false);
    const calls = await loggedCalls(core.log, { connectionId });
    expect(new Set(calls.map(({ operation }) => operation))).toEqual(new Set(['GetCredits']));
  });

  it('bars, entries, readings and reconciliation agree exactly over seven whole local days', async () => {
    const zone = process.env.TZ;
    // There it is 22:00 when it is 09:00 in UTC.
    process.env.TZ = 'Pacific/Auckland';
    try {
      await readBalance();
      for (let count = 0; count < 40; count += 1) {
        later(5 * hour);
        await search();
        if (count % 6 === 3) await readBalance();
      }
      const range = rangeOf({ preset: '7' }, new Date(time));
      const local = (iso: string) => new Date(iso).toLocaleDateString('en-GB');
      const oldest = new Date(time);
      oldest.setDate(oldest.getDate() - 6);
      expect([local(range.from), local(range.to)]).toEqual([
        local(oldest.toISOString()),
        local(new Date(time).toISOString()),
      ]);

      const { bars } = unwrap(await call('credits.history', { connectionId, ...range, by: 'key' }));
      expect(bars).toHaveLength(7);
      const drawn = bars.flatMap(({ parts }) => Object.values(parts)).reduce((sum, one) => sum + one, 0);
      saveTo = folder;
      // A range that was drawn by mouse from one hour to another covers the same days.
      const cut = { from: new Date(Date.parse(range.from) + 7 * hour).toISOString(), to: new Date(time).toISOString() };
      for (const wanted of [range, cut]) {
        const wish = { connectionId, ...wanted, what: 'ledger', format: 'json' } as const;
        const { fileName } = unwrap(await call('credits.export', wish));
        const day = (iso: string) => local(iso).split('/').reverse().join('-');
        expect(fileName).toBe(`credits-ledger-${day(range.from)}-to-${day(range.to)}.json`);
        const rows = JSON.parse(readFileSync(join(folder, fileName), 'utf8')) as { at: string; expected: number }[];
        const sum = rows.reduce((all, { expected }) => all + expected, 0);
        expect(sum).toBe(drawn);
        expect(rows.every(({ at }) => Date.parse(at) >= Date.parse(range.from))).toBe(true);
        const { balances } = unwrap(await call('credits.reconcile', { connectionId, ...wanted }));
        const [balance] = balances;
        expect((balance?.expected ?? 0) + (balance?.outside ?? 0)).toBe(drawn);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('streams a range into the file that a person chose, and writes nothing if they chose none', async () => {
    await readBalance();
    await search();
    await readBalance();
    const wish = {
      connectionId,
      from: new Date(start).toISOString(),
      to: new Date(time).toISOString(),
      what: 'ledger',
      format: 'csv',
    } as const;
    expect(unwrap(await call('credits.export', wish))).toMatchObject({ saved: false, rows: 0 });
    saveTo = folder;
    const saved = unwrap(await call('credits.export', wish));
    expect(saved).toMatchObject({ saved: true, rows: 1, fileName: 'credits-ledger-2027-03-01-to-2027-03-01.csv' });
    expect(readFileSync(join(folder, saved.fileName), 'utf8')).toMatch(
      /^\uFEFFat,since,operation,.*,claims\r\n2027-03-01T09:00.*,Search,.*It was answered at 1 Mar 2027, /,
    );
    const sql = new DatabaseSync(join(folder, databaseName), { readOnly: true });
    expect(sql.prepare('SELECT outlet, range_from, as_of > 0 AS known FROM said').all()).toEqual([
      { outlet: 'export', range_from: new Date(2027, 2, 1).toISOString(), known: 1 },
      { outlet: 'export', range_from: null, known: 1 },
    ]);
    const parts = [
      { paidBy: 'no such key', filter: null, rows: 0 },
      { paidBy: null, filter: { ...wholeTable, operations: ['GetPremise'] }, rows: 0 },
      { paidBy: null, filter: { ...wholeTable, operations: ['Search'] }, rows: 1 },
    ];
    for (const { rows, ...part } of parts)
      expect(unwrap(await call('credits.export', { ...wish, ...part }))).toMatchObject({ saved: true, rows });
    // A row that a part left out is not said to have left.
    expect(sql.prepare(`SELECT about, claims FROM said WHERE about = 'part'`).all()).toEqual(
      parts.map(({ rows: _, ...part }) => ({ about: 'part', claims: JSON.stringify(part) })),
    );
    sql.close();
    const json = unwrap(await call('credits.export', { ...wish, what: 'readings', format: 'json' }));
    expect(JSON.parse(readFileSync(join(folder, json.fileName), 'utf8'))).toHaveLength(json.rows);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    saveTo = join(folder, 'gone');
    expect(await call('credits.export', wish)).toMatchObject({ ok: false, error: { code: 'file-failed' } });
  });
});
