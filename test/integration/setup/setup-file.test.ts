import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import type { OpenedSetup } from '../../../shared/contract/setup.ts';
import { noFilter } from '../../../shared/domain/licences/licence-filter.ts';
import { mostInSetup, type SetupFile } from '../../../shared/domain/setup-file.ts';
import { bundleChild } from '../../helpers/bundled-child.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { type Desk, furnish, keyOfDesk, startDesk } from '../../helpers/setup-scene.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

// A set-up as one file, from one data folder to another, through the window's channels.

let from: Desk;
let to: Desk;
let file: SetupFile;

beforeEach(async () => {
  [from, to] = await Promise.all([startDesk(), startDesk({ machineName: 'DESK-2' })]);
  await furnish(from);
  file = await from.save();
});
afterEach(async () => {
  await Promise.all([from.close(), to.close()]);
});

const rowOf = (opened: OpenedSetup, what: string) => {
  const found = opened.rows.find((row) => row.what === what);
  if (!found) throw new Error(`no line “${what}” among ${opened.rows.map((row) => row.what).join(', ')}`);
  return found;
};
const states = (opened: OpenedSetup) => [...new Set(opened.rows.map(({ state }) => state))];
const first = (changed: SetupFile) => {
  const [one] = changed.connections;
  if (!one) throw new Error('no connection');
  return one;
};
/** The file with a changed field of its connection. */
const changed = (change: Partial<SetupFile['connections'][number]>): SetupFile => ({
  ...file,
  connections: [{ ...first(file), ...change }],
});

describe('export and import', () => {
  test('everything arrives, and is then the same', async () => {
    const opened = await to.preview(file);
    expect(states(opened)).toEqual(['new']);
    const count = await to.take(opened);
    expect(count).toBe(opened.rows.reduce((sum, row) => sum + row.count, 0));
    expect(states(await to.preview(file))).toEqual(['same']);
    const again = await to.save();
    // Keys themselves are not exported, so the second file, saved without having been given them, lists none.
    expect({ ...again, savedAt: '' }).toEqual({ ...changed({ keys: [] }), savedAt: '' });
  });

  test('the file contains no key, no path and nothing of the computer', async () => {
    const text = JSON.stringify(file);
    expect(text).not.toContain(keyOfDesk);
    expect(text).not.toContain('DESK-1');
    expect(text).not.toContain('kim');
    expect(text).not.toContain(from.file.slice(0, 8));
    expect(first(file).keys).toEqual([{ role: 'lookup-key', label: 'Contact centre', lastFour: '4f2a' }]);
  });

  test('unticked lines are not in the file', async () => {
    const prepared = unwrap(await from.channels.call('setup.prepare', {}));
    const without = prepared.rows.filter(({ what }) => /machines|Daily cap/.test(what)).map(({ id }) => id);
    expect(without).toHaveLength(2);
    unwrap(await from.channels.call('setup.save', { exportId: prepared.exportId, without }));
    const saved = JSON.parse(readFileSync(from.file, 'utf8')) as SetupFile;
    expect(first(saved).machines).toEqual([]);
    expect(first(saved).caps).toEqual({ perRun: null, perDay: null, floor: 750 });
  });

  test('keys are asked for by their last four until one with the same end is stored', async () => {
    // The call by which a lookup key is tried is REST's.
    const { settings } = first(file);
    const overSoap = changed({
      settings: { ...settings, restBaseUrl: '', soapUrl: 'https://lookup.example/service.asmx' },
    });
    expect((await to.preview(overSoap)).keys).toMatchObject([{ servers: ['lookup.example'], isTried: false }]);
    const opened = await to.preview(file);
    expect(opened.keys).toMatchObject([
      { state: 'wanted', lastFour: '4f2a', servers: ['lookup.example'], connectionId: null, isTried: true },
    ]);
    await to.take(opened);
    const connectionId = await to.idOf('Wyebank');
    const put = { connectionId, role: 'lookup-key' as const, label: 'Contact centre', value: 'LK-another-key-0001' };
    unwrap(await to.channels.call('secrets.put', put));
    const { importId } = opened;
    const other = unwrap(await to.channels.call('setup.look', { importId }));
    expect(other.keys).toMatchObject([{ state: 'other', hereLastFour: '0001', connectionId }]);
    unwrap(await to.channels.call('secrets.replace', { secretId: other.keys[0]?.secretId ?? '', value: keyOfDesk }));
    expect(unwrap(await to.channels.call('setup.look', { importId })).keys).toMatchObject([{ state: 'here' }]);
  });
});

