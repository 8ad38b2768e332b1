import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileOf } from '../../../electron/core/batch/store/batch-file.ts';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import type { BatchWant } from '../../../shared/domain/batch.ts';
import { type BatchScene, openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A batch from a pasted table to its rows, over HTTP. The service's meter counts the calls. */

let scene: BatchScene;
/** What the system was asked about sleep. */
const awake: boolean[] = [];
const gazetteer = openTestGazetteer();
const postcodes = gazetteer.samplePostcodes(30);

beforeAll(async () => {
  scene = await openScene({ program: { keepAwake: (isNeeded) => void awake.push(isNeeded) } });
});
afterAll(async () => {
  await scene.close();
  gazetteer.close();
});

const lines = (...rows: string[]) => `${rows.join('\n')}\n`;
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

describe('postcodes', () => {
  test('each is sent once, whatever its spelling; malformed rows are not sent; the plan says both before', async () => {
    const [one = '', two = '', three = ''] = postcodes;
    await scene.service.resetMeter();
    const batch = await scene.plan(
      lines('Postcode', one, one.replace(' ', '').toLowerCase(), 'HR10 2D', two, '""', three),
      'exists',
    );
    expect((await scene.service.meter()).requests).toBe(0);
    expect(batch.plan.rows).toEqual({ total: 6, ask: 3, saved: 0, same: 1, malformed: 2 });
    expect(batch.plan.credits).toEqual({ least: 3, most: 3 });
    expect(awake).toEqual([]);
    const end = await scene.run(batch.id);
    expect(awake).toEqual([true, false]);
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

  test('why a row cannot be asked is true of what stands in it beside', async () => {
    const batch = await scene.plan(
      lines(
        'Customer,Address,Town,Postcode',
        `C-1,2 High Street,Hereford,${postcodes[4]}`,
        'C-2,,,',
        `C-3,,Hereford,${postcodes[4]}`,
        // It exists, whatever the letters in use.
        'C-4,1 North Pole,Reindeerland,XM4 5HQ',
      ),
      'exists',
    );
    expect(batch.plan.malformed).toEqual([
      { row: 2, given: 'C-2', reason: 'nothing to ask with', code: 'malformed-empty' },
      {
        row: 3,
        given: `C-3, Hereford, ${postcodes[4]}`,
        reason: 'no address beside the postcode',
        code: 'malformed-no-premise',
      },
      {
        row: 4,
        given: 'C-4, 1 North Pole, Reindeerland, XM4 5HQ',
        reason: 'not in the form of a postcode',
        code: 'malformed-postcode',
      },
    ]);
  });

  test('what is saved is not sent again, and the plan of a second batch says so', async () => {
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

test('an organisation in other letters is the same search, in the plan as for the service, and saved for both', async () => {
  const plan = async (...rows: string[]) => {
    const tableId = await scene.open(lines('Organisation,Address,Town', ...rows));
    unwrap(await scene.program.call('batch.read-as', { tableId, kind: 'organisations' }));
    return unwrap(await scene.program.call('batch.plan', { tableId, wants: ['exists'] }));
  };
  const asked = ['Weir End Upholstery,1 Tannery Row,Hereford', 'WEIR END UPHOLSTERY,2 Tannery Row,HEREFORD'];
  await scene.service.resetMeter();
  const batch = await plan(...asked);
  expect(batch.plan).toMatchObject({ rows: { ask: 2 }, credits: { least: 1, most: 1 } });
  expect(await scene.run(batch.id)).toMatchObject({ state: 'done', credits: { counted: 1 } });
  expect((await scene.service.meter()).calls.Search?.hits).toBe(1);
  const again = await plan('Weir End UPHOLSTERY,3 Tannery Row,Hereford');
  expect(again.plan.credits).toEqual({ least: 0, most: 0 });
});

test('a table says of how many rows something is saved, each different row counted, in whatever order they stand', async () => {
  const postcode = postcodes[0] ?? '';
  await scene.run((await scene.plan(lines('Postcode', postcode), 'exists')).id);
  const { connectionId } = scene;
  const rows = [`1 Nowhere Lane,${postcode}`, `Flat 3; 20 Nowhere Lane,${postcode}`, `1 Nowhere Lane,${postcodes[29]}`];
  for (const inOrder of [rows, rows.toReversed()]) {
    const text = lines('Address,Postcode', ...inOrder, inOrder[0] ?? '');
    const { table } = unwrap(await scene.program.call('batch.paste', { connectionId, text }));
    expect(table?.saved).toBe(2);
  }
});

const reads = async () => (await scene.service.meter()).calls.GetCredits?.hits ?? 0;

describe('premise ids', () => {
  test('the UPRN of an id costs what the answer shape implies, and an unknown id ends only its own row', async () => {
    const ids = gazetteer.sample(4).map(({ id }) => id);
    await scene.service.resetMeter();
    const batch = await scene.plan(lines('Premise id', ...ids, '00000001'), 'uprn');
    const before = batch.plan.credits;
    const end = await scene.run(batch.id);
    const meter = await scene.service.meter();
    expect(end.state).toBe('done');
    expect(before?.least).toBeLessThanOrEqual(meter.credits);
    expect(before?.most).toBeGreaterThanOrEqual(Number(end.credits.counted));
    expect(end.results).toMatchObject({ exact: 4, none: 1 });
    const calls = Object.entries(meter.calls).filter(([name]) => name !== 'GetCredits');
    for (const [name] of calls)
      expect(
        batch.plan.stages.some((stage) => stage.operation === name),
        name,
      ).toBe(true);

    // The list of recently opened addresses has only those that a person opens, not those that a batch saves.
    const { connectionId } = scene;
    const recent = async () => unwrap(await scene.program.call('lookup.recent', { connectionId })).premiseIds;
    const open = (premiseId = '') =>
      scene.program.call('lookup.open', { connectionId, premiseId, interface: 'rest', cache: 'default' });
    expect(await recent()).toEqual([]);
    for (const id of [ids[0], ids[1], ids[0]]) unwrap(await open(id));
    expect(await recent()).toEqual([ids[0], ids[1]]);
    expect(await open('00000001')).toMatchObject({ ok: false });
    expect(await recent()).toEqual([ids[0], ids[1]]);
  });
});

describe('UDPRNs', () => {
  const end = async (options: Parameters<typeof openScene>[0], udprn: string) => {
    const own = await openScene(options);
    try {
      const batch = await own.plan(lines('UDPRN', udprn), 'exists');
      expect(batch.kind).toBe('udprns');
      expect((await own.run(batch.id)).state).toBe('done');
      return (await own.rows(batch.id))[0];
    } finally {
      await own.close();
    }
  };
  const [premise] = gazetteer.sample(1);
  const id = premise?.id ?? '';

  test('of a service whose answers name another UDPRN: the number of the row is that of an id alone', async () => {
    expect(await end({ shared: scene.service }, id)).toMatchObject({
      result: 'differs',
      reason: 'differs-udprn',
      notUsed: [id],
    });
  });

  test('of a service whose answers name no UDPRN: that is said, and not that they name another', async () => {
    expect(await end({ service: ['--shape', 'b'] }, id)).toMatchObject({
      result: 'differs',
      reason: 'udprn-not-in-answer',
      text: expect.stringMatching(/; the answer names no UDPRN$/),
      notUsed: [],
    });
  });
});

test('the limit is never passed, saved rows are answered all the same, and resuming sends what is left', async () => {
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

test('the file of an earlier version names a search by its text as it stands: what is saved of it is still answered beyond the limit', async () => {
  const batch = await scene.plan(lines('Postcode', ...postcodes.slice(15, 30), postcodes[0] ?? ''), 'exists');
  const file = new DatabaseSync(fileOf(join(scene.program.folder, 'batches'), batch.id));
  file.exec("UPDATE asks SET key = 'search ' || text");
  file.close();
  const stopped = await scene.run(batch.id, { limit: 1 });
  expect([stopped.wait?.kind, stopped.progress.done, stopped.progress.waiting]).toEqual(['limit', 2, 14]);
});

test('an answer is told while the next call waits for its turn', async () => {
  const own = await openScene({
    shared: scene.service,
    program: {
      // However busy the machine is, the answer comes right after the notification that its call is under way.
      clock: { ...systemClock, now: () => Date.UTC(2026, 6, 1) },
      pauses: {
        uptime: () => performance.now(),
        wait: (_, signal) => new Promise((done) => signal.addEventListener('abort', () => done())),
      },
    },
  });
  try {
    const { id: batchId } = await own.plan(lines('Postcode', ...postcodes.slice(0, 2)), 'exists');
    const terms = { limit: 2, minimumBalance: null, rate: 0.1, keyLabel: null, goOnUntil: null };
    unwrap(await own.program.call('batch.run', { batchId, ...terms }));
    const lastTold = () => own.program.told.findLast(({ event }) => event === 'batch.changed')?.payload;
    await expect.poll(lastTold).toMatchObject({ state: 'running', progress: { done: 1, waiting: 1 } });
  } finally {
    await own.close();
  }
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

test('forgetting removes the rows and leaves the counts', async () => {
  const batch = await scene.plan(lines('Postcode', postcodes[0] ?? ''), 'exists');
  await scene.run(batch.id);
  const forgotten = await scene.program.call('batch.forget', { batchId: batch.id });
  expect(forgotten).toMatchObject({ ok: true, value: { forgotten: true, progress: { done: 1 }, state: 'done' } });
  expect(await scene.program.call('batch.rows', { batchId: batch.id, filter: {}, from: 0, limit: 10 })).toMatchObject({
    ok: false,
  });
  // The dialog says that saved answers go by a rule of their own.
  const again = await scene.plan(lines('Postcode', postcodes[0] ?? ''), 'exists');
  expect(again.plan.rows).toMatchObject({ ask: 0, saved: 1 });
});

/** Rows of a table of addresses and postcodes as customers have them: complete, twice, of a flat, with another number, malformed. */
const someRows = fc.array(
  fc.record({
    at: fc.nat({ max: 39 }),
    as: fc.constantFrom('whole', 'whole', 'again', 'flat', 'number', 'postcode', 'nonsense'),
  }),
  { minLength: 1, maxLength: 10 },
);
const somePremises = gazetteer.sample(40);
const lineOf = ({ at, as }: { at: number; as: string }): string => {
  const [one, other] = [somePremises[at], somePremises[(at + 1) % 40]];
  if (!one || !other || as === 'nonsense') return 'nowhere at all';
  const line = formatOneLine(one);
  if (as === 'postcode') return one.postcode;
  if (as === 'again') return line.toUpperCase().replaceAll(',', ' , ');
  if (as === 'flat') return `Flat 3, ${line}`;
  return as === 'number' ? line.replace(/\d+/, '997') : line;
};

describe('any table, any wants, any saved answers', () => {
  const wanted = fc.uniqueArray(
    fc.constantFrom<BatchWant>('exists', 'full', 'coordinates', 'uprn', 'udprn', 'all-premises'),
    { minLength: 1, maxLength: 3 },
  );
  const worlds = [
    ['REST alone, shape A', 'a', false],
    ['REST alone, shape B', 'b', false],
    ['with SOAP, shape A', 'a', true],
    ['with SOAP, shape B', 'b', true],
  ] as const;

  test.each(worlds)('%s: each call names a stage, and calls and credits lie within its bounds', async (_, of, soap) => {
    const own = await openScene({ service: ['--shape', of], soap });
    try {
      await fc.assert(
        fc.asyncProperty(someRows, wanted, fc.boolean(), async (rows, wants, isAnew) => {
          if (isAnew) await own.program.call('lookup.purge', { what: 'all' });
          await own.service.resetMeter();
          const text = lines('Address', ...rows.map((row) => `"${lineOf(row)}"`));
          const { table } = unwrap(await own.program.call('batch.paste', { connectionId: own.connectionId, text }));
          const { tableId = '', wants: offered = [] } = table ?? {};
          const able = wants.filter((want) => offered.find((one) => one.want === want)?.not === null);
          if (able.length === 0) return;
          const batch = unwrap(await own.program.call('batch.plan', { tableId, wants: able }));
          const end = await own.run(batch.id);
          expect(end.state).toBe('done');
          const { stages, calls, credits } = batch.plan;
          const made = callsOf(own.program.folder, batch.id);
          for (const { stage } of made) expect(stages.map((one) => one.stage)).toContain(stage);
          for (const stage of stages) {
            const ofStage = made.find((one) => one.stage === stage.stage) ?? { calls: 0, credits: 0 };
            expect(ofStage.calls, stage.stage).toBeGreaterThanOrEqual(stage.calls.least);
            expect(ofStage.calls, stage.stage).toBeLessThanOrEqual(stage.calls.most);
            expect(ofStage.credits, stage.stage).toBeGreaterThanOrEqual(stage.credits?.least ?? 0);
            expect(ofStage.credits, stage.stage).toBeLessThanOrEqual(stage.credits?.most ?? 0);
          }
          // The calls and credits in the batch's file equal those that the service counted.
          const meter = await own.service.meter();
          const hits = Object.entries(meter.calls).filter(([name]) => name !== 'GetCredits');
          const sent = made.reduce((all, one) => all + one.calls, 0);
          expect(hits.reduce((all, [, one]) => all + one.hits, 0)).toBe(sent);
          expect(sent).toBeGreaterThanOrEqual(calls.least);
          expect(sent).toBeLessThanOrEqual(calls.most);
          expect(end.credits.counted).toBe(meter.credits);
          expect(meter.credits).toBeGreaterThanOrEqual(credits?.least ?? 0);
          expect(meter.credits).toBeLessThanOrEqual(credits?.most ?? 0);
          expect(sum(end.progress)).toBe(rows.length);
        }),
        {
          numRuns: Number(process.env.BATCH_WORLDS ?? 6),
          // Two rows of one premise, one of them a flat: what the second still needs is read in another way than for either row alone.
          examples: [
            [
              [
                { at: 0, as: 'whole' },
                { at: 0, as: 'flat' },
              ],
              ['uprn'],
              true,
            ],
          ],
        },
      );
    } finally {
      await own.close();
    }
  });
});

/** The calls of a batch by stage, from its file. */
function callsOf(folder: string, batchId: string): { stage: string; calls: number; credits: number }[] {
  const file = new DatabaseSync(join(folder, 'batches', `${batchId}.sqlite`), { readOnly: true });
  try {
    const found = file
      .prepare(`SELECT stage, count(*) AS calls, sum(most) AS credits FROM asks WHERE source = 'asked' GROUP BY stage`)
      .all();
    return found.map(({ stage, calls, credits }) => ({
      stage: String(stage),
      calls: Number(calls),
      credits: Number(credits),
    }));
  } finally {
    file.close();
  }
}
