import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test, vi } from 'vitest';
import { readArguments } from '../../../electron/cli/arguments.ts';
import { commandPages } from '../../../electron/cli/command-pages.ts';
import { stateText } from '../../../renderer/features/bulk/bulk-columns.tsx';
import { capLabels } from '../../../renderer/features/credits/caps/caps.ts';
import { searchHelp } from '../../../renderer/features/help/help-search.ts';
import { helpPages } from '../../../renderer/features/help/pages.ts';
import { shortcutGroups } from '../../../renderer/features/help/shortcut-groups.ts';
import { secretRoleNames } from '../../../renderer/lib/connection/secret-roles.ts';
import { marksOneMore, type ShortcutId, shortcutIds, shortcutParts } from '../../../renderer/lib/window/shortcuts.ts';
import { resultColumns } from '../../../shared/domain/batch.ts';
import { guessMapping, mapRows, mostBulkRows } from '../../../shared/domain/licences/licence-bulk.ts';
import { markWords } from '../../../shared/domain/text/search-words.ts';

// The help must say what the program does, so each page is compared with the code that it describes.

const folder = resolve(import.meta.dirname, '../../../renderer/features/help/pages');
const textOf = (id: string): string => helpPages.find((page) => page.id === id)?.text ?? '';

test('the entries of the keychain are looked for by what each system writes in their name', () => {
  // Windows and Linux put the key's own name before it.
  expect(textOf('data')).toMatch(/keychain for entries with “Address Console” in their name/);
});

describe('the pages', () => {
  test('are all the files there are, each with a title', () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.md$/, ''));
    expect(helpPages.map(({ id }) => id).sort()).toEqual(files.sort());
    for (const { id, title } of helpPages) expect(title, id).not.toBe(id);
  });

  test('link to existing pages and pictures', () => {
    for (const { id, text } of helpPages)
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g))
        expect(existsSync(join(folder, target)), `${id} → ${target}`).toBe(true);
  });

  test('make no claim about what a call cost, which only shared/claims may word', () => {
    for (const { id, text } of helpPages)
      expect(text, id).not.toMatch(/\b(?:charged|confirmed|proved|settled|nobody else|certainly|held)\b/i);
  });
});

test('the states of a row are the program’s, except those of earlier versions', () => {
  const rows = [...textOf('states').matchAll(/^\| ([^|]+?) \|/gm)].map(([, word]) => word).slice(1);
  const now = Object.values(stateText).filter((word) => !word.includes('an earlier version'));
  expect(rows.sort()).toEqual(now.sort());
});

test('the sample of a bulk change is read by the program unchanged, by its heads', () => {
  const sample = /```\n([\s\S]+?)```/.exec(textOf('tables'))?.[1] ?? '';
  const [head = [], ...rows] = parse(sample, { relaxColumnCount: true }) as string[][];
  const mapping = guessMapping(head);
  expect(mapping).not.toBeNull();
  expect(mapRows(rows, mapping ?? {})).toMatchObject([
    { licence: '6203', change: 'register', from: '', machine: 'RECEPTION-PC' },
    { licence: '6205', change: 'move', from: 'OLD-LAPTOP-3', machine: 'NEW-LAPTOP-7' },
    { licence: '6206', change: 'unregister', from: 'OLD-LAPTOP-3', machine: '' },
  ]);
  expect(textOf('tables')).toContain(mostBulkRows.toLocaleString('en-GB'));
  // The alternative names of each column on the page.
  const rowsOf = /^\| (Licence|Change|From|To|State) \|[^|]+\| ([^|]+) \|/gm;
  for (const [, column = '', names = ''] of textOf('tables').matchAll(rowsOf))
    for (const name of names.split(', ')) {
      const heads = { Licence: [name, 'To'], To: ['Licence', name] }[column] ?? ['Licence', 'To', name];
      expect(Object.values(guessMapping(heads) ?? {}), name).toContain(heads.indexOf(name));
    }
});

test('every column of a result file is explained', () => {
  const named = [...textOf('batch').matchAll(/^\| (ac_[^|]+?) \|/gm)].flatMap(([, names = '']) => names.split(', '));
  expect(named.sort()).toEqual([...resultColumns].sort());
});