describe('what is here', () => {
  test('stay if the file lacks them or differs, except for a stricter cap in the file', async () => {
    await to.take(await to.preview(file));
    const connectionId = await to.idOf('Wyebank');
    unwrap(
      await to.channels.call('credits.save-caps', { connectionId, caps: { perRun: 10, perDay: 500, floor: 800 } }),
    );
    unwrap(
      await to.channels.call('machines.save', {
        connectionId,
        machine: { name: 'LEO-DT-0113', nickname: 'Billing spare', owner: '', site: '', note: '' },
        oldName: null,
      }),
    );
    unwrap(
      await to.channels.call('machines.save', {
        connectionId,
        machine: { name: 'TRO-LT-0011', nickname: '', owner: 'Stores', site: 'Hereford', note: '' },
        oldName: 'TRO-LT-0011',
      }),
    );
    const opened = await to.preview(file);
    expect(rowOf(opened, 'Daily cap')).toMatchObject({
      state: 'differs',
      file: '400 credits',
      here: '500 credits',
      take: 'file',
    });
    expect(rowOf(opened, 'Minimum balance')).toMatchObject({ state: 'differs', take: 'here' });
    expect(rowOf(opened, 'Cap since the program started')).toMatchObject({
      state: 'only-here',
      take: 'here',
      open: false,
    });
    expect(rowOf(opened, 'TRO-LT-0011')).toMatchObject({
      state: 'differs',
      take: 'here',
      differences: [
        { label: 'owner', file: 'Sales', here: 'Stores' },
        { label: 'note', file: 'with a\nsecond line', here: 'none' },
      ],
    });
    expect(rowOf(opened, 'LEO-DT-0113').state).toBe('only-here');
    expect(await to.take(opened)).toBe(1);
    const now = first(await to.save());
    expect(now.caps).toEqual({ perRun: 10, perDay: 400, floor: 800 });
    expect(now.machines.map(({ name, owner }) => `${name} ${owner}`)).toEqual([
      'LEO-DT-0113 ',
      'TRO-LT-0011 Stores',
      'TRO-LT-0012 Sales',
    ]);
  });

  test('a looser cap, and a figure that admits calls, are taken only if a person chooses them', async () => {
    await to.take(await to.preview(file));
    const looser = changed({
      caps: { perRun: null, perDay: 9000, floor: 1 },
      setPrices: [
        { operation: 'GetAvailableCredits', credits: 0 },
        { operation: 'CheckLicense', credits: 0 },
      ],
    });
    const opened = await to.preview(looser);
    expect(opened.rows.filter(({ take }) => take === 'file')).toEqual([]);
    expect(rowOf(opened, 'CheckLicense counts as')).toMatchObject({ state: 'new', open: true, take: 'here' });
    expect(await to.take(opened)).toBe(0);
    expect(first(await to.save()).caps).toEqual(first(file).caps);
    await to.take(opened, [rowOf(opened, 'Daily cap').id]);
    expect(first(await to.save()).caps.perDay).toBe(9000);
  });

  test('a new address for keys stored here is pointed out and not suggested', async () => {
    const soapUrl = 'https://soap.example/service.asmx';
    const here = { ...first(file).settings, soapUrl };
    await to.take(await to.preview(changed({ settings: here })));
    const connectionId = await to.idOf('Wyebank');
    unwrap(
      await to.channels.call('secrets.put', {
        connectionId,
        role: 'lookup-key',
        label: 'Contact centre',
        value: keyOfDesk,
      }),
    );
    const settings = { ...here, restBaseUrl: 'https://collector.example/v1' };
    const row = rowOf(await to.preview(changed({ settings })), 'Wyebank');
    expect(row).toMatchObject({ state: 'differs', take: 'here', open: true });
    expect(row.note).toContain('collector.example');

    // REST and SOAP have keys of their own.
    const { restBaseUrl } = here;
    const noteOf = async (more: Partial<typeof here>) =>
      rowOf(await to.preview(changed({ settings: { ...here, ...more } })), 'Wyebank').note;
    expect(await noteOf({ restBaseUrl: soapUrl, soapUrl: restBaseUrl })).toContain(
      'would be sent to soap.example and lookup.example.',
    );
    expect(await noteOf({ restBaseUrl: `${restBaseUrl}/2` })).toBe('');
  });

  test('an alert that is switched off here is named so, turned on only if a person chooses it, and off again by undo', async () => {
    await to.take(await to.preview(file));
    const connectionId = await to.idOf('Wyebank');
    const alert = { kind: 'below-credits', threshold: 1000 } as const;
    unwrap(await to.channels.call('credits.turn-alert', { connectionId, alert, isOn: false }));
    const opened = await to.preview(file);
    const row = rowOf(opened, 'Alert');
    expect(row).toMatchObject({
      state: 'differs',
      take: 'here',
      file: 'balance below 1,000 credits',
      here: 'balance below 1,000 credits, switched off',
    });
    const isOn = async () => unwrap(await to.channels.call('credits.alerts', { connectionId })).alerts[0]?.isOn;
    expect(await to.take(opened, [row.id])).toBe(1);
    expect(await isOn()).toBe(true);
    expect(unwrap(await to.channels.call('setup.undo', {}))).toEqual({ undone: 1, left: 0 });
    expect(await isOn()).toBe(false);
    expect(first(await to.save()).alerts).toEqual([]);
  });

  test('a machine name and an IP address of this computer stay', async () => {
    unwrap(
      await to.channels.call('connections.save', {
        id: null,
        draft: connectionDraft('wyebank', { machineId: 'DESK-2', ipAddress: '10.0.0.2', accountName: 'old' }),
      }),
    );
    const opened = await to.preview(file);
    await to.take(opened, [rowOf(opened, 'Wyebank').id]);
    expect(unwrap(to.core.connections.list())).toMatchObject([
      { name: 'wyebank', machineId: 'DESK-2', ipAddress: '10.0.0.2', accountName: '' },
    ]);
  });

  test('alerts that a file has added can be removed like any', async () => {
    const alerts = Array.from({ length: 22 }, (_, n) => ({ kind: 'below-credits' as const, threshold: 2000 + n }));
    await to.take(await to.preview(changed({ alerts })));
    const connectionId = await to.idOf('Wyebank');
    const left = unwrap(await to.channels.call('credits.save-alerts', { connectionId, alerts: alerts.slice(1) }));
    expect(left.alerts).toHaveLength(21);
  });

  test('what has no room beside what is here is refused with words, and everything here stays', async () => {
    await to.take(await to.preview(file));
    const connectionId = await to.idOf('Wyebank');
    const centresOf = (name: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({ label: `${name} ${n}`, centre: `C-${n}` }));
    const accounting = { poundsPerCredit: 0.04, centres: centresOf('here', 120) };
    unwrap(await to.channels.call('credits.save-accounting', { connectionId, accounting }));
    const alerts = Array.from({ length: 150 }, (_, n) => ({ kind: 'below-credits' as const, threshold: 2000 + n }));
    unwrap(await to.channels.call('credits.save-alerts', { connectionId, alerts }));
    const more = changed({
      costCentres: [{ label: 'here 0', centre: 'moved' }, ...centresOf('head', 81)],
      alerts: alerts.slice(0, 51).map(({ kind, threshold }) => ({ kind, threshold: threshold - 1000 })),
      machines: [{ name: 'TRO-LT-0013', nickname: '', owner: '', site: '', note: '' }],
    });
    const opened = await to.preview(more);
    expect(rowOf(opened, '81 cost centres')).toMatchObject({
      state: 'refused',
      open: false,
      note: 'The file and what is here have 201 of this kind together, and a set-up holds 200.',
    });
    expect(rowOf(opened, 'Alert')).toMatchObject({ state: 'refused', note: expect.stringContaining('have 201') });
    const centre = rowOf(opened, 'Cost centre of here 0');
    const suggested = opened.rows.filter(({ take }) => take === 'file').map(({ id }) => id);
    expect(await to.take(opened, [...suggested, centre.id])).toBe(2);
    const now = first(await to.save());
    expect(now.costCentres).toHaveLength(120);
    expect(now.costCentres).toContainEqual({ label: 'here 0', centre: 'moved' });
    expect([now.poundsPerCredit, now.alerts.length, now.machines.length]).toEqual([0.04, 150, 3]);

    // The last for which there is room.
    const fits = { ...more, connections: [{ ...first(more), costCentres: centresOf('head', 80) }] };
    expect(await to.take(await to.preview(fits))).toBe(80);
    expect(first(await to.save())).toMatchObject({ poundsPerCredit: 0.04, costCentres: { length: 200 } });
  });

  test('a change since the preview stops the whole import', async () => {
    await to.take(await to.preview(file));
    const opened = await to.preview(changed({ caps: { perRun: 5, perDay: 300, floor: 900 } }));
    const connectionId = await to.idOf('Wyebank');
    unwrap(await to.channels.call('credits.save-caps', { connectionId, caps: { perRun: 1, perDay: 200, floor: 750 } }));
    const result = await to.channels.call('setup.import', {
      importId: opened.importId,
      rows: opened.rows.map(({ id }) => id),
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'plan-outdated' } });
    expect(first(await to.save()).caps).toEqual({ perRun: 1, perDay: 200, floor: 750 });
  });

  test('two programs on one data folder importing at once import once, and undo once', async () => {
    const beside = await startDesk({ folder: join(to.file, '..'), firstStart: true });
    const desks = [to, beside] as const;
    const opened = await Promise.all(desks.map((desk) => desk.preview(file)));
    const imported = await Promise.all(
      desks.map((desk, at) =>
        desk.channels.call('setup.import', {
          importId: opened[at]?.importId ?? '',
          rows: (opened[at]?.rows ?? []).map(({ id }) => id),
        }),
      ),
    );
    expect(imported.filter(({ ok }) => ok)).toHaveLength(1);
    expect(imported.find(({ ok }) => !ok)).toMatchObject({ error: { code: 'plan-outdated' } });
    for (const desk of desks) expect(unwrap(desk.core.connections.list()).map(({ name }) => name)).toEqual(['Wyebank']);
    const undone = await Promise.all(desks.map((desk) => desk.channels.call('setup.undo', {})));
    expect(undone.filter(({ ok }) => ok)).toHaveLength(1);
    for (const desk of desks) expect(unwrap(desk.core.connections.list())).toEqual([]);
    await beside.close();
  });

  test('nothing of a connection is imported without the connection', async () => {
    const opened = await to.preview(file);
    const rows = opened.rows.filter(({ what }) => what !== 'Wyebank').map(({ id }) => id);
    expect(await to.channels.call('setup.import', { importId: opened.importId, rows })).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
    expect(unwrap(to.core.operations.saved.list())).toEqual([]);
  });
});

