import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createPackageWithOptions } from '@electron/asar';
import { checkPackagedFiles, licencesFile, starterFile } from '../../build/package/packaged-files.ts';
import { electronProgram, startToEnd } from '../helpers/console.ts';
import { expect, expectClean, searchFor, startDemo, test } from './fixtures.ts';

// Runs the program from an archive that has exactly a package's files, as a packaged program does. On Electron it runs from its folder: the
// real package is tested instead (build/package/start-once.ts).

const root = resolve(import.meta.dirname, '..', '..');
const keyring = 'node_modules/@napi-rs/keyring';
const native = `${keyring}-${process.platform}-${process.arch}${{ win32: '-msvc', linux: '-gnu' }[process.platform as string] ?? ''}`;

/** Packs the files that electron-builder would. Returns the path of the archive. */
async function pack(folder: string): Promise<string> {
  const staged = join(folder, 'staged');
  const resources = join(folder, 'resources');
  const unwanted =
    /\.(?:map|ts|tsx|mts|cts|md)$|keytar\.|\.stamp$|THIRD-PARTY|dist[\\/](?:main|preload|renderer)[\\/]licences\.json$/;
  for (const part of ['package.json', 'dist', keyring, native])
    cpSync(join(root, part), join(staged, part), { recursive: true, filter: (path) => !unwanted.test(path) });
  mkdirSync(resources);
  await createPackageWithOptions(staged, join(resources, 'app.asar'), { unpack: '**/*.node' });
  cpSync(join(root, 'dist', licencesFile), join(resources, licencesFile));
  const starter = starterFile(process.platform);
  cpSync(join(root, 'build', 'resources', starter), join(resources, starter), { recursive: true });
  expect(checkPackagedFiles(resources, process.platform, process.arch)).toEqual([]);
  return join(resources, 'app.asar');
}

/** Runs the command line of the packed program. */
async function command(archive: string, dataFolder: string, ...words: string[]) {
  let text = '';
  const { code } = await startToEnd(dataFolder, {
    archive,
    args: ['--command-line', '--', ...words],
    printed: (more) => {
      text += more;
    },
  });
  return { code, text };
}

test('the archive has exactly the files of a package', async ({ folder }) => {
  await pack(folder);
});

test('from its archive the program admits no debugger, starts, passes its self-check, makes calls, and answers a command beside its window', async ({
  launch,
  folder,
}) => {
  test.skip(electronProgram() !== undefined, 'the package itself is started there');
  const archive = await pack(folder);
  const dataFolder = join(folder, 'data');
  const report = join(folder, 'self-check.json');
  expect(await startToEnd(dataFolder, { archive, args: ['--remote-debugging-port=9222'] })).toEqual({
    code: 2,
    said: expect.stringContaining('does not start with --remote-debugging-port'),
  });
  expect(await command(archive, dataFolder, '--version')).toEqual({
    code: 0,
    text: expect.stringMatching(/^Address Console \d/),
  });
  const first = await launch({ archive, dataFolder });
  await startDemo(first.page);
  await searchFor(first.page, 'HR10 2DT');
  await expect(first.page.getByText('34 premises')).toBeVisible();
  await expectClean(first.page);
  expect(await startToEnd(dataFolder, { archive })).toEqual({
    code: 0,
    said: expect.stringContaining('already running'),
  });
  const refused = await command(
    archive,
    dataFolder,
    'call',
    'Search',
    '--set',
    'query=HR10 2DT',
    '--remote-debugging-port',
    '1',
  );
  expect({ code: refused.code, said: JSON.parse(refused.text) }).toMatchObject({
    code: 1,
    said: { ok: false, error: { code: 'bad-input' } },
  });
  expect(await command(archive, dataFolder, 'journal', 'verify')).toMatchObject({
    code: 0,
    text: expect.stringContaining('"intact": true'),
  });
  await first.close();

  await launch({ archive, dataFolder, env: { ADDRESS_CONSOLE_SELF_CHECK: report } });
  await expect.poll(() => existsSync(report), { timeout: 60_000 }).toBe(true);
  expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual({
    packaged: true,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    electron: null,
    demoWorker: true,
    decodeWorker: true,
    fullText: true,
    systemRoots: expect.any(Number),
    window: true,
  });
});
