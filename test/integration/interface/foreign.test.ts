import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operations, twins } from '../../fixtures/specification.ts';
import { createWorkFolder, runCommandLine } from '../../helpers/demo-process.ts';
import { type ForeignService, type RunningForeign, startForeignService, writeDescription } from './foreign-service.ts';

/** The command line with services of the same kind that are not the demo service. */

const secrets = {
  ADDRESS_CONSOLE_LICENCE_ID: 'foreign-licence-id-canary',
  ADDRESS_CONSOLE_GUID: 'foreign-guid-canary',
  ADDRESS_CONSOLE_WEB_MAP_KEY: 'foreign-map-key-canary',
  ADDRESS_CONSOLE_API_KEY: 'foreign-rest-key-canary',
};
let work: ReturnType<typeof createWorkFolder>;
let running: RunningForeign | undefined;
beforeEach(() => {
  work = createWorkFolder();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  work.remove();
});

async function start(service: ForeignService): Promise<RunningForeign> {
  running = await startForeignService(service);
  return running;
}

async function call(
  name: string,
  fields: Record<string, string>,
  settings: Record<string, unknown> = {},
  env: Record<string, string> = secrets,
) {
  const file = work.write('foreign.json', { soapUrl: running?.soapUrl, accountName: 'ACME', ...settings });
  const set = Object.entries(fields).flatMap(([field, value]) => ['--set', `${field}=${value}`]);
  const done = await runCommandLine(['call', name, ...set, '--connection', file], { env });
  for (const secret of Object.values(env)) expect(done.stdout + done.stderr).not.toContain(secret);
  return done.json;
}

interface Finding {
  against: string;
  kind: string;
  operation?: string;
  field?: string;
  touches: string[];
}
async function drift(...args: string[]): Promise<Finding[]> {
  const { status, json } = await runCommandLine(['wsdl', ...args]);
  expect(status).toBe(0);
  return json.value.drift.findings;
}
const short = (found: Finding[]): string[] =>
  found.map(({ kind, operation, field }) => [kind, operation, field].filter(Boolean).join(' ')).sort();

const c1 = [
  ['AccountName', 'string'],
  ['LicenceID', 'string'],
  ['MachineID', 'string'],
] as const;

/** An older version: no slash in the namespace, GET and POST first, a second path, more operations than are published. */
const older: ForeignService = {
  namespace: 'http://older.example/webservices',
  prefixes: ['s', 's0'],
  ports: [
    ['get', '/lookup.asmx'],
    ['post', '/lookup.asmx'],
    ['1.1', '/second/lookup.asmx'],
  ],
  types:
    '<s:complexType name="ListAddressPremises"><s:sequence><s:element minOccurs="0" name="List" type="s0:Premises" /><s:element name="IsError" type="s:boolean" /></s:sequence></s:complexType>' +
    '<s:complexType name="Premises"><s:sequence><s:element minOccurs="0" maxOccurs="unbounded" nillable="true" name="ListAddressPremise" type="s0:ListAddressPremise" /></s:sequence></s:complexType>' +
    '<s:complexType name="ListAddressPremise"><s:sequence><s:element name="List_Address" type="s:string" minOccurs="0" /><s:element name="Unique_Delivery_Point" type="s:string" minOccurs="0" /><s:element name="Return_Code" type="s:string" minOccurs="0" /></s:sequence></s:complexType>',
  operations: [
    {
      name: 'SearchPremise_ByPostcode',
      fields: [['sPostcode', 'string'], ...c1],
      result: 's0:ListAddressPremises',
      answer: ({ sPostcode }) =>
        `<List><ListAddressPremise><List_Address>1 High St, ${sPostcode}</List_Address><Unique_Delivery_Point>00000007</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>` +
        '<ListAddressPremise i:nil="true" /><ListAddressPremise><List_Address /><Unique_Delivery_Point i:nil="true" /><Return_Code>1</Return_Code></ListAddressPremise></List><IsError>false</IsError>',
    },
    {
      // One more field than published, and another order.
      name: 'GetPremiseAddress',
      fields: [...c1, ['sUniqueDeliveryPointID', 'string'], ['sLanguage', 'string']],
      result: 's:string',
      answer: ({ sLanguage }) =>
        `<List><AddressPremise><Post_Town>${sLanguage === 'cy' ? 'Abertawe' : 'Swansea'}</Post_Town><Return_Code>1</Return_Code></AddressPremise></List>`,
    },
    {
      name: 'FindNearestDataForPostcodeBingMap',
      fields: [
        ['sPostcodeDatum', 'string'],
        ['sPostcodeList', 'string'],
        ['sPostcodeDescriptions', 'string'],
        ['sNumberToReturn', 'string'],
        ['sBingMapKey', 'string'],
        ...c1,
      ],
      result: 's:string',
      answer: ({ sPostcodeList, sBingMapKey }) => `${sPostcodeList} with a key of ${sBingMapKey?.length}`,
    },
    {
      name: 'NearestData_ForPostcodeWithinAMaximumRadius',
      fields: [['sPostcodeDatum', 'string'], ['iRadius', 'int'], ['sType', 'string'], ...c1],
      result: 's:string',
      answer: ({ sPostcodeDatum, iRadius }) => `within ${iRadius} of ${sPostcodeDatum}`,
    },
  ],
};