describe('undo', () => {
  const nothingUndone = { ok: false, error: { message: expect.stringMatching(/^Nothing was undone: /) } };

  test('restores what was there, and leaves what was changed since', async () => {
    await to.take(await to.preview(file));
    const before = await to.save();
    const next = changed({
      keys: [],
      caps: { perRun: 5, perDay: 100, floor: 900 },
      machines: [{ name: 'TRO-LT-0013', nickname: '', owner: 'Third', site: '', note: '' }],
    });
    const opened = await to.preview(next);
    expect(await to.take(opened)).toBe(4);
    const connectionId = await to.idOf('Wyebank');
    unwrap(await to.channels.call('credits.save-caps', { connectionId, caps: { perRun: 5, perDay: 50, floor: 900 } }));
    expect(unwrap(await to.channels.call('setup.last', {})).last).toMatchObject({
      changes: 4,
      fileName: 'set-up.json',
    });
    expect(unwrap(await to.channels.call('setup.undo', {}))).toEqual({ undone: 3, left: 1 });
    const now = await to.save();
    expect(first(now).caps).toEqual({ perRun: null, perDay: 50, floor: 750 });
    expect(first(now).machines).toEqual(first(before).machines);
    expect(unwrap(await to.channels.call('setup.last', {})).last).toBeNull();
  });

  test('is of the last import that changed something', async () => {
    await to.take(await to.preview(file));
    // As from a scheduler: by then everything is here.
    expect(await to.take(await to.preview(file))).toBe(0);
    expect(unwrap(await to.channels.call('setup.last', {})).last?.changes).toBeGreaterThan(0);
    unwrap(await to.channels.call('setup.undo', {}));
    expect((await to.save()).connections).toEqual([]);
  });

  test.each(['Wyebank', 'WYEBANK'])(
    'changes nothing of another connection that has got the name since, in the file as %s',
    async (name) => {
      await to.take(await to.preview(file));
      await to.take(await to.preview(changed({ name, keys: [], caps: { perRun: 5, perDay: 100, floor: 900 } })));
      const { connections } = unwrap(await to.channels.call('connections.list', {}));
      const found = connections.find(({ connection }) => connection.name === 'Wyebank')?.connection;
      if (!found) throw new Error('It was imported.');
      const { id, ...draft } = found;
      unwrap(await to.channels.call('connections.save', { id, draft: { ...draft, name: 'The former' } }));
      unwrap(await to.channels.call('connections.save', { id: null, draft }));
      const connectionId = await to.idOf('Wyebank');
      const caps = { perRun: 5, perDay: 100, floor: 900 };
      unwrap(await to.channels.call('credits.save-caps', { connectionId, caps }));
      expect(await to.channels.call('setup.undo', {})).toMatchObject(nothingUndone);
      const now = await to.save();
      expect(now.connections.find(({ name }) => name === 'Wyebank')?.caps).toEqual(caps);
    },
  );

  test('gives a saved lookup back what it asked before the import', async () => {
    await to.take(await to.preview(file));
    const [lookup] = (await to.save()).savedLookups;
    const operation = 'SearchPremise_ByPostcode';
    const other = { ...lookup, operation, dataset: true, fields: [{ name: 'Postcode', values: ['HR10 2DT'] }] };
    const opened = await to.preview({ ...file, savedLookups: [other] });
    await to.take(
      opened,
      opened.rows.map(({ id }) => id),
    );
    expect((await to.save()).savedLookups).toEqual([other]);
    unwrap(await to.channels.call('setup.undo', {}));
    expect((await to.save()).savedLookups).toEqual([lookup]);
  });

  test('leaves a connection with what was added to it, also if its name is written in other letters since', async () => {
    await to.take(await to.preview(changed({ machines: [] })));
    const connectionId = await to.idOf('Wyebank');
    const { connections } = unwrap(await to.channels.call('connections.list', {}));
    const found = connections.find(({ connection }) => connection.id === connectionId)?.connection;
    if (!found) throw new Error('It was imported.');
    const { id, ...draft } = found;
    unwrap(await to.channels.call('connections.save', { id, draft: { ...draft, name: 'wyebank' } }));
    const machine = { name: 'LEO-DT-0113', nickname: 'Billing spare', owner: '', site: '', note: '' };
    unwrap(await to.channels.call('machines.save', { connectionId, machine, oldName: null }));
    unwrap(await to.channels.call('setup.undo', {}));
    expect((await to.save()).connections).toMatchObject([{ name: 'wyebank', machines: [machine] }]);
  });

  test('removes a connection that the import created; one that has a key by now stays with its caps', async () => {
    await to.take(await to.preview(file));
    unwrap(await to.channels.call('setup.undo', {}));
    expect(await to.save()).toMatchObject({ connections: [], savedLookups: [] });
    await to.take(await to.preview(file));
    const connectionId = await to.idOf('Wyebank');
    unwrap(
      await to.channels.call('secrets.put', { connectionId, role: 'lookup-key', label: 'Mine', value: keyOfDesk }),
    );
    unwrap(await to.channels.call('setup.undo', {}));
    const now = await to.save();
    expect(first(now).caps).toEqual(first(file).caps);
    expect(first(now).machines).toHaveLength(2);
    expect(now.savedLookups).toEqual([]);
  });

  test('that finds nothing it may undo is not used up', async () => {
    await to.take(await to.preview({ ...file, savedLookups: [] }));
    const put = {
      connectionId: await to.idOf('Wyebank'),
      role: 'lookup-key',
      label: 'Mine',
      value: keyOfDesk,
    } as const;
    const secret = unwrap(await to.channels.call('secrets.put', put));
    expect(await to.channels.call('setup.undo', {})).toMatchObject(nothingUndone);
    expect(unwrap(await to.channels.call('setup.last', {})).last?.changes).toBeGreaterThan(0);
    unwrap(await to.channels.call('secrets.remove', { secretId: secret.id }));
    expect(unwrap(await to.channels.call('setup.undo', {}))).toMatchObject({ left: 0 });
    expect((await to.save()).connections).toEqual([]);
  });
});

