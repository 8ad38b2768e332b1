import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkChange, finishChange, runChange } from '../../../electron/core/licences/change/change-states.ts';
import { planChange, readList } from '../../../electron/core/licences/change/plan.ts';
import { openInventoryStore } from '../../../electron/core/licences/machines/inventory-store.ts';
import { ofLicenceSql } from '../../../electron/core/licences/records/licence-store.ts';
import type { ChangeRequest } from '../../../shared/domain/licences/licence-change.ts';
import { licenceChangeSchema } from '../../../shared/domain/licences/licence-change.ts';
import {
  connectionId,
  here,
  type LicenceConsole,
  openTempLicences,
  passTime,
  there,
} from '../../helpers/licence-console.ts';
import { type LicenceService, makeLicence } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

let service: LicenceService;
let console: LicenceConsole;
let remove: () => void;

beforeEach(async () => {
  ({ service, console, remove } = await openTempLicences());
});
afterEach(() => remove());

const plan = (request: Partial<ChangeRequest> = {}) =>
  planChange(
    { connectionId, kind: 'register', licenceNumber: '20418', machine: here, ...request },
    console.deps.calls,
    console.deps.store,
    console.deps.ctx,
  );
const warningsOf = async (request: Partial<ChangeRequest> = {}) =>
  unwrap(await plan(request)).warnings.map(({ code, blocks }) => (blocks ? `${code}!` : code));

describe('the list', () => {
  it('is as of when it was asked for: what is written while its answer is under way is newer', async () => {
    const { calls, store, ctx } = console.deps;
    const before = unwrap(await plan());
    const slow: typeof calls = {
      ...calls,
      list: async (signal) => {
        const answer = await calls.list(signal);
        passTime(60_000);
        unwrap(await runChange(before.id, { name: here }, console.deps));
        return answer;
      },
    };
    unwrap(await readList(connectionId, slow, store, ctx));
    expect(store.changedSince(connectionId)).toEqual(['20418']);
  });

  it('is older than a write that left since, however old the plan of that is and whatever was written after it', async () => {
    const { calls, store, ctx } = console.deps;
    const change = unwrap(await plan());
    service.manner.register = 'silent-does-nothing';
    unwrap(await runChange(change.id, { name: here }, console.deps));
    passTime(25 * 60 * 60_000);
    const others = Array.from({ length: 25 }, (_, index) => String(index + 1));
    service.licences.push(...others.map((id) => makeLicence(id)));
    const rest = await Promise.all(
      others.map(async (licenceNumber) => unwrap(await plan({ licenceNumber, machine: `PC-${licenceNumber}` }))),
    );
    unwrap(await readList(connectionId, calls, store, ctx));
    expect(store.changedSince(connectionId)).toEqual([]);
    const read = unwrap(await checkChange(change.id, console.deps));
    service.manner.register = 'honest';
    unwrap(await finishChange(change.id, read.reads.at(-1)?.at ?? null, console.deps));
    for (const { id, machine } of rest) unwrap(await runChange(id, { name: machine }, console.deps));
    expect(store.changedSince(connectionId).toSorted()).toEqual(['20418', ...others].toSorted());
  });

  it('shows its own time in a plan, and not when the machines had answered', async () => {
    const { calls, store, ctx } = console.deps;
    const slow: typeof calls = {
      ...calls,
      details: (machine, signal) => {
        passTime(60_000);
        return calls.details(machine, signal);
      },
    };
    const request = { connectionId, kind: 'register', licenceNumber: '20418', machine: here } as const;
    const change = unwrap(await planChange(request, slow, store, ctx));
    expect(change.licence?.readAt).toBe(store.lastSeen(connectionId).readAt);
  });
});

