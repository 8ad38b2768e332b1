import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { runCommandLine, secretVariables } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';

test('two batches, a window and ten commands at once stay under one cap, as counted at the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-one-cap-'));
  const gazetteer = openTestGazetteer();
  const postcodes = gazetteer.samplePostcodes(40);
  gazetteer.close();
  const scene = await openScene({ program: { folder } });
  try {
    const cap = 19;
    const { connections } = unwrap(await scene.program.call('connections.list', {}));
    const name =
      connections.map(({ connection }) => connection).find(({ id }) => id === scene.connectionId)?.name ?? '';
    unwrap(
      await scene.program.call('credits.save-caps', {
        connectionId: scene.connectionId,
        caps: { perRun: null, perDay: cap, floor: null },
      }),
    );
    const file = join(folder, 'wyebank.json');
    writeFileSync(file, JSON.stringify({ name, restBaseUrl: scene.service.restBaseUrl }));
    const tableOf = (from: number, to: number) => `Postcode\n${postcodes.slice(from, to).join('\n')}\n`;
    const [one, two] = [await scene.plan(tableOf(0, 12), 'exists'), await scene.plan(tableOf(12, 24), 'exists')];
    const command = (postcode: string) =>
      runCommandLine(['call', 'Search', '--set', `query=${postcode}`, '--connection', file], {
        env: { ...secretVariables(scene.service.demo), ADDRESS_CONSOLE_DATA_FOLDER: folder },
      });
    const search = (text: string) => scene.program.call('lookup.search', { connectionId: scene.connectionId, text });
    const [, , , ...commands] = await Promise.all([
      scene.run(one.id),
      scene.run(two.id),
      search(postcodes[36] ?? ''),
      ...postcodes.slice(24, 34).map(command),
    ]);
    const meter = await scene.service.meter();
    // 25 rows and ten commands need a credit each: the cap is reached and not exceeded.
    expect(meter.calls.Search?.hits).toBe(cap);
    expect(meter.credits).toBe(cap);
    const answered = commands.filter(({ status }) => status === 0).length;
    const ends = [await scene.get(one.id), await scene.get(two.id)];
    expect(ends.map(({ wait }) => wait?.kind)).toContain('cap');
    const done = ends.reduce((sum, { progress }) => sum + progress.done, 0);
    expect(done + answered).toBeGreaterThanOrEqual(cap - 1);
    expect(ends.reduce((sum, { credits }) => sum + (credits.counted ?? 0), 0)).toBe(done);
  } finally {
    await scene.close();
    removeFolder(folder);
  }
});
