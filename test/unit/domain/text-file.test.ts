import { expect, test } from 'vitest';
import { decodeTextFile } from '../../../shared/domain/text/text-file.ts';

const text = 'Licence,Machine\n20418,Caffè 1 €';
const little = Buffer.from(`\uFEFF${text}`, 'utf16le');

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 LE with its mark', little],
  ['UTF-16 BE with its mark', Buffer.from(little).swap16()],
  ['Windows-1252', Buffer.from(text.replace('€', '\x80'), 'latin1')],
])('a file in %s is read without its mark', (_, bytes) => {
  expect(decodeTextFile(bytes)).toBe(text);
});
