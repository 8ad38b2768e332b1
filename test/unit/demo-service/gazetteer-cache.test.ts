import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGazetteer } from '../../../electron/demo-service/gazetteer/gazetteer.ts';
import { removeFolder } from '../../helpers/folders.ts';

// A whole gazetteer is built here; a busy machine may need more than the default five seconds.
let folder: string;
let cacheFile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gazetteer-'));
  cacheFile = join(folder, 'gazetteer.db');
});
afterEach(() => removeFolder(folder));

function openAndClose(seed = 5, premises = 500): { origin: string; ids: string[]; problem: string } {
  const gazetteer = openGazetteer({ seed, premises, cacheFile });
  const ids = gazetteer.sample(premises).map((premise) => premise.id);
  gazetteer.close();
  return { origin: gazetteer.origin, ids, problem: gazetteer.cacheProblem };
}

test('is built once and reused, with the same premises as in memory', () => {
  const built = openAndClose();
  const { mtimeMs, ino } = statSync(cacheFile);
  const reused = openAndClose();
  expect([built.origin, reused.origin]).toEqual(['built', 'reused']);
  expect(reused.ids).toEqual(built.ids);
  expect([statSync(cacheFile).mtimeMs, statSync(cacheFile).ino]).toEqual([mtimeMs, ino]);
  expect(readdirSync(folder)).toEqual(['gazetteer.db']);
  const inMemory = openGazetteer({ seed: 5, premises: 500 });
  expect(inMemory.origin).toBe('memory');
  expect(inMemory.sample(500).map((premise) => premise.id)).toEqual(built.ids);
  inMemory.close();
});

test('is built again for another seed, count or version', () => {
  const first = openAndClose(5, 500);
  expect(openAndClose(6, 500).origin).toBe('built');
  expect(openAndClose(6, 501)).toMatchObject({ origin: 'built', ids: { length: 501 } });
  expect(openAndClose(5, 500)).toMatchObject({ origin: 'built', ids: first.ids });
  const db = new DatabaseSync(cacheFile);
  db.exec("UPDATE meta SET value = replace(value, 'v', 'old v')");
  db.close();
  expect(openAndClose(5, 500)).toMatchObject({ origin: 'built', ids: first.ids });
  expect(openAndClose(5, 500).origin).toBe('reused');
});

test.each([
  ['cut short', () => truncateSync(cacheFile, Math.floor(statSync(cacheFile).size / 2))],
  ['empty', () => truncateSync(cacheFile, 0)],
  ['something else', () => writeFileSync(cacheFile, 'not a database at all '.repeat(500))],
  [
    'overwritten in the middle',
    () => {
      const bytes = readFileSync(cacheFile);
      bytes.fill(0xa5, 8_192, bytes.length - 4_096);
      writeFileSync(cacheFile, bytes);
    },
  ],
])('a file that is %s is built again', (_name, damage) => {
  const { ids } = openAndClose();
  damage();
  expect(openAndClose()).toMatchObject({ origin: 'built', ids });
  expect(openAndClose().origin).toBe('reused');
});

test('what a killed build has left is not used, and is removed', () => {
  // A process id above every system's maximum, so that it is certainly not running.
  const leftover = `${cacheFile}.building-999999999-abcd`;
  writeFileSync(leftover, 'half');
  const running = `${cacheFile}.building-${process.ppid}-abcd`;
  writeFileSync(running, 'somebody else is still at it');
  expect(openAndClose().origin).toBe('built');
  expect(readdirSync(folder).sort()).toEqual(['gazetteer.db', `gazetteer.db.building-${process.ppid}-abcd`]);
});

test('a build killed half way leaves no cache file, and the next start builds and cleans up', async () => {
  const source = new URL('../../../electron/demo-service/gazetteer/gazetteer.ts', import.meta.url).href;
  const script = `import(${JSON.stringify(source)}).then((m) => m.openGazetteer({ seed: 5, premises: 400000, cacheFile: ${JSON.stringify(cacheFile)} }))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  // The build's temporary file appears at once and takes seconds to fill.
  while (readdirSync(folder).length === 0 && child.exitCode === null) await sleep(20);
  child.kill('SIGKILL');
  await ended;
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^gazetteer\.db\.building-/)]);
  expect(openAndClose().origin).toBe('built');
  expect(readdirSync(folder)).toEqual(['gazetteer.db']);
});

test('without a writable folder it works from memory and says why', () => {
  cacheFile = join(folder, 'missing', 'gazetteer.db');
  const opened = openAndClose();
  expect(opened.origin).toBe('memory');
  expect(opened.problem).toContain('missing');
  expect(opened.ids).toHaveLength(500);
  expect(readdirSync(folder)).toEqual([]);
});

test('options out of bounds are an error and leave nothing behind', () => {
  expect(() => openGazetteer({ seed: 1, premises: 5, cacheFile })).toThrow(RangeError);
  expect(readdirSync(folder)).toEqual([]);
});
