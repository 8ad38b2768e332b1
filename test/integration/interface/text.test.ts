import http from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallProfile } from '../../../electron/core/connections/profile.ts';
import { callRest } from '../../../electron/core/rest/client.ts';
import { callSoap } from '../../../electron/core/soap/client.ts';
import { createHttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { readXml, type XmlElement } from '../../../electron/demo-service/soap/xml-read.ts';
import { type RecordName, records } from '../../../shared/catalogue/records.ts';
import { findSoapOperation, soapOperationNames, soapOperations } from '../../../shared/catalogue/soap-operations.ts';
import type { RecordDef } from '../../../shared/catalogue/types.ts';
import { isSecretField } from '../../../shared/secret-fields.ts';
import { buildProfile } from '../../fixtures/soap/profile.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';

/** Any text in any field, sent and received, through the client and through a different reader (sax). */

/** The characters of XML 1.0, section 2.2, written independently of the client. */
const isXmlCharacter = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

const awkward = [
  ...[
    '&',
    '<',
    '>',
    '"',
    "'",
    ']]>',
    '<![CDATA[',
    '&amp;',
    '&#13;',
    '<!--',
    '--',
    '?>',
    '%00',
    '%',
    '+',
    '#',
    '=',
    '{{',
  ],
  ...['\r', '\n', '\r\n', '\t', ' ', '  ', '\u00a0', '\u0085', '\u2028', '\ufeff', '\u200f', '\u0301', '\ufffd'],
  ...['é', 'Ŵ', '😀', '\u{10fffd}', '__proto__', 'constructor', '</soap:Body>', 'null', '007', '1e5', 'true', '\\r\\n'],
];
const xmlCode = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }),
  fc.integer({ min: 0x20, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0xfffd }),
  fc.integer({ min: 0x10000, max: 0x10ffff }),
);
const piece = fc.oneof(
  fc.constantFrom(...awkward),
  xmlCode.map((code) => String.fromCodePoint(code)),
);
const xmlText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const forbidden = fc.oneof(
  fc
    .integer({ min: 0, max: 0x1f })
    .filter((code) => !isXmlCharacter(code))
    .map((code) => String.fromCharCode(code)),
  fc.constantFrom('\ufffe', '\uffff'),
  fc.integer({ min: 0xd800, max: 0xdbff }).map((code) => `${String.fromCharCode(code)}x`),
  fc.integer({ min: 0xdc00, max: 0xdfff }).map((code) => `x${String.fromCharCode(code)}`),
);
const forbiddenText = fc.tuple(xmlText, forbidden, xmlText).map((parts) => parts.join(''));

const transport = createHttpTransport();
let demo: RunningDemo;
let server: http.Server;
let origin: string;
let requests = 0;
let arrived: readonly XmlElement[] = [];
/** The server's answer to a SOAP operation; over REST it returns the query. */
let result = '';

beforeAll(async () => {
  demo = await startTestService({ premises: 4000, listSeparator: '|' });
  server = http.createServer((request, response) => {
    requests += 1;
    const url = new URL(request.url ?? '', 'http://x');
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.method === 'GET') {
        const given = Object.fromEntries(url.searchParams);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ results: [{ id: given.query, address: given.query }], totalResults: 1 }));
        return;
      }
      const element = readXml(Buffer.concat(parts).toString('utf8')).children[0]?.children[0];
      const name = element?.name ?? '';
      arrived = element?.children ?? [];
      response.setHeader('content-type', 'text/xml; charset=utf-8');
      response.end(
        `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${name}Response xmlns="urn:echo/">` +
          `<${name}Result>${result}</${name}Result></${name}Response></s:Body></s:Envelope>`,
      );
    });
  });
  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
afterAll(async () => {
  await transport.close();
  await new Promise((resolve) => server.close(resolve));
  await demo.stop();
});

const echoProfile = (changes: Partial<CallProfile['connection']> = {}, secrets: CallProfile['secrets'] = {}) =>
  buildProfile(
    { soapUrl: `${origin}/s.asmx`, restBaseUrl: `${origin}/v1`, soapNamespace: 'urn:echo/', ...changes },
    secrets,
  );

const demoProfile = (): CallProfile => {
  const { accountName, licenceId, guid, licenceKey, webMapKey, lookupKey } = demo.demo;
  const { soapUrl, soapNamespace, restBaseUrl } = demo;
  return buildProfile(
    { soapUrl, soapNamespace, restBaseUrl, accountName, listSeparator: '|' },
    { licenceId, guid, licenceKey, webMapKey, lookupKey },
  );
};

const send = transport.send;
const timeoutMs = 120_000;
const runs = { numRuns: 150 };
/** Fewer runs, because each new secret needs new patterns for masking, which takes a while. */
const fewer = { numRuns: 50 };

