import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder } from '../../helpers/folders.ts';

const runAll = resolve(import.meta.dirname, '..', '..', 'run-all.ts');

// Windows ends a process without asking it.
test.skipIf(process.platform === 'win32')('a run that is ended removes its folder', async () => {
  // In a longer path than this it makes none.
  const folder = mkdtempSync('/tmp/run-all-');
  try {
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(process.execPath, [runAll, '--only', 'checks'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    await once(child.stderr, 'data');
    expect(readdirSync(folder)).not.toEqual([]);
    child.kill('SIGTERM');
    expect((await once(child, 'close'))[0]).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    removeFolder(folder);
  }
});
