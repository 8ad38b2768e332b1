import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import { standText } from '../../../renderer/features/batch/messages.ts';
import { renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import { type Batch, type BatchRow, type BatchWant, resultColumns } from '../../../shared/domain/batch.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { type Program, type ProgramOptions, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** Services that charge or answer differently from what they say. What a batch and its result file say is compared with what really happened. */

const key = 'LK-7f3a91c2e8d04b56';
const keychain: ProgramOptions['keychain'] = {
  keychain: { ...createMemoryVault(), get: async () => ({ ok: true, value: key }) },
  missing: null,
};
const postcodes = ['AB10 1AA', 'AB11 1AB', 'AB12 1AD', 'AB13 1AE'];
let service: Server;
let program: Program;
let connectionId = '';
/** The account's real balance. */
let balance = 1000;
/** What the service charges for its nth search, and which premises it returns. */
let lies: {
  charge(nth: number): number;
  answers(asked: string, nth: number): string | null;
  /** Fields to add to or replace in the published ones of a premise. */
  premise?: object;
  /** How often it lists each premise. */
  times?: number;
  /** The premise that it returns when asked for one. */
  reads?: object;
  /** Its whole answer about a premise. */
  about?(endpoint: string, id: string): unknown;
  /** Replaces the nth search's answer: results, and the total that it reports. */
  names?(nth: number): { results: { id: string; address: string; postcode: string }[]; total: number };
};
let searches = 0;

beforeEach(async () => {
  balance = 1000;
  searches = 0;
  lies = { charge: () => 1, answers: (asked) => asked };
  service = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('content-type', 'application/json');
    if (url.pathname.endsWith('/GetCredits')) return void response.end(JSON.stringify({ credits: balance }));
    const about = lies.about?.(url.pathname.slice(1), url.searchParams.get('id') ?? '');
    if (about !== undefined) return void response.end(JSON.stringify(about));
    if (url.pathname.endsWith('/GetPremise')) return void response.end(JSON.stringify({ item: lies.reads }));
    searches += 1;
    balance -= lies.charge(searches);
    const postcode = lies.answers(url.searchParams.get('query') ?? '', searches);
    const results =
      postcode === null
        ? []
        : [{ id: '00000002', address: `1 High Street, Aberdeen, ${postcode}`, postcode, ...lies.premise }];
    const repeated = Array.from({ length: lies.times ?? 1 }, () => results).flat();
    const named = lies.names?.(searches) ?? { results: repeated, total: repeated.length };
    response.end(JSON.stringify({ results: named.results, totalResults: named.total }));
  });
  await listenOnLoopback(service);
  program = unwrap(
    await startProgram({
      readDelayMs: 0,
      keychain,
    }),
  );
  const { port } = service.address() as AddressInfo;
  connectionId = await program.connect({ restBaseUrl: `http://127.0.0.1:${port}/` }, { 'lookup-key': key });
});
afterEach(async () => {
  await program.close();
  await new Promise((done) => service.close(done));
});

/** Runs a table, with the balance read before and after as by a person unless `isRead` is false. */
async function run(table: string, wants: BatchWant[], isRead = true) {
  if (isRead) await program.core.reader.read(connectionId, 'rest-key');
  const { table: opened } = unwrap(await program.call('batch.paste', { connectionId, text: table }));
  const planned = unwrap(await program.call('batch.plan', { tableId: opened?.tableId ?? '', wants }));
  const batchId = planned.id;
  const terms = { limit: 100, minimumBalance: null, rate: 1, keyLabel: null, goOnUntil: null };
  unwrap(await program.call('batch.run', { batchId, ...terms }));
  await program.core.batches.ended(batchId);
  if (isRead) await program.core.reader.read(connectionId, 'rest-key');
  const batch: Batch = unwrap(await program.call('batch.get', { batchId }));
  const { rows } = unwrap(await program.call('batch.rows', { batchId, filter: {}, from: 0, limit: 100 }));
  return { batch, rows, said: renderMoneyClaims(batch.claims ?? [], { today: '' }), file: await saved(batchId) };
}

async function saved(batchId: string): Promise<Record<string, string>[]> {
  unwrap(
    await program.call('batch.save', {
      batchId,
      filter: {},
      format: 'csv',
      encoding: 'utf-8',
      columns: resultColumns.filter((column) => column !== 'ac_acknowledgement'),
      acknowledgement: '',
    }),
  );
  return parse(readFileSync(join(program.folder, 'Pasted table.result.csv'), 'utf8'), { columns: true });
}