describe('SOAP requests', () => {
  const withFields = soapOperationNames.map((name) => ({
    name,
    fields: (findSoapOperation(name)?.operation.fields ?? []).filter((field) => field.type === 'string'),
    numbers: (findSoapOperation(name)?.operation.fields ?? []).filter((field) => field.type === 'integer'),
  }));

  test('every text in every field, credentials included, arrives as it was given, in order', async () => {
    result = '';
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...withFields),
        fc.array(xmlText, { minLength: 12, maxLength: 12 }),
        fc.constantFrom('1.1', '1.2'),
        async ({ name, fields, numbers }, texts, soapVersion) => {
          arrived = [];
          const given = Object.fromEntries(fields.map((field, index) => [field.name, texts[index] ?? '']));
          const all = { ...given, ...Object.fromEntries(numbers.map((field) => [field.name, 42])) };
          await callSoap({
            profile: echoProfile({ soapVersion }),
            operation: name,
            fields: all,
            transport: send,
            timeoutMs,
          });
          const order = findSoapOperation(name)?.operation.fields.map((field) => field.name);
          expect(arrived.map((child) => child.name)).toEqual(order);
          expect(Object.fromEntries(arrived.map((child) => [child.name, child.text]))).toEqual({
            ...given,
            ...Object.fromEntries(numbers.map((field) => [field.name, '42'])),
          });
        },
      ),
      fewer,
    );
  });

  test('credentials of the connection arrive as they were stored', async () => {
    result = '';
    await fc.assert(
      fc.asyncProperty(xmlText, xmlText, xmlText, async (accountName, machineId, licenceId) => {
        fc.pre(accountName !== '' && licenceId !== '');
        const profile = echoProfile({ accountName, machineId }, { licenceId });
        await callSoap({ profile, operation: 'ServiceTest', transport: send, timeoutMs });
        expect(arrived.map((child) => child.text)).toEqual([accountName, licenceId, machineId]);
      }),
      fewer,
    );
  });

  test('what XML cannot carry is refused with bad-input naming the field, before anything leaves', async () => {
    const before = requests;
    demo.meter.reset();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...withFields.filter(({ fields }) => fields.length > 0)),
        fc.nat(20),
        forbiddenText,
        fc.boolean(),
        async ({ name, fields, numbers }, index, text, asMember) => {
          const field = fields[index % fields.length];
          if (!field) throw new Error(name);
          const value = asMember && field.list ? ['a', text] : text;
          const all = { ...Object.fromEntries(numbers.map((one) => [one.name, 42])), [field.name]: value };
          for (const profile of [echoProfile(), demoProfile()]) {
            const answer = await callSoap({ profile, operation: name, fields: all, transport: send, timeoutMs });
            expect(answer).toMatchObject({
              ok: false,
              error: { code: 'bad-input', charge: 'not-charged', field: field.name },
            });
          }
        },
      ),
      runs,
    );
    expect(requests).toBe(before);
    expect(demo.meter.read()).toMatchObject({ requests: 0, credits: 0, connections: 0 });
  });

  test('nor does a credential that XML cannot carry leave', async () => {
    const before = requests;
    await fc.assert(
      fc.asyncProperty(forbiddenText, fc.boolean(), async (text, isSecret) => {
        const profile = isSecret ? echoProfile({}, { licenceId: text }) : echoProfile({ accountName: text });
        const answer = await callSoap({ profile, operation: 'ServiceTest', transport: send, timeoutMs });
        expect(answer).toMatchObject({ ok: false, error: { code: 'bad-input', charge: 'not-charged' } });
        if (!answer.ok && isSecret) expect(JSON.stringify(answer.error)).not.toContain(JSON.stringify(text));
      }),
      fewer,
    );
    expect(requests).toBe(before);
  });
});

