import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { expect, test, vi } from 'vitest';
import { escapeXml, isXmlText } from '../../../electron/core/soap/message/envelope.ts';
import { foldGeneric } from '../../../electron/core/soap/message/fold.ts';
import { longestOrdinary, parseXml } from '../../../electron/core/soap/xml/parse.ts';
import { readPlainXml } from '../../../electron/core/soap/xml/plain.ts';
import { decodeXmlText, isHtmlPage } from '../../../electron/core/soap/xml/text.ts';

const generic = (xml: string) => {
  const root = parseXml(xml);
  return root.ok ? foldGeneric(root.value) : root.error.code;
};

test('text survives unchanged: zeros, spaces, numbers, dates, true, references, CDATA, comments', () => {
  expect(
    generic(
      '<r><a>00012345</a><b> </b><c>1e5</c><d>true</d><e>&#x41;&#66;&amp;amp;&lt;</e><f>x<![CDATA[<&]]>y<!-- -->z</f><g/><h> a </h><i>a&#13;b</i><j>0x1F</j><k>&nbsp;&</k></r>',
    ),
  ).toEqual({
    a: '00012345',
    b: ' ',
    c: '1e5',
    d: 'true',
    e: 'AB&amp;<',
    f: 'x<&yz',
    g: '',
    h: ' a ',
    i: 'a\rb',
    j: '0x1F',
    k: '&nbsp;&',
  });
});

test('any escaped text is read back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }).filter(isXmlText), (text) => {
      expect(generic(`<p:r xmlns:p="u"><p:t>${escapeXml(text)}</p:t></p:r>`)).toEqual(
        text === '' ? { t: '' } : { t: text },
      );
    }),
    { numRuns: 500 },
  );
});

test('prefixes are ignored, attributes kept', () => {
  const root = parseXml('<a:r xmlns:a="u" xmlns:xsi="i"><b:x xmlns:b="v" xsi:nil="true" q="&lt;1"/></a:r>');
  expect(root).toMatchObject({
    ok: true,
    value: { name: 'r', children: [{ name: 'x', attributes: { nil: 'true', q: '<1' } }] },
  });
});

const bomb = '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>';

