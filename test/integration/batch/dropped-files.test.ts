import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mostRows } from '../../../shared/domain/text/table.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

let program: Program;
let connectionId: string;

beforeEach(async () => {
  program = unwrap(await startProgram());
  connectionId = await program.connect({ restBaseUrl: 'https://lookup.example/v1' }, { 'lookup-key': 'LK-1' });
});
afterEach(() => program.close());

const table = (place: string) => `Postcode,Place\nHR10 2DA,${place}\nHR10 2DB,${place}\n`;

/** Sends a part of a file as the window does when the file is dropped. */
const drop = (text: string, from: number, to: number, transfer: string | null = null) =>
  program.call('batch.drop', {
    connectionId,
    transfer,
    name: 'dropped.csv',
    bytes: text.length,
    from,
    part: Buffer.from(text.slice(from, to)).toString('base64'),
  });

test('two files dropped at the same moment are each read as themselves', async () => {
  const texts = [table('Kington'), table('Leominster')];
  const begun = await Promise.all(texts.map((text) => drop(text, 0, 20)));
  const transfers = begun.map((one) => unwrap(one).transfer);
  expect(new Set(transfers).size).toBe(2);
  const ended = await Promise.all(texts.map((text, index) => drop(text, 20, text.length, transfers[index])));
  expect(ended.map((one) => unwrap(one).table?.preview[0]?.cells)).toEqual([
    ['HR10 2DA', 'Kington'],
    ['HR10 2DA', 'Leominster'],
  ]);
});

test('identifiers said to have their zeros back are those that are asked, and those with an exponent are malformed', async () => {
  const text = 'UDPRN\n00284147\n7284147\n284147\n2.84E+07\n2.85E+07\n';
  const { table: opened } = unwrap(await program.call('batch.paste', { connectionId, text }));
  expect(opened).toMatchObject({ kind: 'udprns', rows: 5, malformed: 2 });
  expect(opened?.columns[0]?.notes).toEqual([expect.stringMatching(/^2 of the first rows have fewer than 8 digits/)]);
  const separated = 'UDPRN\n"12,345,678"\n"12,345,679"\n';
  const { table: none } = unwrap(await program.call('batch.paste', { connectionId, text: separated }));
  expect(none).toMatchObject({ kind: 'udprns', rows: 2, malformed: 2 });
  const nots = Object.fromEntries(none?.kinds.map(({ kind, not }) => [kind, not]) ?? []);
  expect(nots).toMatchObject({ udprns: 'no row can be asked', 'premise-ids': 'no such column' });
});

test('where another service is asked, the sample says whose addresses it has, however it is read again', async () => {
  const says = [expect.stringMatching(/^Its addresses are invented/)];
  const { table: sample } = unwrap(await program.call('batch.open-sample', { connectionId }));
  expect(sample?.why).toEqual(says);
  const { tableId = '' } = sample ?? {};
  for (const change of [
    { kind: 'postcodes' as const },
    { roles: [{ index: 0, role: 'unused' as const }] },
    { header: false },
  ])
    expect(unwrap(await program.call('batch.read-as', { tableId, ...change })).why).toEqual(says);
});

test('a file with the mark of UTF-8 that is not UTF-8 throughout says that letters of it are lost', async () => {
  const bytes = Buffer.concat([
    Buffer.from('\uFEFFTown,Postcode\nTŷ,HR10 2DT\nCaf'),
    Buffer.from([0xe9]),
    Buffer.from(',HR10 2DT\n'),
  ]);
  const part = bytes.toString('base64');
  const whole = { connectionId, transfer: null, name: 'mark.csv', bytes: bytes.length, from: 0, part };
  const { table } = unwrap(await program.call('batch.drop', whole));
  expect(table?.read.encoding).toBe('utf-8');
  expect(table?.why).toEqual(['It is not UTF-8 throughout: letters are lost, first in line 3']);
});

test.each([
  [
    'Town,Postcode\nEly,HR10 2DT\nCaf\u00e9,HR10 2DT\n',
    'It is not UTF-8, so it was read as Windows-1252: “Café” in line 3',
  ],
  ['Town,Postcode\nEly\u00a0End,HR10 2DT\n', 'It is not UTF-8, so it was read as Windows-1252: line 2'],
])('a file that is not UTF-8 says by what: %j', async (text, said) => {
  const part = Buffer.from(text, 'latin1').toString('base64');
  const whole = { connectionId, transfer: null, name: 'old.csv', bytes: text.length, from: 0, part };
  expect(unwrap(await program.call('batch.drop', whole)).table?.why).toEqual([said]);
});