describe('an older service: no slash, GET and POST bindings first, a second path', () => {
  test('a published operation: address, action and namespace from the description; nil members and empty elements folded', async () => {
    const { hits } = await start(older);
    const answer = await call('SearchPremise_ByPostcode', { sPostcode: 'SA1 1AA' });
    expect(answer).toMatchObject({
      ok: true,
      price: 0,
      value: {
        IsError: false,
        List: [
          { List_Address: '1 High St, SA1 1AA', Unique_Delivery_Point: '00000007', Return_Code: '1' },
          { List_Address: '', Unique_Delivery_Point: null, Return_Code: '1' },
        ],
      },
    });
    expect(hits).toEqual([
      {
        ...{
          path: '/second/lookup.asmx',
          version: '1.1',
          namespace: older.namespace,
          name: 'SearchPremise_ByPostcode',
        },
        action: `"${older.namespace}/SearchPremise_ByPostcode"`,
        fields: [
          ['sPostcode', 'SA1 1AA'],
          ['AccountName', 'ACME'],
          ['LicenceID', secrets.ADDRESS_CONSOLE_LICENCE_ID],
          ['MachineID', ''],
        ],
      },
    ]);
  });

  test('a field that the catalogue does not know, in the service’s own order', async () => {
    const { hits } = await start(older);
    const answer = await call('GetPremiseAddress', { sLanguage: 'cy', sUniqueDeliveryPointID: '00000007' });
    expect(answer).toMatchObject({ ok: true, value: { List: [{ Post_Town: 'Abertawe' }] } });
    expect(hits[0]?.fields.map(([name]) => name)).toEqual([
      'AccountName',
      'LicenceID',
      'MachineID',
      'sUniqueDeliveryPointID',
      'sLanguage',
    ]);
  });

  test.each(['FindNearestDataForPostcodeWebMap', 'FindNearestDataForPostcodeBingMap'])(
    'the map operation as %s',
    async (name) => {
      const { hits } = await start(older);
      const answer = await call(name, { sPostcodeDatum: 'SA1 1AA', sPostcodeList: 'SA2 2BB' });
      expect(answer).toMatchObject({ ok: true, price: 'not published', value: 'SA2 2BB with a key of 22' });
      expect(hits[0]?.name).toBe('FindNearestDataForPostcodeBingMap');
      expect(answer.request.body).toContain('<sBingMapKey>••••nary</sBingMapKey>');
    },
  );

  test('an operation that only the description knows, with its own types', async () => {
    const { hits } = await start(older);
    const name = 'NearestData_ForPostcodeWithinAMaximumRadius';
    expect(await call(name, { sPostcodeDatum: 'SA1 1AA', iRadius: '5' })).toMatchObject({
      ok: true,
      price: 'not published',
      value: 'within 5 of SA1 1AA',
    });
    expect(hits[0]?.fields.find(([field]) => field === 'LicenceID')?.[1]).toBe(secrets.ADDRESS_CONSOLE_LICENCE_ID);
    for (const [fields, field] of [
      [{ iRadius: 'far' }, 'iRadius'],
      [{ iRadius: '5', sNothing: '' }, 'sNothing'],
      [{ sType: '' }, 'iRadius'],
    ] as [Record<string, string>, string][]) {
      expect(await call(name, fields)).toMatchObject({ ok: false, error: { code: 'bad-input', field } });
    }
    expect(hits).toHaveLength(1);
    expect(await call(name, { iRadius: '5' }, {}, {})).toMatchObject({
      error: { code: 'no-credential', field: 'LicenceID' },
    });
  });

  test('an operation that registers under another name is refused: it could not be journalled', async () => {
    const [like] = older.operations;
    if (!like) throw new Error('no operations');
    const { hits } = await start({ ...older, operations: [{ ...like, name: 'ReRegisterMachine' }] });
    expect(await call('ReRegisterMachine', { sPostcode: 'SA1 1AA' })).toMatchObject({
      ok: false,
      error: { code: 'not-permitted', charge: 'not-charged', message: expect.stringContaining('licences register') },
    });
    expect(hits).toEqual([]);
  });

  test('how it differs from the catalogue, and from itself before', async () => {
    const { soapUrl, origin } = await start(older);
    const found = await drift(soapUrl);
    expect(short(found.filter(({ kind }) => kind !== 'operation-removed'))).toEqual([
      'field-added GetPremiseAddress sLanguage',
      'fields-reordered GetPremiseAddress',
      'operation-added NearestData_ForPostcodeWithinAMaximumRadius',
      'result-field-removed SearchPremise_ByPostcode ErrorMessage',
      'twin-lost GetPremiseAddress_Dataset',
      'twin-lost SearchPremise_ByPostcode_Dataset',
    ]);
    // It has three of the operations, the map operation with another word, and no twins of the others.
    expect(found.filter(({ kind }) => kind === 'operation-removed').length).toBe(
      operations.length + twins.length - 3 - 2,
    );

    const [search, premise, ...others] = older.operations;
    if (!search || !premise) throw new Error('no operations');
    const before: ForeignService = {
      ...older,
      namespace: 'http://older.example/before/',
      ports: [['1.1', '/first.asmx']],
      operations: [
        search,
        { ...premise, fields: [['sUniqueDeliveryPointID', 'int'], ...c1] },
        { ...search, name: 'SearchPremise_ByPostcode_Dataset' },
        { ...search, name: 'SearchPremise_ByPlace' },
        ...others.slice(0, 1),
      ],
    };
    const file = work.write('before.wsdl', writeDescription(before, origin));
    const sinceThen = (await drift(soapUrl, '--against', file)).filter(({ against }) => against === 'last-seen');
    expect(short(sinceThen.filter(({ kind }) => kind !== 'action-changed'))).toEqual([
      'address-changed',
      'field-added GetPremiseAddress sLanguage',
      'field-retyped GetPremiseAddress sUniqueDeliveryPointID',
      'fields-reordered GetPremiseAddress',
      'namespace-changed',
      'operation-added NearestData_ForPostcodeWithinAMaximumRadius',
      'operation-removed SearchPremise_ByPlace',
      'twin-lost SearchPremise_ByPostcode_Dataset',
    ]);
    expect(short(sinceThen.filter(({ kind }) => kind === 'action-changed'))).toEqual([
      'action-changed FindNearestDataForPostcodeBingMap',
      'action-changed GetPremiseAddress',
      'action-changed SearchPremise_ByPostcode',
    ]);
    for (const { touches, kind } of sinceThen) expect(touches.length, kind).toBeGreaterThan(0);
  });

  test('a connection’s namespaces are compared with the description’s', async () => {
    const { soapUrl } = await start(older);
    const file = work.write('other.json', { soapUrl, soapNamespace: 'http://older.example/webservices/' });
    expect(short(await drift('--connection', file))).toContain('namespace-changed');
  });
});

