import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOut } from '../../../electron/core/decode/browse/raw-lines.ts';
import { summarise } from '../../../electron/core/rest/refusals.ts';
import { maskSecretsIn } from '../../../renderer/features/rewrite/mask-text.ts';
import { foldMachineName } from '../../../shared/domain/licences/similar-names.ts';
import { rewriteRequest } from '../../../shared/domain/lookup/rewrite-request.ts';
import { drawable, showInvisible, toAsciiJson } from '../../../shared/domain/text/visible-text.ts';

test.each([
  ['an override of direction', 'AB\u202eDC', 'AB⟨U+202E⟩DC'],
  ['an isolate', '\u2067a\u2069', '⟨U+2067⟩a⟨U+2069⟩'],
  ['zero width', 'W\u200bY\u200d1\ufeff', 'W⟨U+200B⟩Y⟨U+200D⟩1⟨U+FEFF⟩'],
  ['C1, which begins a command to a terminal', '\u009b31m', '⟨U+009B⟩31m'],
  ['escape', '\u001b]0;x\u0007', '⟨U+001B⟩]0;x⟨U+0007⟩'],
  ['a tag beyond the first plane', 'a\u{e0041}b', 'a⟨U+E0041⟩b'],
  ['line ends and tabs, which stay', 'a\r\n\tb', 'a\r\n\tb'],
  ['letters of any script, which stay', 'Ŵ é 東京 😀 مرحبا', 'Ŵ é 東京 😀 مرحبا'],
])('%s', (_what, text, shown) => {
  expect(showInvisible(text)).toBe(shown);
});

const anything = fc.string({ unit: 'binary', maxLength: 80 });

test('printed JSON is ASCII without control characters, and parses to what came', () => {
  fc.assert(
    fc.property(
      anything,
      fc.constantFrom('\u202e', '\u2066', '\u200b', '\u0085', '\u009b', '\u001b', '\u{e0001}'),
      (text, odd) => {
        const value = { [text]: [odd + text, text + odd] };
        const printed = toAsciiJson(JSON.stringify(value));
        expect(JSON.parse(printed)).toEqual(value);
        expect(printed).toMatch(/^[ -~]*$/);
        expect(showInvisible(showInvisible(text))).toBe(showInvisible(text));
      },
    ),
    { numRuns: 500 },
  );
});

test('a long text is cut for drawing, never inside a character, and says how much is left out', () => {
  expect(drawable('W'.repeat(10_000))).toBe(`${'W'.repeat(2000)} … (8,000 more characters)`);
  expect(drawable(`${'W'.repeat(1999)}😀x`)).toMatch(/^W{1999} … \(3 more characters\)$/);
  fc.assert(fc.property(anything, (text) => drawable(text) === showInvisible(text)));
});

// Readers that once scanned from each letter of a word to its end, which takes for ever at this length. A linear scan takes no time.
test.each([
  'W',
  '1',
  '[',
  '{',
  '-',
  '.',
  'a=',
  '<',
  '<!--',
  '<![CDATA[',
  '"',
  ' ',
  ',',
  'é',
  '\\',
  'key=',
  'key ',
  '%3Fkey',
  'key: a|',
  '("key",',
  'name=key ',
])('400,000 characters of %j are read once', (piece) => {
  const word = piece.repeat(400_000 / piece.length);
  expect(maskSecretsIn(word).length).toBeGreaterThan(0);
  expect(rewriteRequest(word).ok).toBe(false);
  expect(typeof foldMachineName(word)).toBe('string');
  for (const text of [word, `<a>${word}`]) {
    const { texts } = layOut([], text, true);
    expect(texts.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(210 * text.length);
  }
  expect(summarise(word).length).toBeLessThanOrEqual(300);
});
