import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listStartNotices } from '../../../electron/core/app-core/start-notices.ts';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { createDemoLauncher } from '../../../electron/platform/demo-service.ts';
import { createFileLogger } from '../../../electron/platform/logger.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import { detectKeychain } from '../../../electron/platform/system-keychain.ts';
import type { DetectedKeychain } from '../../../electron/ports.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { features } from '../../helpers/faulty-features.ts';
import { type Fault, type FaultyService, faults, startFaultyService } from '../../helpers/faulty-service.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { loggedCalls } from '../../helpers/logged-calls.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { putReadyDatabase } from '../../helpers/ready-database.ts';
import { keychainMissing, startTestKeychain, type TestKeychain } from '../../helpers/secret-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// Faults of the computer instead of the network: each ends in a designed state, and no credit is spent without an entry.

const secrets = {
  'lookup-key': 'LK-7f3a91c2e8d04b56',
  'licence-id': 'LID-55c01b7e9a',
  'account-guid': 'GUID-88aa77bb66',
};
const premiseId = '00000001';
const root = resolve(import.meta.dirname, '..', '..', '..');

let folder: string;
let service: FaultyService;
let program: Program | undefined;
/** A keychain that survives several starts, as the system's does. */
let vault: DetectedKeychain;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-state-'));
  putReadyDatabase(folder);
  service = await startFaultyService();
  program = undefined;
  vault = { keychain: createMemoryVault(), missing: null };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await program?.close();
  await service.close();
  removeFolder(folder);
});

async function start(options: Parameters<typeof startProgram>[0] = {}): Promise<Program> {
  program = unwrap(await startProgram({ folder, firstStart: true, keychain: vault, ...options }));
  return program;
}

const connect = (to: Program): Promise<string> =>
  to.connect(
    {
      name: 'Wyebank',
      restBaseUrl: service.restBaseUrl,
      soapUrl: service.soapUrl,
      soapNamespace: 'urn:faulty',
      accountName: 'WYE',
    },
    secrets,
  );

const open = (to: Program, connectionId: string) =>
  to.call('lookup.open', { connectionId, premiseId, interface: 'rest', cache: 'reload' });

/** Expects an error in whole sentences, one of which matches `said`. */
function expectWords(result: Result<unknown>, said: RegExp): AppError {
  if (result.ok) throw new Error(`no error: ${JSON.stringify(result.value).slice(0, 300)}`);
  const { error } = result;
  for (const sentence of [error.message, error.money, error.next]) expect(sentence).toMatch(/^[A-Z].*\.$/s);
  expect(`${error.message} ${error.next}`).toMatch(said);
  expect(error.code).not.toBe('internal');
  return error;
}

function expectNotSent(result: Result<unknown>, said: RegExp): void {
  const error = expectWords(result, said);
  expect(error.charge).toBe('not-charged');
  expect(error.money).toMatch(/not|Nothing|No request/);
}

/** The number of calls that reached the service and could have cost a credit. */
const spent = (): number =>
  [...service.hits]
    .filter(([name]) => name !== 'description' && name !== 'GetCredits')
    .reduce((sum, [, n]) => sum + n, 0);

/** Finds the program's open database when SQLite opens it. */
function watchDatabase(): () => DatabaseSync {
  const seen = new Set<DatabaseSync>();
  const original = DatabaseSync.prototype.exec;
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql: string) {
    seen.add(this);
    return original.call(this, sql);
  });
  return () => {
    const open = [...seen].filter((one) => one.isOpen && one.location() === join(folder, databaseName));
    const [last] = open.slice(-1);
    if (!last) throw new Error('the program has no open database');
    return last;
  };
}