test('of tables read at once, each call tells of its own rows', async () => {
  const textOf = (count: number) => `Postcode\n${Array.from({ length: count }, (_, row) => `HR${row} 1AA\n`).join('')}`;
  const told = (requestId: string) =>
    program.told.flatMap(({ event, payload }) => {
      const { requestId: of, rows } = payload as { requestId: string; rows: number };
      return event === 'batch.rows-read' && of === requestId ? [rows] : [];
    });
  const counts = [3, 5];
  const opened = await Promise.all(
    counts.map((count) => program.call('batch.paste', { connectionId, text: textOf(count) }, `read ${count}`)),
  );
  expect(counts.map((count) => told(`read ${count}`).at(-1))).toEqual(counts);
  await Promise.all(
    opened.map((one, index) => {
      const { tableId } = unwrap(one).table ?? { tableId: '' };
      return program.call('batch.plan', { tableId, wants: ['exists'] }, `plan ${counts[index]}`);
    }),
  );
  expect(counts.map((count) => told(`plan ${count}`).at(-1))).toEqual(counts);
});

test('a table that is read is stopped at once, wherever it comes from, and so is its planning; nothing of it is left', async () => {
  const many = `Postcode\n${'HR1 1AA\n'.repeat(80_000)}`;
  const folder = join(program.folder, 'batches');
  const stopped = { ok: false, error: { code: 'cancelled', money: 'Nothing was sent.' } };
  /** Calls, and stops once the first rows are told of. */
  const stopDuring = async (requestId: string, call: () => ReturnType<typeof program.call>) => {
    const ended = call();
    while (!program.told.some(({ event, payload }) => event === 'batch.rows-read' && of(payload) === requestId))
      await setTimeout(5);
    program.cancel(requestId);
    return ended;
  };
  const of = (payload: unknown) => (payload as { requestId: string }).requestId;

  const paste = () => program.call('batch.paste', { connectionId, text: many }, 'paste');
  expect(await stopDuring('paste', paste)).toMatchObject(stopped);
  expect(readdirSync(folder)).toEqual([]);

  const bytes = many.length;
  const last = Math.floor(bytes / 2);
  const partOf = (from: number, to: number, transfer: string | null, requestId: string) =>
    program.call(
      'batch.drop',
      {
        connectionId,
        transfer,
        name: 'many.csv',
        bytes,
        from,
        part: Buffer.from(many.slice(from, to)).toString('base64'),
      },
      requestId,
    );
  const { transfer } = unwrap(await partOf(0, last, null, 'first'));
  expect(await stopDuring('drop', () => partOf(last, bytes, transfer, 'drop'))).toMatchObject(stopped);
  expect(readdirSync(folder)).toEqual([]);

  // Given up between two parts.
  const begun = unwrap(await partOf(0, last, null, 'begun')).transfer;
  await program.call('batch.close-table', { tableId: begun });
  expect(readdirSync(folder)).toEqual([]);
  expect(await partOf(last, bytes, begun, 'late')).toMatchObject({ ok: false, error: { code: 'bad-input' } });

  const table = unwrap(await program.call('batch.paste', { connectionId, text: many })).table;
  const tableId = table?.tableId ?? '';
  const readAs = () =>
    program.call('batch.read-as', { tableId, kind: 'addresses', roles: [{ index: 0, role: 'street' }] }, 'as');
  expect(await stopDuring('as', readAs)).toMatchObject(stopped);
  const plan = () => program.call('batch.plan', { tableId, wants: ['exists'] }, 'plan');
  expect(await stopDuring('plan', plan)).toMatchObject(stopped);
  expect(readdirSync(folder)).toEqual([`open-${tableId}.table`]);
  expect(unwrap(await program.call('batch.list', { connectionId })).batches).toEqual([]);
  // What was stopped has changed nothing of the open table.
  expect(unwrap(await program.call('batch.read-as', { tableId })).columns).toEqual(table?.columns);

  // Left while it is read again, it stays closed.
  const again = program.call('batch.read-as', { tableId }, 'again');
  while (!program.told.some(({ event, payload }) => event === 'batch.rows-read' && of(payload) === 'again'))
    await setTimeout(5);
  await program.call('batch.close-table', { tableId });
  expect(await again).toMatchObject({ ok: false, error: { code: 'bad-input' } });
  expect(await program.call('batch.plan', { tableId, wants: ['exists'] })).toMatchObject({ ok: false });
  expect(readdirSync(folder)).toEqual([]);
});

