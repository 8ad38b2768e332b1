import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

// The arrows of the house (electron/README.md): who may import whom. Read from the sources, so that no tool's setting can hide one.

const root = resolve(import.meta.dirname, '..', '..');

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

const specifier = /(?:from\s+|import\s+|import\()\s*'([^']+)'/g;

/** What a file imports: packages by name, own files by their path from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(specifier)].map(([, name = '']) =>
    name.startsWith('.')
      ? relative(root, resolve(root, dirname(file), name))
          .split(sep)
          .join('/')
      : name,
  );
}

const files = ['shared', 'electron', 'renderer'].flatMap(sources);

/** Every import that breaks a rule, as "file → import". */
function offences(applies: (file: string) => boolean, forbidden: (name: string, file: string) => boolean): string[] {
  return files.filter(applies).flatMap((file) =>
    importsOf(file)
      .filter((name) => forbidden(name, file))
      .map((name) => `${file} → ${name}`),
  );
}

const inside = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const isPackage = (name: string) => !/^(?:shared|electron|renderer|test|build)\//.test(name);

test('the scan sees the sources', () => {
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

test('core imports nothing of the platform: it owns the shapes of what it asks for, in ports.ts', () => {
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

/** What stands beside each other in one folder, files and folders alike, and imports each other in a circle. */
function circles(folder: string): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const file of files.filter(inside(folder)))
    for (const name of importsOf(file).filter(inside(folder))) {
      // The arrow is drawn where the two ways part: between the two files, or between the folders that hold them.
      const [from, to] = [file.split('/'), name.split('/')];
      const parting = from.findIndex((part, index) => part !== to[index]);
      const [a, b] = [from, to].map((path) => path.slice(0, parting + 1).join('/')) as [string, string];
      if (a !== b) arrows.set(a, (arrows.get(a) ?? new Set()).add(b));
    }
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, goal, seen);
    });
  return [...arrows.keys()].filter((place) => reaches(place, place)).sort();
}

test('no files and no folders of the renderer import each other in a circle, types included', () => {
  expect(circles('renderer')).toEqual([]);
});

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
  const users = sources('renderer').filter((file) => readFileSync(join(root, file), 'utf8').includes('window.api'));
  expect(users).toEqual(['renderer/lib/calls/bridge.ts']);
});
