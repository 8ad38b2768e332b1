import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import { type BatchScene, openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A batch from a pasted table to its rows, over HTTP, counted at the service's own meter. */

let scene: BatchScene;
const gazetteer = openTestGazetteer();
const postcodes = gazetteer.samplePostcodes(30);

beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  await scene.close();
  gazetteer.close();
});

const lines = (...rows: string[]) => `${rows.join('\n')}\n`;
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

describe('postcodes', () => {
  test('each is asked once, whatever its spelling; malformed rows are not asked; the plan says both before anything leaves', async () => {
    const [one = '', two = '', three = ''] = postcodes;
    await scene.service.resetMeter();
    const batch = await scene.plan(
      lines('Postcode', one, one.replace(' ', '').toLowerCase(), 'HR10 2D', two, '""', three),
      'exists',
    );
    expect((await scene.service.meter()).requests).toBe(0);
    expect(batch.plan.rows).toEqual({ total: 6, ask: 3, saved: 0, same: 1, malformed: 2 });
    expect(batch.plan.credits).toEqual({ least: 3, most: 3 });
    const end = await scene.run(batch.id);
    expect(end.state).toBe('done');
    expect((await scene.service.meter()).calls.Search).toMatchObject({ hits: 3, credits: 3 });
    expect(end.credits.counted).toBe(3);
    expect(end.progress).toMatchObject({ done: 4, malformed: 2, waiting: 0 });
    expect(sum(end.progress)).toBe(6);
    const rows = await scene.rows(batch.id);
    expect(rows.map(({ result }) => result)).toEqual(['exact', 'exact', 'not-asked', 'exact', 'not-asked', 'exact']);
    expect(rows[1]?.source).toEqual({ kind: 'same', row: 1 });
    expect(rows.map(({ credits }) => credits.most)).toEqual([1, 0, 0, 1, 0, 1]);
  });

  test('what is saved is not asked again, and the plan of a second batch says so', async () => {
    const [one = '', two = '', , four = ''] = postcodes;
    await scene.service.resetMeter();
    const batch = await scene.plan(lines('Postcode', one, two, four), 'exists');
    expect(batch.plan.rows).toMatchObject({ ask: 1, saved: 2 });
    expect(batch.plan.credits).toEqual({ least: 1, most: 1 });
    const end = await scene.run(batch.id);
    expect((await scene.service.meter()).requests - (await reads())).toBe(1);
    expect(end.results.exact).toBe(3);
    expect((await scene.rows(batch.id)).map(({ source }) => source?.kind)).toEqual(['saved', 'saved', 'asked']);
  });
});

const reads = async () => (await scene.service.meter()).calls.GetCredits?.hits ?? 0;

describe('premise ids', () => {
  test('the UPRN of an id costs what the shape makes it cost, and an unknown id ends its own row alone', async () => {
    const ids = gazetteer.sample(4).map(({ id }) => id);
    await scene.service.resetMeter();
    const batch = await scene.plan(lines('Premise id', ...ids, '00000001'), 'uprn');
    const before = batch.plan.credits;
    const end = await scene.run(batch.id);
    const meter = await scene.service.meter();
    expect(end.state).toBe('done');
    expect(before?.least).toBeLessThanOrEqual(meter.credits);
    expect(before?.most).toBeGreaterThanOrEqual(end.credits.counted);
    expect(end.results).toMatchObject({ exact: 4, none: 1 });
    const calls = Object.entries(meter.calls).filter(([name]) => name !== 'GetCredits');
    for (const [name] of calls)
      expect(
        batch.plan.stages.some((stage) => stage.operation === name),
        name,
      ).toBe(true);

    // Saved by the batch is not opened by a person: the list of those opened last has only what somebody opens, saved or not.
    const { connectionId } = scene;
    const recent = async () => unwrap(await scene.program.call('lookup.recent', { connectionId })).premiseIds;
    const open = (premiseId = '') =>
      scene.program.call('lookup.open', { connectionId, premiseId, interface: 'rest', askAgain: false });
    expect(await recent()).toEqual([]);
    for (const id of [ids[0], ids[1], ids[0]]) unwrap(await open(id));
    expect(await recent()).toEqual([ids[0], ids[1]]);
    expect(await open('00000001')).toMatchObject({ ok: false });
    expect(await recent()).toEqual([ids[0], ids[1]]);
  });
});