test('where no copy can be made, each way to open a table says that the file failed', async () => {
  const folder = join(program.folder, 'batches');
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, '');
  const failed = { ok: false, error: { code: 'file-failed' } };
  expect(await drop(table('Kington'), 0, 20)).toMatchObject(failed);
  expect(await program.call('batch.paste', { connectionId, text: table('Kington') })).toMatchObject(failed);
  const { batches } = program.core;
  expect(await batches.openFile(connectionId, import.meta.filename, 'any.csv')).toMatchObject(failed);
  expect(program.logged).toEqual([]);
  rmSync(folder);
  mkdirSync(folder);
  expect(await drop(table('Kington'), 0, 20)).toMatchObject({ ok: true });
});

test('a file that is still written is not opened in part; of a pipe all is read', async () => {
  const path = join(program.folder, 'written.csv');
  writeFileSync(path, `UDPRN\n${'28414700\n'.repeat(500_000)}28414`);
  let isOpened = false;
  const opening = program.core.batches.openFile(connectionId, path, 'written.csv').finally(() => {
    isOpened = true;
  });
  while (!isOpened) {
    appendFileSync(path, '7');
    await setTimeout(1);
  }
  const message = 'The file changed while it was read. Open it again.';
  expect(await opening).toMatchObject({ ok: false, error: { code: 'file-failed', message } });
  expect(readdirSync(join(program.folder, 'batches'))).toEqual([]);

  if (process.platform === 'win32') return;
  const pipe = join(program.folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const piped = program.core.batches.openFile(connectionId, pipe, 'pipe');
  await writeFile(pipe, table('Kington'));
  expect(await piped).toMatchObject({ ok: true, value: { rows: 2 } });
});

test('the last row of the longest table that is taken can be read', async () => {
  const opened = unwrap(await program.call('batch.paste', { connectionId, text: table('Kington') })).table;
  const tableId = opened?.tableId ?? '';
  const { id: batchId } = unwrap(await program.call('batch.plan', { tableId, wants: ['exists'] }));
  const page = { batchId, filter: {}, limit: 10 };
  expect(unwrap(await program.call('batch.rows', { ...page, from: mostRows - 1 }))).toEqual({ rows: [], total: 2 });
  // This batch has no such row; the window may ask for it.
  expect(await program.call('batch.several', { batchId, row: mostRows })).toMatchObject({
    error: { code: 'bad-input' },
  });
});

test('any column of a table as wide as a sheet can be given its meaning', async () => {
  const width = 16_384;
  const text = [0, 1].map((row) => Array.from({ length: width }, (_, at) => `${row}x${at}`).join(',')).join('\n');
  const { table: opened } = unwrap(await program.call('batch.paste', { connectionId, text }));
  const roles = [{ index: width - 1, role: 'street' as const }];
  const read = unwrap(await program.call('batch.read-as', { tableId: opened?.tableId ?? '', roles }));
  expect(read.columns.at(-1)).toMatchObject({ role: 'street', by: 'person' });
});

test('a file of which no part has come for a day is given up', async () => {
  const text = table('Kington');
  const { transfer } = unwrap(await drop(text, 0, 20));
  const copy = join(program.folder, 'batches', `open-${transfer}.table`);
  await program.core.batches.purge();
  expect(existsSync(copy)).toBe(true);
  const longAgo = Date.now() / 1000 - 25 * 60 * 60;
  utimesSync(copy, longAgo, longAgo);
  await program.core.batches.purge();
  expect(existsSync(copy)).toBe(false);
  expect(await drop(text, 20, text.length, transfer)).toMatchObject({ error: { code: 'bad-input' } });
});

test('an id that leads out of the folder names no file: none is removed, and none is opened', async () => {
  const beside = join(program.folder, 'beside');
  writeFileSync(`${beside}.table`, 'mine');
  const other = new DatabaseSync(`${beside}.sqlite`);
  other.exec('CREATE TABLE mine (id)');
  const tables = () => other.prepare('SELECT name FROM sqlite_schema').all();
  const refused = { ok: false, error: { code: 'bad-channel-input' } };
  unwrap(await program.call('batch.paste', { connectionId, text: table('Kington') }));
  expect(await program.call('batch.close-table', { tableId: '/../../beside' })).toMatchObject(refused);
  expect(existsSync(`${beside}.table`)).toBe(true);
  const batchId = '../beside';
  expect(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 1 })).toMatchObject(refused);
  expect(await program.call('batch.several', { batchId, row: 1 })).toMatchObject(refused);
  expect(await program.call('batch.choose', { batchId, row: 1, choice: null })).toMatchObject(refused);
  expect(tables()).toEqual([{ name: 'mine' }]);
  other.close();
});
