import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SaveRequest, saveResult } from '../../../electron/core/batch/save-result.ts';
import type { ChannelInput } from '../../../shared/contract.ts';
import { resultColumns } from '../../../shared/domain/batch.ts';
import { type BatchScene, openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A result file is enough to continue a batch on another computer, without the database. The service's meter counts the calls. */

let scene: BatchScene;
let elsewhere: BatchScene;
const gazetteer = openTestGazetteer();
const folder = mkdtempSync(join(tmpdir(), 'result-file-'));
const postcodes = gazetteer.samplePostcodes(40).slice(0, 8);

beforeAll(async () => {
  scene = await openScene();
  elsewhere = await openScene({ shared: scene.service });
});
afterAll(async () => {
  await elsewhere.close();
  await scene.close();
  gazetteer.close();
  rmSync(folder, { recursive: true, force: true });
});

const save = async (batchId: string, name: string, more: Partial<SaveRequest> = {}) => {
  const path = join(folder, name);
  const request = { batchId, filter: {}, columns: resultColumns, acknowledgement: '', ...more };
  unwrap(await saveResult(scene.program.core.batches, request, path));
  return path;
};

/** Opens a file as if it were dropped on the window of another computer. */
async function drop(bytes: Buffer, name: string) {
  const { connectionId, program } = elsewhere;
  const whole = { connectionId, transfer: null, name, bytes: bytes.length, from: 0, part: bytes.toString('base64') };
  return unwrap(await program.call('batch.drop', whole)).table;
}

const asked = async () => (await scene.service.meter()).calls.Search?.hits ?? 0;

test.each(['csv', 'xlsx'] as const)(
  'rows done in a result file (%s) cost nothing on another computer, and the others are sent',
  async (format) => {
    const own = format === 'csv' ? postcodes.slice(0, 4) : postcodes.slice(4);
    const heads = 'Customer,=Note,Postcode';
    const table = `${heads}\n${own.map((postcode, index) => `00${index},=1+1,${postcode}`).join('\n')}\n,,HR10 2D\n`;
    const batch = await scene.plan(table, 'exists');
    const part = await scene.run(batch.id, { limit: 2 });
    expect(part.progress).toMatchObject({ done: 2, malformed: 1 });
    const path = await save(batch.id, `part.${format}`, { format });

    await scene.service.resetMeter();
    const opened = await drop(readFileSync(path), `part.${format}`);
    expect(opened?.earlier).toEqual({ batchId: batch.id, done: 2, unknown: 0, notDone: 3 });
    expect(opened?.columns.map(({ name }) => name)).toEqual(['Customer', '=Note', 'Postcode']);
    const again = unwrap(
      await elsewhere.program.call('batch.plan', { tableId: opened?.tableId ?? '', wants: ['exists'] }),
    );
    expect(again.plan.rows).toEqual({ total: 5, ask: 2, saved: 2, same: 0, malformed: 1 });
    expect(again.left.rows).toBe(2);
    const end = await elsewhere.run(again.id);
    expect(await asked()).toBe(2);
    expect(end.progress).toMatchObject({ done: 4, malformed: 1, waiting: 0 });
    const rows = await elsewhere.rows(again.id);
    // Any two of the four may be done under the limit, because they are sent in parallel.
    const kinds = rows.map(({ source }) => source?.kind ?? null);
    expect(kinds.slice(0, 4).sort()).toEqual(['asked', 'asked', 'earlier-file', 'earlier-file']);
    expect(kinds[4]).toBeNull();

    // The second result has the input columns and one set of answer columns.
    const second = join(folder, `second-${format}.csv`);
    const request = {
      batchId: again.id,
      filter: {},
      columns: resultColumns,
      acknowledgement: '',
      format: 'csv' as const,
    };
    unwrap(await saveResult(elsewhere.program.core.batches, request, second));
    const lines = readFileSync(second, 'utf8').split(/\r?\n/);
    expect(lines[0]?.match(/ac_progress/g)).toHaveLength(1);
    expect(lines[1]).toMatch(/^(?:000|"'?000"),"'=1\+1",/);
    expect(lines).toHaveLength(7);
  },
);

test('a row that was at work as the file was saved, as where the database’s disk is full, may have left: only a tick sends it again', async () => {
  const own = gazetteer.samplePostcodes(54).slice(52);
  await scene.service.resetMeter();
  await scene.service.setFaults({ kind: 'delay', milliseconds: 60_000, on: 'Search' });
  const batch = await scene.plan(`Postcode\n${own.join('\n')}\n`, 'exists');
  const terms = { limit: 1, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  unwrap(await scene.program.call('batch.run', { batchId: batch.id, ...terms }));
  await expect.poll(asked).toBe(1);
  const path = await save(batch.id, 'at-work.csv');
  await scene.service.clearFaults();
  await scene.program.core.batches.ended(batch.id);
  expect(readFileSync(path, 'utf8').match(/,at-work,/g)).toHaveLength(1);

  const opened = await drop(readFileSync(path), 'at-work.csv');
  expect(opened?.earlier).toEqual({ batchId: batch.id, done: 0, unknown: 1, notDone: 1 });
  const { tableId = '' } = opened ?? {};
  const again = unwrap(await elsewhere.program.call('batch.plan', { tableId, wants: ['exists'] }));
  expect(again.plan.rows).toMatchObject({ ask: 1, unknown: 1 });
  const rows = await elsewhere.rows(again.id);
  const unknown = rows.find(({ progress }) => progress === 'unknown');
  expect(unknown).toMatchObject({ reason: 'cut-off', credits: { least: 0, most: 1 } });
});

test('a row with an unknown outcome stays so on another computer, with what it may have cost: only a tick sends it again', async () => {
  const own = gazetteer.samplePostcodes(52).slice(48);
  await scene.service.setFaults({ kind: 'cut', on: 'Search' });
  const batch = await scene.plan(`Postcode\n${own.slice(0, 3).join('\n')}\n`, 'exists');
  const end = await scene.run(batch.id);
  expect(end).toMatchObject({ state: 'done', progress: { done: 2, unknown: 1 }, credits: { counted: 3, unknown: 1 } });
  const path = await save(batch.id, 'unknown.csv');
  const file = `${readFileSync(path, 'utf8').trimEnd()}\r\n${own[3]}\r\n`;

  await scene.service.resetMeter();
  const opened = await drop(Buffer.from(file), 'unknown.csv');
  expect(opened?.earlier).toEqual({ batchId: batch.id, done: 2, unknown: 1, notDone: 1 });
  const { tableId = '' } = opened ?? {};
  const again = unwrap(await elsewhere.program.call('batch.plan', { tableId, wants: ['exists'] }));
  expect(again.plan.rows).toEqual({ total: 4, ask: 1, saved: 2, same: 0, malformed: 0, unknown: 1 });
  expect(again.plan.credits).toEqual({ least: 1, most: 1 });
  expect(again.left).toEqual({ rows: 1, credits: { least: 1, most: 1 } });
  const rest = await elsewhere.run(again.id);
  expect(rest).toMatchObject({ state: 'done', progress: { done: 3, unknown: 1 } });
  expect(rest.credits).toMatchObject({ counted: 1, unknown: 0, earlier: { least: 2, most: 3 } });
  expect(await asked()).toBe(1);
  const rows = await elsewhere.rows(again.id);
  const row = rows.find(({ progress }) => progress === 'unknown')?.row ?? 0;
  expect(rows[row - 1]).toMatchObject({
    reason: 'sent-no-answer',
    source: { kind: 'earlier-file' },
    credits: { least: 0, most: 1 },
  });
  const request = { batchId: again.id, filter: {}, columns: resultColumns, acknowledgement: '' };
  const second = join(folder, 'unknown-again.csv');
  unwrap(await saveResult(elsewhere.program.core.batches, request, second));
  const credits = readFileSync(second, 'utf8')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(',')[8]);
  expect(credits.toSorted()).toEqual(['0 to 1', '1', '1', '1', 'ac_credits']);

  const ticked = { batchId: again.id, unknown: [row], failed: { all: true, but: [] } };
  const price = unwrap(await elsewhere.program.call('batch.not-done', ticked));
  expect(price).toEqual({ rows: 1, credits: { least: 1, most: 1 }, unknown: 1, isUnknownFree: false });
  const terms = { limit: 10, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
  unwrap(await elsewhere.program.call('batch.run-not-done', { ...ticked, ...terms }));
  await elsewhere.program.core.batches.ended(again.id);
  expect(await elsewhere.get(again.id)).toMatchObject({ state: 'done', progress: { done: 4 } });
  expect(await asked()).toBe(2);
  // The call of the other computer and the one of this.
  expect((await elsewhere.rows(again.id))[row - 1]).toMatchObject({
    source: { kind: 'asked' },
    credits: { least: 1, most: 2 },
  });
});

test('a spreadsheet that took the zeros of another column does not have a row with an unknown outcome sent again', async () => {
  const own = gazetteer.samplePostcodes(63).slice(60);
  unwrap(await scene.program.call('lookup.purge', { what: 'all' }));
  await scene.service.setFaults({ kind: 'cut', on: 'Search' });
  const table = `Ref,Postcode\n${own.map((postcode, at) => `004${at},${postcode}`).join('\n')}\n`;
  const batch = await scene.plan(table, 'exists');
  expect(await scene.run(batch.id)).toMatchObject({ progress: { done: 2, unknown: 1 } });
  const path = await save(batch.id, 'zeros.csv');
  const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split(/\r?\n/);
  const taken = lines.map((line) => (line.includes(',unknown,') ? line.replace(/^00/, '') : line));
  expect(taken).not.toEqual(lines);

  await scene.service.resetMeter();
  const opened = await drop(Buffer.from([head, ...taken, ''].join('\n')), 'zeros.csv');
  expect(opened?.earlier).toEqual({ batchId: batch.id, done: 2, unknown: 1, notDone: 0 });
  const { tableId = '' } = opened ?? {};
  const again = unwrap(await elsewhere.program.call('batch.plan', { tableId, wants: ['exists'] }));
  expect(again.plan.rows).toMatchObject({ ask: 0, unknown: 1 });
  const rows = await elsewhere.rows(again.id);
  expect(rows.find(({ progress }) => progress === 'unknown')).toMatchObject({ credits: { least: 0, most: 1 } });
  expect((await elsewhere.get(again.id)).credits.earlier).toEqual({ least: 2, most: 3 });
  expect(await asked()).toBe(0);
});

test('a column of the input called like ours stays the input’s: its rows are done on another computer, and none of it is lost', async () => {
  const [one = '', other = ''] = gazetteer.samplePostcodes(44).slice(40);
  const batch = await scene.plan(`ac_no,Postcode\n17,${one}\n18,${other}\n`, 'exists');
  await scene.run(batch.id);
  const path = await save(batch.id, 'ours.csv');
  const opened = await drop(readFileSync(path), 'ours.csv');
  expect(opened?.columns.map(({ name }) => name)).toEqual(['ac_no', 'Postcode']);
  expect(opened?.earlier).toEqual({ batchId: batch.id, done: 2, unknown: 0, notDone: 0 });
});

test('whatever the columns are called and whichever are left out, the rows of a result file are done, with their results', async () => {
  const [one = '', other = ''] = gazetteer.samplePostcodes(46).slice(44);
  // A name twice, one that reads as a value, and one longer than a name usually is.
  const heads = ['Note', 'Note', '2026', `Postcode ${'x'.repeat(60)}`];
  const tableId = await scene.open(`${heads.join(',')}\na,b,c,${one}\nd,e,f,${other}\n`);
  const roles = [{ index: 3, role: 'postcode' as const }];
  unwrap(await scene.program.call('batch.read-as', { tableId, header: true, roles, kind: 'postcodes' }));
  const batch = unwrap(await scene.program.call('batch.plan', { tableId, wants: ['exists'] }));
  await scene.run(batch.id);
  const results = async (of: BatchScene, id: string) => (await of.rows(id)).map(({ result }) => result);
  const path = await save(batch.id, 'heads.csv', { columns: ['ac_address'] });

  const opened = await drop(readFileSync(path), 'heads.csv');
  expect(opened?.columns.map(({ name }) => name)).toEqual(heads);
  expect(opened?.earlier).toEqual({ batchId: batch.id, done: 2, unknown: 0, notDone: 0 });
  const again = unwrap(
    await elsewhere.program.call('batch.plan', { tableId: opened?.tableId ?? '', wants: ['exists'] }),
  );
  expect(await results(scene, batch.id)).toEqual(['exact', 'exact']);
  expect(await results(elsewhere, again.id)).toEqual(['exact', 'exact']);
});

test('a column that somebody has written beside the answers is kept, and the rows stay done', async () => {
  const [one = '', other = ''] = gazetteer.samplePostcodes(48).slice(46);
  const batch = await scene.plan(`Customer,Postcode\n17,${one}\n18,${other}\n`, 'exists');
  await scene.run(batch.id);
  const path = await save(batch.id, 'noted.csv');
  const [head = '', first = '', second = ''] = readFileSync(path, 'utf8').split('\n');
  const noted = `${head},Checked by\n${first},"Carys, 2 May",see file\n${second},\n`;
  const opened = await drop(Buffer.from(noted), 'noted.csv');
  expect(opened?.columns.map(({ name }) => name)).toEqual(['Customer', 'Postcode', 'Checked by']);
  expect(opened?.earlier).toEqual({ batchId: batch.id, done: 2, unknown: 0, notDone: 0 });
  const again = unwrap(
    await elsewhere.program.call('batch.plan', { tableId: opened?.tableId ?? '', wants: ['exists'] }),
  );
  const next = join(folder, 'noted-again.csv');
  const request = { batchId: again.id, filter: {}, columns: resultColumns, acknowledgement: '' };
  unwrap(await saveResult(elsewhere.program.core.batches, request, next));
  const lines = readFileSync(next, 'utf8').split('\n');
  expect(lines[0]).toMatch(/^\uFEFFCustomer,Postcode,Checked by,Column 4,ac_result,/);
  expect(lines[1]).toContain(`17,${one},"Carys, 2 May",see file,`);
  expect((await drop(readFileSync(next), 'noted-again.csv'))?.earlier).toMatchObject({ done: 2, notDone: 0 });
});

test('a row changed by hand is sent again, and a table with only some of a result file’s columns is an ordinary table', async () => {
  const [postcode = ''] = postcodes;
  unwrap(await scene.program.call('lookup.purge', { what: 'all' }));
  const batch = await scene.plan(`Postcode\n${postcode}\n`, 'exists');
  await scene.run(batch.id);
  const path = await save(batch.id, 'one.csv');
  const open = async (text: string) => (await drop(Buffer.from(text), 'one.csv'))?.earlier;
  const text = readFileSync(path, 'utf8');
  expect(await open(text)).toMatchObject({ done: 1, notDone: 0 });
  expect(await open(text.replace(postcode, postcodes[1] ?? ''))).toBeNull();
  const changed = await drop(Buffer.from(text.replace(postcode, postcodes[1] ?? '')), 'one.csv');
  const { tableId = '' } = changed ?? {};
  const again = unwrap(await elsewhere.program.call('batch.plan', { tableId, wants: ['exists'] }));
  expect(again.plan.rows).toMatchObject({ total: 1, saved: 0 });
  // What the file says was spent stays said.
  expect(again.credits.earlier).toEqual({ least: 1, most: 1 });
  expect(await open(text.replace('ac_row_hash', 'ac_hash'))).toBeNull();
});

test('a table of 500 columns: any of them can be named, and all of them are in the result, in their places', async () => {
  const width = 500;
  const names = Array.from({ length: width }, (_, at) => (at === 480 ? 'Where' : `Field ${at}`));
  const rows = postcodes.slice(0, 3).map((postcode) => names.map((_, at) => (at === 480 ? postcode : `${at}`)));
  const text = [names, ...rows].map((cells) => cells.join(',')).join('\n');
  const opened = await drop(Buffer.from(text), 'wide.csv');
  expect(opened?.columns).toHaveLength(width);
  const { tableId = '' } = opened ?? {};
  const roles = [{ index: 480, role: 'postcode' as const }];
  const read = unwrap(await elsewhere.program.call('batch.read-as', { tableId, roles, kind: 'postcodes' }));
  expect(read).toMatchObject({ rows: 3, malformed: 0 });
  const batch = unwrap(await elsewhere.program.call('batch.plan', { tableId, wants: ['exists'] }));
  expect(await elsewhere.run(batch.id)).toMatchObject({ state: 'done', progress: { done: 3 } });
  // The row's summary shows the looked-up columns although 480 others precede them.
  const shown = (await elsewhere.rows(batch.id)).map(({ given }) => given.split(', ')[0]);
  expect(shown).toEqual(postcodes.slice(0, 3));
  const path = join(folder, 'wide.csv');
  const request = { batchId: batch.id, filter: {}, columns: resultColumns, acknowledgement: '' };
  unwrap(await saveResult(elsewhere.program.core.batches, request, path));
  const [head = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  expect(head.replace('\uFEFF', '').split(',').slice(0, width)).toEqual(names);
  expect(head.split(',')[width]).toMatch(/^ac_/);
  expect(lines.map((line) => line.split(',').slice(0, width))).toEqual(rows);
});

// Windows lets only administrators make links, and has no pipe in a folder.
test.skipIf(process.platform === 'win32')(
  'a result is written where a link leads, and takes the place of no device and no pipe',
  async () => {
    const { batches } = scene.program.core;
    const batch = await scene.plan('Postcode\nHR1O 2DT\n', 'exists');
    const own = mkdtempSync(join(folder, 'own-'));
    const at = (name: string) => join(own, name);
    const server = createServer();
    await new Promise<void>((listens) => server.listen(at('pipe'), listens));
    // The first link leads to a file that is not there yet.
    for (const format of ['csv', 'xlsx'] as const) {
      const request = { batchId: batch.id, filter: {}, columns: resultColumns, acknowledgement: '', format };
      symlinkSync('target', at(format));
      unwrap(await saveResult(batches, request, at(format)));
      expect(lstatSync(at(format)).isSymbolicLink()).toBe(true);
      expect(readFileSync(at('target'), 'utf8')).toMatch(format === 'csv' ? /HR1O 2DT/ : /^PK/);
      expect(await saveResult(batches, request, at('pipe'))).toMatchObject({
        error: { code: 'file-failed', detail: 'ENOTFILE', money: expect.stringMatching(/^Saving sends nothing/) },
      });
      expect(lstatSync(at('pipe')).isSocket()).toBe(true);
    }
    server.close();
    expect(readdirSync(own).sort()).toEqual(['csv', 'target', 'xlsx']);
  },
);

test('a long result is reported as it is written, and stopping it leaves no file', async () => {
  const { program } = scene;
  const rows = 4000;
  const batch = await scene.plan(`Postcode,Note\n${`HR1O 2DT,${'n'.repeat(80)}\n`.repeat(rows)}`, 'exists');
  const input: ChannelInput<'batch.save'> = {
    batchId: batch.id,
    filter: {},
    format: 'csv',
    encoding: 'utf-8',
    columns: [...resultColumns],
    acknowledgement: '',
  };
  const reported = (requestId: string) =>
    program.told.flatMap(({ event, payload }) => {
      const { requestId: of, ...part } = payload as { requestId: string; done: number; total: number };
      return event === 'app.saving' && of === requestId ? [part] : [];
    });
  const files = () => readdirSync(program.folder).filter((name) => name.includes('.result.'));

  const stopped = program.call('batch.save', input, 'stopped');
  while (reported('stopped').length === 0) await setImmediate();
  program.cancel('stopped');
  expect(await stopped).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(files()).toEqual([]);

  expect(unwrap(await program.call('batch.save', input, 'whole'))).toMatchObject({ saved: true, rows });
  const done = reported('whole').map((part) => part.done);
  expect(done.length).toBeGreaterThan(1);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(reported('whole')).toEqual(done.map((one) => ({ done: one, total: rows })));
  expect(done.at(-1)).toBeLessThan(rows);
  expect(files()).toHaveLength(1);
});

test.each(['École', 'ÉCOLE', 'école', 'row'])('the rows shown for “%s” are those of the saved file', async (search) => {
  const table = 'Address,Postcode\n1 ÉCOLE ROW,HR10 2DA\n2 École Row,HR10 2DA\n3 Ecole Row,HR10 2DA\n';
  const { id: batchId } = await scene.plan(table, 'exists');
  const filter = { search };
  const shown = unwrap(await scene.program.call('batch.rows', { batchId, filter, from: 0, limit: 100 }));
  const path = await save(batchId, `${search}.csv`, { filter });
  const saved = readFileSync(path, 'utf8').match(/^\d /gm)?.map(Number) ?? [];
  expect(saved).toEqual(search === 'row' ? [1, 2, 3] : [1, 2]);
  expect(shown.rows.map(({ row }) => row)).toEqual(saved);
});
