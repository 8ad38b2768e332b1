import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDemoLauncher } from '../../../electron/platform/demo-service.ts';
import { removeFolder } from '../../helpers/folders.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-launcher-'));
});
afterEach(() => {
  vi.useRealTimers();
  removeFolder(folder);
});

/** A launcher of a thread with this program. */
function launch(program: string) {
  const worker = join(folder, 'worker.mjs');
  writeFileSync(worker, program);
  return createDemoLauncher({ worker, folder: join(folder, 'demo') });
}

test('a thread that does not answer in time has ended when the start fails', async () => {
  const portFile = join(folder, 'port');
  const { start } = launch(`
    import { writeFileSync } from 'node:fs';
    import { createServer } from 'node:net';
    const server = createServer().listen(0, '127.0.0.1', () =>
      writeFileSync(${JSON.stringify(portFile)}, String(server.address().port)));
  `);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const starting = start();
  await expect.poll(() => (existsSync(portFile) ? readFileSync(portFile, 'utf8') : '')).not.toBe('');
  vi.advanceTimersByTime(60_000);
  expect(await starting).toMatchObject({ error: { code: 'demo-failed', detail: 'It did not answer in time.' } });
  const socket = connect(Number(readFileSync(portFile, 'utf8')), '127.0.0.1');
  expect(await once(socket, 'connect').catch(({ code }) => code)).toBe('ECONNREFUSED');
});

test('a thread that has ended by itself can be stopped, and started again', async () => {
  const { start, stop, running } = launch('');
  for (let time = 0; time < 2; time += 1)
    expect(await start()).toMatchObject({ error: { code: 'demo-failed', detail: 'It ended.' } });
  await stop();
  expect(running()).toBeNull();
});