const table = `Postcode\n${postcodes.join('\n')}\n`;
const reasons = (rows: readonly BatchRow[]) => rows.map(({ progress, reason }) => `${progress} ${reason}`);

test('an honest service: the fall is reported with the prices of the calls in that time, without a verdict', async () => {
  const { batch, said } = await run(table, ['exists']);
  expect(batch).toMatchObject({ state: 'done', credits: { counted: 4 } });
  // A list of many goes through no calls.
  expect(unwrap(await program.call('batch.list', { connectionId })).batches).toEqual([{ ...batch, claims: [] }]);
  expect(said).toMatch(
    /^The balance fell by 4 between .+ and .+\. Calls of this console open in that time that may draw on it, apart from those that are free by published prices: 4\. Published prices in all: 4\.$/,
  );
});

test('what the ledger has of a batch that has ended could not be read: neither is it nothing counted, nor nothing seen', async () => {
  const { batch } = await run(table, ['exists']);
  const sql = new DatabaseSync(join(program.folder, databaseName));
  const get = async () => unwrap(await program.call('batch.get', { batchId: batch.id }));
  sql.exec('ALTER TABLE ledger RENAME TO elsewhere');
  expect(await get()).toEqual({ ...batch, claims: null });
  sql.exec('ALTER TABLE elsewhere RENAME TO ledger; ALTER TABLE batch_spend RENAME TO elsewhere');
  expect(await get()).toEqual({ ...batch, credits: { ...batch.credits, counted: null } });
  const { batches } = unwrap(await program.call('batch.list', { connectionId }));
  expect(batches.map(standText)).toEqual(['4 rows, the credits counted could not be read']);
  sql.exec('ALTER TABLE elsewhere RENAME TO batch_spend');
  sql.close();
  expect(await get()).toEqual(batch);
});

test('a service that charges nothing: no fall is reported, and the limit goes on counting what was sent', async () => {
  lies.charge = () => 0;
  const { batch, said, file } = await run(table, ['exists']);
  expect(said).toMatch(/^No fall seen by /);
  expect(batch.credits.counted).toBe(4);
  expect(file.map(({ ac_credits }) => ac_credits)).toEqual(['1', '1', '1', '1']);
});

test('a service that charges five for the last search: the batch ends before that shows, and the sentence has both figures', async () => {
  lies.charge = (nth) => (nth === 4 ? 5 : 1);
  const { said } = await run(table, ['exists']);
  expect(said).toMatch(/fell by 8 between .+ by published prices: 4\. Published prices in all: 4\.$/);
});

test('credits added meanwhile: the rise is reported, and nothing follows from it', async () => {
  lies.charge = (nth) => (nth === 2 ? -50 : 1);
  expect((await run(table, ['exists'])).said).toMatch(/^The balance rose by 47 between [^.]+\.$/);
});

test('a balance that was never read is reported as that', async () => {
  const { said } = await run(table, ['exists'], false);
  expect(said).toMatch(/^No balance that could show what it cost (?:was read before it|has been read since\.$)/);
});

test('a service that answers for another postcode: the rows have no result, say that the answer was to something else, and are not sent again', async () => {
  lies.answers = (asked, nth) => (nth === 2 ? 'ZE1 0AA' : asked);
  const { batch, rows, file } = await run(table, ['exists']);
  expect(batch.progress).toMatchObject({ done: 3, unknown: 1 });
  const wrong = rows.findIndex(({ progress }) => progress === 'unknown');
  expect(reasons(rows)[wrong]).toBe('unknown answered-other');
  expect(rows[wrong]).toMatchObject({ result: 'not-asked', text: '', premiseId: '', credits: { least: 0, most: 1 } });
  expect(renderMoneyClaims(rows[wrong]?.claims ?? [], { today: '' })).toMatch(
    /^An answer came at [^.]+, and it could not be used\. A charge may still come until/,
  );
  expect(file[wrong]).toMatchObject({ ac_result: 'not-asked', ac_address: '', ac_reason: 'answered-other' });
  expect(JSON.stringify(file)).not.toContain('ZE1');
  expect(searches).toBe(4);
});