/** SOAP 1.2 only, the schema in separate documents, other prefixes, lists without a List element. */
const twelve: ForeignService = {
  namespace: 'urn:lookup:twelve',
  prefixes: ['xsd', 'tns'],
  ports: [['1.2', '/lookup.asmx']],
  schemaByLocation: true,
  answerPrefix: 'q1',
  types:
    '<xsd:complexType name="Geographics"><xsd:sequence><xsd:element minOccurs="0" maxOccurs="unbounded" name="Geographic" type="tns:Geographic" /></xsd:sequence></xsd:complexType>' +
    '<xsd:complexType name="Geographic"><xsd:sequence><xsd:element minOccurs="0" name="Postcode" type="xsd:string" /><xsd:element minOccurs="0" name="Altitude" type="xsd:string" /><xsd:element minOccurs="0" name="Return_Code" type="xsd:string" /></xsd:sequence></xsd:complexType>',
  operations: [
    {
      name: 'GeoData_ForPostcode',
      fields: [['sPostcodes', 'string'], ...c1],
      result: 'tns:Geographics',
      action: 'urn:actions#geo',
      answer: ({ sPostcodes }) =>
        (sPostcodes ?? '')
          .split(';')
          .map(
            (code) =>
              `<q1:Geographic><q1:Postcode>${code}</q1:Postcode><q1:Altitude>007</q1:Altitude><q1:Return_Code>1</q1:Return_Code></q1:Geographic>`,
          )
          .join(''),
    },
    {
      name: 'NearestData_ForPostcode',
      fields: [['sPostcodeDatum', 'string'], ...c1],
      result: 'xsd:string',
      answer: () =>
        '<q1:List><q1:Nearest><q1:Postcode_Return>A1</q1:Postcode_Return></q1:Nearest></q1:List><q1:List><q1:Nearest><q1:Postcode_Return>A2</q1:Postcode_Return></q1:Nearest></q1:List>',
    },
  ],
};

