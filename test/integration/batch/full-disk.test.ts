import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { saveResult } from '../../../electron/core/batch/save-result.ts';
import { writeTextFile } from '../../../electron/platform/write-file.ts';
import { resultColumns } from '../../../shared/domain/batch.ts';
import { openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A really full disk: a small file system that the test mounts, if the system allows it. */

const folder = mkdtempSync(join(tmpdir(), 'address-console-full-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder]).status === 0;
afterAll(() => {
  // A lazy unmount, so that a file that is still being closed does not keep the file system mounted.
  if (mounted) spawnSync('umount', ['-l', folder]);
  removeFolder(folder);
});

const filler = join(folder, 'filler');
/** Fills the disk except for `leaves` bytes. */
function fill(leaves = 0): void {
  const file = openSync(filler, 'a');
  try {
    for (let size = 65_536; size >= 1; )
      try {
        writeSync(file, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
  } finally {
    closeSync(file);
  }
  if (leaves > 0) {
    const { length } = readFileSync(filler);
    writeFileSync(filler, Buffer.alloc(length - leaves));
  }
}

test.skipIf(!mounted)(
  'a full disk during a batch: nothing is sent that could not be recorded, and with space again each row is sent once',
  async () => {
    const gazetteer = openTestGazetteer();
    const postcodes = gazetteer.samplePostcodes(40);
    gazetteer.close();
    const scene = await openScene({ program: { folder } });
    try {
      const { id } = await scene.plan(`Postcode\n${postcodes.join('\n')}\n`, 'exists');
      const searches = async () => (await scene.service.meter()).calls.Search?.hits ?? 0;
      fill(500_000);
      const stopped = await scene.run(id);
      expect(stopped.progress.done).toBeLessThan(40);
      const sent = await searches();
      expect(sent).toBeLessThan(40);

      // A result file is complete or does not exist.
      rmSync(filler);
      fill();
      const result = join(folder, 'result.csv');
      const request = { batchId: id, filter: {}, columns: resultColumns, acknowledgement: '' };
      const failed = await saveResult(scene.program.core.batches, request, result);
      expect(failed).toMatchObject({ ok: false });
      expect(readdirSync(folder).filter((name) => name.startsWith('result'))).toEqual([]);

      rmSync(filler);
      const end = await scene.run(id);
      expect(end).toMatchObject({ state: 'done', progress: { waiting: 0, 'at-work': 0, failed: 0 } });
      expect(end.progress.done + end.progress.unknown).toBe(40);
      // A row whose outcome is unknown may have been sent once; none was sent twice.
      const all = await searches();
      expect(all).toBeLessThanOrEqual(40);
      expect(all).toBeGreaterThanOrEqual(end.progress.done);
      expect(end.credits.counted).toBeGreaterThanOrEqual(all);
      expect(unwrap(await saveResult(scene.program.core.batches, request, result)).rows).toBe(40);
    } finally {
      await scene.close();
    }
  },
);

test.skipIf(!mounted)(
  'a file for which there is no room is said to be none, and the former one stays whole',
  async () => {
    const path = join(folder, 'saved.json');
    writeFileSync(path, 'as it was');
    rmSync(filler, { force: true });
    fill(100_000);
    const failed = await writeTextFile(path, [{ text: 'x'.repeat(1_000_000), rows: 1 }]);
    expect(failed).toMatchObject({
      ok: false,
      error: { code: 'file-failed', message: 'There is no room left to write the file.' },
    });
    expect(readFileSync(path, 'utf8')).toBe('as it was');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  },
);