test('a service that gives every postcode the same premise: each row has its own address or none', async () => {
  lies.answers = (asked) => (asked === postcodes[0] ? asked : null);
  const { rows, file } = await run(
    `Address,Postcode\n${postcodes.map((postcode) => `1 High Street,${postcode}`).join('\n')}\n`,
    ['exists'],
  );
  expect(rows.map(({ result }) => result)).toEqual(['exact', 'none', 'none', 'none']);
  for (const [index, row] of rows.slice(1).entries())
    expect(row.text).toBe(`nothing found for ${postcodes[index + 1]}`);
  expect(file.map(({ ac_address }) => ac_address).slice(1)).toEqual(['', '', '']);
});

test.each([
  ['without identifiers', { id: '' }],
  ['with identifiers too long to be asked for', { id: '9'.repeat(400) }],
])('a service that lists premises %s: the row does not say that nothing was found', async (_, premise) => {
  lies.premise = premise;
  const table = `Address,Postcode\n1 High Street,${postcodes[0]}\n`;
  for (const given of [table, `Postcode\n${postcodes[1]}\n`]) {
    const { rows, file } = await run(given, ['exists']);
    expect(rows).toMatchObject([{ progress: 'done', result: 'premise-not-found', reason: 'list-cut', premiseId: '' }]);
    expect(rows[0]?.text).toMatch(/: the service named something, and none of it is a premise$/);
    expect(file).toMatchObject([{ ac_result: 'premise-not-found' }]);
  }
  expect(searches).toBe(2);
  const shown = unwrap(await program.call('lookup.search', { connectionId, text: postcodes[0] ?? '' }));
  expect(Math.max(shown.total ?? 0, shown.results.length)).toBe(1);
  for (const { premiseId } of shown.results) expect(premiseId).toMatch(/^.{1,100}$/);
});

test('a service that lists each premise three times: it is one premise, and not a choice among several', async () => {
  lies.times = 3;
  const { rows } = await run(`Address,Postcode\n1 High Street,${postcodes[0]}\n`, ['exists']);
  expect(rows).toMatchObject([{ progress: 'done', result: 'exact', premiseId: '00000002' }]);
  const { rows: whole, file } = await run(`Postcode\n${postcodes[1]}\n`, ['all-premises']);
  expect(whole).toMatchObject([{ result: 'exact', text: '1 premise' }]);
  expect(file).toMatchObject([{ ac_result: 'exact' }]);
});

const named = (id: string, address: string) => ({
  id,
  address: `${address}, Aberdeen, ${postcodes[0]}`,
  postcode: postcodes[0] ?? '',
});

test('a service that lists a premise under two lines: it is one premise wherever premises are counted', async () => {
  lies.names = () => ({
    results: [named('00000002', '1 High Street'), named('00000002', 'Rose Cottage, 1 High Street')],
    total: 2,
  });
  const { rows } = await run(`Postcode\n${postcodes[0]}\n`, ['exists']);
  expect(rows).toMatchObject([{ result: 'exact', text: '1 premise, under 2 different lines' }]);
});

test('a service whose list is shorter than its total: the count is only a minimum, and no second answer is requested', async () => {
  const all = [named('00000002', 'Flat A, 1 High Street'), named('00000003', 'Flat B, 1 High Street')];
  lies.names = (nth) => (nth === 1 ? { results: all.slice(0, 1), total: 7 } : { results: all, total: 1 });
  const table = `Postcode\n${postcodes[0]}\n`;
  const { rows } = await run(table, ['exists']);
  expect(rows).toMatchObject([{ text: '1 or more premises' }]);
  expect((await run(table, ['exists'])).rows).toMatchObject([{ text: '1 or more premises', credits: { most: 0 } }]);
  expect((await run(table, ['all-premises'])).file[0]?.ac_premises).toMatch(/^Flat A, 1 High Street.* \| … and more$/);
  expect(searches).toBe(1);
  unwrap(await program.call('lookup.purge', { what: 'all' }));
  // The service lists more premises than its total; the list counts.
  expect((await run(table, ['exists'])).rows).toMatchObject([{ text: '2 premises' }]);
  unwrap(await program.call('lookup.purge', { what: 'all' }));
  lies.names = () => ({ results: all, total: 7 });
  const { rows: fitting } = await run(`Address,Postcode\n1 High Street,${postcodes[0]}\n`, ['exists']);
  expect(fitting).toMatchObject([{ result: 'several', text: '2 or more premises fit' }]);
});

