import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DecodeJob, decodeAnswer, readAnswer } from '../../../electron/core/soap/message/answer.ts';
import { takeOutRuns } from '../../../electron/core/soap/message/record-runs.ts';
import { longestOrdinary } from '../../../electron/core/soap/xml/parse.ts';
import { createRedactor } from '../../../electron/core/transport/redact/redact.ts';
import { fixtureNamespace, wrapResult } from '../../fixtures/soap/envelopes.ts';

const operation = 'SearchPremise_ByPostcode';
const result = 'ListAddressPremises';
const jobOf = (xml: string, more: Partial<DecodeJob> = {}): DecodeJob => ({
  body: new TextEncoder().encode(xml),
  status: 200,
  contentType: 'text/xml; charset=utf-8',
  operation,
  namespace: fixtureNamespace,
  result,
  secrets: [],
  ...more,
});
/** The same answer read by runs and as a whole; `taken` is the number of records that were read by runs. */
function bothWays(xml: string, more: Partial<DecodeJob> = {}) {
  const job = jobOf(xml, more);
  const runs = takeOutRuns(job.result as 'ListAddressPremises', xml);
  return { byRuns: readAnswer(job, xml, runs), whole: readAnswer(job, xml, null), taken: runs?.count ?? 0 };
}
const premise = (n: number, more = '') =>
  `<ListAddressPremise><List_Address>${n} High Street</List_Address><Unique_Delivery_Point>${n}</Unique_Delivery_Point>${more}<Return_Code>1</Return_Code></ListAddressPremise>`;
const premises = (count: number) => Array.from({ length: count }, (_, n) => premise(n)).join('');
const listed = (inner: string) => wrapResult(operation, `<List>${inner}</List><IsError>false</IsError>`);

const field = (name: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(`<${name}>plain</${name}>`, `<${name} />`, `<${name}/>`, '') },
    fc.constantFrom(
      `<${name} xsi:nil="true" />`,
      `<${name} i:nil="1"/>`,
      `<${name} xsi:nil="false" />`,
      `<${name}></${name}>`,
      `<${name}> 007 </${name}>`,
      `<${name}>Smith &amp; Sons &#65; &nbsp; & co</${name}>`,
      `<${name}>&lt;GUID&gt;x</${name}>`,
      `<${name}>a\r\nb</${name}>`,
      `<${name}>"a" = 100%</${name}>`,
      `<${name}>]]></${name}>`,
      `<${name}>--></${name}>`,
      `<${name}>?></${name}>`,
      `<${name}>{&quot;GUID&quot;:&#34;x&#34;}</${name}>`,
      `<${name} a="b">x</${name}>`,
      `<${name}>x</${name} >`,
      `<${name}>\u0001 é 🙂</${name}>`,
      `<${name}><inner>x</inner></${name}>`,
      `<${name}>x</${name}><${name}>y</${name}>`,
      `<${name}>x`,
      `x</${name}>`,
      `<New_Field>x</New_Field>`,
      `<q:${name}>x</q:${name}>`,
      '<!-- c -->',
      `<${name}><![CDATA[</ListAddressPremise><ListAddressPremise>]]></${name}>`,
      '<?pi?>',
      ' text ',
    ),
  );
const anyFields = fc
  .tuple(field('List_Address'), field('Unique_Delivery_Point'), field('Return_Code'), fc.boolean())
  .map(([a, b, c, turned]) => (turned ? [b, a, c] : [a, b, c]));
