import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exitStatuses } from '../../../electron/cli/printed.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { Batch } from '../../../shared/domain/batch.ts';
import { openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { runCommandLine, runProgram, secretVariables } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { startProgram } from '../../helpers/program.ts';
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

test('resumed by the command line a batch keeps its terms; one that a person paused takes its id, another connection’s is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-resumed-'));
  const gazetteer = openTestGazetteer();
  const postcodes = gazetteer.samplePostcodes(12);
  gazetteer.close();
  const scene = await openScene({ program: { folder } });
  const { program, connectionId } = scene;
  try {
    const { connections } = unwrap(await program.call('connections.list', {}));
    const name = connections.find(({ connection }) => connection.id === connectionId)?.connection.name ?? '';
    const file = join(folder, 'wyebank.json');
    const other = join(folder, 'other.json');
    writeFileSync(file, JSON.stringify({ name, restBaseUrl: scene.service.restBaseUrl }));
    writeFileSync(other, JSON.stringify({ name: 'Other', restBaseUrl: scene.service.restBaseUrl }));
    const command = (connection: string, ...args: string[]) =>
      runCommandLine(['batch', 'resume', ...args, '--connection', connection], {
        env: { ...secretVariables(scene.service.demo), ADDRESS_CONSOLE_DATA_FOLDER: folder },
      });
    const goOnUntil = new Date(Date.now() + 86_400_000).toISOString();
    const own = { minimumBalance: 7, rate: 20, goOnUntil };
    const { id: batchId } = await scene.plan(`Postcode\n${postcodes.join('\n')}\n`, 'exists');
    const first = await scene.run(batchId, { ...own, limit: 2 });
    expect(first).toMatchObject({ state: 'waiting', keyLabel: 'main' });

    const refused = await command(other, batchId, '--limit', '9');
    expect([refused.status, refused.json.error.code]).toEqual([1, 'bad-input']);
    expect(await scene.get(batchId)).toEqual(first);

    expect((await command(file, '--limit', '4')).status).toBe(exitStatuses.limit);
    expect(await scene.get(batchId)).toMatchObject({ ...own, keyLabel: 'main', credits: { limit: 4, counted: 4 } });

    // One call leaves at once, the next after ten seconds.
    unwrap(await program.call('batch.run', { batchId, ...own, limit: 100, rate: 0.1, keyLabel: null }));
    expect(unwrap(await program.call('batch.pause', { batchId })).state).toBe('paused');
    const hits = (await scene.service.meter()).calls.Search?.hits;
    expect((await command(file, '--limit', '100')).json.error).toMatchObject({ code: 'bad-input' });
    expect((await scene.service.meter()).calls.Search?.hits).toBe(hits);
    const done = await command(file, batchId, '--limit', '100', '--rate', '50', '--minimum-balance', '3');
    expect([done.status, done.json.value.state]).toEqual([0, 'done']);
    expect(await scene.get(batchId)).toMatchObject({ minimumBalance: 3, rate: 50, goOnUntil, keyLabel: 'main' });
  } finally {
    await scene.close();
    removeFolder(folder);
  }
});

test('a batch that one process stops while another begins it is stopped, and nothing more is sent under that word', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-stopped-'));
  const keychain = { keychain: createMemoryVault(), missing: null };
  const scene = await openScene({ program: { folder, keychain } });
  const other = unwrap(await startProgram({ folder, keychain }));
  const searches = async () => (await scene.service.meter()).calls.Search?.hits ?? 0;
  try {
    const terms = { limit: 0, minimumBalance: null, rate: 4, keyLabel: null, goOnUntil: null };
    const gazetteer = openTestGazetteer();
    const table = `Postcode\n${gazetteer.samplePostcodes(40).join('\n')}\n`;
    gazetteer.close();
    const { id: batchId } = await scene.plan(table, 'exists');
    await scene.run(batchId, terms);
    // Longer than the other needs to notice that it is to stop.
    await scene.service.setFaults({ kind: 'delay', milliseconds: 300, on: 'Search', times: 'always' });
    const [stopped] = await Promise.all([
      scene.program.call('batch.stop', { batchId }),
      other.call('batch.run', { batchId, ...terms, limit: 100 }),
    ]);
    expect(stopped).toMatchObject({ ok: true, value: { state: 'stopped' } });
    const sent = await searches();
    await other.core.batches.ended(batchId);
    expect(await searches()).toBe(sent);
    const { state, progress } = await scene.get(batchId);
    expect([state, progress.done, progress.stopped]).toEqual(['stopped', sent, 40 - sent]);
  } finally {
    await other.close();
    await scene.close();
    removeFolder(folder);
  }
});