describe('a service over SOAP 1.2 alone, with its schema elsewhere and its own prefixes', () => {
  test('is called over 1.2 although the connection says 1.1; a list without List, an unknown field kept, its own separator', async () => {
    const { hits } = await start(twelve);
    const file = work.write('twelve.json', {
      soapUrl: running?.soapUrl,
      accountName: 'ACME',
      soapVersion: '1.1',
      listSeparator: ';',
    });
    const { json } = await runCommandLine(
      ['call', 'GeoData_ForPostcode', '--set', 'sPostcodes=A1', '--set', 'sPostcodes=B2', '--connection', file],
      { env: secrets },
    );
    expect(json).toMatchObject({ ok: true, value: { List: [{ Postcode: 'A1' }, { Postcode: 'B2' }] } });
    expect(json.unknown).toMatchObject([{ path: 'List[0].Altitude', value: '007' }, { path: 'List[1].Altitude' }]);
    expect(hits[0]).toMatchObject({ version: '1.2', action: '"urn:actions#geo"', namespace: 'urn:lookup:twelve' });
  });

  test('an operation that only the port of 1.2 has goes to that port’s address', async () => {
    const { hits } = await start({
      ...older,
      ports: [
        ['1.1', '/eleven.asmx'],
        ['1.2', '/twelve.asmx'],
      ],
      operations: older.operations.map((operation) => ({ ...operation, over: '1.2' })),
    });
    await call('SearchPremise_ByPostcode', { sPostcode: 'SA1 1AA' }, { soapVersion: '1.1' });
    expect(hits.map(({ path, version }) => [path, version])).toEqual([['/twelve.asmx', '1.2']]);
  });

  test('a List for each record is one list', async () => {
    await start(twelve);
    const answer = await call('NearestData_ForPostcode', { sPostcodeDatum: 'A1' });
    expect(answer.value.List).toMatchObject([{ Postcode_Return: 'A1' }, { Postcode_Return: 'A2' }]);
  });

  test('the description with its parts: read from the address, and from files saved beside each other', async () => {
    const { soapUrl, origin } = await start(twelve);
    const live = await runCommandLine(['wsdl', soapUrl]);
    expect(live.json.value.description).toMatchObject({ notes: [], targetNamespace: 'urn:lookup:twelve' });
    expect(live.json.value.description.operations.every(({ callable }: { callable: boolean }) => callable)).toBe(true);
    expect(short(live.json.value.drift.findings)).toEqual(
      expect.arrayContaining([
        'result-field-added GeoData_ForPostcode [].Altitude',
        'result-field-removed GeoData_ForPostcode [].x_Coord',
        'action-changed GeoData_ForPostcode',
      ]),
    );
    const [elements, types] = await Promise.all(
      ['elements', 'types'].map(async (part) => (await fetch(`${soapUrl}?xsd=${part}`)).text()),
    );
    work.write('elements.xsd', (elements ?? '').replace('/lookup.asmx?xsd=types', 'types.xsd'));
    work.write('types.xsd', types);
    const saved = work.write('saved.wsdl', writeDescription(twelve, origin).replace('?xsd=elements', 'elements.xsd'));
    const file = await runCommandLine(['wsdl', saved, '--against', soapUrl]);
    expect(file.json.value.description.notes).toEqual([]);
    expect(file.json.value.drift.findings.filter(({ against }: Finding) => against === 'last-seen')).toEqual([]);
  });

  test('a saved description can read only the files beside it, and no network', async () => {
    const { origin, hits } = await start(twelve);
    for (const location of ['../outside.xsd', 'file:///etc/hostname', `${origin}/lookup.asmx?xsd=elements`]) {
      const saved = work.write('saved.wsdl', writeDescription(twelve, origin).replace('?xsd=elements', location));
      const { json } = await runCommandLine(['wsdl', saved]);
      expect(json.value.description.notes[0]).toMatchObject({ kind: 'import-refused' });
      expect(json.value.description.operations[0]).toMatchObject({ callable: false });
    }
    expect(hits).toEqual([]);
  });
});