test.each([
  ['a DOCTYPE', `${bomb}<r>&b;</r>`],
  ['after a byte order mark', `\ufeff${bomb}<r/>`],
  ['after a declaration and comments', `<?xml version="1.0"?><!-- x --><?pi?>\n${bomb}<r/>`],
  ['in lower case', '<!doctype r><r/>'],
  ['inside the root', '<r><!DOCTYPE x></r>'],
  ['an entity declaration alone', '<r><!ENTITY a "b"></r>'],
  ['an external entity', '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>'],
  ['too deep', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`],
  ['__proto__', '<r><__proto__><polluted>1</polluted></__proto__></r>'],
  ['__proto__ under a prefix', '<r xmlns:p="u"><p:__proto__/></r>'],
  ['__proto__ as an attribute', '<r><x __proto__="1"/></r>'],
  ['constructor', '<r><constructor><prototype/></constructor></r>'],
])('refused for safety: %s', (_what, xml) => {
  expect(generic(xml)).toBe('unsafe-answer');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each([
  ['cut in a tag', '<r><a>x</a'],
  ['cut in text', '<r><a>x'],
  ['cut in a name', '<r><a>x</a><lis'],
  ['cut in an attribute', '<r a="x'],
  ['cut in a comment', '<r><!-- '],
  ['cut in CDATA', '<r><![CDATA[ '],
  ['crossed tags', '<r><a><b></a></b></r>'],
  ['two roots', '<r/><r/>'],
  ['text behind the root', '<r/>x'],
  ['text only', 'hello'],
  ['nothing', ''],
  ['a stray <', '<r> 1 < 2 </r>'],
  ['an attribute without quotes', '<r a=b/>'],
  ['closing more than was opened', '<r></r></r>'],
  ['json', '{"results":[]}'],
])('not well formed: %s', (_what, xml) => {
  expect(generic(xml)).toBe('unreadable-answer');
});

test('every truncation of a good answer is refused', () => {
  const xml =
    '<?xml version="1.0"?><s:E xmlns:s="u"><s:B a="1"><R><L><A>1 &amp; 2</A><A/><!-- c --><A><![CDATA[x]]></A></L></R></s:B></s:E>';
  expect(parseXml(xml).ok).toBe(true);
  for (let length = 0; length < xml.length; length++) expect(parseXml(xml.slice(0, length)).ok).toBe(false);
});

test('an element of many attributes is refused with a code, however many they are', () => {
  const element = (count: number) => `<r ${'a="b" '.repeat(count)}/>`;
  expect(parseXml(element(1000)).ok).toBe(true);
  // Five million once overflowed the stack of a repeating pattern.
  for (const count of [1001, 5_000_000])
    expect(parseXml(element(count))).toMatchObject({ ok: false, error: { code: 'unsafe-answer' } });
  expect(parseXml(element(5_000_000).slice(0, -2))).toMatchObject({ ok: false });
});

test('no input makes the reader throw', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '<a',
    '<a>',
    '</a>',
    '<a b="',
    '"',
    "'",
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '&',
    '&#0;',
    '&#xFFFFFFF;',
    '=',
    ' ',
    'x',
    '<__proto__>',
    '<#text>',
    '\u0000',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      expect(typeof parseXml(parts.join('')).ok).toBe('boolean');
    }),
    { numRuns: 2000 },
  );
});

const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));
const swap = (body: Uint8Array) => new Uint8Array(Buffer.from(body).swap16());

test.each([
  ['UTF-8 by default', bytes('<r>é€</r>', 'utf8'), 'text/xml', '<r>é€</r>'],
  ['UTF-8 with a mark', bytes('\ufeff<r>é</r>', 'utf8'), 'text/xml; charset=iso-8859-1', '<r>é</r>'],
  ['UTF-16 LE with a mark', bytes('\ufeff<r>é</r>', 'utf16le'), 'text/xml', '<r>é</r>'],
  ['UTF-16 BE with a mark', swap(bytes('\ufeff<r>é</r>', 'utf16le')), 'text/xml', '<r>é</r>'],
  ['UTF-16 LE without one', bytes('<r>é</r>', 'utf16le'), '', '<r>é</r>'],
  ['Latin-1 by header', bytes('<r>é</r>', 'latin1'), 'text/xml; charset="ISO-8859-1"', '<r>é</r>'],
  [
    'Latin-1 by declaration',
    bytes('<?xml version="1.0" encoding="iso-8859-1"?><r>é</r>', 'latin1'),
    'text/xml',
    '<?xml version="1.0" encoding="iso-8859-1"?><r>é</r>',
  ],
  [
    'windows-1252',
    new Uint8Array([0x3c, 0x72, 0x3e, 0x80, 0x3c, 0x2f, 0x72, 0x3e]),
    'text/xml; charset=windows-1252',
    '<r>€</r>',
  ],
  [
    'a header that is wrong',
    bytes('<?xml version="1.0" encoding="windows-1252"?><r>é</r>', 'latin1'),
    'text/xml; charset=utf-8',
    '<?xml version="1.0" encoding="windows-1252"?><r>é</r>',
  ],
  [
    'a .NET string’s false declaration',
    bytes('<?xml version="1.0" encoding="utf-16"?><r>é</r>', 'utf8'),
    'text/xml',
    '<?xml version="1.0" encoding="utf-16"?><r>é</r>',
  ],
])('charset: %s', (_what, body, contentType, text) => {
  expect(decodeXmlText(body, contentType)).toEqual({ ok: true, value: text });
});

test('bytes that do not fit their charset are unreadable; an unknown charset is ignored', () => {
  expect(decodeXmlText(bytes('<r>é</r>', 'latin1'), 'text/xml')).toMatchObject({
    error: { code: 'unreadable-answer' },
  });
  expect(decodeXmlText(bytes('<r>é</r>', 'utf8'), 'text/xml; charset=klingon')).toEqual({
    ok: true,
    value: '<r>é</r>',
  });
  expect(decodeXmlText(bytes('<r>é</r>', 'latin1'), 'text/xml; charset=klingon')).toMatchObject({
    error: { code: 'unreadable-answer' },
  });
});

test('a DOCTYPE in UTF-16 is detected', () => {
  const text = decodeXmlText(bytes(`${bomb}<r>&b;</r>`, 'utf16le'), 'text/xml');
  expect(text.ok && generic(text.value)).toBe('unsafe-answer');
});

test('web pages are distinguished from answers', () => {
  for (const page of [
    '<!DOCTYPE html><html>',
    '\n<HTML lang="en">',
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>',
    '<!-- x --><html>',
  ]) {
    expect(isHtmlPage(page)).toBe(true);
  }
  for (const answer of ['<s:Envelope/>', '<?xml version="1.0"?><Envelope><html/></Envelope>', '<htmlish/>', '']) {
    expect(isHtmlPage(answer)).toBe(false);
  }
});

/** A document of random elements, attributes and texts; `comment` makes it be read by fast-xml-parser. */
const anyName = fc.constantFrom('a', 'List', 'p:Item', 'q:x.y-z', 'toString', 'hasOwnProperty', 'é');
const anyAttribute = fc.tuple(
  fc.constantFrom('id', 'xsi:nil', 'xmlns', 'xmlns:p', 'n'),
  fc.constantFrom('', 'true', 'a&gt;b', '>', '&quot;', "it's", ' 1 '),
);
const anyText = fc.constantFrom(
  '',
  ' ',
  '\n  ',
  '007',
  'a &amp; b',
  '&#65;&#x1F600;',
  'x\r\ny\rz',
  '&nbsp;',
  '>',
  ']]',
);

interface Tree {
  name: string;
  attribute: readonly [string, string] | null;
  text: string;
  children: Tree[];
}
const { tree: anyTree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    name: anyName,
    attribute: fc.option(anyAttribute),
    text: anyText,
    children: fc.oneof({ depthSize: 'small' }, fc.constant<Tree[]>([]), fc.array(tie('tree'), { maxLength: 4 })),
  }),
}));

function writeTree({ name, attribute, text, children }: Tree): string {
  const start = attribute ? `${name} ${attribute[0]}="${attribute[1]}"` : name;
  if (text === '' && children.length === 0) return `<${start} />`;
  return `<${start}>${text}${children.map(writeTree).join(text)}</${name}>`;
}

test('the fast reader of long answers and fast-xml-parser read the same', () => {
  fc.assert(
    fc.property(anyTree, fc.constantFrom('', '<?xml version="1.0"?>\r\n', '\ufeff'), (tree, head) => {
      const xml = head + writeTree(tree);
      expect(parseXml(xml)).toEqual({ ok: true, value: readPlainXml(xml) });
    }),
    { numRuns: 1000 },
  );
});

test('an ordinary answer is read by fast-xml-parser, a longer one by the fast reader, with the same result', () => {
  const read = vi.spyOn(XMLParser.prototype, 'parse');
  const answer = (records: number) => `<r>${'<a>x</a>'.repeat(records)}</r>`;
  const short = answer(1000);
  expect(parseXml(short)).toEqual({ ok: true, value: readPlainXml(short) });
  expect(read).toHaveBeenCalledTimes(1);
  const long = answer(longestOrdinary / 8);
  const plain = parseXml(long);
  expect(read).toHaveBeenCalledTimes(1);
  // A comment makes it be read by fast-xml-parser.
  expect(plain).toEqual(parseXml(`${long}<!-- -->`));
  expect(read).toHaveBeenCalledTimes(2);
  read.mockRestore();
});