test('wherever a minimum balance is explained, so is what stands for the balance of a licence', () => {
  for (const text of [textOf('words'), textOf('batch'), capLabels.floor.note])
    expect(text).toContain('whether the licence draws on it is not known');
});

test('every kind of key is explained', () => {
  for (const name of Object.values(secretRoleNames)) expect(textOf('keys')).toContain(`| ${name} |`);
});

test('the command line accepts the lines as they are written', () => {
  const commands = [...textOf('command-line').matchAll(/^\| `([a-z]+)([^`]*)` \|/gm)].filter(
    ([, name]) => name !== 'help' && name !== 'npm',
  );
  expect(commands.map(([, name]) => name)).toEqual(expect.arrayContaining(Object.keys(commandPages)));
  for (const [, name = '', rest = ''] of commands) {
    const words = [...rest.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
    expect(readArguments(name as keyof typeof commandPages, words), rest).toMatchObject({ ok: true });
  }
});

test('on a Mac the pages and the list of shortcuts name the keys that a Mac has', async () => {
  vi.stubGlobal('navigator', { platform: 'MacIntel' });
  vi.resetModules();
  const onMac = {
    ...(await import('../../../renderer/features/help/pages.ts')),
    ...(await import('../../../renderer/features/help/shortcut-groups.ts')),
    ...(await import('../../../renderer/lib/window/shortcuts.ts')),
  };
  vi.unstubAllGlobals();
  vi.resetModules();
  const text = onMac.helpPages.map((page) => page.text).join('\n');
  expect(text).toContain('Press ⌘ L and type a postcode');
  // That key ends a command in a terminal of every system.
  expect(text).toContain('interrupted with Ctrl-C');
  expect(text).not.toMatch(/Ctrl(?!-C)|⌘-/);
  // ⌘ Space opens the search of the system.
  const keysOf = (does: string) =>
    onMac.shortcutGroups.flatMap(({ lines }) => lines.filter((line) => line.does === does).map(({ keys }) => keys));
  expect([keysOf('Select one more'), keysOf('Select all')]).toEqual([[['⇧', 'Space']], [['⌘', 'A']]]);
  const space = { key: ' ', ctrlKey: false, shiftKey: false, metaKey: false };
  const marks = [{}, { ctrlKey: true }, { shiftKey: true }, { metaKey: true }];
  const made = (marksOneMore: typeof onMac.marksOneMore) => marks.map((held) => marksOneMore({ ...space, ...held }));
  expect([made(onMac.marksOneMore), made(marksOneMore)]).toEqual([
    [false, false, true, false],
    [false, true, false, false],
  ]);
});

test('the list of shortcuts has every shortcut of the window once', () => {
  const listed = shortcutGroups.flatMap(({ lines }) => lines.map(({ keys }) => keys.join('+')));
  for (const id of shortcutIds as readonly ShortcutId[])
    expect(listed.filter((keys) => keys === shortcutParts(id).keys.join('+')).length, id).toBeGreaterThan(0);
});

describe('the search', () => {
  test('finds the row with a word, those with it in the title first', () => {
    const [first] = searchHelp('uprn');
    expect(first?.page.id).toBe('words');
    expect(first?.entries[0]?.title).toBe('UPRN');
  });

  test.each([
    ['firewall', 'administrator'],
    ['back up', 'data'],
    ['--below', 'command-line'],
    ['receipt journal', 'technician'],
  ])('%s is found in %s', (query, page) => {
    expect(searchHelp(query).map(({ page: { id } }) => id)).toContain(page);
  });

  test('an unknown word finds nothing, and special characters are not patterns', () => {
    expect(searchHelp('xyzzy')).toEqual([]);
    expect(searchHelp('   ')).toEqual([]);
    expect(() => searchHelp('(*[\\')).not.toThrow();
    expect(markWords('a (b) c', '(b)')).toEqual([
      { text: 'a ', hit: false },
      { text: '(b)', hit: true },
      { text: ' c', hit: false },
    ]);
  });
});

test('pictures of the pages are made by the picture command', () => {
  const made = readFileSync(resolve(import.meta.dirname, '../../screenshots/run.ts'), 'utf8');
  for (const { text } of helpPages)
    for (const [, name = ''] of text.matchAll(/pictures\/([\w-]+?)-(?:light|dark)\.png/g))
      expect(made, dirname(name)).toContain(`'${name}'`);
});