/** Simulates a full disk with SQLite's page limit: no page may be added, and every write needs one. */
function fill(database: DatabaseSync): void {
  database.exec('CREATE TABLE IF NOT EXISTS filler (content BLOB)');
  const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${page_count}`);
  for (const table of tablesOf(database))
    for (const event of ['INSERT', 'UPDATE'])
      database.exec(
        `CREATE TEMP TRIGGER full_${table}_${event} BEFORE ${event} ON ${table} BEGIN INSERT INTO filler VALUES (zeroblob(100000)); END`,
      );
}
function free(database: DatabaseSync): void {
  database.exec('PRAGMA max_page_count = 1000000');
  for (const table of tablesOf(database))
    for (const event of ['INSERT', 'UPDATE']) database.exec(`DROP TRIGGER full_${table}_${event}`);
}
const tablesOf = (database: DatabaseSync): string[] =>
  database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' AND name NOT LIKE 'call_words%' AND name NOT LIKE 'sqlite%' AND name <> 'filler'",
    )
    .all()
    .map(({ name }) => String(name));

describe('the disk is full', () => {
  test('no feature sends a call that could not be recorded; stored data can be read; with space again everything works', async () => {
    const database = watchDatabase();
    const desk = await start();
    const scenes = [];
    for (const feature of features.filter(({ target }) => target.name !== 'description')) {
      const own = await startFaultyService();
      const connectionId = await desk.connect(
        {
          restBaseUrl: feature.without === 'rest' ? '' : own.restBaseUrl,
          soapUrl: feature.without === 'soap' ? '' : own.soapUrl,
          soapNamespace: 'urn:faulty',
          accountName: 'WYE',
          preferredInterface: feature.prefers ?? 'rest',
        },
        secrets,
      );
      const scene = { program: desk, service: own, connectionId };
      const facts = (await feature.prepare?.(scene)) ?? {};
      scenes.push({ feature, scene, facts });
    }
    try {
      fill(database());
      for (const { feature, scene, facts } of scenes) {
        await scene.service.mend();
        // Selecting a connection makes only a background reading, which the wait below would never see.
        if (feature.channel === 'connections.select') continue;
        const result = await feature.act({
          ...scene,
          facts,
          requestId: `full-${feature.name.length}-${scene.connectionId}`,
        });
        const left = [...scene.service.hits.keys()].filter((name) => name !== 'description');
        expect(left, feature.name).toEqual([]);
        const text = JSON.stringify(result);
        expect(text, feature.name).toMatch(/disk is full/);
        expect(text, feature.name).not.toMatch(/undefined|may-have-been-charged|"internal"/);
      }
      const connectionId = scenes[0]?.scene.connectionId ?? '';
      for (const read of [
        await desk.call('activity.list', { search: '', before: null, limit: 10 }),
        await desk.call('credits.overview', { connectionId }),
        await desk.call('licences.last-seen', { connectionId }),
        await desk.call('connections.list', {}),
        await desk.call('journal.check', {}),
      ])
        expect(read.ok).toBe(true);
      expectWords(
        await desk.call('operations.save', { name: 'x', folder: '', operation: 'Search', dataset: false, fields: [] }),
        /disk is full/,
      );
      free(database());
      for (const { feature, scene, facts } of scenes.filter(({ feature }) => !feature.check).slice(0, 6))
        expect(
          ((await feature.act({ ...scene, facts, requestId: `again-${scene.connectionId}` })) as Result<unknown>).ok,
          feature.name,
        ).toBe(true);
      expect(desk.logged).toEqual([]);
    } finally {
      for (const { scene } of scenes) await scene.service.close();
    }
  });

  test('the disk fills during a paid call: the answer is shown, and the spend stays counted', async () => {
    const database = watchDatabase();
    const desk = await start();
    const connectionId = await connect(desk);
    const late: Fault = {
      name: 'an answer that comes when the disk is full',
      truth: 'fine',
      answer: (socket, body) => {
        fill(database());
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      },
    };
    await service.arm(late, { name: 'GetPremise' });
    const view = unwrap(await open(desk, connectionId));
    expect(view.title).toContain('High Street');
    expect(service.hits.get('GetPremise')).toBe(1);
    free(database());
    const [call] = (await loggedCalls(desk.core.log, { connectionId })).filter(
      ({ operation }) => operation === 'GetPremise',
    );
    // The outcome could not be written, so it stays unknown: the call is known to have been sent and counts in full.
    expect(call?.outcome).toBe('unknown');
    expect(unwrap(desk.core.ledger.findOfCall(call?.id ?? ''))?.claims).toEqual([{ kind: 'under-way' }]);
    expect(unwrap(desk.core.ledger.spentToday(connectionId)).credits).toBe(1);
  });

  test('the disk fills during a licence change: nothing more is sent, and the change is offered for checking', async () => {
    const database = watchDatabase();
    const desk = await start();
    const connectionId = await connect(desk);
    const plan = unwrap(
      await desk.call('licences.plan', { connectionId, kind: 'register', licenceNumber: '20419', machine: 'THERE' }),
    );
    const late: Fault = {
      name: 'a write whose answer comes when the disk is full',
      truth: 'fine',
      answer: (socket, body) => {
        fill(database());
        socket.end(
          `HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
      },
    };
    await service.arm(late, { name: 'RegisterLicense' });
    const run = await desk.call('licences.run', { changeId: plan.id, confirmedName: 'THERE' });
    const error = expectWords(run, /disk is full/);
    expect(error.money).toMatch(/journal says so/);
    expect(service.hits.get('RegisterLicense')).toBe(1);
    free(database());
    const [unfinished] = unwrap(await desk.call('licences.unfinished', {})).changes;
    expect(unfinished).toMatchObject({ id: plan.id, state: 'interrupted', verdict: 'on-its-way' });
    const checked = unwrap(await desk.call('licences.resume', { changeId: plan.id, action: 'check' }));
    expect(checked.verdict).toBe('seen');
    expect(service.hits.get('RegisterLicense')).toBe(1);
    expect(unwrap(await desk.call('journal.check', {})).intact).toBe(true);
  });
});