test('the limit is never passed, saved rows are answered all the same, and resuming asks what is left', async () => {
  const some = postcodes.slice(5, 15);
  await scene.service.resetMeter();
  const batch = await scene.plan(lines('Postcode', ...some, postcodes[0] ?? ''), 'exists');
  const stopped = await scene.run(batch.id, { limit: 4 });
  expect(stopped.state).toBe('waiting');
  expect(stopped.wait?.kind).toBe('limit');
  expect((await scene.service.meter()).credits).toBe(4);
  expect(stopped.progress).toMatchObject({ done: 5, waiting: 6 });
  expect(stopped.left.credits).toEqual({ least: 6, most: 6 });
  const end = await scene.run(batch.id, { limit: 10 });
  expect(end.state).toBe('done');
  expect((await scene.service.meter()).credits).toBe(10);
  expect(end.progress.done).toBe(11);
});

test('rows in are rows out in the saved file, in their order, beside the columns as they came', async () => {
  const [one = '', two = ''] = postcodes;
  const batch = await scene.plan(lines('No,Postcode,Note', `1,${one},=1+1`, '2,nonsense,b', `3,${two},c`), 'exists');
  await scene.run(batch.id);
  const saved = await scene.program.call('batch.save', {
    batchId: batch.id,
    filter: {},
    format: 'csv',
    encoding: 'utf-8-bom',
    columns: ['ac_result', 'ac_progress', 'ac_reason'],
    acknowledgement: '',
  });
  expect(saved).toMatchObject({ ok: true, value: { saved: true, rows: 3 } });
});

test('forgetting takes the rows and leaves the counts', async () => {
  const batch = await scene.plan(lines('Postcode', postcodes[0] ?? ''), 'exists');
  await scene.run(batch.id);
  const forgotten = await scene.program.call('batch.forget', { batchId: batch.id });
  expect(forgotten).toMatchObject({ ok: true, value: { forgotten: true, progress: { done: 1 }, state: 'done' } });
  expect(await scene.program.call('batch.rows', { batchId: batch.id, filter: {}, from: 0, limit: 10 })).toMatchObject({
    ok: false,
  });
});

describe('addresses', () => {
  const addresses = gazetteer.sample(14).map((premise) => formatOneLine(premise));
  const table = lines('Address', ...addresses.map((address) => `"${address}"`));
  const cases = [
    ['REST alone, shape A', ['--shape', 'a'], false],
    ['REST alone, shape B', ['--shape', 'b'], false],
    ['with SOAP, shape A', ['--shape', 'a'], true],
  ] as const;

  test.each(cases)(
    '%s: each call names a stage, and its count and credits lie within the plan',
    async (_name, service, soap) => {
      const own = await openScene({ service: [...service], soap });
      try {
        for (const wants of [['exists'], ['full', 'uprn'], ['coordinates']] as const) {
          await own.program.call('lookup.purge', { what: 'all' });
          await own.service.resetMeter();
          const batch = await own.plan(table, ...wants);
          const end = await own.run(batch.id);
          expect(end.state, wants.join()).toBe('done');
          const { calls, credits } = await own.service.meter();
          const asked = Object.entries(calls).filter(([name]) => name !== 'GetCredits');
          for (const [name, { hits }] of asked) {
            const stages = batch.plan.stages.filter(({ operation }) => operation === name);
            expect(stages.length, `${wants.join()}: ${name}`).toBeGreaterThan(0);
            expect(hits).toBeLessThanOrEqual(stages.reduce((sum, stage) => sum + stage.calls.most, 0));
          }
          expect(credits).toBeGreaterThanOrEqual(batch.plan.credits?.least ?? 0);
          expect(credits).toBeLessThanOrEqual(batch.plan.credits?.most ?? 0);
          expect(end.credits.counted).toBe(credits);
          const found = (await own.rows(batch.id)).filter(({ result }) => result === 'exact' || result === 'differs');
          expect(found.length, wants.join()).toBeGreaterThan(addresses.length / 2);
        }
      } finally {
        await own.close();
      }
    },
  );
});
