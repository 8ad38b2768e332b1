import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../electron/core/transport/redact/redact.ts';

const key = 'Ab3/+=&<>"\'xYz-9_~ 0Q';
const guid = '3F2504E0-4F89-41D3-9A0C-0305E82C3301';

const entityNames: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const perCharacter = (value: string, spell: (character: string) => string): string => [...value].map(spell).join('');
const percent = (value: string): string =>
  [...Buffer.from(value, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Every spelling in which a secret may be sent, written independently of the redactor. */
const forms: Record<string, (value: string) => string> = {
  plain: (value) => value,
  lower: (value) => value.toLowerCase(),
  upper: (value) => value.toUpperCase(),
  url: (value) => encodeURIComponent(value),
  'url lower hex': (value) => encodeURIComponent(value).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
  form: (value) => new URLSearchParams({ v: value }).toString().slice(2),
  'url all': percent,
  'url twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'xml named': (value) => perCharacter(value, (character) => entityNames[character] ?? character),
  'xml decimal': (value) => perCharacter(value, (character) => `&#${character.codePointAt(0)};`),
  'xml hex': (value) => perCharacter(value, (character) => `&#x${character.codePointAt(0)?.toString(16)};`),
  'xml hex upper, zeros': (value) =>
    perCharacter(value, (character) => `&#X00${character.codePointAt(0)?.toString(16).toUpperCase()};`),
  'xml in xml': (value) =>
    perCharacter(value, (character) => entityNames[character] ?? character).replaceAll('&', '&amp;'),
  'xml decimal in xml, upper case': (value) => perCharacter(value, (character) => `&AMP;#${character.codePointAt(0)};`),
  'xml decimal in xml in xml, mixed case': (value) =>
    perCharacter(value, (character) => `&Amp;aMP;#${character.codePointAt(0)};`),
  json: (value) => JSON.stringify(value).slice(1, -1),
  'json in json': (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3),
  'json escaped': (value) =>
    perCharacter(value, (character) =>
      [...Array(character.length).keys()]
        .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
        .join(''),
    ),
  'UTF-32 as UTF-16': (value) => perCharacter(value, (character) => `${character}\0`),
  'soft hyphens and zero-width characters between': (value) =>
    perCharacter(value, (character) => `${character}\u00AD\u200B\uFEFF`),
  'json slash': (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
};

/** The part that must not remain: the form without its end, because the last four characters may be shown. */
const heart = (form: string): string => form.slice(0, Math.max(6, form.length - 8));

describe('by value', () => {
  test.each(Object.entries(forms))('%s', (_name, form) => {
    // A key of letters and digits, one with characters that XML escapes, and a GUID, in a short text and in a long one, which is searched differently.
    for (const secret of ['0123456789abcdefKEY', key, guid]) {
      for (const filling of ['', ' filling'.repeat(10_000)]) {
        const shown = createRedactor([secret]).text(`before ${form(secret)} after${filling}`);
        expect(shown).not.toContain(heart(form(secret)));
        expect(shown).toContain('before ••••');
        expect(shown).toContain(' after');
      }
    }
  });

  test('no secret survives in any spelling, anywhere in any text', () => {
    const secrets = fc.array(
      fc
        .oneof(
          fc.uuid(),
          fc.string({ minLength: 12, maxLength: 40, unit: 'grapheme-ascii' }),
          fc.base64String({ minLength: 16, maxLength: 40 }),
        )
        .filter((value) => value.trim().length >= 12),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(
        secrets,
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.constantFrom(...Object.keys(forms)),
        (values, before, after, name) => {
          const form = forms[name] ?? ((value: string) => value);
          const text = values.map((value) => before + form(value) + after).join('\n');
          const shown = createRedactor(values).text(text);
          for (const value of values) expect(shown.toLowerCase()).not.toContain(form(value).toLowerCase());
        },
      ),
      { numRuns: 400 },
    );
  });

  test('base64, standard and url-safe, whatever is around it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12, maxLength: 40, unit: 'grapheme-ascii' }),
        fc.uint8Array({ maxLength: 7 }),
        fc.uint8Array({ maxLength: 7 }),
        fc.constantFrom<'base64' | 'base64url'>('base64', 'base64url'),
        (secret, before, after, encoding) => {
          const bytes = Buffer.concat([before, Buffer.from(secret), after]);
          const shown = createRedactor([secret]).text(`x ${bytes.toString(encoding)} y`);
          const start = Math.ceil((before.length * 8) / 6) + 2;
          const end = Math.floor(((before.length + Buffer.byteLength(secret)) * 8) / 6) + 2;
          expect(shown).not.toContain(`x ${bytes.toString(encoding)} y`.slice(start, end));
          expect(shown).toContain('••••');
        },
      ),
      { numRuns: 400 },
    );
  });

  test('base64 with the two characters that are written in two ways, also in a long text', () => {
    const secret = '>>>???>>>???';
    for (const filling of ['', ' filling'.repeat(10_000)])
      for (const encoding of ['base64', 'base64url'] as const) {
        const spelled = Buffer.from(secret).toString(encoding);
        expect(createRedactor([secret]).text(`${spelled}${filling}`)).not.toContain(spelled);
      }
  });

  test('a GUID in each of its forms, in whichever it was entered', () => {
    const bare = guid.replaceAll('-', '');
    const written = [guid, bare, `{${guid}}`, `(${guid})`, `{${bare}}`];
    for (const entered of written)
      for (const echoed of written.flatMap((one) => [one, one.toLowerCase()]))
        for (const name of ['plain', 'url all', 'xml hex', 'json escaped']) {
          const form = forms[name] ?? String;
          const shown = createRedactor([entered]).text(`before ${form(echoed)} after`);
          expect(shown, `${entered} ${form(echoed)}`).toContain('••••3301');
          expect(shown.length).toBeLessThan(60);
        }
    for (const echoed of [guid, bare])
      expect(createRedactor([bare]).text(`Basic ${Buffer.from(`WYE:${echoed}`).toString('base64')}`)).toContain('••••');
  });

  test('a secret that was entered with blanks around it is found without them', () => {
    expect(createRedactor([' 0123456789abcdefKEY\n']).text('a 0123456789abcdefKEY b')).toBe('a ••••fKEY b');
  });

  test('letters that only a comparison without case takes for k and s', () => {
    for (const written of ['0123456789\u212As', '0123456789k\u017F'])
      for (const filling of ['', ' filling'.repeat(10_000)])
        expect(createRedactor(['0123456789ks']).text(`a ${written} b${filling}`)).toBe(`a ••••89ks b${filling}`);
  });

  test('a secret that repeats itself does not grow back out of its mask', () => {
    expect(createRedactor(['abcdabcdabcd']).text('abcd'.repeat(11))).not.toContain('abcdabcdabcd');
  });

  test('the longer of two overlapping secrets first; letters outside ASCII', () => {
    const shown = createRedactor(['secret-value-1', 'secret-value-1-and-more']).text('secret-value-1-and-more');
    expect(shown).toBe('••••more');
    expect(createRedactor(['clé-ŵŷ-sécrète']).text(`a ${encodeURIComponent('clé-ŵŷ-sécrète')} b`)).toBe('a ••••rète b');
  });

  test('if only the plain spelling is possible, the same is masked as in a search for every spelling', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.nat(2).map((at) => ({ at })),
        fc.constantFrom('%20', '%', '3', '-', 'a', 'B', 'ab', '<x>', '••••', '%2541', ' '),
      ),
      { maxLength: 12 },
    );
    const secret = fc.oneof(fc.uuid(), fc.stringMatching(/^[aAbB3_-]{4,9}$/), fc.stringMatching(/^[ab%3]{4,6}$/));
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 3 }), pieces, (secrets, given) => {
        const text = given.map((piece) => (typeof piece === 'string' ? piece : (secrets[piece.at] ?? ''))).join('');
        const { text: mask } = createRedactor(secrets);
        // With a backslash any spelling is possible, so the text is searched for all of them.
        expect(mask(text)).toBe(mask(`${text} \\`).slice(0, -2));
      }),
      { numRuns: 300 },
    );
  });

  test('text without secrets is left as it is; empty and absent secrets mask nothing', () => {
    const text = 'SW1A 2AA & "friends" <b>%26</b> \\u0041';
    expect(createRedactor([key, guid, '', undefined]).text(text)).toBe(text);
  });
});