describe('SOAP answers', () => {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };
  const writers: ((text: string) => string)[] = [
    (text) => text.replace(/[&<>\r]/g, (character) => escapes[character] ?? character),
    (text) => [...text].map((character) => `&#${character.codePointAt(0)};`).join(''),
    (text) => [...text].map((character) => `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`).join(''),
    // A CDATA section cannot contain its own end, and a carriage return in it does not survive parsing.
    (text) =>
      text
        .split(/(\r|\]\]>)/)
        .map((part) => (part === '\r' ? '&#13;' : part === ']]>' ? ']]&gt;' : `<![CDATA[${part}]]>`))
        .join(''),
  ];
  const returning = soapOperations.filter((operation) => operation.result in records);

  test('every text in every field of every record comes back as it was sent, however it was escaped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...returning),
        fc.array(fc.tuple(xmlText, fc.constantFrom(...writers)), { minLength: 30, maxLength: 30 }),
        async (operation, texts) => {
          const definition: RecordDef = records[operation.result as RecordName];
          const record: RecordDef =
            definition.listOf === undefined ? definition : records[definition.listOf as RecordName];
          // Codes and flags determine what an answer is, and a License's GUID is masked, so these are fixed.
          const fixed: Record<string, string> = {
            Return_Code: '1',
            IsError: 'false',
            IsTruncated: 'false',
            ErrorMessage: '',
          };
          const fields = record.fields.filter(({ name }) => !(name in fixed) && !isSecretField(name));
          const expected = Object.fromEntries(fields.map(({ name }, index) => [name, texts[index]?.[0] ?? '']));
          // A record that is all blanks means that nothing was found.
          fc.pre(Object.values(expected).some((text) => text.trim() !== ''));
          const written = fields
            .map(({ name }, index) => {
              const [text, write] = texts[index] ?? ['', String];
              return `<${name}>${write(text)}</${name}>`;
            })
            .concat('<Return_Code>1</Return_Code>')
            .join('');
          result =
            definition.listOf === undefined
              ? written
              : `<List><${definition.listOf}>${written}</${definition.listOf}></List>`;
          const given = Object.fromEntries(
            operation.fields.flatMap((field) => (field.type === 'integer' ? [[field.name, 1]] : [])),
          );
          const answer = await callSoap({
            profile: echoProfile(),
            operation: operation.name as string,
            fields: given,
            transport: send,
            timeoutMs,
          });
          if (!answer.ok) throw new Error(JSON.stringify(answer.error));
          const value = answer.value.value as { List?: unknown[] };
          expect(definition.listOf === undefined ? value : value.List?.[0]).toMatchObject(expected);
        },
      ),
      runs,
    );
  });

  test('a plain string result too', async () => {
    await fc.assert(
      fc.asyncProperty(xmlText, fc.constantFrom(...writers), async (text, write) => {
        result = write(text);
        const answer = await callSoap({ profile: echoProfile(), operation: 'ServiceTest', transport: send, timeoutMs });
        expect(answer).toMatchObject({ ok: true, value: { value: text } });
      }),
      runs,
    );
  });
});

describe('the demo service', () => {
  test('returns the description of a postcode as it was sent', async () => {
    const [near = ''] = demo.demo.sample.nearPostcodes;
    await fc.assert(
      fc.asyncProperty(
        xmlText,
        fc.constantFrom('NearestData_ForPostcode', 'NearestData_ForPostcode_Dataset'),
        async (text, operation) => {
          fc.pre(!text.includes('|') && text.trim() === text);
          const fields = {
            sPostcodeDatum: demo.demo.sample.postcode,
            sPostcodeList: near,
            sPostcodeDescriptions: text,
            sNumberToReturn: '1',
          };
          const answer = await callSoap({ profile: demoProfile(), operation, fields, transport: send, timeoutMs });
          if (!answer.ok) throw new Error(JSON.stringify(answer.error));
          const value = answer.value.value as {
            List?: { Postcode_Description: string }[];
            tables?: { rows: { Postcode_Description: string }[] }[];
          };
          const row = value.List?.[0] ?? value.tables?.[0]?.rows[0];
          expect(row?.Postcode_Description).toBe(text);
        },
      ),
      runs,
    );
  });

  test('never fails on the text of a request: it returns an answer, or an error about the input', async () => {
    await fc.assert(
      fc.asyncProperty(
        xmlText,
        fc.constantFrom(...soapOperations.filter((one) => one.effect === 'reads')),
        async (text, operation) => {
          const fields = Object.fromEntries(
            operation.fields.filter((field) => !('credential' in field)).map((field) => [field.name, text]),
          );
          const answer = await callSoap({
            profile: demoProfile(),
            operation: operation.name as string,
            fields,
            transport: send,
            timeoutMs,
          });
          if (!answer.ok) expect(['input-refused', 'service-error']).toContain(answer.error.code);
        },
      ),
      runs,
    );
  });
});

describe('REST', () => {
  test('every text of a request arrives and is returned as it was given; half a character is refused', async () => {
    const anything = fc.array(fc.oneof(piece, forbidden), { maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const before = requests;
        const answer = await callRest({
          profile: echoProfile(),
          endpoint: 'Search',
          fields: { query: text },
          transport: send,
          timeoutMs,
        });
        if (text.trim() === '' || !text.isWellFormed()) {
          expect(answer).toMatchObject({
            ok: false,
            error: { code: 'bad-input', charge: 'not-charged', field: 'query' },
          });
          expect(requests).toBe(before);
        } else {
          expect(answer).toMatchObject({
            ok: true,
            value: { value: { results: [{ id: text, address: text }], totalResults: 1 } },
          });
          expect(requests).toBe(before + 1);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the demo service never fails on the text of a request', async () => {
    await fc.assert(
      fc.asyncProperty(
        xmlText,
        fc.constantFrom('Search', 'GetPremise', 'GetPremiseGeoData'),
        async (text, endpoint) => {
          fc.pre(text.trim() !== '');
          const fields = endpoint === 'Search' ? { query: text } : { id: text };
          const answer = await callRest({ profile: demoProfile(), endpoint, fields, transport: send, timeoutMs });
          if (!answer.ok) expect(['input-refused', 'not-found']).toContain(answer.error.code);
        },
      ),
      runs,
    );
  });
});