const any = (x: string): string =>
  `<${x}:complexType><${x}:sequence><${x}:any namespace="urn:tables" /></${x}:sequence></${x}:complexType>`;

/** The guide's request, data sets without a schema, and a port with another server's address. */
const guide: ForeignService = {
  namespace: 'http://guide.example/19/',
  prefixes: ['xs', 'g'],
  ports: [
    ['1.1', 'http://127.0.0.2:9/steal.asmx'],
    ['1.2', 'https://steal.example/lookup.asmx'],
  ],
  answerPrefix: 'g',
  operations: [
    {
      name: 'PostcodeLookup',
      fields: [
        ['ApiKey', 'string'],
        ['Postcode', 'string'],
      ],
      result:
        '<xs:complexType><xs:sequence><xs:element minOccurs="0" maxOccurs="unbounded" name="Address"><xs:complexType><xs:sequence><xs:element name="BuildingNumber" type="xs:string" minOccurs="0" /><xs:element name="Postcode" type="xs:string" minOccurs="0" /></xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType>',
      answer: ({ Postcode }) =>
        `<g:Address><g:BuildingNumber>007</g:BuildingNumber><g:Postcode>${Postcode}</g:Postcode></g:Address>`,
    },
    {
      name: 'SearchPremise_ByPostcode_Dataset',
      fields: [['sPostcode', 'string'], ...c1],
      result: any('xs'),
      answer: () =>
        '<f:diffgram xmlns:f="urn:schemas-microsoft-com:xml-diffgram-v1" xmlns:m="urn:schemas-microsoft-com:xml-msdata"><DocumentElement xmlns="">' +
        '<ListAddressPremise f:id="a1" m:rowOrder="0"><List_Address>1 High St</List_Address><Unique_x0020_Delivery>007</Unique_x0020_Delivery></ListAddressPremise>' +
        '<ListAddressPremise f:id="a2" m:rowOrder="1"><List_Address>2 High St</List_Address></ListAddressPremise></DocumentElement></f:diffgram>',
    },
    {
      name: 'Stocktake_Dataset',
      fields: [...c1],
      result: any('xs'),
      answer: () => '<Store xmlns="urn:tables"><Shelf><Name>a</Name></Shelf><Shelf><Name>b</Name></Shelf></Store>',
    },
  ],
};

