import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

// The structure of the sources: files, imports and circles of imports. Type imports count as well.

export const root = resolve(import.meta.dirname, '..');

/** The TypeScript files below a folder, as paths relative to the root. */
export function listSources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

const specifier = /(?:from\s+|import\s+|import\()\s*'([^']+)'/g;

/** The imports of a file: packages by name, own files by their path relative to the root. */
export function importsOf(file: string): string[] {
  return [...readSource(file).matchAll(specifier)].map(([, name = '']) =>
    name.startsWith('.')
      ? relative(root, resolve(root, dirname(file), name))
          .split(sep)
          .join('/')
      : name,
  );
}

export type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** The imports among these files. */
export function fileArrows(files: readonly string[]): Arrows {
  const known = new Set(files);
  return new Map(files.map((file) => [file, new Set(importsOf(file).filter((name) => known.has(name)))]));
}

/** The same imports between siblings: the two files if they are in one folder, otherwise the parts of their paths at which they differ. */
export function roomArrows(files: readonly string[]): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const [file, names] of fileArrows(files))
    for (const name of names) {
      const [from, to] = [file.split('/'), name.split('/')];
      const parting = from.findIndex((part, index) => part !== to[index]);
      if (parting === -1) continue;
      const [a, b] = [from, to].map((path) => path.slice(0, parting + 1).join('/')) as [string, string];
      arrows.set(a, (arrows.get(a) ?? new Set()).add(b));
    }
  return arrows;
}

/** The circles of imports: the members of each, sorted. */
export function findCircles(arrows: Arrows): string[][] {
  const reached = new Map<string, Set<string>>();
  for (const place of arrows.keys()) {
    const seen = new Set<string>();
    const open = [...(arrows.get(place) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(arrows.get(next) ?? []));
    }
    reached.set(place, seen);
  }
  const circles = new Map<string, string[]>();
  for (const place of [...arrows.keys()].sort()) {
    if (!reached.get(place)?.has(place)) continue;
    const members = [...arrows.keys()].filter(
      (other) => reached.get(place)?.has(other) && reached.get(other)?.has(place),
    );
    circles.set(members.sort().join(' '), members);
  }
  return [...circles.values()];
}