const oddMember = fc.constantFrom(
  '<ListAddressPremise xsi:nil="true"/>',
  '<ListAddressPremise/>',
  '<ListAddressPremise></ListAddressPremise>',
  `<Extra>${premise(1)}${premise(2)}</Extra>`,
  `<ListAddressPremise><X>${premise(3)}${premise(4)}</X></ListAddressPremise>`,
  `<List>${premise(5)}</List>`,
  `<anyType><List_Address>A</List_Address></anyType>`,
  '</List><List>',
  `</List><Return_Code>0</Return_Code><List>`,
  `<![CDATA[${premise(6)}]]>`,
  `<!-- ${premise(7)} -->`,
  // Runs begin and sometimes end inside these, because a field may contain the end of a comment, a section or an instruction.
  `<Extra><![CDATA[${premise(8)}${premise(9)}]]></Extra>`,
  `<!-- ${premise(10)}${premise(11)} -->`,
  `<?pi ${premise(12)}${premise(13)} ?>`,
  `<Extra><![CDATA[${premise(8)}`,
  '<!-- ',
  '<?pi ',
  '<Extra>',
  '</Extra>',
  '<!DOCTYPE x>',
  '</ListAddressPremise>',
  '<ListAddressPremise>',
);
const anyMember = fc.oneof(
  { weight: 30, arbitrary: fc.nat(99).map((n) => premise(n)) },
  { weight: 4, arbitrary: anyFields.map((fields) => `<ListAddressPremise>${fields.join('')}</ListAddressPremise>`) },
  { weight: 1, arbitrary: oddMember },
);
const anyTail = fc.constantFrom(
  '<IsError>false</IsError>',
  '<IsError>true</IsError><ErrorMessage>Busy</ErrorMessage>',
  '<IsError>false</IsError><IsTruncated>true</IsTruncated><RecCount>3</RecCount>',
  '',
  '<Elapsed>3</Elapsed>',
);

test('an answer reads the same by runs and as a whole, whatever its records look like', () => {
  let taken = 0;
  let odd = 0;
  fc.assert(
    fc.property(
      fc.array(anyMember, { minLength: 2, maxLength: 12 }),
      anyTail,
      fc.constantFrom('', '\n  '),
      fc.constantFrom('', 'p:'),
      (members, tail, gap, prefix) => {
        const named = (text: string) => (prefix ? text.replace(/(<\/?)(?=[A-Z])/g, `$1${prefix}`) : text);
        const inner = `<List>${members.join(gap).replaceAll('><', `>${gap}<`)}</List>${tail}`;
        const xml = wrapResult(operation, named(inner)).replace(
          'xmlns',
          `xmlns:p="${fixtureNamespace}" xmlns:q="q" xmlns`,
        );
        const both = bothWays(xml);
        expect(both.byRuns).toEqual(both.whole);
        if (both.byRuns.ok) taken += both.taken > 0 ? 1 : 0;
        if (both.byRuns.ok && both.byRuns.value.unknown.length > 0 && both.taken > 0) odd += 1;
      },
    ),
    { numRuns: 1500 },
  );
  // Otherwise nothing would have been compared.
  expect(taken).toBeGreaterThan(100);
  expect(odd).toBeGreaterThan(20);
});

const address = fc
  .record({
    first: fc.boolean(),
    error: fc.constantFrom(
      ...['true', 'False', '1', '0', ' true', 'yes', '2', ''].map((value) => `<IsError>${value}</IsError>`),
      '',
      '<IsError/>',
      '<IsError xsi:nil="true" />',
      '<IsError>true</IsError><IsError>false</IsError>',
    ),
    town: fc.constantFrom(
      '<Post_Town>HEREFORD</Post_Town>',
      '<Post_Town xsi:nil="true" />',
      '',
      '<Post_Town>A</Post_Town><Post_Town>B</Post_Town>',
    ),
  })
  .map(({ first, error, town }) => `<AddressPremise>${first ? error + town : town + error}</AddressPremise>`);

test('records with a required field of a type other than text read the same', () => {
  let taken = 0;
  fc.assert(
    // Several of each kind, so that any of them may be the first record, whose pattern is used for the others.
    fc.property(fc.array(fc.tuple(address, fc.constantFrom(2, 2, 16, 24)), { minLength: 1, maxLength: 5 }), (runs) => {
      const xml = wrapResult(
        'GetAddressesForPostcode',
        `<List>${runs.map(([one, times]) => one.repeat(times)).join('')}</List><IsError>false</IsError>`,
      );
      const both = bothWays(xml, { operation: 'GetAddressesForPostcode', result: 'ListAllAddressPremises' });
      expect(both.byRuns).toEqual(both.whole);
      if (both.byRuns.ok && both.taken > 0) taken += 1;
    }),
    { numRuns: 1500 },
  );
  expect(taken).toBeGreaterThan(30);
});

test('an answer that names what was asked for in its last record is the one that was asked for', () => {
  const one = (postcode: string) => `<AddressPremise><Postcode>${postcode}</Postcode></AddressPremise>`;
  const xml = (last: string) =>
    wrapResult(
      'GetAddressesForPostcode',
      `<List>${one('AB1 2DG').repeat(2000)}${one(last)}</List><IsError>false</IsError>`,
    );
  const compared = (last: string) => {
    const of = { operation: 'GetAddressesForPostcode', result: 'ListAllAddressPremises', asked: ['AB1 2DF'] } as const;
    return decodeAnswer(jobOf(xml(last), { ...of, asked: [...of.asked] })).compared?.verdict;
  };
  expect([compared('AB1 2DF'), compared('AB1 2DG')]).toEqual(['same', 'other']);
});