describe('the plan', () => {
  it('of a move has the five steps of the picture, the first one done, and sends no write', async () => {
    service.bind('20418', there);
    const change = unwrap(await plan({ kind: 'move', fromMachine: there }));
    expect(change.steps.map((step) => [step.number, step.operation, step.text, step.effect, step.state])).toEqual([
      [1, 'GetLicenseDetails, twice', 'Read which licences are named for both machines', 'reads', 'done'],
      [2, 'UnregisterLicense', 'Take licence 20418 off HFD-LT-0147', 'writes', 'planned'],
      [
        3,
        'GetLicenseDetails, twice',
        'Read HFD-LT-0147 twice, half a minute apart: no licence should be named for it',
        'reads',
        'planned',
      ],
      [4, 'RegisterLicense', 'Put licence 20418 on HFD-LT-0219', 'writes', 'planned'],
      [5, 'GetLicenseDetails', 'Read HFD-LT-0219: 20418 should be named for it', 'reads', 'planned'],
    ]);
    expect(change.steps[0]?.result).toBe('Named for HFD-LT-0147: 20418; for HFD-LT-0219: none');
    expect(change).toMatchObject({ state: 'planned', licenceReference: 'WY-20418', warnings: [], journal: null });
    expect(service.writes).toEqual([]);
    expect(console.deps.ctx.journal.list(null, 10)).toEqual([]);
    expect(licenceChangeSchema.parse(change)).toEqual(change);
  });

  it('of a register and of an unregister has three', async () => {
    const register = unwrap(await plan({ licenceNumber: '0020418' }));
    expect(register.licenceNumber).toBe('20418');
    expect(register.steps.map((step) => step.text)).toEqual([
      'Read which licences are named for HFD-LT-0219',
      'Put licence 20418 on HFD-LT-0219',
      'Read HFD-LT-0219: 20418 should be named for it',
    ]);
    service.bind('20418', here);
    service.bind('7', here);
    const unregister = unwrap(await plan({ kind: 'unregister' }));
    expect(unregister.steps.map((step) => step.text)).toEqual([
      'Read which licences are named for HFD-LT-0219',
      'Take licence 20418 off HFD-LT-0219',
      'Read HFD-LT-0219 twice, half a minute apart: 20418 should no longer be named for it',
    ]);
  });

  it('keeps what it read, for a start without a network', async () => {
    service.bind('20418', here);
    unwrap(await plan({ kind: 'unregister' }));
    const { store } = console.deps;
    expect(store.lastSeen(connectionId).licences.map((licence) => licence.licenceNumber)).toEqual(['20418']);
    expect(store.lastSeen(connectionId).readAt).not.toBeNull();
    expect(store.holdings(connectionId)).toMatchObject([{ machine: here, licenceNumbers: ['20418'] }]);
    store.forgetConnection(connectionId);
    expect(store.lastSeen(connectionId)).toEqual({ licences: [], readAt: null });
    expect(store.holdings(connectionId)).toEqual([]);
  });

  it('is refused for an impossible request', async () => {
    const bad = { ok: false, error: { code: 'bad-input' } };
    expect(await plan({ licenceNumber: '2147483648' })).toMatchObject(bad);
    expect(await plan({ kind: 'move' })).toMatchObject(bad);
    expect(await plan({ kind: 'move', fromMachine: here })).toMatchObject(bad);
    expect(await plan({ fromMachine: there })).toMatchObject(bad);
    expect(service.reads).toBe(0);
  });

  it('is not made if a machine cannot be read', async () => {
    service.unreadable.add(here);
    expect(await plan()).toMatchObject({ ok: false, error: { code: 'connect-timeout' } });
  });
});

it('what forbids a write now is found by its licence, whatever the connection, without looking through all that ever ended', () => {
  for (const [sql, index] of [
    [ofLicenceSql.underWay, 'licence_id=? AND state=?'],
    [ofLicenceSql.stillHeld, 'licence_id=? AND state=? AND held_until>?'],
  ] as const) {
    const plan = console.database.sql.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    expect(String(plan[0]?.detail)).toContain(`changes_held (${index})`);
  }
});

