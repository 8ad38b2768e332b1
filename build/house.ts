import { basename, dirname } from 'node:path';
import { measureCallPaths, windowPath } from './call-path.ts';
import { fileArrows, findCircles, importsOf, listSources, readSource, roomArrows } from './sources.ts';

// npm run house: sizes, circles and words of the sources in figures. They are for reading; no count is an aim in itself.

const layers = ['shared', 'electron', 'renderer'];
const files = layers.flatMap(listSources).sort();
const texts = new Map(files.map((file) => [file, readSource(file)]));
const say = (line: string) => void process.stdout.write(`${line}\n`);
const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/** Comments and strings, which are removed so that only code is counted. */
const notCode = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

function count<T>(all: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
const most = (counts: Map<string, number>, some: number): [string, number][] =>
  [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).slice(0, some);

/** Folder and name: enough to find it. */
const short = (file: string): string => file.split('/').slice(-2).join('/');

function print(title: string, rows: readonly string[]): void {
  say(`\n${title}`);
  for (const row of rows.length > 0 ? rows : ['none']) say(`  ${row}`);
}

// Sizes.
for (const layer of [...layers, 'test', 'build']) {
  const lines = listSources(layer)
    .map((file) => linesOf(readSource(file)))
    .sort((a, b) => a - b);
  const at = (share: number) => lines[Math.min(lines.length - 1, Math.floor(lines.length * share))] ?? 0;
  const sum = lines.reduce((all, one) => all + one, 0);
  say(`${layer.padEnd(9)} ${lines.length} files, ${sum} lines; median ${at(0.5)}, p90 ${at(0.9)}, most ${at(1)}`);
}
let comments = 0;
for (const text of texts.values())
  for (const [part] of text.matchAll(notCode)) if (part.startsWith('/')) comments += part.split('\n').length;
const all = [...texts.values()].reduce((sum, text) => sum + linesOf(text), 0);
say(`comment : code ${(comments / (all - comments)).toFixed(2)}`);

print(
  'Largest folders (files beside each other)',
  most(count(files.map((file) => dirname(file))), 8).map(([folder, number]) => `${number}  ${folder}`),
);

// Circles, types included.
print(
  'Circles of files',
  findCircles(fileArrows(files)).map((members) => members.join(' ↔ ')),
);
print(
  'Circles of folders, and of files with folders beside them',
  layers.flatMap((layer) =>
    findCircles(roomArrows(files.filter((file) => file.startsWith(`${layer}/`)))).map((members) => members.join(' ↔ ')),
  ),
);

// Files with one importer, which may be pieces of it.
const importers = new Map<string, string[]>();
for (const file of files)
  for (const name of new Set(importsOf(file))) importers.set(name, [...(importers.get(name) ?? []), file]);
const single = files.filter((file) => {
  const [only, ...others] = importers.get(file) ?? [];
  return only !== undefined && others.length === 0 && dirname(only) === dirname(file);
});
const small = single.filter((file) => linesOf(texts.get(file) ?? '') < 60);
// A file that is loaded by `import()` is a script of its own, and one that a test or the build names is a unit of its own.
const namedOutside = new Set(['test', 'build'].flatMap(listSources).flatMap(importsOf));
const pieces = small.filter((file) => {
  const [only = ''] = importers.get(file) ?? [];
  return !texts.get(only)?.includes(`import('./${basename(file)}')`) && !namedOutside.has(file);
});
say(
  `\nWith one importer, in their own folder: ${single.length}; of those under 60 lines: ${small.length}; ` +
    `of those neither loaded by import() nor named by a test: ${pieces.length}`,
);
print(
  'Folders with the most of those',
  most(count(pieces.map((file) => dirname(file))), 8).map(([folder, number]) => `${number}  ${folder}`),
);

// Imports between the layers of the renderer, which should go in one direction.
const between = (from: string, to: string): number =>
  files
    .filter((file) => file.startsWith(`renderer/${from}/`))
    .flatMap(importsOf)
    .filter((name) => name.startsWith(`renderer/${to}/`)).length;
say(
  `\nrenderer: app imports features ${between('app', 'features')} times, features import app ${between('features', 'app')} times`,
);

interface OldWord {
  word: string;
  name: RegExp;
  /** Names that stay, each with its reason in .github/CONTRIBUTING.md. */
  right?: RegExp;
  /** The folder for which the table means it. */
  only?: string;
}

/** Words that the house had and is to lose (.github/CONTRIBUTING.md has what they became), as parts of names in code. */
const oldWords: readonly OldWord[] = [
  {
    word: 'hold, held',
    name: /^(?:hold|held)(?:$|[A-Z])|Held(?:$|[A-Z])/,
    right:
      /^(?:held|heldAnswerHoursMax|heldHistory|heldPieces|heldUntil|hold|holdMs|holdLeft|holdFor|stillHeld|stillHeldOf|writesStillHeld)$/,
  },
  { word: 'face', name: /^face$|Face$|^faces$/, right: /^face$/ },
  { word: 'errand, perform, Done', name: /errand|^perform(?!ance)|^Done$/, right: /^Done$/ },
  { word: 'Asked, Told, asker', name: /^(?:Asked|Told)|^[aA]skers?$/, right: /^Asked$/ },
  { word: 'tell', name: /^tell(?:$|[A-Z])/, right: /^tell$/ },
  { word: 'askOnce', name: /askOnce/i },
  { word: 'reading', name: /^reading$|Reading$/, right: /^(?:is|set)?[rR]eading$/ },
  { word: 'settle', name: /^settle/, right: /^settled?$/ },
  { word: 'ownFacts, ownPart, saveOwn', name: /ownFacts|ownPart|saveOwn/i },
  { word: 'wish', name: /^wish|Wish/ },
  { word: 'keptWork', name: /keptWork/i },
  {
    word: 'cutOff, nearEqual, conclude, watchElsewhere, bareWrite',
    name: /cutOff|nearEqual|^conclude$|watchElsewhere|bareWrite/,
  },
  { word: 'inTurn, oneAtATime', name: /^inTurns?$|oneAtATime/ },
  {
    word: '…Words',
    name: /Words$/,
    right:
      /^(?:(?:read|compile|selective|search|readSearch|split|mark|most|by|open|add|remove|insert|premise|street|same|three|listNumber|listCounty|host|machine|person|subject|service)Words|TypedWords)$/,
  },
  { word: 'say…', name: /^say[A-Z]/ },
  { word: 'createConsole, …Console', name: /^Console$|createConsole|ConsoleOptions/, right: /^Console$/ },
  { word: 'slots, marks', name: /^slots?$|^[Mm]arks$/, only: 'electron/core/transport/' },
  { word: 'sandbox', name: /sandbox/i, right: /^(?:enableSandbox|sandbox)$/ },
];
const namesIn = (folder: string) =>
  count(
    [...texts]
      .filter(([file]) => file.startsWith(folder))
      .flatMap(([, text]) => text.replace(notCode, ' ').match(/[A-Za-z_$][\w$]*/g) ?? []),
  );
const names = namesIn('');
print(
  'Names against the table of words in .github/CONTRIBUTING.md',
  oldWords.flatMap(({ word, name: pattern, right, only }) => {
    const left = [...(only === undefined ? names : namesIn(only))].filter(
      ([name]) => pattern.test(name) && !right?.test(name),
    );
    const sum = left.reduce((total, [, number]) => total + number, 0);
    const examples = most(new Map(left), 3).map(([name, number]) => `${name} ${number}`);
    return sum === 0 ? [] : [`${String(sum).padStart(4)}  ${word} (${examples.join(', ')})`];
  }),
);

/** Duplicates are runs of at least this many lines in two places; imports are ignored. */
const runLength = 8;
const seen = new Map<string, string>();
const twins = new Map<string, number>();
for (const [file, text] of texts) {
  const lines = text
    .replace(/^import [\s\S]*?;$/gm, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 1 && !line.startsWith('//') && !line.startsWith('*'));
  for (let at = 0; at + runLength <= lines.length; at += 1) {
    const run = lines.slice(at, at + runLength).join('\n');
    const first = seen.get(run);
    if (first === undefined) seen.set(run, file);
    else if (first !== file) twins.set(`${first} = ${file}`, (twins.get(`${first} = ${file}`) ?? 0) + 1);
  }
}
print(
  `The same ${runLength} lines in two files`,
  most(twins, 10).map(([pair, number]) => `${number + runLength - 1} lines  ${pair}`),
);

// A search for a postcode that is not saved, run against the demo service.
say(`\nA postcode's way, from the click to main: ${windowPath.length} files\n  ${windowPath.map(short).join(' › ')}`);
for (const [protocol, { out, decoded, stored, ran, statements, connectionReads }] of Object.entries(
  await measureCallPaths(),
)) {
  const sum = windowPath.length + out.length + decoded.length + stored.length;
  print(`… over ${protocol.toUpperCase()}: ${sum} files with those; anything at all ran in ${ran} of main's`, [
    `to the request, ${out.length}: ${out.map(short).join(' › ')}`,
    `while it is decoded, ${decoded.length} more: ${decoded.map(short).join(' › ')}`,
    `while it is stored, ${stored.length} more: ${stored.map(short).join(' › ')}`,
    `statements of the database ${statements}, of which ${connectionReads} read the connection`,
  ]);
}
