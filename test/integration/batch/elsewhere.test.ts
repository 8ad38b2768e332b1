import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Batch } from '../../../shared/domain/batch.ts';
import { openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { runProgram, secretVariables } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';

test('a batch run by the command line is shown, paused and stopped from the window, and answered rows are not sent again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-elsewhere-'));
  const gazetteer = openTestGazetteer();
  const postcodes = gazetteer.samplePostcodes(60);
  gazetteer.close();
  const scene = await openScene({ program: { folder } });
  const { program, connectionId } = scene;
  try {
    const { connections } = unwrap(await program.call('connections.list', {}));
    const name = connections.find(({ connection }) => connection.id === connectionId)?.connection.name ?? '';
    const file = join(folder, 'wyebank.json');
    writeFileSync(file, JSON.stringify({ name, restBaseUrl: scene.service.restBaseUrl }));
    const { id: batchId } = await scene.plan(`Postcode\n${postcodes.join('\n')}\n`, 'exists');
    const terms = { limit: 100, minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };

    /** Resumes the batch from the command line, and calls `act` in the window once it has made a few calls. */
    const command = (act: () => Promise<unknown>) =>
      runProgram(['batch', 'resume', batchId, '--limit', '100', '--rate', '4', '--connection', file], {
        env: { ...secretVariables(scene.service.demo), ADDRESS_CONSOLE_DATA_FOLDER: folder },
        during: async () => {
          const before = (await scene.get(batchId)).progress.done;
          let now: Batch;
          do {
            await sleep(50);
            now = await scene.get(batchId);
          } while (!now.elsewhere || now.progress.done < before + 2);
          expect(now.state).toBe('running');
          expect(await program.call('batch.run', { batchId, ...terms })).toMatchObject({
            error: { message: 'Another window or command runs this batch.' },
          });
          await act();
        },
      });
    const searches = async () => (await scene.service.meter()).calls.Search?.hits ?? 0;

    let shown: unknown;
    const paused = await command(async () => {
      shown = await program.call('batch.pause', { batchId });
    });
    expect(shown).toMatchObject({ ok: true, value: { state: 'paused', elsewhere: false, endedAt: null } });
    expect(paused.json.value).toMatchObject({ state: 'paused' });
    const first = (await scene.get(batchId)).progress.done;
    expect(await searches()).toBe(first);

    const stopped = await command(async () => {
      shown = await program.call('batch.stop', { batchId });
    });
    expect(shown).toMatchObject({ ok: true, value: { state: 'stopped', progress: { waiting: 0, 'at-work': 0 } } });
    expect(stopped.json.value).toMatchObject({ state: 'stopped' });
    const second = await scene.get(batchId);
    expect(second.progress.done).toBeGreaterThan(first);
    expect(second.progress.done + second.progress.stopped).toBe(60);

    unwrap(
      await program.call('batch.run-not-done', { batchId, unknown: [], failed: { all: true, but: [] }, ...terms }),
    );
    await program.core.batches.ended(batchId);
    expect(await scene.get(batchId)).toMatchObject({ state: 'done', progress: { done: 60 }, credits: { counted: 60 } });
    expect(await searches()).toBe(60);
  } finally {
    await scene.close();
    removeFolder(folder);
  }
});