describe('by field name, value unknown', () => {
  const { text } = createRedactor([]);
  test.each([
    ['<GUID>3f2504e0-4f89-41d3</GUID>', '<GUID>••••41d3</GUID>'],
    ['<ns:sGuid a="1">\n 3f2504e0-4f89 </ns:sGuid>', '<ns:sGuid a="1">\n ••••4f89</ns:sGuid>'],
    ['<LicenceID>short</LicenceID>', '<LicenceID>••••</LicenceID>'],
    ['<sLicenseID><![CDATA[abc-def-ghi-jkl]]></sLicenseID>', '<sLicenseID><![CDATA[••••-jkl]]></sLicenseID>'],
    ['<GUID><!-- c -->3f2504e0-4f89-41d3</GUID>', '<GUID>••••</GUID>'],
    ['<GUID>3f2504<!-- c -->e0-4f89-41d3</GUID>', '<GUID>••••</GUID>'],
    ['<GUID><?p?>3f2504e0-4f89-41d3</GUID><A>x</A>', '<GUID>••••</GUID><A>x</A>'],
    ['<GUID><![CDATA[3f2504e0]]><![CDATA[-4f89-41d3]]></GUID>', '<GUID>••••</GUID>'],
    ['<ApiKey>a&amp;b&#33;0123456789</ApiKey>', '<ApiKey>••••</ApiKey>'],
    ['&lt;LicenceKey&gt;0123456789abc&lt;/LicenceKey&gt;', '&lt;LicenceKey&gt;••••9abc&lt;/LicenceKey&gt;'],
    ['<row sGUID="0123456789abc" x="1"/>', '<row sGUID="••••9abc" x="1"/>'],
    ["<row Guid='0123456789abc'/>", "<row Guid='••••9abc'/>"],
    ['<sWebMapKey>0123456789abc</sWebMapKey>', '<sWebMapKey>••••9abc</sWebMapKey>'],
    ['<sAcmeMapsKey>0123456789abc</sAcmeMapsKey>', '<sAcmeMapsKey>••••9abc</sAcmeMapsKey>'],
    ['{"GUID": "0123456789abc"}', '{"GUID": "••••9abc"}'],
    ['{"apikey":"a\\"b\\\\c"}', '{"apikey":"••••"}'],
    ['{"key":12345}', '{"key":"••••"}'],
    ['{"a":"{\\"sGUID\\":\\"0123456789abc\\"}"}', '{"a":"{\\"sGUID\\":\\"••••9abc\\"}"}'],
    ['https://h/Search?key=0123456789abc&query=x', 'https://h/Search?key=••••9abc&query=x'],
    ['?query=x&amp;KEY=0123456789abc', '?query=x&amp;KEY=••••9abc'],
    [
      'u=https%3A%2F%2Fh%2F%3Fa%3D1%26key%3D0123456789abc%26b%3D2',
      'u=https%3A%2F%2Fh%2F%3Fa%3D1%26key%3D••••9abc%26b%3D2',
    ],
    ['LicenceKey=0123456789abc', 'LicenceKey=••••9abc'],
    // JSON inside XML, as .NET writes it.
    ['{&quot;GUID&quot;: &quot;0123456789abc&quot;}', '{&quot;GUID&quot;: &quot;••••9abc&quot;}'],
    ['{&amp;#34;GUID&amp;#34;:&amp;#34;0123456789abc&amp;#34;}', '{&amp;#34;GUID&amp;#34;:&amp;#34;••••9abc&amp;#34;}'],
    ['{&quot;key&quot;:12345,&quot;a&quot;:1}', '{&quot;key&quot;:&quot;••••&quot;,&quot;a&quot;:1}'],
    ['{"a":"{\\"key\\":12345}"}', '{"a":"{\\"key\\":\\"••••\\"}"}'],
    ['{"a":"{\\u0022GUID\\u0022:\\u00220123456789abc\\u0022}"}', '{"a":"{\\u0022GUID\\u0022:\\u0022••••9abc\\u0022}"}'],
    ['&amp;lt;GUID&amp;gt;0123456789abc&amp;lt;/GUID&amp;gt;', '&amp;lt;GUID&amp;gt;••••9abc&amp;lt;/GUID&amp;gt;'],
    ['&#60;GUID&#x3E;0123456789abc&#60;/GUID&#62;', '&#60;GUID&#x3E;••••9abc&#60;/GUID&#62;'],
    [
      '{"a":"\\u003CGUID\\u003E0123456789abc\\u003C/GUID\\u003E"}',
      '{"a":"\\u003CGUID\\u003E••••9abc\\u003C/GUID\\u003E"}',
    ],
    ['{"a":"\\u003cGUID\\u003e0123456789abc","b":"c"}', '{"a":"\\u003cGUID\\u003e••••9abc","b":"c"}'],
    ['{"a":"<row GUID=\\"0123456789abc\\" x=\\"1\\"/>"}', '{"a":"<row GUID=\\"••••9abc\\" x=\\"1\\"/>"}'],
    [
      '&lt;row GUID=&quot;0123456789abc&quot; x=&quot;1&quot;/&gt;',
      '&lt;row GUID=&quot;••••9abc&quot; x=&quot;1&quot;/&gt;',
    ],
    // Percent-encoded, as in a form's body and a URL.
    ['%3CGUID%3E0123456789abc%3C%2FGUID%3E', '%3CGUID%3E••••9abc%3C%2FGUID%3E'],
    [
      'a=1&xml=%3cns%3asGuid%20a%3d1%3e0123456789abc%3c/sGuid%3e&b=2',
      'a=1&xml=%3cns%3asGuid%20a%3d1%3e••••9abc%3c/sGuid%3e&b=2',
    ],
    ['https://h/x?q=%253CLicenceKey%253E0123456789abc', 'https://h/x?q=%253CLicenceKey%253E••••9abc'],
    ['%3CGUID%3E%3C!%5BCDATA%5B0123456789abc%5D%5D%3E%3C/GUID%3E', '%3CGUID%3E%3C!%5BCDATA%5B••••%3C/GUID%3E'],
    ['%3CGUID%3E%7B01234567-9abc%7D%3C%2FGUID%3E', '%3CGUID%3E••••%3C%2FGUID%3E'],
    ['j=%7B%22GUID%22%3A+%220123456789abc%22%2C%22a%22%3A1%7D', 'j=%7B%22GUID%22%3A+%22••••9abc%22%2C%22a%22%3A1%7D'],
    ['j=%7B%22key%22%3A12345%2C%22a%22%3A1%7D', 'j=%7B%22key%22%3A••••%2C%22a%22%3A1%7D'],
    ['%3Crow%20sGUID%3D%220123456789abc%22%20x%3D%221%22%2F%3E', '%3Crow%20sGUID%3D%22••••9abc%22%20x%3D%221%22%2F%3E'],
    ['%3Crow+Guid=%270123456789abc%27/%3E', '%3Crow+Guid=••••'],
  ])('%s', (given, shown) => {
    expect(text(given)).toBe(shown);
  });

  test.each([
    '<LicenseID>42</LicenseID>',
    '<iLicenseID>42</iLicenseID>',
    '<xs:element name="sGUID" type="xs:string"/>',
    '?monkey=1&turnkey-x=2',
    '{"keyboard":"x","GUID":null,"GUID2":"x"}',
    '<GUID/><GUID></GUID><Monkey>x</Monkey>',
    '{&quot;GUID&quot;:null,&quot;GUID2&quot;:&quot;x&quot;}',
    '&lt;GUID/&gt;&lt;GUID&gt;&lt;/GUID&gt;',
    '%3CGUID%2F%3E%3CGUID%3E%3C%2FGUID%3E%3CMonkey%3Ex%3C/Monkey%3E',
    '%22GUID%22%3Anull%2C%22GUID2%22%3A%22x%22',
  ])('left alone: %s', (given) => {
    expect(text(given)).toBe(given);
  });

  test('an unknown value is masked in every percent-encoded text, whatever contains it and however often it is encoded', () => {
    const holders = [
      (field: string, value: string) => `<${field}>${value}</${field}>`,
      (field: string, value: string) => `<n:${field} a="1">${value}</n:${field}>`,
      (field: string, value: string) => `<${field}><![CDATA[${value}]]></${field}>`,
      (field: string, value: string) => `<row a="1" ${field}="${value}" b='2'/>`,
      (field: string, value: string) => JSON.stringify({ a: 1, [field]: value, b: [2] }),
    ];
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.constantFrom('GUID', 'sGuid', 'LicenceKey', 'ApiKey', 'sAcmeMapsKey'),
        fc.constantFrom(...holders),
        fc.constantFrom(encodeURIComponent, (one: string) => new URLSearchParams({ v: one }).toString()),
        fc.integer({ min: 1, max: 4 }),
        fc.string(),
        (value, field, hold, encode, times, around) => {
          let form = `${hold(field, value)}${around}`;
          for (let n = 0; n < times; n += 1) form = encode(form);
          expect(text(`error at https://h/?q=${form}&x=1`)).not.toContain(value);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('an answer’s `key` is a premise identifier, a request’s is the API key', () => {
    expect(text('{"key":"01234567"}', 'answer')).toBe('{"key":"01234567"}');
    expect(text('{"key":"01234567"}', 'request')).toBe('{"key":"••••"}');
    expect(text('{"GUID":"0123456789abc"}', 'answer')).toBe('{"GUID":"••••9abc"}');
  });

  test('a secret in the name of a header', () => {
    expect(createRedactor([guid]).headers({ [`x-${guid}`]: '1' })).toEqual({ 'x-••••3301': '1' });
  });

  test('headers that are credentials by name are masked whole', () => {
    expect(createRedactor([]).headers({ 'X-Api-Key': 'unknown' })).toEqual({ 'X-Api-Key': '••••' });
    expect(createRedactor([key]).headers({ 'Set-Cookie': 'a=b', location: `/x?v=${encodeURIComponent(key)}` })).toEqual(
      {
        'Set-Cookie': '••••',
        location: '/x?v=••••9_~ 0Q'.replace('9_~ 0Q', key.slice(-4)),
      },
    );
  });
});
