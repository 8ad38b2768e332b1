import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runChange } from '../../electron/core/licences/change-saga.ts';
import { planChange } from '../../electron/core/licences/plan.ts';
import type { ChangeRequest } from '../../shared/domain/licence-change.ts';
import { licenceChangeSchema } from '../../shared/domain/licence-change.ts';
import { connectionId, here, type LicenceConsole, openTempLicences, take, there } from '../helpers/licence-console.ts';
import { type LicenceService, makeLicence } from '../helpers/licence-service.ts';

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
  take(await plan(request)).warnings.map(({ code, blocks }) => (blocks ? `${code}!` : code));

describe('the plan', () => {
  it('of a move has the five steps of the picture, the first one done, and sends no write', async () => {
    service.bind('20418', there);
    const change = take(await plan({ kind: 'move', fromMachine: there }));
    expect(change.steps.map((step) => [step.number, step.operation, step.text, step.effect, step.state])).toEqual([
      [1, 'GetLicenseDetails, twice', 'Read what both machines hold', 'reads', 'done'],
      [2, 'UnregisterLicense', 'Take licence 20418 off HFD-LT-0147', 'writes', 'planned'],
      [3, 'GetLicenseDetails', 'Read HFD-LT-0147 again: it must hold nothing', 'reads', 'planned'],
      [4, 'RegisterLicense', 'Put licence 20418 on HFD-LT-0219', 'writes', 'planned'],
      [5, 'GetLicenseDetails', 'Read HFD-LT-0219: it must hold 20418', 'reads', 'planned'],
    ]);
    expect(change.steps[0]?.result).toBe('HFD-LT-0147 holds 20418, HFD-LT-0219 nothing');
    expect(change).toMatchObject({ state: 'planned', licenceReference: 'WY-20418', warnings: [], journal: null });
    expect(service.writes).toEqual([]);
    expect(console.deps.ctx.journal.list(null, 10)).toEqual([]);
    expect(licenceChangeSchema.parse(change)).toEqual(change);
  });

  it('of a register and of an unregister has three', async () => {
    const register = take(await plan({ licenceNumber: '0020418' }));
    expect(register.licenceNumber).toBe('20418');
    expect(register.steps.map((step) => step.text)).toEqual([
      'Read what HFD-LT-0219 holds',
      'Put licence 20418 on HFD-LT-0219',
      'Read HFD-LT-0219: it must hold 20418',
    ]);
    service.bind('20418', here);
    service.bind('7', here);
    const unregister = take(await plan({ kind: 'unregister' }));
    expect(unregister.steps.map((step) => step.text)).toEqual([
      'Read what HFD-LT-0219 holds',
      'Take licence 20418 off HFD-LT-0219',
      'Read HFD-LT-0219 again: it must no longer hold 20418',
    ]);
  });

  it('keeps what it read, for a start without a network', async () => {
    service.bind('20418', here);
    take(await plan({ kind: 'unregister' }));
    const { store } = console.deps;
    expect(store.lastSeen(connectionId).licences.map((licence) => licence.licenceNumber)).toEqual(['20418']);
    expect(store.lastSeen(connectionId).readAt).not.toBeNull();
    expect(store.holdings(connectionId)).toMatchObject([{ machine: here, licenceNumbers: ['20418'] }]);
    store.forgetConnection(connectionId);
    expect(store.lastSeen(connectionId)).toEqual({ licences: [], readAt: null });
    expect(store.holdings(connectionId)).toEqual([]);
  });

  it('is refused for a wish that cannot be', async () => {
    const bad = { ok: false, error: { code: 'bad-input' } };
    expect(await plan({ licenceNumber: '2147483648' })).toMatchObject(bad);
    expect(await plan({ kind: 'move' })).toMatchObject(bad);
    expect(await plan({ kind: 'move', fromMachine: here })).toMatchObject(bad);
    expect(await plan({ fromMachine: there })).toMatchObject(bad);
    expect(service.reads).toBe(0);
  });

  it('is not made where a machine cannot be read', async () => {
    service.unreadable.add(here);
    expect(await plan()).toMatchObject({ ok: false, error: { code: 'connect-timeout' } });
  });
});

describe('warnings', () => {
  it('are none where all is well', async () => expect(await warningsOf()).toEqual([]));

  it('already-bound blocks', async () => {
    service.bind('20418', here);
    expect(await warningsOf()).toEqual(['already-bound!']);
    expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual(['not-bound!', 'already-bound!']);
  });

  it('not-bound blocks', async () => expect(await warningsOf({ kind: 'unregister' })).toEqual(['not-bound!']));

  it('bound-elsewhere is known from earlier reads', async () => {
    service.bind('20418', there);
    take(await plan({ kind: 'unregister', machine: there }));
    expect(await warningsOf()).toEqual(['bound-elsewhere']);
    expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual([]);
  });

  it('seats and expiry', async () => {
    service.licences[0] = makeLicence('20418', { Available: '0', ExpiryDate: '14/11/2020' });
    expect(await warningsOf()).toEqual(['expired', 'none-free']);
    service.licences[0] = makeLicence('20418', { Available: 'Y', ExpiryDate: '31.02.2027' });
    expect(await warningsOf()).toEqual(['seats-unknown']);
    service.licences[0] = makeLicence('20418', { Available: '0', ExpiryDate: '14/11/2020' });
    service.bind('20418', there);
    expect(await warningsOf({ kind: 'move', fromMachine: there })).toEqual(['expired!']);
    expect(await warningsOf({ kind: 'unregister', machine: there })).toEqual(['not-this-machine']);
  });

  it('licence-not-listed blocks a register only', async () => {
    expect(await warningsOf({ licenceNumber: '99' })).toEqual(['licence-not-listed!']);
    service.bind('99', here);
    expect(await warningsOf({ licenceNumber: '99', kind: 'unregister' })).toEqual(['licence-not-listed']);
  });

  it('near-equal-name looks at the inventory, at machines that hold something and at this one', async () => {
    const machine = { name: 'hfd-lt-0300', nickname: '', owner: '', site: '', note: '' };
    console.deps.store.saveMachine(connectionId, machine);
    expect(console.deps.store.inventory(connectionId)).toEqual([machine]);
    const change = take(await plan({ machine: 'HFD-LT-0300' }));
    expect(change.warnings[0]).toEqual({
      code: 'near-equal-name',
      text: '“HFD-LT-0300” and “hfd-lt-0300” differ only in capitals.',
      blocks: false,
    });
    console.deps.store.removeMachine(connectionId, machine.name);
    expect(await warningsOf({ machine: 'HFD-LT-0300' })).toEqual(['not-this-machine']);
    expect(await warningsOf({ machine: here.toLowerCase() })).toEqual(['near-equal-name', 'not-this-machine']);
    service.bind('20418', 'hfd-lt-0147');
    take(await plan({ kind: 'unregister', machine: 'hfd-lt-0147' }));
    expect(await warningsOf({ machine: there })).toContain('near-equal-name');
  });

  it('a name that was only asked for and holds nothing is no known machine', async () => {
    take(await plan({ machine: 'hfd-lt-0300' }));
    expect(await warningsOf({ machine: 'HFD-LT-0300' })).toEqual(['not-this-machine']);
  });

  it('that block keep the change from being run', async () => {
    const change = take(await plan({ kind: 'unregister' }));
    const run = await runChange(change.id, here, console.deps);
    expect(run).toMatchObject({ ok: false, error: { code: 'plan-outdated' } });
    expect(service.writes).toEqual([]);
  });
});