test('each read uses another mark', () => {
  const xml = listed(premises(40));
  expect(takeOutRuns(result, xml)?.frame).not.toBe(takeOutRuns(result, xml)?.frame);
});

test('a long list of licences shows no GUID, in the text and in the records', () => {
  // The first records, which are read in the ordinary way, have none.
  const guidOf = (n: number) => (n < 5 ? '<GUID />' : `<GUID>6d1f4c1e-0000-4000-8000-${100_000_000_000 + n}</GUID>`);
  const licence = (n: number) =>
    `<License><ReferenceNo>WY-${n}</ReferenceNo>${guidOf(n)}<LicenseID>${n}</LicenseID></License>`;
  const count = 500;
  const xml = wrapResult(
    'GetLicenseList',
    `<List>${Array.from({ length: count }, (_, n) => licence(n)).join('')}</List><IsError>false</IsError>`,
  );
  const job = jobOf(xml, { operation: 'GetLicenseList', result: 'Licenses' });
  expect(takeOutRuns('Licenses', xml)?.count).toBe(count - 2);
  const { text, result: read } = decodeAnswer(job);
  expect(`${text}${JSON.stringify(read)}`).not.toContain('6d1f4c1e');
  expect(text.match(/<GUID>••••\d{4}</g)).toHaveLength(count - 5);
  expect(read).toMatchObject({ ok: true, value: { value: { List: { length: count } } } });
});

const long = 5000;

test.each([
  ['cut off', (xml: string) => xml.slice(0, -20)],
  ['cut in a record', (xml: string) => xml.slice(0, xml.length / 2)],
  ['crossed tags', (xml: string) => xml.replace('<List_Address>4000 High Street</List_Address>', '<a><b></a></b>')],
  ['a stray <', (xml: string) => xml.replace('4000 High', '4000 < High')],
  ['a DOCTYPE', (xml: string) => xml.replace('4000 High', '<!DOCTYPE x> High')],
  ['__proto__', (xml: string) => xml.replace('<List_Address>4000', '<__proto__/><List_Address>4000')],
  ['text behind it', (xml: string) => `${xml}x`],
  ['another answer behind it', (xml: string) => xml + xml],
  ['another operation’s response', (xml: string) => xml.replaceAll(operation, 'GetAddress')],
  ['another namespace', (xml: string) => xml.replaceAll(fixtureNamespace, 'http://other.example/')],
  ['an error flag', (xml: string) => xml.replace('<IsError>false', '<IsError>true')],
  ['words', (xml: string) => xml.replace('<IsError>false</IsError>', '<ErrorMessage>Busy</ErrorMessage>')],
  ['no flag', (xml: string) => xml.replace('<IsError>false</IsError>', '')],
  ['a refusal in the first record', (xml: string) => xml.replace('<Return_Code>1<', '<Return_Code>203<')],
  ['code 0 in the first record', (xml: string) => xml.replace('<Return_Code>1<', '<Return_Code>0<')],
  [
    'a fault beside it',
    (xml: string) => xml.replace(/(<\/\w*:?Body>)/, '<Fault><faultstring>x</faultstring></Fault>$1'),
  ],
  ['a whole list in a field', (xml: string) => xml.replaceAll('List>', 'Wrapped>')],
  ['a nil list', (xml: string) => xml.replace('<List>', '<List xsi:nil="true">')],
  ['a comment', (xml: string) => xml.replace('<List>', '<List><!-- x -->')],
  ['CDATA', (xml: string) => xml.replace('4000 High Street', '<![CDATA[4000 </ListAddressPremise>]]>')],
  [
    'another spelling of one field',
    (xml: string) => xml.replaceAll('<Return_Code>1</Return_Code>', '<Return_Code>1</Return_Code >'),
  ],
  ['records in something else first', (xml: string) => xml.replace('<List>', `<List><Extra>${premises(2)}</Extra>`)],
  ['as it should be', (xml: string) => xml],
])('a long answer with %s means the same as read without the pattern', (_what, change) => {
  const xml = change(listed(premises(long)));
  expect(xml.length).toBeGreaterThan(longestOrdinary / 2);
  const { byRuns, whole } = bothWays(xml);
  expect(byRuns).toEqual(whole);
});

