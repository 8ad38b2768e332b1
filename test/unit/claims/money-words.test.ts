import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

// Sentences about money come from claims (shared/claims). Words that say more than was seen must not be in any other text that a
// person can see: in the window, on the command line, in an error, a receipt, the journal or an export.

const root = resolve(import.meta.dirname, '..', '..', '..');
const tooSure = /\b(?:charged|confirmed|proved|(?:un)?settled|nobody else|certainly)\b/i;

/** Texts that contain such a word and are not about money. */
const allowed: Readonly<Record<string, string>> = {
  'not-charged': 'a value of the type Charge, shown to nobody',
  'may-have-been-charged': 'a value of the type Charge, shown to nobody',
  'not-confirmed': 'an error code: a machine’s name was not typed as shown',
  confirmed: 'what an earlier version stored as a verdict; shown as its words (claims/licence-verdicts.ts)',
  'Not charged': 'words of the first version, quoted as such',
  'charged-answer-lost': 'what the first version stored as a verdict',
  'Charged, the answer was lost': 'words of the first version, quoted as such',
  'Not settled': 'words of the first version, quoted as such',
};

/** Files that are not searched: the claims themselves, and SQL. */
const elsewhere = /^(?:shared\/claims|electron\/core\/storage\/database\/migrations)\//;

/** Free calls, such as balance readings, are not in the ledger, so the program cannot say that there was no call at all. */
const noCall = /\b(?:no|without a|only) call of this (?:console|program|connection)\b(?! explains)/i;

const sources = ['renderer', 'electron/cli', 'electron/core', 'electron/ipc', 'electron/shell', 'shared']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
  .filter((file) => !elsewhere.test(file));

/** Every text in a source: strings, pieces of templates and the text between tags, but not comments and names. */
function textsOf(name: string, source: string): string[] {
  const texts: string[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) look(one);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { type?: string; value?: unknown };
    if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') texts.push(value);
    if (type === 'TemplateElement') texts.push((value as { cooked?: string }).cooked ?? '');
    for (const child of Object.values(node)) look(child);
  };
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  look(program);
  return texts.map((text) => text.replace(/\s+/g, ' ').trim());
}

/** Reading them takes most of the time, so it is done once. */
const texts = sources.flatMap((file) =>
  textsOf(file, readFileSync(join(root, file), 'utf8')).map((text) => ({ file, text })),
);

describe('words that say more than was seen', () => {
  it('are found in strings, templates and between tags, and not in comments or names', () => {
    const source = `
      // It was charged.
      const charged = cost > 0 ? 'It was Charged' : \`\${n} settled, \${m} open\`;
      const view = <p title="nobody else">It is
        proved</p>;`;
    expect(textsOf('sample.tsx', source).filter((text) => tooSure.test(text))).toEqual([
      'It was Charged',
      'settled,',
      'nobody else',
      'It is proved',
    ]);
  });

  it('occur in no other text of the program', () => {
    expect(sources.length).toBeGreaterThan(500);
    const found = texts.filter(
      ({ text }) => tooSure.test(text) && !Object.hasOwn(allowed, text) && !/^SELECT /.test(text),
    );
    expect(found).toEqual([]);
  });

  it('never call what GetAvailableCredits returns the account’s: it is per licence (field notes, “Credits”)', () => {
    expect(texts.filter(({ text }) => /\baccount(?:’s)? balance\b/i.test(text))).toEqual([]);
  });

  it('never say “no call” without leaving out free calls', () => {
    const name = 'No call of this console';
    const claims = readFileSync(join(root, 'shared/claims/money-claims.ts'), 'utf8');
    const said = [...textsOf('money-claims.ts', claims), ...texts.map(({ text }) => text)].filter(
      (text) => noCall.test(text) && text !== name && !text.endsWith('explained by no call of this console.'),
    );
    expect(said.length).toBeGreaterThan(4);
    expect(said.filter((text) => !/\bfree by (?:published prices|its published price)\b/.test(text))).toEqual([]);
  });
});