describe('a connection that is removed', () => {
  test('takes with it all that the question before names, and a set-up file brings that back, except alerts switched off', async () => {
    const connectionId = await from.idOf('Wyebank');
    const off = { kind: 'days-left', threshold: 7 } as const;
    const { alerts } = first(file);
    unwrap(await from.channels.call('credits.save-alerts', { connectionId, alerts: [...alerts, off] }));
    unwrap(await from.channels.call('credits.turn-alert', { connectionId, alert: off, isOn: false }));
    expect({ ...(await from.save()), savedAt: '' }).toEqual({ ...file, savedAt: '' });
    unwrap(await from.channels.call('connections.remove', { connectionId }));
    expect(await from.save()).toMatchObject({ connections: [], savedLookups: file.savedLookups });

    // The same name, addresses and account find nothing of it.
    const draft = connectionDraft('Wyebank', first(file).settings);
    unwrap(await from.channels.call('connections.save', { id: null, draft }));
    expect(first(await from.save())).toEqual({
      ...first(file),
      keys: [],
      caps: { perRun: null, perDay: null, floor: null },
      setPrices: [],
      alerts: [],
      poundsPerCredit: null,
      reminderRule: null,
      costCentres: [],
      machines: [],
      labels: [],
      views: [],
      licences: [],
    });
    unwrap(await from.channels.call('connections.remove', { connectionId: await from.idOf('Wyebank') }));

    await from.take(await from.preview(file));
    expect({ ...(await from.save()), savedAt: '' }).toEqual({ ...changed({ keys: [] }), savedAt: '' });
    const again = await from.idOf('Wyebank');
    expect(unwrap(await from.channels.call('credits.alerts', { connectionId: again })).alerts).toHaveLength(1);
  });
});