/** Why a test cannot mount file systems here; undefined if it can. */
const withoutMounts =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0
    ? undefined
    : 'this system lets nobody make mounts of their own';

describe.skipIf(withoutMounts !== undefined)('a real disk', () => {
  /** Runs the program in a separate mount namespace, with a folder that the shell line `prepare` has prepared ($DIR). */
  function runIn(prepare: string, data: string): { started: Result<unknown>; searched: Result<unknown> | undefined } {
    const script = `${prepare} && exec "$NODE" --disable-warning=ExperimentalWarning "$CHILD" "$DIR"`;
    const printed = execFileSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script], {
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE: process.execPath,
        CHILD: join(root, 'test', 'helpers', 'start-program-child.ts'),
        DIR: data,
      },
    });
    const [started = '', searched] = printed.trim().split('\n');
    return { started: JSON.parse(started), searched: searched === undefined ? undefined : JSON.parse(searched) };
  }

  async function withData(): Promise<void> {
    const desk = await start();
    await connect(desk);
    await desk.close();
    program = undefined;
  }

  test('a folder that is read-only: the start says so, and leaves it as it is', async () => {
    await withData();
    const before = readFileSync(join(folder, databaseName));
    const { started } = runIn('mount --bind "$DIR" "$DIR" && mount -o remount,ro,bind "$DIR"', folder);
    expectWords(started, /read-only|may not be|permission/);
    expect(readFileSync(join(folder, databaseName)).equals(before)).toBe(true);
    expect(readdirSync(folder).some((name) => name.includes('damaged'))).toBe(false);
    expect((await start()).core.startNotices.join(' ')).not.toContain('damaged');
  });

  test('a disk without a byte left: the start says so and loses nothing, or a call is refused unsent', async () => {
    await withData();
    const file = join(folder, databaseName);
    const small =
      'mount -t tmpfs -o size=900k tmpfs "$DIR/disk" && cp "$DIR"/address-console.sqlite "$DIR/disk/" && (cat /dev/zero > "$DIR/disk/rest" 2>/dev/null || true) && DIR="$DIR/disk"';
    mkdirSync(join(folder, 'disk'));
    expect(statSync(file).size).toBeLessThan(900_000);
    const { started, searched } = runIn(small, folder);
    if (started.ok) expectNotSent(searched as Result<unknown>, /full|space/);
    else expectWords(started, /full|space/);
    expect(service.hits.size).toBe(0);
  });

  test('a disk with room for the database and not for its daily copy: the program starts, and says so', async () => {
    await withData();
    const whole = new DatabaseSync(join(folder, databaseName));
    whole.exec('CREATE TABLE filler (content BLOB); INSERT INTO filler VALUES (randomblob(3000000))');
    whole.close();
    mkdirSync(join(folder, 'disk'));
    const small =
      'mount -t tmpfs -o size=6m tmpfs "$DIR/disk" && cp "$DIR"/address-console.sqlite "$DIR/disk/" && DIR="$DIR/disk"';
    const { started, searched } = runIn(small, folder);
    expect(started).toEqual({ ok: true, value: [expect.stringMatching(/^No copy of the database .*full/)] });
    expect(JSON.stringify(searched)).not.toContain('storage-failed');
  });
});