test('ten thousand records are read by their pattern, and odd ones keep their places', () => {
  const odd = premise(4000, '<New_Field>x</New_Field>');
  const xml = listed(premises(long).replace(premise(4000), odd));
  const { byRuns, whole, taken } = bothWays(xml);
  expect(taken).toBe(long - 3);
  expect(byRuns).toEqual(whole);
  expect(byRuns).toMatchObject({ ok: true, value: { unknown: [{ path: 'List[4000].New_Field', value: 'x' }] } });
});

test('more records than the program takes are refused, however they are read', () => {
  const xml = listed(premises(100_001));
  expect(bothWays(xml).byRuns).toMatchObject({ ok: false, error: { code: 'answer-too-large' } });
});

const secret = 'LK-7f3a91c2e8d04b56';
const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
test.each([
  ['a known value', secret],
  ['in other letters', secret.toUpperCase()],
  ['as references', [...secret].map((one) => `&#${one.charCodeAt(0)};`).join('')],
  ['as references, twice', [...secret].map((one) => `&amp;#${one.charCodeAt(0)};`).join('')],
  ['with one escape', `L%4B${secret.slice(2)}`],
  ['in base64', Buffer.from(`x${secret}y`).toString('base64')],
  ['in base64 for addresses', Buffer.from(`??${secret}??`).toString('base64url')],
  ['a GUID without hyphens', guid.replaceAll('-', '')],
  ['a GUID with some', guid.replace('-', '')],
  ['beside a letter that is taken for k', secret.replace('K', '\u212A')],
  ['by the name of its field, in JSON', `{"GUID":"6d1f4c1e-0000"}`],
  ['by name, in an escaped element', '&lt;GUID&gt;6d1f4c1e-0000&lt;/GUID&gt;'],
  ['by name, in JSON whose quotes are references', '{&quot;GUID&quot;:&quot;6d1f4c1e-0000&quot;}'],
  ['by name, in an element escaped twice', '&amp;lt;GUID&amp;gt;6d1f4c1e-0000&amp;lt;/GUID&amp;gt;'],
  ['by name, in an element of numeric references', '&#60;GUID&#x3E;6d1f4c1e-0000&#60;/GUID&#62;'],
  ['by name, as a parameter', 'http://x.example/?LicenceKey=6d1f4c1e-0000'],
])('in a long answer nothing is left of a secret: %s', (_what, spelled) => {
  const hidden = premise(4000).replace('4000 High Street', spelled);
  const xml = listed(premises(long).replace(premise(4000), hidden));
  const { text, result: read } = decodeAnswer(jobOf(xml, { secrets: [secret, guid] }));
  const short = createRedactor([secret, guid]).text(hidden, 'answer');
  expect(short).not.toContain(spelled);
  expect(text).toContain(short);
  expect(text).not.toContain(spelled);
  expect(text.length).toBe(xml.length - hidden.length + short.length);
  const all = JSON.stringify(read);
  for (const one of [secret, guid, secret.toUpperCase()]) expect(all).not.toContain(one);
  if (!spelled.includes('GUID') && !spelled.includes('Licence')) expect(all).not.toContain(spelled);
  expect(all).not.toContain('6d1f4c1e');
});

test('a long text is masked as each of its lines is', () => {
  const pad = `${'0 High Street, HEREFORD AB1 2DF\n'.repeat(1050)}`;
  const secrets = fc.array(fc.oneof(fc.uuid(), fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme-ascii' })), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(secrets, fc.nat(3), fc.nat(4), (known, which, form) => {
      const one = known[which % known.length] ?? '';
      const line = [
        one,
        encodeURIComponent(one),
        Buffer.from(one).toString('base64'),
        Buffer.from(`a${one}b`).toString('base64url'),
        one.replaceAll('-', ''),
      ][form];
      const redactor = createRedactor(known);
      fc.pre(redactor.text(pad.slice(0, 32)) === pad.slice(0, 32));
      expect(redactor.text(`${pad}${line}\n${pad}`)).toBe(`${pad}${redactor.text(`${line}\n`)}${pad}`);
    }),
    { numRuns: 300 },
  );
});