describe('a policy', () => {
  test('is not overridden: what it does not allow is refused, and its caps count as existing ones', async () => {
    const policy = {
      version: 1 as const,
      creditsPerDayMax: 300,
      balanceFloorMin: 800,
      allowedBaseUrls: ['https://lookup.example/v1'],
    };
    const held = await startDesk({ policy: { state: 'read', source: 'test', policy, extraCa: [], notices: [] } });
    try {
      const strange = {
        ...first(file),
        name: 'Strange',
        settings: { ...first(file).settings, restBaseUrl: 'https://other.example' },
      };
      const opened = await held.preview({ ...file, connections: [first(file), strange] });
      expect(rowOf(opened, 'Daily cap')).toMatchObject({ state: 'refused', open: false });
      expect(
        opened.rows.filter(({ connection }) => connection === 'Strange').every(({ state }) => state === 'refused'),
      ).toBe(true);
      await held.take(
        opened,
        opened.rows.map(({ id }) => id),
      );
      expect(unwrap(held.core.connections.list()).map(({ name }) => name)).toEqual(['Wyebank']);
      expect(unwrap(held.core.caps.read(await held.idOf('Wyebank')))).toEqual({
        perRun: null,
        perDay: 300,
        floor: 800,
      });
    } finally {
      await held.close();
    }
  });

  test('adds none of its caps to those of a connection, and an undo leaves nothing behind', async () => {
    const policy = { version: 1 as const, creditsPerDayMax: 300, balanceFloorMin: 800 };
    const held = await startDesk({ policy: { state: 'read', source: 'test', policy, extraCa: [], notices: [] } });
    try {
      await held.take(await held.preview(changed({ caps: { perRun: 5, perDay: null, floor: null } })));
      const connectionId = await held.idOf('Wyebank');
      expect(unwrap(held.core.caps.ofConnection(connectionId))).toEqual({ perRun: 5, perDay: null, floor: null });
      expect(Object.keys(unwrap(held.core.caps.authors(connectionId)))).toEqual(['perRun']);
      expect(unwrap(held.core.caps.read(connectionId))).toEqual({ perRun: 5, perDay: 300, floor: 800 });
      expect(unwrap(await held.channels.call('setup.undo', {}))).toMatchObject({ left: 0 });
      expect(unwrap(held.core.connections.list())).toEqual([]);
    } finally {
      await held.close();
    }
  });

  test('that forbids exports forbids this one', async () => {
    const policy = { version: 1 as const, exportAllowed: false };
    const held = await startDesk({ policy: { state: 'read', source: 'test', policy, extraCa: [], notices: [] } });
    expect(await held.channels.call('setup.prepare', {})).toMatchObject({
      ok: false,
      error: { code: 'policy-forbids' },
    });
    await held.close();
  });
});

