import { describe, expect, test } from 'vitest';
import { type DecodeJob, decodeAnswer } from '../../../electron/core/soap/message/answer.ts';
import { resolveOperation } from '../../../electron/core/soap/operation.ts';
import { soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import { fixtureNamespace, wrapBody, wrapResult } from '../../fixtures/soap/envelopes.ts';
import { operations, records } from '../../fixtures/specification.ts';

interface Options extends Partial<DecodeJob> {
  xml?: string;
}

function decode(operation: string, { xml = '', ...more }: Options) {
  const resolved = resolveOperation(operation);
  if (!resolved.ok) throw new Error(resolved.error.code);
  return decodeAnswer({
    body: new TextEncoder().encode(xml),
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    operation,
    namespace: fixtureNamespace,
    result: resolved.value.result,
    secrets: [],
    ...more,
  });
}

const read = (operation: string, content: string, more: Options = {}) =>
  decode(operation, { xml: wrapResult(operation, content), ...more }).result;

const fieldName = (field: string | { name: string }) => (typeof field === 'string' ? field : field.name);
const fieldType = (field: string | { type: string }) => (typeof field === 'string' ? 'string' : field.type);

/** XML and expected value of a record with every field of the specification's table, each with a different value. */
function fullRecord(name: string, mark: string): { xml: string; value: Record<string, unknown> } {
  const value: Record<string, unknown> = {};
  let xml = '';
  for (const field of records[name] ?? []) {
    const own = fieldName(field);
    const type = fieldType(field);
    const child = Object.keys(records).find((record) => type !== record && type.includes(record) && own === 'List');
    if (own === 'List') {
      const members = [1, 2, 3].map((n) => fullRecord(child ?? '', `${mark}${n}`));
      xml += `<List>${members.map((member) => `<${child}>${member.xml}</${child}>`).join('')}</List>`;
      value.List = members.map((member) => member.value);
    } else if (type === 'boolean') {
      value[own] = false;
      xml += `<${own}>false</${own}>`;
    } else {
      const text = own === 'Return_Code' ? '1' : `0 ${own} ${mark} & é`;
      value[own] = text;
      xml += `<${own}>${text.replace('&', '&amp;')}</${own}>`;
    }
  }
  return { xml, value };
}

test.each(
  operations.filter((operation) => operation.result in records).map((operation) => [operation.name, operation.result]),
)('%s: every field of %s arrives as it was sent', (name, record) => {
  const { xml, value } = fullRecord(record, 'x');
  const result = read(name, xml);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const masked = JSON.parse(JSON.stringify(value), (key, member) =>
    key === 'GUID' ? expect.stringMatching(/^••••/) : member,
  );
  expect(result.value).toMatchObject({ found: 'something', unknown: [] });
  expect(result.value.value).toEqual(masked);
});

const premise = (n: string) =>
  `<ListAddressPremise><List_Address>Flat ${n}</List_Address><Unique_Delivery_Point>0000000${n}</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>`;
const nilPremise = '<ListAddressPremise xsi:nil="true"/>';

test.each([
  ['one member', `<List>${premise('1')}</List>`, ['Flat 1']],
  ['many', `<List>${premise('1')}${premise('2')}</List>`, ['Flat 1', 'Flat 2']],
  ['nil members', `<List>${nilPremise}${premise('1')}${nilPremise}</List>`, ['Flat 1']],
  ['several wrappers', `<List>${premise('1')}</List><List>${premise('2')}</List>`, ['Flat 1', 'Flat 2']],
  ['no wrapper', premise('1') + premise('2'), ['Flat 1', 'Flat 2']],
  ['another wrapper', `<ArrayOfListAddressPremise>${premise('1')}</ArrayOfListAddressPremise>`, ['Flat 1']],
  [
    'a wrapper in the wrapper',
    `<List><ArrayOfListAddressPremise>${premise('1')}</ArrayOfListAddressPremise></List>`,
    ['Flat 1'],
  ],
  [
    'a List for each record',
    '<List><List_Address>A</List_Address></List><List><List_Address>B</List_Address></List>',
    ['A', 'B'],
  ],
  ['members under another name', '<List><anyType><List_Address>A</List_Address></anyType></List>', ['A']],
])('a list with %s', (_what, content, addresses) => {
  const result = read('SearchPremise_ByPostcode', `${content}<IsError>false</IsError>`);
  expect(result).toMatchObject({ ok: true, value: { found: 'something', unknown: [] } });
  const value = result.ok ? (result.value.value as { List: { List_Address: string }[] }) : { List: [] };
  expect(value.List.map((record) => record.List_Address)).toEqual(addresses);
});

test.each([
  ['an empty list', '<List/><IsError>false</IsError>'],
  ['no list', '<IsError>false</IsError>'],
  [
    'one record of code 0',
    '<List><ListAddressPremise><Return_Code>0</Return_Code></ListAddressPremise></List><IsError>false</IsError>',
  ],
  [
    'one record of code 0 with empty elements',
    '<List><ListAddressPremise><List_Address/><Unique_Delivery_Point> </Unique_Delivery_Point><Return_Code> 0 </Return_Code></ListAddressPremise></List><IsError>0</IsError>',
  ],
  [
    'one record of code 1 with nothing in it',
    '<List><ListAddressPremise><List_Address/><Return_Code>1</Return_Code></ListAddressPremise></List><IsError>false</IsError>',
  ],
  [
    'one record without a code',
    '<List><ListAddressPremise/></List><IsError>False</IsError><ErrorMessage> </ErrorMessage>',
  ],
  ['an empty list beside a field that no definition knows', '<List/><IsError>false</IsError><Elapsed>3</Elapsed>'],
])('nothing found as %s', (_what, content) => {
  expect(read('SearchPremise_ByPostcode', content)).toMatchObject({ ok: true, value: { found: 'nothing' } });
});

const emptyRecord = (code: string) =>
  `<List><ListAddressPremise><List_Address/><Return_Code>${code}</Return_Code></ListAddressPremise></List>`;

test.each([
  [
    'an error flag with an empty record',
    `${emptyRecord('0')}<IsError>true</IsError><ErrorMessage>Database is busy</ErrorMessage>`,
    'service-error',
    'Database is busy',
  ],
  [
    'an error flag sent as 1, without words',
    `${emptyRecord('0')}<IsError>1</IsError>`,
    'service-error',
    'gave no reason',
  ],
  [
    'words alone',
    `${emptyRecord('0')}<IsError>false</IsError><ErrorMessage>Database is busy</ErrorMessage>`,
    'service-error',
    'Database is busy',
  ],
  [
    'words and no list',
    '<IsError>false</IsError><ErrorMessage>Database is busy</ErrorMessage>',
    'service-error',
    'Database is busy',
  ],
  ['an empty result', '', 'unreadable-answer', 'IsError is missing'],
  [
    'a flag that is neither',
    '<List/><IsError>maybe</IsError>',
    'unreadable-answer',
    'IsError is missing or unreadable',
  ],
  [
    'two flags',
    '<List/><IsError>false</IsError><IsError>true</IsError>',
    'unreadable-answer',
    'IsError is missing or unreadable',
  ],
  ['a nil list', '<List xsi:nil="true"/><IsError>false</IsError>', 'unreadable-answer', 'List is nil'],
  ['only nil members', `<List>${nilPremise}</List><IsError>false</IsError>`, 'unreadable-answer', 'nil members'],
  [
    'a truncated empty list',
    '<List/><IsError>false</IsError><IsTruncated>true</IsTruncated>',
    'unreadable-answer',
    'IsTruncated',
  ],
  [
    'an empty record of another code',
    `${emptyRecord('77')}<IsError>false</IsError>`,
    'unreadable-answer',
    'Return_Code is 77',
  ],
  [
    'a list under another name',
    '<Premises><Premise><Adress>A</Adress></Premise></Premises><IsError>false</IsError>',
    'unreadable-answer',
    'Premises',
  ],
  [
    'members that are not known',
    '<List><Premise><Adress>A</Adress></Premise></List><IsError>false</IsError>',
    'unreadable-answer',
    'List.Premise',
  ],
])('%s is an error that says what came, never nothing found', (_what, content, code, words) => {
  const result = read('SearchPremise_ByPostcode', content);
  expect(result).toMatchObject({ ok: false, error: { code, charge: 'may-have-been-charged' } });
  expect(!result.ok && result.error.detail).toContain(words);
});

/** Lists of every kind, and a single record: the catalogue has no IsError, ErrorMessage or Return_Code for most of them. */
const withoutOwnFields = [
  'GetPremiseAddress',
  'GeoData_ForPostcode',
  'NearestData_ForPostcode',
  'SearchThoroughfare_ByStreet',
] as const;

describe.each([...withoutOwnFields, 'GeoData_ForUDP', 'SearchPremise_ByPostcode', 'GetLicenseList'])('%s', (name) => {
  const isList = name !== 'GeoData_ForUDP';
  const hasFlag = !(withoutOwnFields as readonly string[]).includes(name) && isList;
  const flag = hasFlag ? '<IsError>false</IsError>' : '';
  const list = isList ? '<List/>' : '';

  test.each([
    [
      'an error flag with words',
      `${list}<IsError>true</IsError><ErrorMessage>Licence suspended</ErrorMessage>`,
      'service-error',
      'Licence suspended',
    ],
    ['words of an error', `${list}${flag}<ErrorMessage>Licence suspended</ErrorMessage>`, 'service-error', 'suspended'],
    ['a flag that is neither', `${list}<IsError>maybe</IsError>`, 'unreadable-answer', 'IsError'],
    ['a code of its own', `${list}${flag}<Return_Code>203</Return_Code>`, 'no-credits', 'Return_Code 203'],
    ['another code of its own', `${list}${flag}<Return_Code>77</Return_Code>`, 'unreadable-answer', 'Code is 77'],
    ['words in its place', `${flag}Account not valid`, 'unreadable-answer', 'Account not valid'],
  ])('%s beside no record is never nothing found', (_what, content, code, words) => {
    const result = read(name, content);
    expect(result).toMatchObject({ ok: false, error: { code, charge: 'may-have-been-charged' } });
    expect(!result.ok && result.error.detail).toContain(words);
  });

  if (isList)
    test('words in the place of its list or of a record, and a count of records, neither', () => {
      for (const content of ['<List>Account not valid</List>', '<List><Any>Account not valid</Any></List>'])
        expect(read(name, `${content}${flag}`)).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
      const counted = read(name, `<List/>${flag}<RecCount>34</RecCount>`);
      expect(!counted.ok && counted.error.detail).toContain('its RecCount is 34');
    });

  test('nothing found is still nothing found', () => {
    // In a single record what no definition knows may be its own under a new name.
    const unknown = isList ? ['<Elapsed>3</Elapsed>'] : [];
    for (const more of ['', ...unknown, '<Return_Code>0</Return_Code>', '<Return_Code>1</Return_Code>'])
      expect(read(name, `${list}${flag}${more}<ErrorMessage/>`)).toMatchObject({
        ok: true,
        value: { found: 'nothing' },
      });
  });
});

test('a RecCount that counts no more than the record of “no records” says nothing else', () => {
  const one = '<List><AddressPremise><IsError>false</IsError><Return_Code>0</Return_Code></AddressPremise></List>';
  const flags = '<IsError>false</IsError><IsTruncated>false</IsTruncated>';
  for (const count of ['0', '1', ''])
    expect(read('GetAddressesForPostcode', `${one}${flags}<RecCount>${count}</RecCount>`)).toMatchObject({
      value: { found: 'nothing' },
    });
});

const response = (name: string, inside: string, namespace = fixtureNamespace) =>
  wrapBody(`<${name} xmlns="${namespace}">${inside}</${name}>`);
const none = '<List/><IsError>false</IsError>';
const own = 'SearchPremise_ByPostcode';

test.each([
  ['the answer of ServiceTest', wrapResult('ServiceTest', 'OK'), 'answered-other', 'ServiceTestResponse'],
  [
    'the answer of another search',
    wrapResult('SearchPremise_ByThoroughfare', none),
    'answered-other',
    'ByThoroughfareResponse',
  ],
  [
    'two responses',
    response(`${own}Response`, `<${own}Result>${none}</${own}Result>`).replace(
      '</soap:Body>',
      '<MoreResponse/></soap:Body>',
    ),
    'answered-other',
    'MoreResponse',
  ],
  [
    'another namespace',
    wrapResult(own, none, '1.1', 'http://elsewhere.example.org/'),
    'answered-other',
    'elsewhere.example.org',
  ],
  ['no namespace', wrapResult(own, none, '1.1', ''), 'answered-other', 'no namespace'],
  [
    'an undeclared prefix',
    wrapBody(`<x:${own}Response><x:${own}Result>${none}</x:${own}Result></x:${own}Response>`),
    'answered-other',
    'without a declared namespace',
  ],
  [
    'a result in another namespace',
    response(`${own}Response`, `<${own}Result xmlns="urn:y">${none}</${own}Result>`),
    'answered-other',
    'urn:y',
  ],
  ['a missing result', response(`${own}Response`, ''), 'unreadable-answer', `holds no ${own}Result`],
  [
    'the result of another operation',
    response(`${own}Response`, `<ServiceTestResult>${none}</ServiceTestResult>`),
    'unreadable-answer',
    `holds no ${own}Result`,
  ],
  [
    'two results',
    response(`${own}Response`, `<${own}Result>${none}</${own}Result><${own}Result>${none}</${own}Result>`),
    'unreadable-answer',
    'more than once',
  ],
  ['a nil result', response(`${own}Response`, `<${own}Result xsi:nil="true"/>`), 'unreadable-answer', 'nil'],
])('%s is an answer to something else or unreadable, never nothing found', (_what, xml, code, words) => {
  for (const text of [xml, `${xml}<!-- read by the other reader -->`]) {
    const { result } = decode(own, { xml: text });
    expect(result).toMatchObject({ ok: false, error: { code, charge: 'may-have-been-charged' } });
    expect(!result.ok && result.error.detail).toContain(words);
  }
});

test('any prefix is accepted for the right namespace', () => {
  const xml = wrapBody(
    `<n:${own}Response xmlns:n="${fixtureNamespace}"><n:${own}Result><n:List/><n:IsError>false</n:IsError></n:${own}Result></n:${own}Response>`,
  );
  expect(decode(own, { xml }).result).toMatchObject({ ok: true, value: { found: 'nothing' } });
});

test('a named licence is there; an unnamed one is doubted unless the list is plainly complete', () => {
  const licence = '<List><License><LicenseID>7</LicenseID></License></List>';
  expect(read('GetLicenseDetails', `${licence}<IsError>false</IsError>`)).toMatchObject({
    ok: true,
    value: { found: 'something' },
  });
  const whole = read('GetLicenseDetails', `${licence}<IsError>false</IsError>`);
  expect(whole.ok && whole.value.doubt).toBeUndefined();
  for (const [content, doubt] of [
    [licence, 'IsError'],
    [`${licence}<IsError>false</IsError><ErrorMessage>1 of 2 databases</ErrorMessage>`, 'databases'],
    [`${licence}<IsError>false</IsError><IsTruncated>true</IsTruncated>`, 'IsTruncated'],
  ] as const)
    expect(read('GetLicenseDetails', content)).toMatchObject({
      ok: true,
      value: { found: 'something', doubt: expect.stringContaining(doubt) },
    });
});

test('absent, empty, nil and blank are four different things', () => {
  const result = read(
    'GetPremiseAddressFromUDP',
    '<Number> </Number><Street/><Postcode xsi:nil="true"/><Unique_Delivery_Point>00001234</Unique_Delivery_Point><IsError>False</IsError>',
  );
  expect(result.ok && result.value.value).toEqual({
    Number: ' ',
    Street: '',
    Postcode: null,
    Unique_Delivery_Point: '00001234',
    IsError: false,
  });
});

test('elements no definition knows are kept beside the value, with their place', () => {
  const result = read(
    'SearchPremise_ByPostcode',
    `<List><ListAddressPremise><List_Address>A</List_Address><UPRN>0012</UPRN><Geo><Lat>1</Lat></Geo></ListAddressPremise></List><IsError>false</IsError><Elapsed>3</Elapsed>`,
  );
  expect(result.ok && result.value.unknown).toEqual([
    { path: 'List[0].UPRN', value: '0012' },
    { path: 'List[0].Geo', value: { Lat: '1' } },
    { path: 'Elapsed', value: '3' },
  ]);
  expect(result.ok && result.value.value).toEqual({ List: [{ List_Address: 'A' }], IsError: false });
});

const coded = (code: string) =>
  `<List><ListAddressPremise><List_Address/><Return_Code>${code}</Return_Code></ListAddressPremise>${premise('1')}</List><IsError>false</IsError>`;

test.each([
  ['2', 'service-error', 'may-have-been-charged'],
  ['201', 'credentials-refused', 'may-have-been-charged'],
  ['203', 'no-credits', 'may-have-been-charged'],
  ['301', 'input-refused', 'may-have-been-charged'],
  ['302', 'input-refused', 'may-have-been-charged'],
])('the first record’s code %s decides: %s', (code, error, charge) => {
  const result = read('SearchPremise_ByPostcode', coded(code));
  expect(result).toMatchObject({ ok: false, error: { code: error, charge } });
  expect(!result.ok && result.error.detail).toContain(`Return_Code ${code}`);
});

test('a code without a published meaning is kept as it came', () => {
  expect(read('SearchPremise_ByPostcode', coded('0999'))).toMatchObject({
    ok: true,
    value: { returnCode: '0999', found: 'something' },
  });
});

test('IsError with the service’s words; a licence that is in the list is read', () => {
  const wrong = read(
    'GetAddressesForPostcode',
    '<List/><IsError>true</IsError><IsTruncated>false</IsTruncated><ErrorMessage>No &lt;luck&gt;</ErrorMessage>',
  );
  expect(wrong).toMatchObject({ ok: false, error: { code: 'service-error', detail: 'No <luck>' } });
  const licences = read(
    'GetLicenseList',
    '<List><License><LicenseID>7</LicenseID><Return_Code>0</Return_Code></License></List><IsError>false</IsError>',
  );
  expect(licences).toMatchObject({ ok: true, value: { found: 'something', returnCode: '0' } });
});

const listed = (inner: string) => `<List>${inner}</List><IsError>false</IsError>`;
const underCode0 = (record: string, content: string) => `<${record}>${content}<Return_Code>0</Return_Code></${record}>`;

test.each([
  ['SearchPremise_ByPostcode', listed(premise('1').replace('>1</Return', '>0</Return'))],
  [
    'SearchPremise_ByPostcode',
    listed(underCode0('ListAddressPremise', '') + premise('1').replace('>1</Return', '>0</Return')),
  ],
  [
    'SearchPremise_ByPostcode_Dataset',
    `<PostcodeUtilities>${premise('1').replace('>1</Return', '>0</Return')}</PostcodeUtilities>`,
  ],
  [
    'GetLicenseDetails',
    listed(underCode0('License', '<LicenseID/>') + underCode0('License', '<LicenseID>7</LicenseID>')),
  ],
  ['GetLicenseList', listed(underCode0('License', '') + underCode0('License', '<LicenceNo>7</LicenceNo>'))],
  [
    'GetPremiseAddress',
    `<List>${underCode0('AddressPremise', '<Unique_Delivery_Point>00284147</Unique_Delivery_Point><Street>Mill Lane</Street><IsError>false</IsError>')}</List>`,
  ],
  [
    'GeoData_ForPostcode',
    `<List>${underCode0('Geographic', '<Postcode>CB7 4AA</Postcode><x_Coord>554000</x_Coord>')}</List>`,
  ],
])('%s: a record that says something of what it names is there, whatever its code: %#', (name, content) => {
  expect(read(name, content)).toMatchObject({ ok: true, value: { found: 'something', returnCode: '0' } });
});

test.each([
  ['SearchPremise_ByPostcode', listed(underCode0('ListAddressPremise', '<List_Address>No matches</List_Address>'))],
  [
    'GetPremiseAddress',
    `<List>${underCode0('AddressPremise', '<Unique_Delivery_Point>00284147</Unique_Delivery_Point><IsError>false</IsError>')}</List>`,
  ],
  [
    'GeoData_ForPostcode',
    `<List>${underCode0('Geographic', '<Postcode>ZZ1 1ZZ</Postcode><Latitude_Degrees>0.0</Latitude_Degrees>')}</List>`,
  ],
  [
    'DistanceBetween_Postcodes',
    `<List>${underCode0('Nearest', '<Postcode_Datum>HR10 2DT</Postcode_Datum><Postcode_Return>ZZ1 1ZZ</Postcode_Return><Distance_Metres>0</Distance_Metres>')}</List>`,
  ],
])('%s: a record of code 0 that only repeats the question, or is only words, is nothing found', (name, content) => {
  expect(read(name, content)).toMatchObject({ ok: true, value: { found: 'nothing', returnCode: '0' } });
});

test('a cut-off list says so', () => {
  const xml =
    '<List><AddressPremise><Number>1</Number><IsError>false</IsError></AddressPremise></List><IsError>false</IsError><IsTruncated>1</IsTruncated><RecCount>0250</RecCount>';
  expect(read('GetAddressesForPostcode', xml)).toMatchObject({
    ok: true,
    value: { truncated: true, recordCount: '0250' },
  });
});

test('whole numbers and texts', () => {
  expect(read('GetAvailableCredits', ' 0042 ')).toMatchObject({ ok: true, value: { value: 42 } });
  expect(read('GetAvailableCredits', '-1')).toMatchObject({ ok: true, value: { value: -1 } });
  for (const text of ['', '1.5', 'many', '99999999999999999999']) {
    expect(read('GetAvailableCredits', text)).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
  }
  expect(read('ServiceTest', ' OK, 042 credits ')).toMatchObject({
    ok: true,
    value: { value: ' OK, 042 credits ', found: 'something' },
  });
});

test('the map operation’s answer: text as text, records as they are', () => {
  expect(read('FindNearestDataForPostcodeWebMap', '0|1')).toMatchObject({ ok: true, value: { value: '0|1' } });
  expect(read('FindNearestDataForPostcodeWebMap', '<A>1</A><A>2</A>')).toMatchObject({
    ok: true,
    value: { value: { A: ['1', '2'] } },
  });
});

test('secret values are masked in text, value and unknown fields, under any spelling', () => {
  const guid = '7d2e9a40-2222-4f5e-8a1b-ddddeeeeffff';
  const xml = wrapResult(
    'GetLicenseList',
    `<List><License><ReferenceNo>R ${guid} R</ReferenceNo><GUID>11111111-0000-4000-8000-000000000001</GUID><LicenseID>1007</LicenseID><ApiKey>another-secret-77</ApiKey></License></List><IsError>false</IsError>`,
  );
  const answer = decode('GetLicenseList', { xml, secrets: [guid, '1007'] });
  const everything = JSON.stringify(answer);
  for (const secret of [guid, '11111111-0000-4000-8000-000000000001', 'another-secret-77'])
    expect(everything).not.toContain(secret);
  expect(answer.result).toMatchObject({ value: { value: { List: [{ LicenseID: '1007' }] } } });
});

test('faults of both versions, under the statuses that a service sends them with', () => {
  const eleven = wrapBody(
    '<soap:Fault><faultcode>soap:Client</faultcode><faultstring>Server was unable to read request.</faultstring><detail><why>Bad int</why></detail></soap:Fault>',
  );
  const twelve = wrapBody(
    '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value>x:Y</soap:Value></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">Not good</soap:Text></soap:Reason><soap:Detail/></soap:Fault>',
    '1.2',
  );
  for (const status of [200, 400, 500]) {
    expect(decode('ServiceTest', { xml: eleven, status }).result).toMatchObject({
      error: {
        code: 'soap-fault',
        charge: 'may-have-been-charged',
        detail: 'soap:Client: Server was unable to read request.: Bad int',
      },
    });
    expect(decode('ServiceTest', { xml: twelve, status }).result).toMatchObject({
      error: { code: 'soap-fault', detail: 'soap:Sender/x:Y: Not good' },
    });
  }
});

test.each([
  [401, 'credentials-refused'],
  [403, 'not-permitted'],
  [429, 'rate-limited'],
  [502, 'http-error'],
  [503, 'http-error'],
  [504, 'http-error'],
])('a fault under %i, which a server in between sends too, is read by its status: %s', (status, code) => {
  const xml = wrapBody(
    '<soap:Fault><faultcode>soap:Server</faultcode><faultstring>backend timed out</faultstring></soap:Fault>',
  );
  const { result } = decode('GetPremiseAddress', { xml, status, retryAfter: '30' });
  expect(result).toMatchObject({
    error: {
      code,
      charge: 'may-have-been-charged',
      detail: expect.stringMatching(`^HTTP ${status}: soap:Server: backend timed out`),
      ...(status === 429 ? { retryAfterMs: 30_000 } : {}),
    },
  });
});

test.each([
  [401, '', 'credentials-refused'],
  [403, '<html>Forbidden</html>', 'not-permitted'],
  [404, '<!DOCTYPE html><html/>', 'http-error'],
  [407, '', 'http-error'],
  [429, 'Too many', 'rate-limited'],
  [500, '', 'http-error'],
  [502, '<html/>', 'http-error'],
  [511, '<html/>', 'not-the-service'],
  [200, '<html><body>Sign in</body></html>', 'not-the-service'],
  [200, '', 'unreadable-answer'],
  [200, '{"results":[]}', 'unreadable-answer'],
  [200, '<Other/>', 'unreadable-answer'],
  [200, '<!DOCTYPE x><Envelope/>', 'unsafe-answer'],
  [200, wrapBody('<OtherThing/>'), 'answered-other'],
  [200, wrapResult('ServiceTest', 'x').slice(0, -20), 'unreadable-answer'],
])('status %i with %j is %s', (status, xml, code) => {
  expect(decode('ServiceTest', { xml, status }).result).toMatchObject({ ok: false, error: { code } });
});

const row = (name: string, content: string, n = 0) =>
  `<${name} diffgr:id="${name}${n + 1}" msdata:rowOrder="${n}">${content}</${name}>`;
const twin = 'SearchPremise_ByPostcode_Dataset';
const rows =
  row(
    'ListAddressPremise',
    '<List_Address>A</List_Address><Unique_Delivery_Point>00000001</Unique_Delivery_Point><Return_Code>1</Return_Code>',
  ) + row('ListAddressPremise', '<List_Address>B</List_Address><Return_Code>1</Return_Code>', 1);
const diffgram = (content: string) =>
  `<diffgr:diffgram xmlns:msdata="urn:schemas-microsoft-com:xml-msdata" xmlns:diffgr="urn:schemas-microsoft-com:xml-diffgram-v1">${content}</diffgr:diffgram>`;
const schema = `<xs:schema id="PostcodeUtilities" xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="PostcodeUtilities"><xs:complexType><xs:choice maxOccurs="unbounded"><xs:element name="ListAddressPremise"><xs:complexType><xs:sequence><xs:element name="List_Address" type="xs:string" minOccurs="0"/><xs:element name="Unique_Delivery_Point" type="xs:string"/><xs:element name="Return_Code" type="xs:string"/></xs:sequence></xs:complexType></xs:element></xs:choice></xs:complexType></xs:element></xs:schema>`;
const premiseTable = {
  name: 'ListAddressPremise',
  columns: ['List_Address', 'Unique_Delivery_Point', 'Return_Code'],
  rows: [
    { List_Address: 'A', Unique_Delivery_Point: '00000001', Return_Code: '1' },
    { List_Address: 'B', Return_Code: '1' },
  ],
};

test.each([
  ['schema and diffgram', schema + diffgram(`<PostcodeUtilities xmlns="urn:u">${rows}</PostcodeUtilities>`)],
  ['diffgram only', diffgram(`<PostcodeUtilities>${rows}</PostcodeUtilities>`)],
  [
    'rows in a data set only',
    `<PostcodeUtilities>${rows.replace(/ (diffgr|msdata):\w+="\w+"/g, '')}</PostcodeUtilities>`,
  ],
  ['rows only', rows.replace(/ (diffgr|msdata):\w+="\w+"/g, '')],
  [
    'cells in attributes, without a schema',
    diffgram(
      '<PostcodeUtilities><ListAddressPremise diffgr:id="1" List_Address="A" Unique_Delivery_Point="00000001" Return_Code="1" />' +
        '<ListAddressPremise diffgr:id="2" List_Address="B" Return_Code="1" /></PostcodeUtilities>',
    ),
  ],
  [
    'an old state of a row beside',
    `${diffgram(`<PostcodeUtilities>${rows}</PostcodeUtilities><diffgr:before>${row('ListAddressPremise', '<List_Address>old</List_Address>')}</diffgr:before>`)}`,
  ],
])('a data set as %s', (_what, content) => {
  expect(read(twin, content)).toMatchObject({
    ok: true,
    value: { found: 'something', returnCode: '1', value: { tables: [premiseTable] } },
  });
});

test('data sets: unknown tables, encoded names, empty tables, nil cells, nothing found, codes', () => {
  const unknown = read(
    twin,
    diffgram(
      '<New_x0020_Set><Thing_x0020_One><A>1</A></Thing_x0020_One><Thing_x0020_One><A xsi:nil="true"/><B>2</B></Thing_x0020_One></New_x0020_Set>',
    ),
  );
  expect(unknown).toMatchObject({
    value: { value: { tables: [{ name: 'Thing One', columns: ['A', 'B'], rows: [{ A: '1' }, { A: null, B: '2' }] }] } },
  });
  const empty = read(twin, schema + diffgram(''));
  expect(empty).toMatchObject({
    value: {
      found: 'nothing',
      value: { tables: [{ name: 'ListAddressPremise', columns: premiseTable.columns, rows: [] }] },
    },
  });
  expect(read(twin, '<PostcodeUtilities xmlns="urn:u"/>')).toMatchObject({
    value: { found: 'nothing', value: { tables: [] } },
  });
  expect(read(twin, '')).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
  expect(
    read(twin, diffgram('<P><ListAddressPremise><Return_Code>203</Return_Code></ListAddressPremise></P>')),
  ).toMatchObject({ error: { code: 'no-credits' } });
});

test.each([
  ['under the code of success', '<Return_Code>1</Return_Code>', 'nothing'],
  ['without a code', '<List_Address/><Return_Code> </Return_Code>', 'nothing'],
  ['under a code that is not published', '<Return_Code>7</Return_Code>', 'something'],
  ['with an address', '<List_Address>A</List_Address><Return_Code>1</Return_Code>', 'something'],
])('one row of a data set %s, as one record of its typed twin', (_what, cells, found) => {
  const rowOf = `<PostcodeUtilities><ListAddressPremise>${cells}</ListAddressPremise></PostcodeUtilities>`;
  expect(read(twin, diffgram(rowOf))).toMatchObject({ ok: true, value: { found } });
});

test.each([
  ['in a diffgram', diffgram('<PostcodeUtilities xmlns="urn:u"/>')],
  [
    'in a diffgram beside a schema that names no table',
    `<xs:schema id="NewDataSet"/>${diffgram('<NewDataSet xmlns=""/>')}`,
  ],
  ['around an empty diffgram', `<PostcodeUtilities>${diffgram('')}</PostcodeUtilities>`],
  ['around an empty schema', '<PostcodeUtilities><xs:schema/></PostcodeUtilities>'],
])('an empty data set %s is no row', (_where, content) => {
  expect(read(twin, content)).toMatchObject({ ok: true, value: { found: 'nothing', value: { tables: [] } } });
});

test.each([
  [
    'that it failed',
    '<Return_Code>1</Return_Code><IsError>true</IsError><List_Address>1 Mill Lane</List_Address>',
    'The service gave no reason.',
  ],
  ['that it failed, and how', '<IsError>true</IsError><ErrorMessage>Try later</ErrorMessage>', 'Try later'],
  [
    'nothing but words',
    '<Return_Code>0</Return_Code><IsError>false</IsError><ErrorMessage>Try later</ErrorMessage>',
    'Try later',
  ],
])('of tables whose row says %s, neither rows nor “nothing found” follows', (_said, cells, detail) => {
  const answer = read(twin, diffgram(`<P><ListAddressPremise>${cells}</ListAddressPremise></P>`));
  expect(answer).toMatchObject({ ok: false, error: { code: 'service-error', detail } });
});

test('a list of tables that says that it is cut off is said to be, as its typed twin', () => {
  const list = `<ListAll><IsTruncated>true</IsTruncated><RecCount>9</RecCount></ListAll>${rows}`;
  expect(read(twin, diffgram(`<P>${list}</P>`))).toMatchObject({ value: { found: 'something', truncated: true } });
});

test('words in the place of the rows of a diffgram are none of its rows', () => {
  const result = read(twin, diffgram('<PostcodeUtilities>Account not valid</PostcodeUtilities>'));
  expect(result).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
  expect(!result.ok && result.error.detail).toContain('Account not valid');
});

test('all operations have a way to be read', () => {
  for (const name of soapOperationNames) {
    const content =
      name === 'GetAvailableCredits' ? '1' : name.endsWith('_Dataset') ? '<D/>' : '<IsError>false</IsError>';
    expect(read(name, content).ok, name).toBe(true);
  }
});

test.each(['<!-- c -->', '<![CDATA[]]>', '<?p?>', '<b/>', '<b>x</b>'])(
  'a key that is split by %s in the text is masked in the value',
  (gap) => {
    const key = '8d3f0c11-77aa-4b0e-9c44-00112233aabb';
    const words = read('GetAvailableCredits', `${key.slice(0, 18)}${gap}${key.slice(18)}`, {
      secrets: [key],
      result: 'string',
    });
    expect(words).toMatchObject({ ok: true, value: { value: '••••aabb' } });
  },
);
