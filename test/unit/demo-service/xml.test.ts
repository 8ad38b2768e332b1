import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readXml, XmlRefused } from '../../../electron/demo-service/soap/xml-read.ts';
import { element, escapeXml, textElement } from '../../../electron/demo-service/soap/xml-write.ts';

/** Characters that XML 1.0 allows (Char of the recommendation), including line breaks, markup and surrogate pairs. */
const carried = fc
  .string({ unit: 'binary' })
  .map((text) => text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));

test('any text that XML can carry survives being written and read', () => {
  fc.assert(
    fc.property(carried, carried, (text, value) => {
      const read = readXml(element('a', textElement('b', text), { c: value.replace(/[\t\n\r]/g, ' ') }));
      expect(read.children[0]?.text).toBe(text);
      expect(read.attributes[0]?.value).toBe(value.replace(/[\t\n\r]/g, ' '));
    }),
  );
});

test('what XML cannot carry is written as the replacement character', () => {
  expect(escapeXml('a\u0000b\uD800c\uFFFFd')).toBe('a\uFFFDb\uFFFDc\uFFFDd');
});

test('a document is read whole or refused', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '>', '/', 'a', '&', ';', '"', '=', ' ', '!', '?', '[', ']', '-') }),
      (text) => {
        try {
          expect(readXml(text).name).toBeTypeOf('string');
        } catch (error) {
          expect(error).toBeInstanceOf(XmlRefused);
        }
      },
    ),
  );
});

test.each([
  '<a',
  '<a></b>',
  '<a/><b/>',
  '<a b=c/>',
  '<p:a/>',
  '<a>&b;</a>',
  '<!DOCTYPE a><a/>',
  '<a>\u0001</a>',
  '<a>&#xD800;</a>',
  'text',
])('%j is refused', (source) => {
  expect(() => readXml(source)).toThrow(XmlRefused);
});