describe('the folder', () => {
  test('a file in place of the data folder: the start says so', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'mine');
    expectWords(await startProgram({ folder: file, firstStart: true }), /folder|disk/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('the database becomes read-only while the program runs: no call is sent, and reading still works', async () => {
    const database = watchDatabase();
    const desk = await start();
    const connectionId = await connect(desk);
    database().exec('PRAGMA query_only = ON');
    expectNotSent(await open(desk, connectionId), /cannot be written to/);
    expect(service.connections).toBe(0);
    expect((await desk.call('credits.overview', { connectionId })).ok).toBe(true);
    database().exec('PRAGMA query_only = OFF');
    expect((await open(desk, connectionId)).ok).toBe(true);
  });

  test('an unusable log folder is ignored, and an unusable folder of the demo service is reported', async () => {
    writeFileSync(join(folder, 'logs'), '');
    expect(() => createFileLogger(join(folder, 'logs')).error('here', new Error('x'))).not.toThrow();
    writeFileSync(join(folder, 'demo'), '');
    const desk = await start();
    expectWords(await desk.call('connections.start-demo', {}), /folder/);
    rmSync(join(folder, 'demo'));
    mkdirSync(join(folder, 'demo'));
    expect(desk.logged).toEqual([]);
  });
});

describe('another program has locked the database', () => {
  /** Starts a process that locks the database until it is ended. */
  async function lock(): Promise<ChildProcess> {
    const text = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(process.argv[1]);
      db.exec('BEGIN EXCLUSIVE'); console.log('locked'); process.stdin.on('data', () => process.exit(0));`;
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '-e', text, join(folder, databaseName)],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    await once(child.stdout, 'data');
    return child;
  }
  async function unlock(child: ChildProcess): Promise<void> {
    const gone = once(child, 'exit');
    child.stdin?.write('end\n');
    await gone;
  }

  test('a call is refused unsent and names the other program; afterwards it works', async () => {
    const desk = await start();
    const connectionId = await connect(desk);
    const child = await lock();
    try {
      expectNotSent(await open(desk, connectionId), /Another program is writing/);
      expect(service.connections).toBe(0);
      expect((await desk.call('activity.list', { search: '', before: null, limit: 5 })).ok).toBe(true);
    } finally {
      await unlock(child);
    }
    expect((await open(desk, connectionId)).ok).toBe(true);
  });
});

test('an answer is saved for the key that went with its call, where the keychain had another than was noted', async () => {
  const desk = await start();
  const connectionId = await connect(desk);
  const service = 'Address Console, Wyebank';
  const account = unwrap(await vault.keychain.list(service)).find((one) => one.endsWith('(lookup-key)')) ?? '';
  unwrap(await vault.keychain.set({ service, account }, 'LK-0b1c2d3e4f5a6978'));
  const ask = () => desk.call('lookup.open', { connectionId, premiseId, interface: 'rest', cache: 'default' });
  for (let time = 0; time < 2; time += 1) expect((await ask()).ok).toBe(true);
  const calls = (await loggedCalls(desk.core.log)).filter(({ operation }) => operation === 'GetPremise');
  expect(calls.map(({ outcome }) => outcome)).toEqual(['held', 'answered']);
});

test.each(['the next call', 'the end of the program'])(
  'the end of a call that could not be written is written at %s, in the activity log and the ledger',
  async (when) => {
    let desk = await start();
    const connectionId = await connect(desk);
    const database = new DatabaseSync(join(folder, databaseName));
    for (const table of ['ledger', 'calls'])
      database.exec(`CREATE TRIGGER ${table}_fault BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'fault'); END`);
    expect((await open(desk, connectionId)).ok).toBe(true);
    const [begun] = await loggedCalls(desk.core.log);
    expect(begun).toMatchObject({ operation: 'GetPremise', outcome: 'unknown', errorCode: null });
    const id = begun?.id ?? '';
    for (const table of ['ledger', 'calls']) database.exec(`DROP TRIGGER ${table}_fault`);
    database.close();
    if (when === 'the next call') {
      expect((await open(desk, connectionId)).ok).toBe(true);
    } else {
      await desk.close();
      desk = await start({ firstStart: false });
    }
    expect(unwrap(desk.core.log.findCall(id))).toMatchObject({ outcome: 'answered' });
    expect(unwrap(desk.core.ledger.findOfCall(id))?.claims[0]).toMatchObject({ kind: 'answered' });
  },
);

test('the end of a call that could not be written is written before the next reading, which then says what the call cost', async () => {
  const desk = await start();
  const connectionId = await connect(desk);
  const read = async () => {
    const sources = ['rest-key'] as const;
    expect(unwrap(await desk.call('credits.read-balances', { connectionId, sources: [...sources] })).failures).toEqual(
      [],
    );
  };
  await read();
  const database = new DatabaseSync(join(folder, databaseName));
  database.exec("CREATE TRIGGER fault BEFORE UPDATE OF ending ON ledger BEGIN SELECT RAISE(ABORT, 'fault'); END");
  expect((await open(desk, connectionId)).ok).toBe(true);
  database.exec('DROP TRIGGER fault');
  database.close();
  await read();
  await read();
  const { entries } = unwrap(await desk.call('credits.ledger', { connectionId, before: null, limit: 5 }));
  expect(entries.map(({ claims }) => claims.map(({ kind }) => kind))).toEqual([['answered', 'no-fall']]);
});

describe('a damaged database', () => {
  // Made by the first start, so that the second one makes the daily copy.
  beforeEach(() => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  });
  const file = () => join(folder, databaseName);
  const overwrite = (from: number, bytes: number) => {
    const handle = openSync(file(), 'r+');
    writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  };
  const damages: [name: string, work: () => void, keepsContent?: boolean][] = [
    ['its start', () => overwrite(0, 512)],
    ['its middle', () => overwrite(Math.floor(statSync(file()).size / 8192) * 4096 - 8192, 16_384)],
    ['everything', () => overwrite(0, statSync(file()).size)],
    ['cut in half', () => truncateSync(file(), Math.floor(statSync(file()).size / 2))],
    ['of no length', () => truncateSync(file(), 0), false],
    ['gone', () => rmSync(file()), false],
    [
      'a folder in its place',
      () => {
        rmSync(file());
        mkdirSync(file());
      },
    ],
    ['another file in its place', () => writeFileSync(file(), 'Dear diary, '.repeat(2000))],
  ];

  test.each(damages)(
    '%s: the newest copy is opened, the start says so, and what was there is kept',
    async (_, damage, keepsContent = true) => {
      const first = await start();
      const connectionId = await connect(first);
      expect((await open(first, connectionId)).ok).toBe(true);
      const plan = { connectionId, kind: 'register', licenceNumber: '20419', machine: 'THERE' } as const;
      const { id } = unwrap(await first.call('licences.plan', plan));
      unwrap(await first.call('licences.run', { changeId: id, confirmedName: 'THERE' }));
      await first.close();
      // The second start makes the daily copy; what comes after that is only in the file.
      const second = await start();
      const move = {
        connectionId,
        kind: 'move',
        licenceNumber: '20418',
        fromMachine: 'HERE',
        machine: 'DESK',
      } as const;
      const after = unwrap(await second.call('licences.plan', move));
      unwrap(await second.call('licences.run', { changeId: after.id, confirmedName: 'DESK' }));
      await second.close();
      damage();

      // A program that ends before a window has asked it: the next one says the same.
      await (await start()).close();
      const third = await start();
      const { startNotices } = unwrap(await third.call('app.info', {}));
      expect(startNotices.join(' ')).toMatch(
        keepsContent
          ? /was damaged\. The copy of .* was opened; the damaged file is kept\. Saved answers, and what was done from then until the damage was found, can only be in that file\./
          : /was missing\. The copy of .* was opened\. Saved answers, and what was done from then until it went missing, are not in it\./,
      );
      // The journal's anchor shows that it was longer, which is reported.
      expect(startNotices.join(' ')).toMatch(
        /The licence journal in the copy fails its check: changes made after it may be missing\./,
      );
      expect(unwrap(await third.call('journal.check', {}))).toMatchObject({ intact: false, fault: 'cut-short' });
      const kept = readdirSync(folder).filter((name) => name.includes('.damaged-'));
      expect(kept.some((name) => statSync(join(folder, name)).size > 0)).toBe(keepsContent);
      const listed = unwrap(await third.call('connections.list', {}));
      expect(listed.connections.map(({ connection }) => connection.id)).toEqual([connectionId]);
      expect(unwrap(await third.call('credits.overview', { connectionId })).spentToday).toBe(1);
      const again = await third.call('lookup.open', { connectionId, premiseId, interface: 'rest' });
      expect(again.ok && again.value.provenance.cached).toBe(false);
      await third.close();
      expect((await start()).core.startNotices).toEqual([]);
    },
  );

  test('without a copy the start does not speak of one, nor of a journal that was not checked as not whole', async () => {
    const first = await start();
    const connectionId = await connect(first);
    const plan = { connectionId, kind: 'register', licenceNumber: '20419', machine: 'THERE' } as const;
    const { id } = unwrap(await first.call('licences.plan', plan));
    unwrap(await first.call('licences.run', { changeId: id, confirmedName: 'THERE' }));
    await first.close();
    rmSync(join(folder, 'backups'), { recursive: true, force: true });
    overwrite(0, statSync(file()).size);
    const { startNotices } = (await start()).core;
    expect(startNotices.join(' ')).toMatch(
      /no good copy was found.* The licence journal begins anew: no change of a licence made until now is in it\./,
    );
    expect(startNotices.join(' ')).not.toMatch(/the copy/);

    const notices = listStartNotices({
      policyNotices: [],
      recovery: { setAside: null, backupAt: null },
      copyFailure: null,
      checkJournal: () => fail(appError('storage-failed')),
      keychainMissing: false,
    });
    expect(notices[1]).toMatch(/^The licence journal could not be checked\./);
  });
});

const noKeychain = keychainMissing() ?? (process.platform === 'linux' ? undefined : 'the keychain is the system’s own');

describe.skipIf(noKeychain !== undefined)('the keychain, while the program runs', () => {
  let keychain: TestKeychain;
  beforeAll(async () => {
    keychain = await startTestKeychain();
  });
  afterAll(() => keychain.stop());
  beforeEach(async () => {
    vault = await detectKeychain();
  });

  test('fails and returns: nothing is sent, nothing is deleted, no key has to be entered again', async () => {
    const desk = await start();
    const connectionId = await connect(desk);
    expect((await open(desk, connectionId)).ok).toBe(true);
    const before = spent();
    await keychain.kill();
    const refused = await open(desk, connectionId);
    expectNotSent(refused, /keychain/i);
    expect(refused).toMatchObject({ error: { code: 'keychain-unreadable' } });
    expect(await desk.call('licences.read', { connectionId })).toMatchObject({
      error: { code: 'keychain-unreadable' },
    });
    expect(spent()).toBe(before);
    const gone = unwrap(await desk.call('connections.list', {}));
    expect(gone.store.state).toBe('unreadable');
    expect(gone.connections[0]?.secrets.length).toBe(3);
    // A key that could not be removed stays listed, because its entry may still exist.
    const handle = gone.connections[0]?.secrets[0];
    expectWords(await desk.call('secrets.remove', { secretId: handle?.id ?? '' }), /keychain/i);
    await keychain.start();
    const back = unwrap(await desk.call('connections.list', {}));
    expect([back.store.state, back.connections[0]?.secrets.length]).toEqual(['unlocked', 3]);
    expect((await open(desk, connectionId)).ok).toBe(true);
  });

  test('is locked, and unlocked again', async () => {
    const desk = await start();
    const connectionId = await connect(desk);
    await keychain.lock();
    const refused = await open(desk, connectionId);
    expectNotSent(refused, /[Ll]ocked|unlock/);
    expect(refused).toMatchObject({ error: { code: 'keychain-locked' } });
    expect(service.connections).toBe(0);
    expect(unwrap(await desk.call('connections.list', {})).store.state).toBe('locked');
    await keychain.unlock();
    expect((await open(desk, connectionId)).ok).toBe(true);
  });
});

describe('a thread of the program dies', () => {
  test('the demo service: the next call starts it again', async () => {
    const sign = join(folder, 'die');
    process.env.MORTAL_DEMO_SIGN = sign;
    try {
      const worker = join(root, 'test', 'helpers', 'mortal-demo.ts');
      const desk = await start({ demo: createDemoLauncher({ worker, folder: join(folder, 'demo'), premises: 500 }) });
      const demo = unwrap(await desk.call('connections.start-demo', {}));
      const connectionId = demo.connection.id;
      const text = 'HR10 2DT';
      expect((await desk.call('lookup.search', { connectionId, text })).ok).toBe(true);
      writeFileSync(sign, '');
      await vi.waitFor(
        async () => expect(unwrap(await desk.call('connections.list', {})).connections[0]?.demoPort).toBeNull(),
        { timeout: 60_000 },
      );
      rmSync(sign);
      expect((await desk.call('lookup.search', { connectionId, text, cache: 'reload' })).ok).toBe(true);
      expect(unwrap(await desk.call('connections.list', {})).connections[0]?.demoPort).not.toBeNull();
    } finally {
      delete process.env.MORTAL_DEMO_SIGN;
    }
  });

  test('the decoding thread: the call ends with an error, its spend stays open, and nothing hangs', async () => {
    const desk = await start({ decodeWorker: join(root, 'test', 'helpers', 'mortal-decoder.ts') });
    const connectionId = await connect(desk);
    const long: Fault = {
      name: 'an answer long enough for the thread',
      truth: 'open',
      answer: (socket, body) => {
        const padded = Buffer.concat([body, Buffer.alloc(400_000, 32)]);
        socket.end(
          Buffer.concat([
            Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: text/xml\r\ncontent-length: ${padded.length}\r\n\r\n`),
            padded,
          ]),
        );
      },
    };
    for (const [over, name] of [
      ['soap', 'GetPremiseAddress'],
      ['soap', 'GetPremiseAddress'],
      ['rest', 'GetPremise'],
    ] as const) {
      await service.arm(long, { name });
      const opened = await desk.call('lookup.open', { connectionId, premiseId, interface: over });
      expect(opened).toMatchObject({ ok: false, error: { charge: 'may-have-been-charged' } });
      if (!opened.ok) {
        expect(opened.error.message).toMatch(/The part of the program that reads answers stopped/);
        expect(unwrap(desk.core.ledger.findOfCall(opened.error.callId ?? ''))?.claims[0]).toMatchObject({
          kind: 'unusable-answer',
        });
      }
    }
    await service.mend();
    expect((await desk.call('lookup.open', { connectionId, premiseId, interface: 'soap' })).ok).toBe(true);
  });
});