test('an organisation that is not among the premises named for it is not said to exist', async () => {
  lies.names = () => ({ results: [named('00000002', 'Baker, 1 High Street')], total: 1 });
  const { rows } = await run('Organisation,Town\nAcme,Aberdeen\n', ['exists']);
  expect(rows).toMatchObject([{ result: 'premise-not-found', text: 'nothing listed for Acme, Aberdeen fits' }]);
});

const flat3 = {
  id: '00000002',
  subBuilding: 'Flat 3',
  buildingNumber: 1,
  street: 'High Street',
  city: 'Aberdeen',
  postalCode: postcodes[0],
  lat: '57.1',
  long: '-2.1',
  uprn: '00000000042',
  udprn: '00000007',
};

test.each([
  ['whole', 1, 'not-found-flat', `${postcodes[0]} exists; the premise that might have fitted is Flat 3, 1 High Street`],
  ['cut', 7, 'list-cut', `${postcodes[0]}: not among the premises looked at; the service named more than these`],
])(
  'a flat that the only premise of a list is not, once read: no fact about that premise is in the row’s file, and the reason says whether the list was %s',
  async (_, total, reason, text) => {
    lies.names = () => ({ results: [named('00000002', '1 High Street')], total });
    lies.reads = flat3;
    const { rows, file } = await run(`Address,Postcode\n"Flat 12, 1 High Street",${postcodes[0]}\n`, [
      'all-premises',
      'uprn',
    ]);
    expect(rows).toMatchObject([{ result: 'premise-not-found', reason, premiseId: '', notUsed: [] }]);
    expect(rows[0]?.text.slice(0, text.length)).toBe(text);
    const { Address: _given, Postcode: _postcode, ac_batch: _batch, ac_row_hash: _hash, ...added } = file[0] ?? {};
    const filled = Object.entries(added).filter(([, cell]) => cell !== '');
    expect(Object.fromEntries(filled)).toEqual({
      ac_result: 'premise-not-found',
      ac_progress: 'done',
      ac_reason: reason,
      ac_source: 'asked',
      ac_credits: expect.any(String),
      ac_premises: `1 High Street, Aberdeen, ${postcodes[0]}${total > 1 ? ' | … and more' : ''}`,
    });
  },
);

test('undoing a choice leaves nothing of the chosen address in the row and in the file', async () => {
  lies.names = () => ({
    results: [named('00000002', 'Flat A, 1 High Street'), named('00000003', 'Flat B, 1 High Street')],
    total: 2,
  });
  const { batch, rows, file } = await run(`Address,Postcode\n1 High Street,${postcodes[0]}\n`, ['exists']);
  expect(rows).toMatchObject([{ result: 'several', text: '2 premises fit' }]);
  const choices = [{ place: 1, premiseId: '00000003' }, { place: 0, premiseId: '00000002' }, null];
  for (const choice of choices)
    unwrap(await program.call('batch.choose', { batchId: batch.id, row: rows[0]?.row ?? 0, choice }));
  const { rows: now } = unwrap(
    await program.call('batch.rows', { batchId: batch.id, filter: {}, from: 0, limit: 100 }),
  );
  expect(now).toEqual(rows);
  expect(await saved(batch.id)).toEqual(file);
});

