import { expect, test } from 'vitest';
import { fileArrows, findCircles, importsOf, listSources, readSource, roomArrows } from '../../build/sources.ts';

// Which folder may import which (electron/README.md). The sources are read, so that a tool's setting cannot hide an import.

const files = ['shared', 'electron', 'renderer'].flatMap(listSources);

/** The imports that violate a rule, as "file → import". */
function offences(applies: (file: string) => boolean, forbidden: (name: string, file: string) => boolean): string[] {
  return files.filter(applies).flatMap((file) =>
    importsOf(file)
      .filter((name) => forbidden(name, file))
      .map((name) => `${file} → ${name}`),
  );
}

const inside = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const isPackage = (name: string) => !/^(?:shared|electron|renderer|test|build)\//.test(name);

test('the scan finds the sources', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(importsOf('electron/ipc/dispatcher.ts')).toContain('shared/contract.ts');
});

test('shared imports neither side, and of packages only what runs anywhere', () => {
  const allowed = new Set(['zod', 'postcode']);
  expect(
    offences(inside('shared'), (name) =>
      isPackage(name) ? !allowed.has(name) && !name.startsWith('geodesy/') : !inside('shared')(name),
    ),
  ).toEqual([]);
});

test('core and the demo service import neither electron, nor the shell, nor each other', () => {
  for (const [own, other] of [
    ['electron/core', 'electron/demo-service'],
    ['electron/demo-service', 'electron/core'],
  ] as const)
    expect(
      offences(inside(own), (name) => name === 'electron' || inside('electron/shell')(name) || inside(other)(name)),
    ).toEqual([]);
});

test('core imports nothing of the platform: ports.ts defines what it needs', () => {
  expect(offences(inside('electron/core'), inside('electron/platform'))).toEqual([]);
});

test('only the shell, main and the preload import electron', () => {
  const may = (file: string) =>
    inside('electron/shell')(file) || file === 'electron/main.ts' || file === 'electron/preload.ts';
  expect(
    offences(
      (file) => !may(file),
      (name) => name === 'electron',
    ),
  ).toEqual([]);
});

test('the renderer imports only itself, shared and packages of the browser', () => {
  expect(
    offences(inside('renderer'), (name) =>
      isPackage(name)
        ? name.startsWith('node:') || name === 'electron'
        : !inside('renderer')(name) && !inside('shared')(name),
    ),
  ).toEqual([]);
});

test('in the renderer, app imports features, features import components and lib, and nothing imports upwards', () => {
  const floors = ['lib', 'components', 'features', 'app'];
  const floorOf = (path: string) => floors.indexOf(/^renderer\/([^/]+)\//.exec(path)?.[1] ?? '');
  expect(
    offences(
      (file) => floorOf(file) !== -1,
      (name, file) => floorOf(name) > floorOf(file),
    ),
  ).toEqual([]);
});

test.each(['shared', 'electron', 'renderer'])(
  'no files and no folders of %s import each other in a circle, types included',
  (layer) => {
    const own = files.filter(inside(layer));
    expect(findCircles(fileArrows(own))).toEqual([]);
    expect(findCircles(roomArrows(own))).toEqual([]);
  },
);

test('no feature imports another feature', () => {
  const featureOf = (path: string) => /^renderer\/features\/([^/]+)\//.exec(path)?.[1];
  expect(
    offences(inside('renderer/features'), (name, file) => {
      const other = featureOf(name);
      return other !== undefined && other !== featureOf(file);
    }),
  ).toEqual([]);
});

test('only the bridge touches window.api', () => {
  const users = listSources('renderer').filter((file) => readSource(file).includes('window.api'));
  expect(users).toEqual(['renderer/lib/calls/bridge.ts']);
});

test('the window uses no schema, since the built window contains no zod', () => {
  const named = files
    .filter((file) => inside('renderer')(file) && file !== 'renderer/no-schemas.ts')
    .filter((file) => /from 'zod'|\b\w+Schema\b/.test(readSource(file)));
  expect(named).toEqual([]);
});