describe('keys in the wrong place', () => {
  test('a text with a key is left out of the file, and its place is named', async () => {
    const connectionId = await from.idOf('Wyebank');
    const machine = { name: 'PC-9', nickname: '', owner: '', site: '', note: `key is ${keyOfDesk}` };
    unwrap(await from.channels.call('machines.save', { connectionId, machine, oldName: null, sendAnyway: true }));
    const prepared = unwrap(await from.channels.call('setup.prepare', {}));
    expect(prepared.leftOut).toEqual(['a machine of Wyebank']);
    const saved = await from.save();
    expect(JSON.stringify(saved)).not.toContain(keyOfDesk);
    expect(first(saved).machines.map(({ name }) => name)).toEqual(['TRO-LT-0011', 'TRO-LT-0012']);
  });

  test('importing a file with a key takes everything except the key', async () => {
    const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const opened = await to.preview(
      changed({
        labels: [
          { field: 'status', value: 'A', label: guid },
          { field: 'status', value: 'B', label: 'Fine' },
        ],
      }),
    );
    const refused = opened.rows.filter(({ state }) => state === 'refused');
    expect(refused).toHaveLength(1);
    await to.take(
      opened,
      opened.rows.map(({ id }) => id),
    );
    expect(first(await to.save()).labels).toEqual([{ field: 'status', value: 'B', label: 'Fine' }]);
  });

  test('a saved lookup cannot bring a key field, nor an address a parameter with a key', async () => {
    const lookup = { ...file.savedLookups[0], fields: [{ name: 'key', values: ['abc'] }] };
    const settings = { ...first(file).settings, restBaseUrl: 'https://lookup.example/v1?key=abc' };
    const opened = await to.preview({ ...changed({ settings }), savedLookups: [lookup] });
    expect(states(opened)).toEqual(['refused']);
    // Of a connection that is not taken no key is wanted.
    expect(opened.keys).toEqual([]);
  });
});