test('a service that lists a premise under two lines that both fit: the line that a person chooses is in the row and in the file', async () => {
  lies.names = () => ({
    results: [named('00000002', 'Flat A, 1 High Street'), named('00000002', 'Flat B, 1 High Street')],
    total: 2,
  });
  const { batch, rows } = await run(`Address,Postcode\n1 High Street,${postcodes[0]}\n`, ['exists']);
  expect(rows).toMatchObject([{ result: 'several', text: 'one premise fits, under 2 different lines' }]);
  const which = { batchId: batch.id, row: rows[0]?.row ?? 0 };
  const several = async () => unwrap(await program.call('batch.several', which));
  const before = await several();
  expect(before).toMatchObject({ text: 'one premise fits, under 2 different lines', chosen: null });
  for (const [place, { premiseId, line }] of before.candidates.entries()) {
    const { row } = unwrap(await program.call('batch.choose', { ...which, choice: { place, premiseId } }));
    expect(row.text).toBe(line);
    expect(await several()).toEqual({ ...before, chosen: place });
    expect(await saved(batch.id)).toMatchObject([{ ac_address: line }]);
  }
  // The list is another one by now.
  const stale = { ...which, choice: { place: 1, premiseId: '00000003' } };
  expect(await program.call('batch.choose', stale)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
});

test('any of the premises that fit can be chosen, and where they are more than a postcode has, how many is said', async () => {
  const flats = (count: number) =>
    Array.from({ length: count }, (_, at) => named(`${10_000_000 + at}`, `Flat ${at + 1}, 1 High Street`));
  for (const [count, listed, text] of [
    [84, 84, '84 premises fit'],
    [100, 100, '100 premises fit'],
    [120, 100, '120 premises fit; the first 100 can be chosen'],
  ] as const) {
    lies.names = () => ({ results: flats(count), total: count });
    unwrap(await program.call('lookup.purge', { what: 'all' }));
    const { batch, rows } = await run(`Address,Postcode\n1 High Street,${postcodes[0]}\n`, ['exists']);
    const several = unwrap(await program.call('batch.several', { batchId: batch.id, row: rows[0]?.row ?? 0 }));
    expect([several.candidates.length, several.text, rows[0]?.text]).toEqual([listed, text, text]);
  }
});

test('premises to choose from: number and street stand under their heads, a locality with the street, and each word over is one', async () => {
  const locality = (place: number) => named(`0000000${place}`, `Flat ${place}, 20 High Street, Mead End`);
  lies.names = () => ({ results: [locality(2), locality(3)], total: 2 });
  const { batch, rows } = await run(`Address,Postcode\n20 High Street,${postcodes[0]}\n`, ['exists']);
  const several = unwrap(await program.call('batch.several', { batchId: batch.id, row: rows[0]?.row ?? 0 }));
  expect(several.given).toMatchObject({ number: '20', street: 'High Street' });
  expect(several.candidates[0]).toMatchObject({
    parts: { number: 'Flat 2, 20', street: 'High Street, Mead End', town: 'Aberdeen' },
    over: ['Flat', '2', 'Mead', 'End', 'Aberdeen'],
  });
});

test('a choice in a row is one for all that say the same, and so is taking it back', async () => {
  lies.names = () => ({
    results: [named('00000002', 'Flat A, 1 High Street'), named('00000003', 'Flat B, 1 High Street')],
    total: 2,
  });
  const line = `1 High Street,${postcodes[0]}\n`;
  const { batch, rows, file } = await run(`Address,Postcode\n${line}${line}2${line}${line}`, ['exists']);
  const several = { result: 'several', chosenBy: '' };
  expect(rows).toMatchObject([several, several, { result: 'premise-not-found' }, several]);
  const choose = async (row: number, choice: { place: number; premiseId: string } | null) => {
    const chosen = unwrap(await program.call('batch.choose', { batchId: batch.id, row, choice }));
    expect(chosen.row.row).toBe(row);
    const filter = { batchId: batch.id, filter: {}, from: 0, limit: 100 };
    return { results: chosen.batch.results, rows: unwrap(await program.call('batch.rows', filter)).rows };
  };
  for (const [row, place, premiseId] of [
    [1, 1, '00000003'],
    [4, 0, '00000002'],
  ] as const) {
    const { rows: now, results } = await choose(row, { place, premiseId });
    expect(now.map((one) => one.premiseId)).toEqual([premiseId, premiseId, '', premiseId]);
    expect(now[1]?.source).toEqual({ kind: 'same', row: 1 });
    expect(results.exact + results.differs).toBe(3);
  }
  expect((await choose(2, null)).rows).toEqual(rows);
  expect(await saved(batch.id)).toEqual(file);
});

test('a choice leaves a batch as it is that another process begins while it is entered', async () => {
  lies.names = () => ({
    results: [named('00000002', 'Flat A, 1 High Street'), named('00000003', 'Flat B, 1 High Street')],
    total: 2,
  });
  const { batch, rows } = await run(`Address,Postcode\n1 High Street,${postcodes[0]}\n`, ['exists']);
  const other = unwrap(await startProgram({ folder: program.folder, keychain }));
  try {
    const terms = { limit: 7, minimumBalance: null, rate: 2, keyLabel: null, goOnUntil: null };
    const choice = {
      premiseId: '00000003',
      get place() {
        unwrap(other.core.batches.run(batch.id, terms));
        return 1;
      },
    };
    const chosen = unwrap(program.core.batches.choose(batch.id, rows[0]?.row ?? 0, choice));
    expect(chosen.row.reason).toBe('chosen');
    const taken = { state: 'running', elsewhere: true, credits: { limit: 7 }, rate: 2 };
    expect(chosen.batch).toMatchObject(taken);
    expect(unwrap(await program.call('batch.get', { batchId: batch.id }))).toMatchObject(taken);
    await other.core.batches.ended(batch.id);
    const ended = unwrap(await program.call('batch.get', { batchId: batch.id }));
    expect(ended).toMatchObject({ state: 'done', elsewhere: false, results: { exact: 1, several: 0 } });
  } finally {
    await other.close();
  }
});

test('a row in which nothing is to be chosen stays as it was found', async () => {
  lies.names = () => ({ results: [named('00000002', '1 High Street')], total: 1 });
  const { batch, rows } = await run(`Address,Postcode\n1 High Street,${postcodes[0]}\n`, ['exists']);
  expect(rows).toMatchObject([{ result: 'exact' }]);
  const none = { batchId: batch.id, row: rows[0]?.row ?? 0, choice: null };
  expect(await program.call('batch.choose', none)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
  const { rows: now } = unwrap(
    await program.call('batch.rows', { batchId: batch.id, filter: {}, from: 0, limit: 100 }),
  );
  expect(now).toEqual(rows);
});

describe('a service whose two endpoints answer in two shapes', () => {
  const ids = ['00000012', '00000014', '00000016'];
  let asked: string[] = [];
  const serve = (shapes: { premise: 'A' | 'B'; geo: 'A' | 'B' }) => {
    asked = [];
    lies.about = (endpoint, id) => {
      asked.push(endpoint);
      const street = 'High Street';
      const [latitude, longitude] = [57.1, -2.1];
      const texts = { id, lat: `${latitude}`, long: `${longitude}`, udprn: `1${id.slice(1)}`, uprn: '' };
      if (endpoint === 'GetPremise')
        return shapes.premise === 'A'
          ? { item: { ...texts, street } }
          : { premise: { id, street, latitude, longitude } };
      return shapes.geo === 'A' ? { item: texts } : { geoData: { premiseId: id, latitude, longitude } };
    };
  };
  /** Asks both for a premise that is in no table, so that the shapes of both are known. */
  async function see(): Promise<void> {
    const fields = [{ name: 'id', values: ['00000099'] }];
    for (const operation of ['GetPremise', 'GetPremiseGeoData'])
      unwrap(await program.call('operations.run', { connectionId, operation, dataset: false, fields }));
    expect(asked.splice(0)).toEqual(['GetPremise', 'GetPremiseGeoData']);
  }

  test.each([
    [{ premise: 'A', geo: 'B' }, 'GetPremise'],
    [{ premise: 'B', geo: 'A' }, 'GetPremiseGeoData'],
  ] as const)('%o: the UDPRN is asked of the one that has it, once for each row', async (shapes, endpoint) => {
    serve(shapes);
    await see();
    const { batch, file } = await run(`Premise id\n${ids.join('\n')}\n`, ['udprn']);
    expect(batch.plan.credits).toEqual({ least: 3, most: 3 });
    expect(asked.filter((one) => one !== 'GetCredits')).toEqual([endpoint, endpoint, endpoint]);
    expect(file.map(({ ac_udprn }) => ac_udprn?.replace(/^'/, ''))).toEqual(ids.map((id) => `1${id.slice(1)}`));
  });
});

test.each([
  ['Premise id', 'A', 'exists'],
  ['UDPRN', 'B', 'full'],
] as const)(
  'a record that repeats the %s that was asked and is empty otherwise, in shape %s, is no premise',
  async (column, shape, want) => {
    lies.about = (_endpoint, id) =>
      shape === 'A'
        ? { item: { id, udprn: id, street: '', city: '', buildingNumber: 0, countryIso2: 'GB', lat: '', long: '' } }
        : { premise: { id, street: '', town: '', latitude: 0, longitude: 0, country: '' } };
    const { rows } = await run(`${column}\n99999999\n`, [want]);
    expect(rows).toMatchObject([{ result: 'none', reason: 'no-such-premise', credits: { least: 0, most: 1 } }]);
  },
);