describe('warnings', () => {
  it('there are none if all is well', async () => expect(await warningsOf()).toEqual([]));

  it('already-bound blocks', async () => {
    service.bind('20418', here);
    expect(await warningsOf()).toEqual(['already-bound!']);
    expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual(['not-bound!', 'already-bound!']);
  });

  it('not-bound blocks', async () => expect(await warningsOf({ kind: 'unregister' })).toEqual(['not-bound!']));

  it('bound-elsewhere is known from earlier reads', async () => {
    service.bind('20418', there);
    unwrap(await plan({ kind: 'unregister', machine: there }));
    expect(await warningsOf()).toEqual(['bound-elsewhere']);
    expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual([]);
  });

  it('seats and expiry', async () => {
    service.licences[0] = makeLicence('20418', { Available: '0', ExpiryDate: '14/11/2020' });
    expect(await warningsOf()).toEqual(['expired', 'none-free']);
    const { warnings } = unwrap(await plan());
    expect(warnings[1]?.text).toMatch(/^“Available” of .+ is 0, taken for no free seat\.$/);
    service.licences[0] = makeLicence('20418', { Available: 'Y', ExpiryDate: '31.02.2027' });
    expect(await warningsOf()).toEqual(['seats-unknown']);
    service.licences[0] = makeLicence('20418', { Available: '0', ExpiryDate: '14/11/2020' });
    service.bind('20418', there);
    expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual(['expired', 'may-not-come-back']);
    expect(await warningsOf({ kind: 'unregister', machine: there })).toEqual(['may-not-come-back', 'not-this-machine']);
  });

  it('licence-not-listed blocks a register only', async () => {
    expect(await warningsOf({ licenceNumber: '99' })).toEqual(['licence-not-listed!']);
    service.bind('99', here);
    expect(await warningsOf({ licenceNumber: '99', kind: 'unregister' })).toEqual([
      'licence-not-listed',
      'may-not-come-back',
    ]);
  });

  it('of a date that its list does not decide', async () => {
    service.licences[0] = makeLicence('20418', { ExpiryDate: '12/04/2020' });
    service.bind('20418', there);
    const change = unwrap(await plan({ kind: 'move', fromMachine: there }));
    expect(change.warnings.map(({ code }) => code)).toEqual(['expiry-unread']);
    expect(change.licence).toMatchObject({ expiryDate: '12/04/2020', expiresOn: null, dateOrder: 'undecided' });
    expect(change.warnings[0]?.text).toContain('and the list does not decide which is day and which is month.');
    // One date in the list that can only be month-first decides the order for all of them.
    service.licences.push(makeLicence('20419', { ExpiryDate: '12/31/2030' }));
    expect(unwrap(await plan({ kind: 'move', fromMachine: there })).licence).toMatchObject({ expiresOn: '2020-12-04' });
    service.licences.push(makeLicence('20420', { ExpiryDate: '31/12/2030' }));
    const contradictory = unwrap(await plan({ kind: 'move', fromMachine: there }));
    expect(contradictory.warnings[0]?.text).toContain('and some dates of the list can only be day first, others only');
    expect(contradictory.licence).toMatchObject({ expiresOn: null, dateOrder: 'contradictory' });
  });

  describe('of a licence that the service may not give back', () => {
    const held = (more: Parameters<typeof makeLicence>[1], others: string[] = ['A', 'A']) => {
      service.licences.splice(
        0,
        service.licences.length,
        makeLicence('20418', more),
        ...others.map((Status, index) => makeLicence(String(7 + index), { Status, LicenseInUse: '1', Available: '0' })),
      );
      service.bind('20418', there);
    };
    it.each([
      ['its Status says so', { Status: 'Suspended' }, 'Take it off even though its Status is Suspended'],
      ['its Status is unlike that of those in use', { Status: 'S' }, 'Take it off even though its Status is S'],
      ['its Status came empty', { Status: '' }, 'Take it off even though its Status is empty'],
      ['it has expired', { ExpiryDate: '14/11/2020' }, 'Take it off even though it has expired'],
      [
        'it may have no seat',
        { LicenseInUse: '0', Available: '0' },
        'Take it off even though it may have no seat: its “LicenseInUse” and “Available” are 0',
      ],
    ] as const)('%s: not unregistered without its own tick', async (_why, more, tick) => {
      held(more);
      for (const kind of ['move', 'unregister'] as const) {
        const machine = kind === 'move' ? here : there;
        const change = unwrap(await plan({ kind, machine, ...(kind === 'move' ? { fromMachine: there } : {}) }));
        expect(change.warnings.find((warning) => warning.code === 'may-not-come-back')).toMatchObject({
          tick,
          blocks: false,
        });
        const refused = await runChange(change.id, { name: machine }, console.deps);
        expect(refused).toMatchObject({ ok: false, error: { code: 'not-confirmed', field: 'ticked' } });
        expect(service.writes).toEqual([]);
        expect(console.deps.ctx.journal.ofChange(change.id)).toEqual([]);
      }
      const change = unwrap(await plan({ kind: 'move', fromMachine: there }));
      expect(unwrap(await runChange(change.id, { name: here, ticked: true }, console.deps)).verdict).toBe('seen');
      expect(console.deps.ctx.journal.ofChange(change.id)[0]?.text).toContain(`Ticked: ${tick}`);
    });

    it('warns of what one record of it says if the list names it twice, with and without leading zeros', async () => {
      held({ Status: 'A' });
      service.licences.push(makeLicence('0020418', { ReferenceNo: 'WY-20418', Status: 'Suspended' }));
      const change = unwrap(await plan({ kind: 'move', fromMachine: there }));
      expect(change).toMatchObject({
        licence: { status: 'Suspended' },
        warnings: [{ tick: 'Take it off even though its Status is Suspended' }],
      });
    });

    it('warns of a Status with that label, also if the other licences in use have the same', async () => {
      held({ Status: 'S' }, ['S', 'S']);
      expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual([]);
      const label = (text: string) =>
        openInventoryStore(console.database.sql).saveLabel(connectionId, { field: 'status', value: 'S', label: text });
      label('In service');
      expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual([]);
      label('Suspended');
      const change = unwrap(await plan({ kind: 'move', fromMachine: there }));
      expect(change.warnings.map(({ code, tick }) => [code, tick])).toEqual([
        ['may-not-come-back', 'Take it off even though its Status is S, “Suspended”'],
      ]);
      // A label of another field is not a label of Status.
      label('');
      openInventoryStore(console.database.sql).saveLabel(connectionId, {
        field: 'typeName',
        value: 'S',
        label: 'Suspended',
      });
      expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual([]);
    });

    it('does not warn of a Status that the licences in use have, nor if the list has none to compare with', async () => {
      held({ Status: ' a' });
      expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual([]);
      held({ Status: 'Z' }, []);
      expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual([]);
      // Values of other licences that were found on a machine count too.
      held({ Status: 'Z' }, []);
      service.licences.push(makeLicence('9', { Status: 'A' }));
      service.bind('9', here);
      expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual(['may-not-come-back']);
    });

    it('a plan shows Status, seats and expiry as they were read', async () => {
      held({ Status: 'S', LicenseInUse: '3', Available: '2', ExpiryDate: '31/03/2099' });
      expect(unwrap(await plan({ kind: 'move', fromMachine: there })).licence).toMatchObject({
        status: 'S',
        seatsUsed: 3,
        seatsFree: 2,
        expiresOn: '2099-03-31',
        dateOrder: 'day-first',
        credits: 388,
      });
    });
  });

  it('near-equal-name compares with the inventory, with machines read with licences, and with this one', async () => {
    const machine = { name: 'hfd-lt-0300', nickname: '', owner: '', site: '', note: '' };
    console.deps.store.saveMachine(connectionId, machine);
    expect(console.deps.store.inventory(connectionId)).toEqual([machine]);
    const change = unwrap(await plan({ machine: 'HFD-LT-0300' }));
    expect(change.warnings[0]).toEqual({
      code: 'near-equal-name',
      text: '“HFD-LT-0300” and “hfd-lt-0300” differ only in capitals.',
      blocks: false,
    });
    console.deps.store.removeMachine(connectionId, machine.name);
    expect(await warningsOf({ machine: 'HFD-LT-0300' })).toEqual(['not-this-machine']);
    expect(await warningsOf({ machine: here.toLowerCase() })).toEqual(['near-equal-name', 'not-this-machine']);
    service.bind('20418', 'hfd-lt-0147');
    unwrap(await plan({ kind: 'unregister', machine: 'hfd-lt-0147' }));
    expect(await warningsOf({ machine: there })).toContain('near-equal-name');
  });

  it('hidden-character names a machine that would be sent with a character that is not seen', async () => {
    expect(unwrap(await plan({ machine: 'HFD-LT\u200b-0300' })).warnings[0]).toEqual({
      code: 'hidden-character',
      text: '“HFD-LT\u200b-0300” has a hidden character, which is sent as part of the name.',
      blocks: false,
    });
    expect(await warningsOf({ machine: 'HFD-LT-0300' })).toEqual(['not-this-machine']);
  });

  it('a name that was only read and has no licence is not a known machine', async () => {
    unwrap(await plan({ machine: 'hfd-lt-0300' }));
    expect(await warningsOf({ machine: 'HFD-LT-0300' })).toEqual(['not-this-machine']);
  });

  it('that block prevent the change from being run', async () => {
    const change = unwrap(await plan({ kind: 'unregister' }));
    const run = await runChange(change.id, { name: here }, console.deps);
    expect(run).toMatchObject({ ok: false, error: { code: 'plan-outdated' } });
    expect(service.writes).toEqual([]);
  });
});
