import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BatchScene, openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** What a person does while a batch is under way, its first calls held up at the service. */

const gazetteer = openTestGazetteer();
const postcodes = gazetteer.samplePostcodes(16);
gazetteer.close();
const tableOf = (some: readonly string[]) => `Postcode\n${some.join('\n')}\n`;
const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };

let scene: BatchScene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const searches = async () => (await scene.service.meter()).calls.Search?.hits ?? 0;

async function during(batchId: string, limit: number, act: () => Promise<unknown>) {
  await scene.service.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'Search', times: 'always' });
  unwrap(await scene.program.call('batch.run', { batchId, ...terms, limit }));
  await expect.poll(searches).toBeGreaterThan(0);
  await act();
  await scene.service.clearFaults();
  await scene.program.core.batches.ended(batchId);
  return scene.get(batchId);
}

test('a daily cap that is lowered meanwhile holds from the next call on', async () => {
  const { id } = await scene.plan(tableOf(postcodes), 'exists');
  let sent = 0;
  const end = await during(id, 100, async () => {
    unwrap(
      await scene.program.call('credits.save-caps', {
        connectionId: scene.connectionId,
        caps: { perRun: null, perDay: 1, floor: null },
      }),
    );
    const { progress } = await scene.get(id);
    sent = progress['at-work'] + progress.done;
  });
  expect(end).toMatchObject({ wait: { kind: 'cap' }, progress: { done: sent, waiting: 16 - sent } });
  expect(sent).toBeLessThan(16);
  expect(await searches()).toBe(sent);
});

test('a key preferred meanwhile does not pay: the one that was preferred at the start does', async () => {
  const { id } = await scene.plan(tableOf(postcodes), 'exists');
  const end = await during(id, 100, async () => {
    const { connectionId } = scene;
    const key = { connectionId, role: 'lookup-key', label: 'Other', value: 'no-such-key-of-the-account' } as const;
    const other = unwrap(await scene.program.call('secrets.put', key));
    unwrap(await scene.program.call('secrets.prefer', { secretId: other.id }));
  });
  expect(end).toMatchObject({ state: 'done', progress: { done: 16 }, keyLabel: expect.not.stringContaining('Other') });
});

test('pressed twice at once, what is not done is sent once', async () => {
  const { id } = await scene.plan(tableOf(postcodes), 'exists');
  await scene.run(id, { limit: 4 });
  unwrap(await scene.program.call('batch.stop', { batchId: id }));
  const again = { batchId: id, unknown: [], failed: { all: true, but: [] }, ...terms };
  const both = await Promise.all([
    scene.program.call('batch.run-not-done', again),
    scene.program.call('batch.run-not-done', again),
  ]);
  await scene.program.core.batches.ended(id);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await searches()).toBe(16);
});

test('answers that were saved when it was planned, and removed since, are asked for again only within the limit', async () => {
  const saved = await scene.plan(tableOf(postcodes.slice(4)), 'exists');
  await scene.run(saved.id);
  await scene.service.resetMeter();
  const { id, plan } = await scene.plan(tableOf(postcodes), 'exists');
  expect(plan.rows).toMatchObject({ ask: 4, saved: 12 });
  unwrap(await scene.program.call('lookup.purge', { what: 'all' }));
  const end = await scene.run(id, { limit: 5 });
  expect(end).toMatchObject({ wait: { kind: 'limit' }, progress: { done: 5, waiting: 11 }, credits: { counted: 5 } });
  expect(await searches()).toBe(5);
});
