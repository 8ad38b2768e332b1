import { StatementSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exportText } from '../../../electron/core/credits/export.ts';
import { measurePrices } from '../../../electron/core/credits/measured.ts';
import { readOverview } from '../../../electron/core/credits/overview.ts';
import { capsWithPolicy } from '../../../electron/core/policy/enforce-policy.ts';
import { noCaps } from '../../../electron/core/spend/caps.ts';
import { type CapsStore, createCapsStore } from '../../../electron/core/spend/caps-store.ts';
import { createLedger } from '../../../electron/core/spend/ledger.ts';
import { openConnectionsRepository } from '../../../electron/core/storage/connections-repository.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { migrations } from '../../../electron/core/storage/database/migrations.ts';
import { fallOfClaims } from '../../../renderer/components/money/money-claims.tsx';
import { anyDay, readDay } from '../../../shared/claims/moment.ts';
import { renderMoneyClaim, renderMoneyClaims, shortenMoneyClaims } from '../../../shared/claims/money-claims.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { ok } from '../../../shared/result.ts';
import { factsOf, origin } from '../../helpers/spend-facts.ts';
import { connectionDraft, openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

const minute = 60_000;
const hour = 60 * minute;
const allTime = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
/** Set on this computer, in a store that records no author. */
const here = { kind: 'here', author: null };

describe('the ledger', () => {
  let temp: TempDatabase;
  let id: string;
  let facts: ReturnType<typeof factsOf>;
  const later = (milliseconds: number) => {
    temp.clock.time += milliseconds;
  };
  const restart = () => {
    temp.reopen();
    facts = factsOf(temp.db, temp.clock, id);
  };
  const capped = (caps: Partial<typeof noCaps>, connectionId = id) => [
    { ...noCaps, ...caps, scope: { kind: 'connection' as const, connectionId } },
  ];
  const admit = (caps: Partial<typeof noCaps>, more = {}) => facts.ledger.admit(facts.spend(more), capped(caps));

  const overviewOf = (caps: CapsStore) => {
    const { balances, ledger } = facts;
    return unwrap(readOverview({ balances, caps, ledger, licenceCredits: () => ok(null) }, id));
  };

  beforeEach(() => {
    temp = openTempDatabase();
    id = temp.addConnection().id;
    facts = factsOf(temp.db, temp.clock, id);
  });
  afterEach(() => temp.remove());

  it('records a call before it is sent, and once it has ended says what its balance shows', () => {
    facts.read(12);
    const call = facts.send();
    expect(facts.said(call)).toEqual(['under-way']);
    facts.read(12);
    expect(facts.said(call)).toEqual(['under-way']);
    facts.end(call);
    expect(facts.said(call)).toEqual(['answered', 'not-read-since']);
    facts.read(10);
    expect(facts.entry(call)).toMatchObject({
      expected: 1,
      observed: 2,
      balanceBefore: 12,
      balanceAfter: 10,
      claims: [{ kind: 'answered' }, { kind: 'cost', fall: 2, assumes: ['O', 'A', 'C', 'H', 'F'] }],
    });
    expect(facts.entries()).toHaveLength(1);
  });

  it('leaves calls that are free by published prices out of its claims about a movement, and says so', () => {
    const price = fc.constantFrom(0, 0, 1, 2, null);
    let credits = 1_000_000;
    facts.read(credits);
    fc.assert(
      fc.property(fc.array(price, { maxLength: 6 }), fc.integer({ min: 0, max: 9 }), (prices, fall) => {
        const before = new Set(facts.entries().map((entry) => entry.id));
        const paid = prices.flatMap((expected) => {
          const entry = unwrap(facts.ledger.admit(facts.spend({ expected })));
          if (entry) facts.end(entry.id);
          return entry ? [entry.id] : [];
        });
        expect(paid).toHaveLength(prices.filter((one) => one !== 0).length);
        credits -= fall;
        facts.read(credits);
        const claims = facts.entries().flatMap((entry) => (before.has(entry.id) ? [] : entry.claims));
        for (const claim of claims) {
          if ('calls' in claim) expect(claim.calls).toBe(paid.length);
          if (claim.kind === 'cost') expect(paid).toHaveLength(1);
          if ('explained' in claim)
            expect(claim.explained).toBe(prices.reduce<number>((sum, one) => sum + (one ?? 0), 0));
          if ('calls' in claim || claim.kind === 'cost' || claim.kind === 'no-call')
            expect(renderMoneyClaim(claim, readDay(claim.to))).toMatch(
              / apart from those that are free by published prices\b/,
            );
        }
        if (paid.length === 0 && fall > 0) expect(claims.map(({ kind }) => kind)).toContain('no-call');
      }),
      { numRuns: 150 },
    );
  });

  it('records no call that is published as free', () => {
    expect(unwrap(facts.ledger.admit(facts.spend({ expected: 0 })))).toBeNull();
    expect(facts.entries()).toEqual([]);
  });

  it('waits for a late charge of a call without an answer, however the clock is set', () => {
    facts.read(10);
    const lost = facts.send();
    facts.end(lost, 'lost');
    later(119_000);
    facts.read(10);
    expect(facts.said(lost)).toEqual(['no-answer', 'may-come']);
    later(2000);
    facts.read(9);
    expect(facts.said(lost)).toEqual(['no-answer', 'cost']);
  });

  it('never clears a lost call because of a free call beside it', () => {
    facts.read(10);
    const lost = facts.send();
    facts.end(lost, 'lost');
    const free = facts.call({ operation: 'Search' });
    later(3 * minute);
    facts.read(9);
    for (const call of [lost, free]) expect(facts.said(call)).toContain('shared');
  });

  it('says that a later fall may be the late charge of a call without a fall, and counts that call again', () => {
    facts.read(10);
    const early = facts.call();
    facts.read(10);
    expect(facts.said(early)).toEqual(['answered', 'no-fall']);
    expect(admit({ perDay: 1 }).ok).toBe(true);
    facts.end(facts.entries()[0]?.id ?? '', 'unsent');
    later(hour);
    facts.read(9);
    expect(facts.said(early)).toEqual(['answered', 'no-fall', 'late']);
    const [movement] = facts.entries();
    expect(movement).toMatchObject({
      kind: 'movement',
      observed: 1,
      claims: [
        { kind: 'no-call', fall: 1 },
        { kind: 'late-candidates', names: 'GetPremise 00284147', more: 0 },
      ],
    });
    expect(admit({ perDay: 1 })).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
  });

  it('counts such a call again also where the clock was set back for the reading that showed no fall', () => {
    facts.read(10);
    later(30 * hour);
    const early = facts.call();
    later(-72 * hour);
    facts.read(10);
    expect(facts.said(early)).toEqual(['answered', 'no-fall']);
    later(73 * hour);
    facts.read(9);
    const [movement] = facts.entries();
    expect(movement?.claims.map(({ kind }) => kind)).toEqual(['no-call', 'late-candidates']);
    expect(admit({ perDay: 1 })).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
  });

  it('counts a call without a fall again where the balance at the other server of its connection falls later', () => {
    const soap = 'https://soap.example';
    facts.read(10);
    facts.read(10, { origin: soap });
    const early = facts.call({ origins: [origin, soap] });
    facts.read(10);
    facts.read(10, { origin: soap });
    expect(facts.said(early)).toEqual(['answered', 'no-fall']);
    later(hour);
    facts.read(9, { origin: soap });
    expect(admit({ perDay: 1 })).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
  });

  it('adds up figures with decimals as they are written, not as a computer stores them', () => {
    const read = (credits: number, used: number | null = null, total: number | null = null) =>
      facts.read(credits, { used, total });
    read(10.3);
    const alike = [facts.call(), facts.call()];
    read(8.3);
    for (const call of alike) expect(facts.said(call)).toEqual(['answered', 'at-price']);
    const half = facts.call();
    read(8.2);
    expect(facts.entry(half)).toMatchObject({ observed: 0.1, claims: [{ kind: 'answered' }, { fall: 0.1 }] });
    read(1.1, 0.2, 1.3);
    const spent = facts.call();
    read(0.8, 0.5, 1.3);
    expect(facts.entry(spent)).toMatchObject({
      observed: 0.3,
      claims: [{ kind: 'answered' }, { kind: 'cost', fall: 0.3 }],
    });
  });

  it('says of figures that add up each time, and of which one went down, only that it may have gone down', () => {
    facts.read(100, { used: 0, total: 100 });
    const call = facts.call();
    // 20 of the credits expired, or were taken back.
    facts.read(79, { used: 1, total: 80 });
    const { claims } = facts.entry(call) ?? { claims: [] };
    expect(claims.map(({ kind }) => kind)).toEqual(['answered', 'unclear']);
    expect(renderMoneyClaims(claims, anyDay)).toMatch(
      /do not add up, or its “used” or “total” went down\. Nothing follows/,
    );
  });

  it('shows a change of the balance of which nothing follows, and beside which no call stands, once and as no spending', () => {
    facts.read(100, { used: 0, total: 100 });
    // 7 of the credits expired, or were taken back.
    facts.read(93, { used: 0, total: 93 });
    expect(facts.entries()).toMatchObject([
      { kind: 'movement', observed: null, balanceBefore: 100, balanceAfter: 93, claims: [{ kind: 'unclear' }] },
    ]);
    facts.read(93, { used: 7, total: 100 });
    facts.read(93, { used: 6, total: 99 });
    expect(facts.entries().filter(({ observed }) => observed === null)).toHaveLength(1);
    expect(facts.entries().every(({ observed }) => observed === null || observed !== 0)).toBe(true);
  });

  it('names the day on which credits were to expire beside a fall across it, also where one call alone may have caused it', () => {
    const expiryDate = '2026-03-02';
    for (const fall of [1, 500]) {
      facts.read(1000, { expiryDate });
      const call = facts.call();
      facts.read(1000 - fall, { expiryDate });
      expect(facts.entry(call)).toMatchObject({
        observed: null,
        claims: [{ kind: 'answered' }, { kind: 'shared', fall, calls: 1 }, { kind: 'expiry', day: expiryDate }],
      });
    }
  });

  it('says of credits used while others were added what the service counts of both, and not that the balance fell', () => {
    facts.read(10, { used: 90, total: 100 });
    const alone = facts.call();
    facts.read(109, { used: 91, total: 200 });
    expect(facts.entry(alone)).toMatchObject({
      observed: 1,
      balanceBefore: 10,
      balanceAfter: 109,
      claims: [{ kind: 'answered' }, { kind: 'cost', fall: 1, rise: 100, assumes: ['O', 'R', 'C', 'H', 'F'] }],
    });
    expect(facts.entries()).toMatchObject([{ observed: -100, claims: [{ kind: 'added', fall: 1, rise: 100 }] }, {}]);
    // Nothing of this console, and then two calls whose late charge it may be.
    facts.read(204, { used: 96, total: 300 });
    const clear = facts.call();
    facts.read(204, { used: 96, total: 300 });
    facts.read(303, { used: 97, total: 400 });
    expect(facts.said(clear)).toEqual(['answered', 'no-fall', 'late']);
    const entries = facts.entries();
    expect(entries.filter(({ kind }) => kind === 'movement').map(({ observed }) => observed)).toEqual(
      expect.arrayContaining([5, 1, -100]),
    );
    for (const { claims } of entries) {
      const said = `${shortenMoneyClaims(claims)} ${fallOfClaims(claims)} ${renderMoneyClaims(claims, anyDay)}`;
      expect(said).not.toMatch(/balance (fell|rose)|\bfell by|rose by \d+ between/);
      expect(said).toMatch(/balance’s “used” rose by \d and its “total” by 100/);
    }
    expect(entries.map(({ claims }) => shortenMoneyClaims(claims))).toEqual(
      expect.arrayContaining(['1 used, alone', '100 added', 'not explained']),
    );
  });

  it('names as late only calls that it names whole, and counts all others', () => {
    facts.read(1000);
    for (let n = 0; n < 600; n += 1) facts.call({ subject: String(10_000_000 + n) });
    facts.read(1000);
    later(hour);
    facts.read(999);
    const named = facts.entries()[0]?.claims.find(({ kind }) => kind === 'late-candidates');
    if (named?.kind !== 'late-candidates') throw new Error('No call is named.');
    const names = named.names.split(', ');
    for (const name of names) expect(name).toMatch(/^GetPremise 1\d{7}$/);
    expect(names.length + named.more).toBe(600);
  });

  describe('a call that reads a balance and may cost something lies in the stretches before and after its reading', () => {
    const own = { operation: 'GetAvailableCredits', expected: null };
    const readOwn = (credits: number) => {
      facts.read(credits, { ownCall: own });
      return facts.entries().find(({ kind }) => kind === 'call')?.id ?? '';
    };
    beforeEach(() => unwrap(createCapsStore(temp.db).setPrice(id, own.operation, 1)));

    it('keeps what the first of them showed, where the second shows no fall', () => {
      readOwn(100);
      const between = readOwn(99);
      expect(facts.said(between)).toEqual(['answered', 'shared']);
      readOwn(99);
      expect(facts.said(between)).toEqual(['answered', 'shared']);
      const said = facts.entries();
      unwrap(facts.ledger.rebuildSegments());
      expect(facts.entries()).toEqual(said);
    });

    it('counts again where the second shows the fall', () => {
      const counted = () => unwrap(facts.ledger.countedNow({ kind: 'connection', connectionId: id })).perDay.credits;
      readOwn(100);
      const between = readOwn(100);
      expect(facts.said(between)).toEqual(['answered', 'no-fall']);
      expect(counted()).toBe(0);
      readOwn(98);
      expect(facts.said(between)).toEqual(['answered', 'shared']);
      expect(counted()).toBe(3);
      expect(admit({ perDay: 3 }, own)).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
      unwrap(facts.ledger.rebuildSegments());
      expect(counted()).toBe(3);
    });

    it('said in an export what the first of them showed, until the second showed the fall', () => {
      readOwn(100);
      const between = readOwn(100);
      expect(facts.said(between)).toEqual(['answered', 'no-fall']);
      const asOf = facts.ledger.lastFact();
      readOwn(98);
      const request = { connectionId: id, what: 'ledger', format: 'json', ...allTime } as const;
      const file = [...exportText(temp.db, request, asOf)].map(({ text }) => text).join('');
      expect(file.match(/No fall seen/g)).toHaveLength(2);
    });
  });

  it('takes two readings under way at once for neither a fall nor a rise, whichever of them comes first', () => {
    facts.read(100);
    const first = unwrap(facts.ledger.beginSample());
    // Another client takes 10 after the service has read the first figure and before it reads the second.
    facts.read(90);
    facts.read(100, { asked: first });
    facts.read(90);
    expect(facts.entries()).toMatchObject([{ kind: 'movement', observed: 10, claims: [{ kind: 'no-call' }] }]);
    const call = facts.call();
    facts.read(89);
    expect(facts.said(call)).toEqual(['answered', 'cost']);
    const said = facts.entries();
    unwrap(facts.ledger.rebuildSegments());
    expect(facts.entries()).toEqual(said);
  });

  it('blames no call for a fall of a balance that is separate, as a person has said', () => {
    const batch = { fingerprint: 'batch' };
    facts.read(10);
    facts.read(10, batch);
    const mine = facts.call();
    facts.read(10);
    later(minute);
    facts.call({ ...batch, paidBy: 'Batch' });
    facts.read(9, batch);
    expect(facts.said(mine)).toEqual(['answered', 'no-fall', 'late']);
    unwrap(facts.ledger.declareSeparate(origin, true));
    expect(facts.said(mine)).toEqual(['answered', 'no-fall']);
    facts.read(7, batch);
    expect(facts.entries()[0]?.claims.map(({ kind }) => kind)).toEqual(['no-call']);
    facts.end(unwrap(admit({ perDay: 2 }))?.id ?? '', 'unsent');
    facts.read(9);
    expect(facts.said(mine)).toEqual(['answered', 'no-fall', 'late']);
  });

  it('still takes a call over SOAP for a cause of a fall of any key, where a person has said that the keys are separate', () => {
    unwrap(facts.ledger.declareSeparate(origin, true));
    facts.read(10);
    const soap = facts.call({ interface: 'soap', fingerprint: 'licence' });
    facts.read(9);
    expect(facts.said(soap)).toEqual(['answered', 'cost']);
    expect(facts.entries().map(({ kind }) => kind)).toEqual(['call']);
  });

  it('ends the call of a process that no longer runs when it finds it, and waits from then', () => {
    facts.read(10);
    const dead = facts.send();
    restart();
    later(hour);
    facts.read(10);
    expect(facts.said(dead)).toEqual(['cut-off', 'may-come']);
    later(minute);
    facts.read(10);
    expect(facts.said(dead)).toEqual(['cut-off', 'may-come']);
    later(61_000);
    facts.read(9);
    expect(facts.said(dead)).toEqual(['cut-off', 'cost']);
  });

  it('waits for a late charge of a killed call for twice its own time limit, if that is longer', () => {
    facts.read(10);
    const dead = facts.send({ timeoutMs: 90_000 });
    restart();
    facts.read(10);
    later(179_000);
    facts.read(10);
    expect(facts.said(dead)).toEqual(['cut-off', 'may-come']);
    later(2000);
    facts.read(9);
    expect(facts.said(dead)).toEqual(['cut-off', 'cost']);
  });

  it('leaves the call of another process alone while that process is alive', () => {
    facts.read(10);
    const other = unwrap(openDatabase({ folder: temp.folder, clock: temp.clock }));
    const theirs = factsOf(other, temp.clock, id);
    const call = theirs.send();
    later(hour);
    facts.read(9);
    expect(facts.said(call)).toEqual(['under-way']);
    theirs.end(call);
    other.close();
    facts.read(9);
    expect(facts.said(call)).toEqual(['answered', 'cost']);
    expect(facts.entries()).toHaveLength(1);
  });

  it('lets exactly as many calls pass as the cap allows, over two processes and two names of one key', () => {
    const other = unwrap(openDatabase({ folder: temp.folder, clock: temp.clock }));
    const theirs = factsOf(other, temp.clock, 'a file’s connection');
    const store = createCapsStore(temp.db);
    unwrap(store.write(id, { ...noCaps, perDay: 3 }));
    const theirStore = createCapsStore(other);
    const admitted = [0, 1, 2, 3, 4, 5].map((n) => {
      const [mine, caps] = n % 2 ? [facts, store] : [theirs, theirStore];
      const connectionId = n % 2 ? id : 'a file’s connection';
      // Both connections have sent calls with the key, so the caps of each apply to both.
      unwrap(store.inForce(id, 'contact-centre'));
      return mine.ledger.admit(mine.spend(), unwrap(caps.inForce(connectionId, 'contact-centre'))).ok;
    });
    other.close();
    expect(admitted).toEqual([true, true, true, false, false, false]);
  });

  it('adds up no earlier calls to hold one against the caps of the day and of the run', () => {
    facts.call();
    const get = vi.spyOn(StatementSync.prototype, 'get');
    try {
      expect(admit({ perDay: 2, perRun: 2 }).ok).toBe(true);
      expect(admit({ perDay: 2 }).ok).toBe(false);
      expect(admit({ perRun: 2 }).ok).toBe(false);
      const texts = new Set(get.mock.contexts.map((statement) => (statement as StatementSync).sourceSQL));
      const steps = [...texts].flatMap((text) => temp.db.sql.prepare(`EXPLAIN QUERY PLAN ${text}`).all());
      expect(steps.filter(({ detail }) => / ledger /.test(String(detail)))).toEqual([]);
    } finally {
      get.mockRestore();
    }
  });

  it('keeps a minimum balance with what the last reading may not show yet, and requires a reading if there is none', () => {
    expect(admit({ floor: 15 })).toMatchObject({
      ok: false,
      error: { next: expect.stringContaining('Read the balance') },
    });
    facts.read(17);
    expect(admit({ floor: 15 }).ok).toBe(true);
    expect(admit({ floor: 15 }).ok).toBe(true);
    expect(admit({ floor: 15 })).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
    restart();
    expect(admit({ floor: 15 }).ok).toBe(false);
  });

  it('keeps a minimum balance of a key at both servers: by the lesser reading, less what was sent to either', () => {
    const soap = 'https://soap.example';
    const both = { origins: [soap, origin] };
    facts.read(20, { origin: soap });
    facts.call({ origins: [origin, soap], expected: 4 });
    expect(admit({ floor: 16 }, both).ok).toBe(false);
    expect(admit({ floor: 15 }, both).ok).toBe(true);
    facts.read(12);
    expect(admit({ floor: 12 }, both).ok).toBe(false);
    facts.read(3, { origin: soap });
    facts.read(12);
    expect(admit({ floor: 3 }, both).ok).toBe(false);
  });

  it('counts towards the limit of a batch what an older copy of the database lost', () => {
    const of = (lost: number) => ({ id: 'b', ask: 1, limit: 3, lost, minimumBalance: null });
    expect(facts.ledger.admit(facts.spend(), [], of(3))).toMatchObject({ error: { field: 'batch.limit' } });
    expect(facts.ledger.admit(facts.spend(), [], of(2)).ok).toBe(true);
  });

  it('writes an end that could not be written before the next call', () => {
    const call = facts.send();
    temp.db.sql.exec("CREATE TRIGGER full BEFORE UPDATE ON ledger BEGIN SELECT raise(ABORT, 'full'); END");
    expect(facts.ledger.endCall(call, { how: 'answered', code: null }).ok).toBe(false);
    temp.db.sql.exec('DROP TRIGGER full');
    facts.send();
    expect(facts.said(call)[0]).toBe('answered');
  });

  it('keeps a minimum balance with a lost call that only the balance of another key has shown since', () => {
    const batch = { fingerprint: 'batch' };
    facts.read(100);
    facts.read(100, batch);
    const lost = facts.send();
    facts.end(lost, 'lost');
    later(2000);
    facts.read(100);
    expect(admit({ floor: 99 })).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
    later(3 * minute);
    facts.read(99, batch);
    expect(facts.said(lost)).toEqual(['no-answer', 'cost']);
    expect(admit({ floor: 99 })).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
    // Its own balance has been read since the wait was over, and shows it.
    facts.read(100);
    expect(admit({ floor: 99 }).ok).toBe(true);
  });

  it('takes no reading that was requested before the wait for a lost call was over for a clean cut, where another one has ended it', () => {
    facts.read(100);
    facts.read(100, { fingerprint: 'batch' });
    const lost = facts.send();
    facts.end(lost, 'lost');
    const asked = unwrap(facts.ledger.beginSample());
    later(3 * minute);
    facts.read(99, { fingerprint: 'batch' });
    facts.read(100, { asked });
    expect(facts.said(lost)).toEqual(['no-answer', 'cost']);
    expect(admit({ floor: 99 })).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
  });

  it('keeps a minimum balance for a licence by the balance of its account, which is read with another credential', () => {
    const account = { source: 'soap-account' as const, fingerprint: 'guid' };
    const byLicence = { interface: 'soap' as const, operation: 'C1SearchPremise', fingerprint: 'licence' };
    expect(admit({ floor: 15 }, byLicence)).toMatchObject({
      ok: false,
      error: { next: expect.stringContaining('Read the balance') },
    });
    const compared = () => unwrap(facts.ledger.lastOfPayer(id))?.credits;
    expect(compared()).toBeUndefined();
    facts.read(17, account);
    expect(compared()).toBe(17);
    expect([1, 2, 3].map(() => admit({ floor: 15 }, byLicence).ok)).toEqual([true, true, false]);
    // A key has its own balance, and another connection may lead to another account of the server.
    expect(admit({ floor: 15 }, { fingerprint: 'batch' }).ok).toBe(false);
    const other = temp.addConnection('Another account').id;
    expect(facts.ledger.admit(facts.spend({ ...byLicence, connectionId: other }), capped({ floor: 15 })).ok).toBe(
      false,
    );
    // The GUID that the connection holds now is that of another account, which was not read.
    const hold = temp.db.sql.prepare(
      `INSERT INTO secret_handles (id, connection_id, role, label, last_four, preferred, created_at, fingerprint)
       VALUES (:role, :id, :role, 'Account', '4f2a', 1, '2026-11-01T00:00:00.000Z', :fingerprint)`,
    );
    hold.run({ id, role: 'account-guid', fingerprint: 'another guid' });
    expect(compared()).toBeUndefined();
    expect(admit({ floor: 0 }, byLicence)).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
    // Two calls are under way.
    facts.read(3, { ...account, fingerprint: 'another guid' });
    expect(compared()).toBe(3);
    expect(admit({ floor: 0 }, byLicence).ok).toBe(true);
    // A lookup key pays first, where the connection has an address for it.
    hold.run({ id, role: 'lookup-key', fingerprint: 'contact-centre' });
    expect(compared()).toBeUndefined();
    openConnectionsRepository(temp.db.sql).update(
      id,
      connectionDraft('Wyebank', { restBaseUrl: '', soapUrl: `${origin}/soap` }),
      '2026-11-01',
    );
    expect(compared()).toBe(3);
  });

  it('sends no call without a price past a cap, unless a person set a figure for it', () => {
    const unpriced = { operation: 'GeoData_ForPostcode', expected: null };
    expect(admit({}, unpriced).ok).toBe(true);
    expect(admit({ perDay: 100 }, unpriced)).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
    unwrap(createCapsStore(temp.db).setPrice(id, 'GeoData_ForPostcode', 40));
    expect([1, 2, 3].map(() => admit({ perDay: 100 }, unpriced).ok)).toEqual([true, true, false]);
  });

  it('counts a call at the figure at which it was let through, whatever is set for its operation later', () => {
    const caps = createCapsStore(temp.db);
    const unpriced = { operation: 'GeoData_ForPostcode', expected: null };
    const setFigure = (credits: number | null) => unwrap(caps.setPrice(id, unpriced.operation, credits));
    const counted = () => unwrap(facts.ledger.countedNow({ kind: 'connection', connectionId: id })).perDay.credits;
    setFigure(5);
    facts.read(100);
    facts.call(unpriced);
    facts.call(unpriced);
    for (const figure of [1, null, 1000]) {
      setFigure(figure);
      unwrap(facts.ledger.declareSeparate(origin, false));
      expect(counted()).toBe(10);
    }
    facts.read(100);
    expect(counted()).toBe(0);
    facts.read(99);
    expect(counted()).toBe(10);
    unwrap(facts.ledger.rebuildSegments());
    expect(counted()).toBe(10);
  });

  it('counts calls of an earlier version at what they counted for there, or at the figure set when the version changed', () => {
    temp.remove();
    temp.db = unwrap(openDatabase({ folder: temp.folder, clock: temp.clock, migrations: migrations.slice(0, 27) }));
    id = temp.addConnection().id;
    temp.db.sql.exec(`INSERT INTO set_prices VALUES ('${id}', 'GeoData_ForPostcode', 3)`);
    const enter = temp.db.sql.prepare(
      `INSERT INTO ledger (id, run, connection_id, at, interface, operation, subject, paid_by, expected, verdict, version, counted,
         sent_sequence, ending, batch, batch_counted)
       VALUES (?, 'earlier', '${id}', '${new Date(temp.clock.time).toISOString()}', 'rest', 'GeoData_ForPostcode', '', '', ?, ?, 2, ?, 1,
         'answered', ?, ?)`,
    );
    enter.run('priced', 1, 'no-fall', 0, null, 0);
    enter.run('counted', null, 'open', 40, null, 0);
    enter.run('given back', null, 'no-fall', 0, null, 0);
    enter.run('of a batch', null, 'no-fall', 0, 'batch', 200);
    restart();
    unwrap(createCapsStore(temp.db).setPrice(id, 'GeoData_ForPostcode', 1000));
    unwrap(facts.ledger.rebuildSegments());
    expect(unwrap(facts.ledger.countedNow({ kind: 'connection', connectionId: id })).perDay.credits).toBe(244);
  });

  it('quotes what the version that stored verdicts said of a row, as its words', () => {
    temp.remove();
    temp.db = unwrap(openDatabase({ folder: temp.folder, clock: temp.clock, migrations: migrations.slice(0, 6) }));
    const enter = temp.db.sql.prepare(
      `INSERT INTO ledger (id, run, connection_id, at, interface, operation, subject, paid_by, expected, observed, verdict)
       VALUES (?1, 'earlier', '${id}', '2026-02-01T10:00:00.000Z', 'rest', 'GetPremise', '', '', 1, ?2, ?1)`,
    );
    enter.run('matches', 1);
    enter.run('not-read', null);
    enter.run('unexplained', 4);
    restart();
    unwrap(facts.ledger.rebuildSegments());
    expect(facts.entries().map(({ kind, claims }) => [kind, renderMoneyClaims(claims, anyDay)])).toEqual([
      ['movement', 'Version 1 of this program said: “No call of this console”'],
      ['call', 'Version 1 of this program said: “The balance was not read”'],
      ['call', 'Version 1 of this program said: “Cost 1, as expected”'],
    ]);
  });

  it('sums run, day and connection separately, and names what is in no sum', () => {
    temp.clock.time = new Date(2026, 2, 1, 23, 59).getTime();
    facts.call({ expected: 5 });
    temp.clock.time = new Date(2026, 2, 2, 0, 0).getTime();
    facts.call({ expected: 1 });
    facts.call({ expected: null });
    expect(unwrap(facts.ledger.spentToday(id))).toEqual({ credits: 1, calls: 2, unpriced: 1, open: 2 });
    const ofRun = () => unwrap(facts.ledger.countedNow({ kind: 'connection', connectionId: id })).perRun.credits;
    expect(ofRun()).toBe(6);
    expect(unwrap(facts.ledger.spentToday('another'))).toMatchObject({ credits: 0, calls: 0 });
    restart();
    expect(ofRun()).toBe(0);
    expect(unwrap(facts.ledger.spentToday(id)).credits).toBe(1);
  });

  it('pages newest first', async () => {
    for (const subject of ['a', 'b', 'c']) facts.call({ subject });
    const page = (before: string | null) => facts.ledger.search.list(id, wholeTable, { before, limit: 2 }, () => []);
    const first = await page(null);
    const rest = await page(first.next);
    expect([...first.entries, ...rest.entries].map(({ subject }) => subject)).toEqual(['c', 'b', 'a']);
  });

  it('takes no call back for a balance of the same key that stood still at the other server of its connection', () => {
    // SOAP still leads to where REST did, and the key was read there.
    const before = { origin: 'https://before.example' };
    facts.read(5000, before);
    facts.read(120);
    const call = facts.call({ origins: [origin, before.origin] });
    facts.read(119);
    expect(facts.said(call)).toEqual(['answered', 'cost']);
    facts.read(5000, before);
    expect(facts.said(call)).toEqual(['answered', 'cost']);
    expect(unwrap(facts.ledger.countedNow({ kind: 'connection', connectionId: id })).perDay.credits).toBe(1);
    // Where its own balance was never read, the other one shows nothing about it by standing still.
    const unread = facts.call({ origins: ['https://third.example', before.origin] });
    facts.read(5000, before);
    expect(facts.said(unread)).toEqual(['answered', 'not-read-since']);
    expect(unwrap(facts.ledger.countedNow({ kind: 'connection', connectionId: id })).perDay.credits).toBe(2);
    unwrap(facts.ledger.rebuildSegments());
    expect([facts.said(call), facts.said(unread)]).toEqual([
      ['answered', 'cost'],
      ['answered', 'not-read-since'],
    ]);
  });

  it('says that no later balance can show what a call cost only where none that it may draw on was read before it', () => {
    const soap = { interface: 'soap' as const, fingerprint: 'licence', origins: ['https://soap.example', origin] };
    const first = facts.call(soap);
    expect(facts.said(first)).toEqual(['answered', 'not-read-before']);
    facts.read(10);
    const lost = facts.send(soap);
    facts.end(lost, 'lost');
    expect(facts.said(lost)).toEqual(['no-answer', 'may-come']);
    later(3 * minute);
    facts.read(9);
    expect(facts.said(lost)).toEqual(['no-answer', 'cost']);
    expect(facts.said(first)).toEqual(['answered', 'not-read-before']);
    // The first reading of a balance that may cost something is read before by nothing but itself.
    facts.read(50, {
      fingerprint: 'guid',
      origin: 'https://soap.example',
      ownCall: { ...soap, fingerprint: 'guid', origins: ['https://soap.example'] },
    });
    const own = facts.entries()[0]?.id ?? '';
    expect(facts.said(own)).toEqual(['answered', 'not-read-since']);
    facts.read(49, { fingerprint: 'guid', origin: 'https://soap.example' });
    expect(facts.said(own)).toEqual(['answered', 'cost']);
  });

  it('learns a price from three equal falls, each alone, and from nothing less', () => {
    const prices = measurePrices(temp.db);
    const unpriced = { operation: 'GeoData_ForPostcode', expected: null };
    let balance = 100;
    facts.read(balance);
    const alone = (cost: number, beside = 0) => {
      later(hour);
      facts.call(unpriced);
      for (let n = 0; n < beside; n += 1) facts.call();
      balance -= cost + beside;
      facts.read(balance);
    };
    for (const cost of [3, 2, 2]) alone(cost);
    expect(unwrap(prices.of(id, 'GeoData_ForPostcode'))).toBeUndefined();
    alone(2, 1);
    expect(unwrap(prices.of(id, 'GeoData_ForPostcode'))).toBeUndefined();
    alone(2);
    expect(unwrap(prices.of(id, 'GeoData_ForPostcode'))).toMatchObject({ credits: 2, times: 3, alsoSeen: [3] });
    expect(unwrap(prices.of('another', 'GeoData_ForPostcode'))).toBeUndefined();
    const connections = openConnectionsRepository(temp.db.sql);
    const leadTo = (restBaseUrl: string) =>
      connections.update(id, connectionDraft('Wyebank', { restBaseUrl }), new Date(temp.clock.time).toISOString());
    leadTo('https://other.example/v1');
    expect(unwrap(prices.of(id, 'GeoData_ForPostcode'))).toBeUndefined();
    expect(unwrap(prices.list(id))).toEqual([]);
    leadTo(`${origin}/v2`);
    expect(unwrap(prices.list(id))).toMatchObject([{ credits: 2 }]);
  });

  it('says the same when everything is recomputed from the facts', () => {
    let balance = 500;
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed % below;
    };
    for (let step = 0; step < 300; step += 1) {
      later(random(90_000));
      const choice = random(10);
      if (choice < 4) {
        balance -= random(8) === 0 ? 2 : 0;
        facts.read(balance, { fingerprint: random(3) ? 'contact-centre' : 'batch' });
      } else if (choice < 8) {
        const call = facts.send({
          expected: random(5) ? 1 : null,
          fingerprint: random(2) ? 'contact-centre' : 'batch',
        });
        balance -= random(3) ? 1 : 0;
        facts.end(call, (['answered', 'answered', 'refused', 'lost'] as const)[random(4)], null);
      } else if (choice === 8) balance += random(12) === 0 ? 100 : 0;
      else restart();
    }
    const before = facts.entries();
    const sums = unwrap(facts.ledger.spentToday(id));
    unwrap(facts.ledger.rebuildSegments());
    expect(facts.entries()).toEqual(before);
    expect(unwrap(facts.ledger.spentToday(id))).toEqual(sums);
    expect(before.some(({ claims }) => claims.some(({ kind }) => kind === 'cost'))).toBe(true);
  });

  it('says the same cached and recomputed from the facts at any point, in whatever order calls end', () => {
    const step = fc.record({
      does: fc.constantFrom('send', 'send', 'end', 'end', 'end', 'read', 'read', 'put in', 'wait', 'figure', 'anew'),
      key: fc.constantFrom('contact-centre', 'batch'),
      // Which of the open calls ends, what it cost, and how it ended.
      which: fc.nat(20),
      costs: fc.constantFrom(0, 1, 1, 2),
      how: fc.constantFrom('answered' as const, 'answered' as const, 'refused' as const, 'lost' as const),
      priced: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
        const own = openTempDatabase();
        try {
          const connection = own.addConnection().id;
          const said = factsOf(own.db, own.clock, connection);
          const rows = (text: string) => own.db.sql.prepare(text).all();
          /** Credits that count, by quarter of an hour and key. */
          const sums = (from: Record<string, unknown>[]) => {
            const credits = new Map<string, number>();
            for (const { at, fingerprint, counted } of from) {
              const of = `${Math.floor(Date.parse(String(at)) / (15 * minute))} ${fingerprint}`;
              credits.set(of, (credits.get(of) ?? 0) + Number(counted));
            }
            return [...credits].filter(([, counted]) => counted !== 0).sort();
          };
          const sameSums = () =>
            expect(sums(rows('SELECT quarter AS at, fingerprint, credits AS counted FROM counted_quarters'))).toEqual(
              sums(rows('SELECT at, fingerprint, counted FROM ledger')),
            );
          const sameAnew = () => {
            sameSums();
            const today = () => unwrap(said.ledger.spentToday(connection));
            const cached = { entries: said.entries(), today: today() };
            unwrap(said.ledger.rebuildSegments());
            expect({ entries: said.entries(), today: today() }).toEqual(cached);
            sameSums();
          };
          const open: string[] = [];
          let balance = 500;
          for (const { does, key, which, costs, how, priced } of steps) {
            own.clock.time += 1 + which * 4000;
            if (does === 'send') open.push(said.send({ expected: priced ? 1 : null, fingerprint: key }));
            else if (does === 'end') {
              const [ended] = open.splice(which % Math.max(1, open.length), 1);
              if (ended !== undefined) {
                said.end(ended, how, null);
                balance -= costs;
              }
            } else if (does === 'read') said.read(balance, { fingerprint: key });
            else if (does === 'put in') balance += 50 * costs;
            else if (does === 'wait') own.clock.time += which * hour;
            else if (does === 'figure')
              unwrap(createCapsStore(own.db).setPrice(connection, 'GetPremise', priced ? null : costs));
            else sameAnew();
          }
          sameAnew();
        } finally {
          own.remove();
        }
      }),
      { numRuns: 30 },
    );
  });

  it('reads each call once to compute everything anew, however many readings there are', () => {
    let balance = 1000;
    facts.read(balance);
    const rowsAfter = (more: number): number => {
      for (let one = 0; one < more; one += 1) {
        facts.call();
        balance -= 1;
        facts.read(balance);
      }
      const [all, get] = [vi.spyOn(StatementSync.prototype, 'all'), vi.spyOn(StatementSync.prototype, 'get')];
      try {
        unwrap(facts.ledger.declareSeparate(origin, true));
        return all.mock.results.reduce((rows, { value }) => rows + value.length, get.mock.results.length);
      } finally {
        all.mockRestore();
        get.mockRestore();
      }
    };
    const few = rowsAfter(20);
    expect(rowsAfter(20)).toBeLessThan(2.5 * few);
    expect(facts.entries().every(({ claims }) => claims.some(({ kind }) => kind === 'cost'))).toBe(true);
  });

  describe('a fall of one balance, beside a call that another one judges, is in a row', () => {
    const batch = { fingerprint: 'batch', label: 'Batch' };
    const moved = () =>
      facts
        .entries()
        .filter(({ kind }) => kind === 'movement')
        .map(({ observed, claims }) => [observed, ...claims.map(({ kind }) => kind)]);
    afterEach(() => {
      const said = facts.entries();
      unwrap(facts.ledger.rebuildSegments());
      expect(facts.entries()).toEqual(said);
    });

    it('after that one', () => {
      facts.read(400);
      facts.read(1000, batch);
      const call = facts.call();
      facts.read(399);
      expect(facts.said(call)).toEqual(['answered', 'cost']);
      facts.read(400, batch);
      expect(moved()).toEqual([[599, 'beyond']]);
      expect(facts.said(call)).toEqual(['answered', 'cost']);
    });

    it('before that one', () => {
      facts.read(400);
      facts.read(1000, batch);
      const call = facts.call();
      facts.read(400, batch);
      expect(facts.entry(call)).toMatchObject({ observed: 600, claims: [{}, { kind: 'cost' }] });
      expect(moved()).toEqual([]);
      facts.read(400);
      expect(facts.said(call)).toEqual(['answered', 'no-fall']);
      expect(moved()).toEqual([[600, 'beyond']]);
    });

    it('of as much as its price, where its own balance did not fall', () => {
      facts.read(400);
      facts.read(1000, batch);
      const calls = [facts.call(), facts.call()];
      facts.read(998, batch);
      expect(facts.said(calls[0] ?? '')).toEqual(['answered', 'at-price']);
      facts.read(400);
      expect(facts.said(calls[0] ?? '')).toEqual(['answered', 'no-fall']);
      expect(moved()).toEqual([[2, 'shared']]);
    });

    it('beside a reading whose price is not published', () => {
      const account = { fingerprint: 'guid', source: 'soap-account' as const };
      const own = { interface: 'soap' as const, operation: 'GetAvailableCredits', expected: null, fingerprint: 'guid' };
      facts.read(1000);
      facts.read(500, { ...account, ownCall: own });
      facts.read(400);
      const first = facts.entries().find(({ kind }) => kind === 'call')?.id ?? '';
      expect(facts.said(first)).toEqual(['answered', 'cost']);
      facts.read(500, { ...account, ownCall: own });
      expect(facts.said(first)).toEqual(['answered', 'no-fall']);
      expect(moved()).toEqual([[600, 'shared']]);
    });

    it('as often as balances fell that plainly differ, and once for one that two keys share', () => {
      const read = (credits: number, ofBatch: number, more = {}) => {
        facts.read(credits, more);
        facts.read(ofBatch, { ...batch, ...more });
      };
      read(400, 90);
      read(395, 85);
      expect(moved()).toEqual([
        [5, 'no-call'],
        [5, 'no-call'],
      ]);
      read(500, 500);
      const before = moved().length;
      read(495, 495);
      expect(moved()).toHaveLength(before + 1);
      // A call lies in the stretch of one key alone.
      facts.read(490);
      facts.call();
      read(489, 489);
      expect(moved()).toHaveLength(before + 2);
      // Credits were added in the stretch of one key alone.
      read(489, 489, { used: 0, total: 489 });
      facts.read(484, { used: 5, total: 489 });
      read(584, 584, { used: 5, total: 589 });
      expect(moved().slice(0, -before - 2)).toEqual([
        [-100, 'added'],
        [5, 'no-call'],
      ]);
    });

    it('once, where it is the same fall of a balance that they share', () => {
      facts.read(400);
      facts.read(400, batch);
      const call = facts.call();
      facts.read(397);
      facts.read(397, batch);
      expect(moved()).toEqual([]);
      expect(facts.entry(call)).toMatchObject({ observed: 3 });
      facts.call();
      facts.read(395, batch);
      facts.read(395);
      expect(moved()).toEqual([]);
      facts.call();
      facts.read(394);
      // Another client takes 10.
      facts.read(384, batch);
      facts.read(384);
      expect(moved()).toEqual([[10, 'beyond']]);
    });
  });

  it('takes a person’s statement about separate keys, and recomputes by it', () => {
    facts.read(10);
    facts.read(10, { fingerprint: 'batch' });
    const mine = facts.call();
    facts.call({ fingerprint: 'batch', paidBy: 'Batch' });
    facts.read(9);
    expect(facts.said(mine)).toContain('shared');
    unwrap(facts.ledger.declareSeparate(origin, true));
    expect(facts.said(mine)).toContain('cost');
    unwrap(facts.ledger.declareSeparate(origin, false));
    expect(facts.said(mine)).toContain('shared');
  });

  it('shows what counts towards a cap by the sums that admit a call: the keys’ calls, of any connection', () => {
    const caps = createCapsStore(temp.db);
    unwrap(caps.write(id, { perRun: null, perDay: 3, floor: null }));
    const other = temp.addConnection('Nightly').id;
    unwrap(caps.inForce(id, 'contact-centre'));
    facts.call({ connectionId: other });
    facts.call({ connectionId: other });
    const shown = () => overviewOf(caps).counts.perDay;
    expect(shown()).toEqual({ cap: 3, counted: 2, open: 2, source: here });
    const inForce = unwrap(caps.inForce(id, 'contact-centre'));
    expect(facts.ledger.admit(facts.spend({ expected: 2 }), inForce)).toMatchObject({ error: { code: 'cap-reached' } });
    unwrap(facts.ledger.admit(facts.spend(), inForce));
    expect(shown().counted).toBe(3);

    // A policy's cap counts all calls of the folder, and is shown if it leaves fewer credits than the other caps.
    const underPolicy = capsWithPolicy(caps, { version: 1, creditsPerDayMax: 4, creditsPerRunMax: 50 });
    facts.call({ connectionId: other, fingerprint: 'batch' });
    const { counts } = overviewOf(underPolicy);
    expect(counts.perDay).toEqual({ cap: 3, counted: 3, open: 3, source: here });
    expect(counts.perRun).toEqual({ cap: 50, counted: 4, open: 4, source: { kind: 'policy' } });
  });

  it('counts a call as open whose cost its readings do not show: the balance rose beside it', () => {
    const caps = createCapsStore(temp.db);
    unwrap(caps.write(id, { perDay: 9 }));
    facts.read(50);
    const call = facts.call();
    facts.read(60);
    expect(facts.said(call)).toContain('rose');
    const { counts, openToday } = overviewOf(caps);
    expect({ open: counts.perDay.open, openToday }).toEqual({ open: 1, openToday: 1 });
  });

  it('says who set a cap and a figure, names nobody for a policy’s, and shows the caps of a connection with the same key', () => {
    const caps = createCapsStore(temp.db, { person: 'M. Oakes', clock: temp.clock });
    const author = { person: 'M. Oakes', at: new Date(temp.clock.now()).toISOString() };
    const policy = capsWithPolicy(caps, { version: 1, creditsPerDayMax: 100, balanceFloorMin: 5 });
    const overview = () => overviewOf(policy);
    // The daily cap and the minimum balance come from the policy. Saving the cap of a run beside them must not store them as a person's.
    unwrap(policy.write(id, { ...unwrap(policy.read(id)), perRun: 25 }));
    expect(unwrap(caps.ofConnection(id))).toEqual({ perDay: null, perRun: 25, floor: null });
    expect(overview().counts.perRun.source).toEqual({ kind: 'here', author });
    expect(overview().counts.perDay.source).toEqual({ kind: 'policy' });
    expect(overview().floorSource).toEqual({ kind: 'policy' });
    unwrap(policy.write(id, { perRun: null, perDay: 3, floor: 50 }));
    expect(overview().counts).toMatchObject({ perRun: { source: null }, perDay: { source: { kind: 'here', author } } });
    expect(overview().floorSource).toEqual({ kind: 'here', author });
    expect(unwrap(caps.setPrice(id, 'GeoData_ForPostcode', 2))).toEqual([
      { operation: 'GeoData_ForPostcode', credits: 2, setBy: author },
    ]);
    expect(unwrap(caps.setPrice(id, 'GeoData_ForPostcode', null))).toEqual([]);

    const other = temp.addConnection('Nightly').id;
    unwrap(caps.write(other, { perRun: null, perDay: 7, floor: null }));
    expect(overview().sharedCaps).toEqual([]);
    const handle = temp.db.sql.prepare(
      `INSERT INTO secret_handles (id, connection_id, role, label, last_four, preferred, created_at, fingerprint)
       VALUES (?, ?, 'lookup-key', ?, '4f2a', 1, '2026-11-01T00:00:00.000Z', 'contact-centre')`,
    );
    handle.run('mine', id, 'Contact centre');
    handle.run('theirs', other, 'The same one');
    facts.call({ connectionId: other });
    expect(overview().sharedCaps).toEqual([
      {
        name: 'Nightly',
        keys: ['Contact centre'],
        counts: {
          perDay: { cap: 7, counted: 1, open: 1, source: { kind: 'here', author } },
          perRun: { cap: null, counted: 1, open: 1, source: null },
        },
        floor: null,
      },
    ]);
  });

  it('goes through all that was ever entered or said only to compute everything anew', () => {
    const { sql } = temp.db;
    const prepare = sql.prepare.bind(sql);
    const texts = new Set<string>();
    sql.prepare = (text) => {
      texts.add(text);
      return prepare(text);
    };
    createLedger(temp.db, temp.clock);
    const throughAll = [...texts].filter((text) =>
      prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .some(({ detail }) =>
          /^SCAN (?:ledger|said|segments)\b|\((?:segment|\w+_sequence)<\?\)| balance_readings .*\bat>\?/.test(
            String(detail),
          ),
        ),
    );
    expect(throughAll.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^UPDATE ledger SET segment = NULL/),
      expect.stringMatching(/^DELETE FROM ledger WHERE verdict = 'unexplained'/),
      // Stops at the first.
      expect.stringMatching(/ORDER BY sequence DESC LIMIT 1$/),
    ]);
  });

  it('builds the overview from stored data', () => {
    const caps = createCapsStore(temp.db);
    expect(unwrap(caps.read(id))).toEqual(noCaps);
    unwrap(caps.write(id, { perRun: 10, perDay: null, floor: 5 }));
    // As from a window that does not know the other two: they stay.
    unwrap(caps.write(id, { perDay: 20 }));
    const read = facts.read(50);
    facts.call({ expected: 2 });
    facts.call({ expected: null });
    expect(overviewOf(caps)).toEqual({
      samples: [read],
      compared: null,
      licences: null,
      caps: { perRun: 10, perDay: 20, floor: 5 },
      counts: {
        perDay: { cap: 20, counted: 2, open: 2, source: here },
        perRun: { cap: 10, counted: 2, open: 2, source: here },
      },
      floorSource: here,
      sharedCaps: [],
      spentToday: 2,
      unpricedToday: 1,
      openToday: 2,
    });
    expect(caps.write('no connection', noCaps)).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
  });
});