describe('a service with the guide’s request, data sets without schema, and an address of another origin', () => {
  test('the credentials go only to the configured address', async () => {
    const { hits, soapUrl } = await start(guide);
    const answer = await call('SearchPremise_ByPostcode_Dataset', { sPostcode: 'A1' });
    expect(answer.request.url).toBe(soapUrl);
    expect(hits.map(({ path }) => path)).toEqual(['/lookup.asmx']);
    expect(answer.value.tables).toEqual([
      {
        name: 'ListAddressPremise',
        columns: ['List_Address', 'Unique Delivery'],
        rows: [{ List_Address: '1 High St', 'Unique Delivery': '007' }, { List_Address: '2 High St' }],
      },
    ]);
    expect(short(await drift(soapUrl))).toEqual(
      expect.arrayContaining([
        'address-changed',
        'guide-operation-found PostcodeLookup',
        'operation-added Stocktake_Dataset',
      ]),
    );
  });

  test('the guide’s request is called by its name in the description, with its key masked', async () => {
    const { hits } = await start(guide);
    // Another key than the connection's would not count against its caps.
    const other = await call('PostcodeLookup', { ApiKey: 'canary-of-the-guide', Postcode: 'A1 1AA' });
    expect(other).toMatchObject({ ok: false, error: { code: 'bad-input', field: 'ApiKey' } });
    const answer = await call('PostcodeLookup', { Postcode: 'A1 1AA' });
    expect(answer).toMatchObject({
      ok: true,
      price: 'not published',
      value: { Address: [{ BuildingNumber: '007', Postcode: 'A1 1AA' }] },
    });
    expect(hits[0]?.fields).toEqual([
      ['ApiKey', secrets.ADDRESS_CONSOLE_API_KEY],
      ['Postcode', 'A1 1AA'],
    ]);
    expect(JSON.stringify([answer, other])).not.toContain('canary-of-the-guide');
  });

  test('tables of a data set that nobody published', async () => {
    await start(guide);
    expect((await call('Stocktake_Dataset', {})).value).toEqual({
      tables: [{ name: 'Shelf', columns: ['Name'], rows: [{ Name: 'a' }, { Name: 'b' }] }],
    });
  });
});

test('a service without a description is called by the published rules', async () => {
  const plain: ForeignService = { ...older, ports: [['1.1', '/lookup.asmx']] };
  const { hits, soapUrl } = await start(plain);
  const answer = await call(
    'SearchPremise_ByPostcode',
    { sPostcode: 'A1' },
    { soapUrl: `${soapUrl}?tenant=1`, soapNamespace: older.namespace },
  );
  expect(answer).toMatchObject({ ok: true, found: 'something' });
  expect(hits[0]).toMatchObject({ path: '/lookup.asmx', action: `"${older.namespace}/SearchPremise_ByPostcode"` });
});
