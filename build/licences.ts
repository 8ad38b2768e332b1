import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PackageLicence } from '../shared/contract/about.ts';

// Collects the licences of everything in the program: what Vite found in each bundle (build.license), packages that are shipped
// unbundled, and parts that are not packages. It runs after the builds and fails for a licence that is not on the list.

/** Licences that require no more than that their text is passed on. */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
];

/** Whether an SPDX expression is satisfied by these licences. Of alternatives, one is enough. */
export function isAllowed(expression: string): boolean {
  const parts = (text: string, by: RegExp) => text.split(by).map((part) => part.replace(/^[\s(]+|[\s)]+$/g, ''));
  return parts(expression, /\sOR\s/).some((one) => parts(one, /\sAND\s/).every((id) => allowedLicences.includes(id)));
}

/** One entry of the file that Vite writes. */
export interface BundledEntry {
  name: string;
  version: string;
  identifier?: string;
  text?: string;
}

interface Manifest {
  version: string;
  license?: string;
  author?: string | { name?: string };
}

const mitWords = (holder: string) =>
  `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/**
 * An entry as the program shows it. If a package under MIT has no licence file, the text is that of MIT with its author.
 * Throws if the licence is not allowed or has no text.
 */
export function toLicence(
  { name, version, identifier = '', text = '' }: BundledEntry,
  modules: string,
): PackageLicence {
  if (!isAllowed(identifier))
    throw new Error(
      `The licence of ${name} ${version} is “${identifier}”, which is not on the list in build/licences.ts.`,
    );
  if (text !== '') return { name, version, licence: identifier, text };
  if (identifier !== 'MIT') throw new Error(`${name} ${version} brings no words of its licence ${identifier}.`);
  const { author } = readManifest(join(modules, name));
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  return { name, version, licence: identifier, text: mitWords(holder) };
}

/** Packages that are shipped unbundled: the keychain package and its native part for this system. */
export function readUnbundled(modules: string): BundledEntry[] {
  const names = readdirSync(join(modules, '@napi-rs')).filter((name) => name.startsWith('keyring'));
  return names.sort().map((name) => {
    const folder = join(modules, '@napi-rs', name);
    const { version, license } = readManifest(folder);
    const texts = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
    return {
      name: `@napi-rs/${name}`,
      version,
      ...(license === undefined ? {} : { identifier: license }),
      text: texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n'),
    };
  });
}

/** Parts of the program that are not packages. */
const noPackages: readonly PackageLicence[] = [
  {
    name: 'Electron, with Chromium and Node.js',
    version: '',
    licence: 'MIT and others',
    text: 'Electron: MIT License, Copyright (c) Electron contributors, Copyright (c) 2013-2020 GitHub Inc. Its licence and those of Chromium, Node.js and what is in them stand in the program’s folder, in the files LICENSE.electron.txt and LICENSES.chromium.html.',
  },
  {
    name: 'Natural Earth, outline of Great Britain',
    version: '',
    licence: 'Public domain',
    text: 'Made with Natural Earth, free vector and raster map data from naturalearthdata.com. The data are in the public domain.',
  },
];

/** Every licence, sorted by name. `dist` is the folder of the build, `modules` that of the installed packages. */
export function gatherLicences(dist: string, modules: string): PackageLicence[] {
  const bundled = ['main', 'preload', 'renderer'].flatMap(
    (part) => JSON.parse(readFileSync(join(dist, part, 'licences.json'), 'utf8')) as BundledEntry[],
  );
  const entries = new Map([...bundled, ...readUnbundled(modules)].map((one) => [`${one.name} ${one.version}`, one]));
  const packages = [...entries.values()].map((entry) => toLicence(entry, modules));
  return [...packages, ...noPackages].sort((a, b) => a.name.localeCompare(b.name, 'en-GB'));
}

/** The licences as one text, which is shipped beside the packaged program. */
export const licencesText = (licences: readonly PackageLicence[]): string =>
  licences
    .map(({ name, version, licence, text }) => `${name} ${version}`.trim().concat(`\n${licence}\n\n${text}\n`))
    .join(`\n${'-'.repeat(80)}\n\n`);

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const dist = join(root, 'dist');
  const licences = gatherLicences(dist, join(root, 'node_modules'));
  writeFileSync(join(dist, 'licences.json'), JSON.stringify(licences));
  writeFileSync(join(dist, 'THIRD-PARTY-LICENCES.txt'), licencesText(licences));
}