describe('hostile files', () => {
  test('a refused file changes nothing', async () => {
    await to.take(await to.preview(file));
    const before = await to.save();
    expect(await to.open({ ...file, version: 2 })).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    expect({ ...(await to.save()), savedAt: '' }).toEqual({ ...before, savedAt: '' });
  });

  test('texts with invisible or control characters are refused', async () => {
    const opened = await to.preview(
      changed({
        views: [],
        labels: [
          { field: 'status', value: 'A', label: 'a\u202Eb' },
          { field: 'status', value: 'B', label: 'a\u0000b' },
        ],
      }),
    );
    expect(opened.rows.find(({ state }) => state === 'refused')).toMatchObject({ count: 2 });
    const named = await to.preview({ ...file, connections: [{ ...first(file), name: 'Wye\u200Bbank' }] });
    expect(new Set(named.rows.filter(({ connection }) => connection !== '').map(({ state }) => state))).toEqual(
      new Set(['refused']),
    );
  });

  test('whatever is set up can be saved and imported: long notes, and a lookup called like one in a folder', async () => {
    const machines = Array.from({ length: 2400 }, (_, n) => ({
      name: `PC-${n}`,
      nickname: '',
      owner: '',
      site: '',
      note: `${n} `.padEnd(1900, 'ŷ'),
    }));
    const lookup = (folder: string, name: string) => ({
      folder,
      name,
      operation: 'GetCredits',
      dataset: false,
      fields: [],
    });
    const savedLookups = [
      lookup('Checks', 'Balance'),
      lookup('', 'Checks / Balance'),
      lookup('Checks / a', 'b'),
      lookup('Checks', 'a / b'),
    ];
    await to.take(await to.preview({ ...changed({ machines }), savedLookups }));
    const saved = await to.save();
    expect(saved.savedLookups).toHaveLength(savedLookups.length);
    await from.take(await from.preview(saved));
    const again = await from.save();
    expect(again.savedLookups).toEqual(expect.arrayContaining(saved.savedLookups));
    const notes = new Map(first(again).machines.map(({ name, note }) => [name, note]));
    expect(machines.filter(({ name, note }) => notes.get(name) !== note)).toEqual([]);
  });

  test('a set-up that could not be imported is not saved, and says what is too much', async () => {
    await to.take(await to.preview(file));
    const connectionId = await to.idOf('Wyebank');
    for (let n = 0; n <= mostInSetup.view; n += 1)
      unwrap(await to.channels.call('licences.save-view', { connectionId, name: `View ${n}`, filter: noFilter }));
    const before = readFileSync(to.file, 'utf8');
    const { exportId, rows } = unwrap(await to.channels.call('setup.prepare', {}));
    const saved = await to.channels.call('setup.save', { exportId, without: [] });
    expect(saved).toMatchObject({ ok: false, error: { code: 'bad-input', money: 'Nothing was written.' } });
    expect(saved.ok || saved.error.message).toContain('connections 1, views. It could not be imported');
    expect(readFileSync(to.file, 'utf8')).toBe(before);
    const without = rows.filter(({ what }) => what.endsWith('views')).map(({ id }) => id);
    unwrap(await to.channels.call('setup.save', { exportId, without }));
    expect(first(JSON.parse(readFileSync(to.file, 'utf8')))).toMatchObject({ views: [], poundsPerCredit: 0.04 });
  });

  test('20,000 machines are compared and taken', async () => {
    const machines = Array.from({ length: 20_000 }, (_, n) => ({
      name: `PC-${n}`,
      nickname: '',
      owner: '',
      site: '',
      note: '',
    }));
    const opened = await to.preview(changed({ machines }));
    expect(rowOf(opened, '20,000 machines')).toMatchObject({ state: 'new', file: 'PC-0 and 19,999 more' });
    await to.take(opened);
    expect(first(await to.save()).machines).toHaveLength(20_000);
  });
});

