import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import { openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { unwrap } from '../../helpers/temp-database.ts';

test('rows are deleted after the days in Settings, a planned batch after a week or at once; resuming by itself ends with its day', async () => {
  let passed = 0;
  const day = 86_400_000;
  const gazetteer = openTestGazetteer();
  const postcodes = gazetteer.samplePostcodes(6);
  gazetteer.close();
  const scene = await openScene({ program: { clock: { ...systemClock, now: () => systemClock.now() + passed } } });
  const { call, core } = scene.program;
  const has = (id: string) => existsSync(join(core.batches.files.folder, `${id}.sqlite`));
  try {
    expect(unwrap(await call('settings.read', {})).batchDays).toBe(30);
    unwrap(await call('settings.save', { batchDays: 3 }));
    const table = (from: number) => `Postcode\n${postcodes.slice(from, from + 2).join('\n')}\n`;
    const ran = await scene.plan(table(0), 'exists');
    const end = await scene.run(ran.id);
    expect(Date.parse(end.textsUntil ?? '') - Date.parse(end.endedAt ?? '')).toBe(3 * day);
    const [planned, discarded] = [await scene.plan(table(2), 'exists'), await scene.plan(table(4), 'exists')];
    unwrap(await call('batch.discard', { batchId: discarded.id }));
    expect(has(discarded.id)).toBe(false);
    expect(await call('batch.discard', { batchId: ran.id })).toMatchObject({ ok: false });

    const list = async () =>
      unwrap(await call('batch.list', { connectionId: scene.connectionId })).batches.map(({ id, forgotten }) => ({
        id,
        forgotten,
      }));
    // A table that was left open and cannot be removed, like one that another program has open: the others are removed all the same.
    mkdirSync(join(core.batches.files.folder, 'open-left.table'));
    passed = 2 * day;
    await core.batches.purge();
    expect(await list()).toEqual([
      { id: planned.id, forgotten: false },
      { id: ran.id, forgotten: false },
    ]);
    passed = 4 * day;
    await core.batches.purge();
    expect(has(ran.id)).toBe(false);
    expect(await list()).toContainEqual({ id: ran.id, forgotten: true });
    expect(await scene.get(ran.id)).toMatchObject({ results: { exact: 2 }, credits: { counted: 2 } });
    expect(has(planned.id)).toBe(true);
    passed = 8 * day;
    await core.batches.purge();
    expect(await list()).toEqual([{ id: ran.id, forgotten: true }]);
    expect(has(planned.id)).toBe(false);
  } finally {
    await scene.close();
  }
});

test('a batch that waits for a person stays listed behind any number of later ones that have ended', async () => {
  const gazetteer = openTestGazetteer();
  const postcodes = gazetteer.samplePostcodes(3);
  gazetteer.close();
  const scene = await openScene();
  const { call, folder } = scene.program;
  try {
    const { id } = await scene.plan(`Postcode\n${postcodes.join('\n')}\n`, 'exists');
    expect(await scene.run(id, { limit: 1 })).toMatchObject({ state: 'waiting' });
    const sql = new DatabaseSync(join(folder, databaseName), { timeout: 5000 });
    sql
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO batches (id, connection_id, created_at, state, facts)
        SELECT 'later-' || i, connection_id, '2099-01-01T00:00:00.000Z', 'done', facts FROM batches, n WHERE id = ?`,
      )
      .run(id);
    sql.close();
    const { batches } = unwrap(await call('batch.list', { connectionId: scene.connectionId }));
    expect(batches).toHaveLength(200);
    expect(batches[0]).toMatchObject({ id, state: 'waiting' });
  } finally {
    await scene.close();
  }
});