// On Windows an open file cannot be removed.
test.skipIf(process.platform === 'win32')(
  'the data folder deleted or replaced while the program runs: nothing that costs or changes a licence is sent',
  async () => {
    const desk = await start();
    const connectionId = await connect(desk);
    const wish = { connectionId, kind: 'register', licenceNumber: '20419', machine: 'THERE' } as const;
    const { id } = unwrap(await desk.call('licences.plan', wish));
    expect((await open(desk, connectionId)).ok).toBe(true);
    const before = new Map(service.hits);
    const nothingSent = () =>
      expect([...service.hits].filter(([name]) => name !== 'GetCredits')).toEqual(
        [...before].filter(([name]) => name !== 'GetCredits'),
      );
    rmSync(folder, { recursive: true });
    for (const again of [false, true]) {
      if (again) {
        // Another program created the folder again, with its own database.
        mkdirSync(folder);
        writeFileSync(join(folder, databaseName), '');
      }
      expectNotSent(await open(desk, connectionId), /deleted or replaced/);
      const run = await desk.call('licences.run', { changeId: id, confirmedName: 'THERE' });
      expect(run).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
      nothingSent();
    }
  },
);

test('closing the program ends a call under way and leaves no partial copy of the database', async () => {
  const desk = await start();
  const connectionId = await connect(desk);
  const silence = faults.find(({ name }) => name === 'silence') as Fault;
  await service.arm(silence, { name: 'GetPremise' });
  const under = open(desk, connectionId);
  await vi.waitFor(() => expect(service.hits.get('GetPremise')).toBe(1), { timeout: 60_000 });
  await desk.close();
  program = undefined;
  expect(await under).toMatchObject({
    ok: false,
    error: { code: 'cancelled-after-sending', charge: 'may-have-been-charged' },
  });
  const again = await start();
  const [call] = await loggedCalls(again.core.log, { connectionId });
  expect(call?.outcome).toBe('unknown');
  const backups = join(folder, 'backups');
  expect(existsSync(backups) ? readdirSync(backups).filter((name) => name.endsWith('.unfinished')) : []).toEqual([]);
});