describe('a kill', () => {
  test('at any write of an import leaves all of the import or nothing', async () => {
    const path = join(to.file, '..', 'wanted.json');
    writeFileSync(path, JSON.stringify(file));
    const program = await bundleChild('test/helpers/setup-kill-child.ts');
    const run = (killAt: number) =>
      new Promise<number | null>((done, failed) => {
        const folder = mkdtempSync(join(tmpdir(), 'setup-kill-'));
        let writes: number | null = null;
        const child = fork(program, [folder, path, String(killAt)]);
        child.once('message', (said) => {
          writes = Number(said);
        });
        child.once('error', failed);
        child.once('exit', () => {
          const db = unwrap(openDatabase({ folder, clock: { now: () => Date.now() } }));
          const count = (table: string) => Number(db.sql.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
          const rows = ['connections', 'credit_alerts', 'machine_inventory', 'saved_lookups', 'set_prices'].map(count);
          const undo = db.sql.prepare("SELECT 1 FROM settings WHERE key = 'setupUndo'").get() !== undefined;
          db.close();
          removeFolder(folder);
          if (writes === null) expect({ killAt, rows, undo }).toEqual({ killAt, rows: [0, 0, 0, 0, 0], undo: false });
          else expect({ rows, undo }).toEqual({ rows: [1, 1, 2, 1, 1], undo: true });
          done(writes);
        });
      });
    const writes = await run(0);
    expect(writes).toBeGreaterThan(8);
    for (const killAt of [1, 2, Math.floor((writes ?? 0) / 2), (writes ?? 0) - 1, writes ?? 0])
      expect(await run(killAt)).toBeNull();
  });
});
