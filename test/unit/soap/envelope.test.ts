import fc from 'fast-check';
import sax from 'sax';
import { expect, test } from 'vitest';
import { fillCredentials } from '../../../electron/core/soap/message/credentials.ts';
import {
  actionOf,
  buildEnvelope,
  buildHeaders,
  type FieldValues,
  isXmlText,
  readFields,
} from '../../../electron/core/soap/message/envelope.ts';
import { resolveOperation } from '../../../electron/core/soap/operation.ts';
import { findSoapOperation, soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import { buildProfile } from '../../fixtures/soap/profile.ts';

const operationOf = (name: string) => {
  const found = resolveOperation(name);
  if (!found.ok) throw new Error(found.error.code);
  return found.value;
};

/** A tag of sax, which has no types. */
interface Tag {
  local: string;
  uri: string;
}

/** Reads a request with sax instead of the program's decoder: its element, namespace and fields in order. */
function decodeWithSax(xml: string): { element: string; namespace: string; fields: [string, string][] } {
  const parser = sax.parser(true, { xmlns: true });
  const path: Tag[] = [];
  const fields: [string, string][] = [];
  let request: Tag | undefined;
  let text = '';
  parser.onopentag = (tag: Tag) => {
    path.push(tag);
    if (path.length === 3) request = tag;
    text = '';
  };
  parser.ontext = (part: string) => {
    text += part;
  };
  parser.onclosetag = (name: string) => {
    if (path.length === 4) fields.push([name, text]);
    path.pop();
    text = '';
  };
  parser.onerror = (error: Error) => {
    throw error;
  };
  parser.write(xml).close();
  if (!request) throw new Error('no request element');
  return { element: request.local, namespace: request.uri, fields };
}

function envelopeOf(name: string, values: FieldValues, version: '1.1' | '1.2' = '1.1'): string {
  const operation = operationOf(name);
  const texts = readFields(operation, values, ',');
  if (!texts.ok) throw new Error(texts.error.message);
  return buildEnvelope(version, 'urn:x', operation, texts.value);
}

const anyXmlText = fc.string({ unit: 'binary', maxLength: 60 }).filter(isXmlText);
const markup = fc.constantFrom(
  '&',
  '<',
  '>',
  '"',
  "'",
  ']]>',
  '<![CDATA[',
  '&amp;',
  '\r',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '&#13;',
  '</',
  '😀',
);
const nastyText = fc.array(fc.oneof(markup, anyXmlText), { maxLength: 8 }).map((parts) => parts.join(''));

test('any text that XML can carry arrives unchanged in any field, in both versions', () => {
  fc.assert(
    fc.property(nastyText, nastyText, fc.constantFrom('1.1' as const, '1.2' as const), (street, town, version) => {
      const decoded = decodeWithSax(envelopeOf('SearchPremise_ByStreet', { sTown: town, sStreet: street }, version));
      // sax does not normalise line ends; a bare CR is never sent, so there is nothing to normalise.
      expect(decoded).toEqual({
        element: 'SearchPremise_ByStreet',
        namespace: 'urn:x',
        fields: [
          ['sStreet', street],
          ['sTown', town],
        ],
      });
    }),
    { numRuns: 500 },
  );
});

test('a carriage return is sent as a reference, never bare', () => {
  const xml = envelopeOf('SearchPremise_ByPostcode', { sPostcode: 'a\r\nb' });
  expect(xml).toContain('a&#13;\nb');
  expect(xml).not.toContain('\r');
});

test('what XML 1.0 cannot carry is refused, naming the field', () => {
  const impossible = fc.constantFrom('\u0000', '\u0001', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800', '\udc00');
  fc.assert(
    fc.property(anyXmlText, impossible, anyXmlText, (before, bad, after) => {
      // A lone surrogate may find its partner in the neighbouring text.
      fc.pre(!/[\ud800-\udbff]$/.test(before) && !/^[\udc00-\udfff]/.test(after));
      const result = readFields(operationOf('SearchPremise_ByPostcode'), { sPostcode: before + bad + after }, ',');
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'bad-input', field: 'sPostcode', charge: 'not-charged' },
      });
    }),
  );
});

test('each operation sends exactly its fields in the published order', () => {
  for (const name of soapOperationNames) {
    const fields = findSoapOperation(name)?.operation.fields ?? [];
    const values = Object.fromEntries(
      [...fields].reverse().map((field) => [field.name, field.type === 'integer' ? 7 : `v ${field.name}`]),
    );
    const decoded = decodeWithSax(envelopeOf(name, values));
    expect(decoded.element).toBe(name);
    expect(decoded.fields).toEqual(
      fields.map((field) => [field.name, field.type === 'integer' ? '7' : `v ${field.name}`]),
    );
  }
});

test('a field not given is left out, an empty one is sent empty', () => {
  expect(decodeWithSax(envelopeOf('SearchPremise_ByStreet', { sTown: '', sStreet: undefined })).fields).toEqual([
    ['sTown', ''],
  ]);
});

test.each([
  ['RegisterLicense', { sMachineName: 'PC1' }, 'iLicenseID'],
  ['RegisterLicense', { iLicenseID: '12a' }, 'iLicenseID'],
  ['RegisterLicense', { iLicenseID: 1.5 }, 'iLicenseID'],
  ['RegisterLicense', { iLicenseID: '2147483648' }, 'iLicenseID'],
  ['RegisterLicense', { iLicenseID: '' }, 'iLicenseID'],
  ['SearchPremise_ByPostcode', { sPostcodes: 'x' }, 'sPostcodes'],
  ['SearchPremise_ByPostcode', { __proto__x: 'x' }, '__proto__x'],
  ['SearchPremise_ByPostcode', { sPostcode: ['a', 'b'] }, 'sPostcode'],
  ['GeoData_ForPostcode', { sPostcodes: ['AB1 2CD', 'AB1,2CE'] }, 'sPostcodes'],
  ['GeoData_ForPostcode', { sPostcodes: ['AB1\u0001'] }, 'sPostcodes'],
  ['SearchPremise_ByPostcode', { sPostcode: 'a', sPOSTCODE: 'b' }, 'sPOSTCODE'],
] as [string, FieldValues, string][])('%s with %j is refused, naming %s', (name, values, field) => {
  expect(readFields(operationOf(name), values, ',')).toMatchObject({ ok: false, error: { code: 'bad-input', field } });
});

test('32-bit limits and signs of whole numbers', () => {
  const texts = (value: string | number) => readFields(operationOf('RegisterLicense'), { iLicenseID: value }, ',');
  for (const [given, sent] of [
    [2147483647, '2147483647'],
    ['-2147483648', '-2147483648'],
    [' 007 ', '7'],
    ['+5', '5'],
  ] as const) {
    const result = texts(given);
    expect(result.ok && result.value.get('iLicenseID')).toEqual([sent]);
  }
});

test('lists are joined with the connection’s separator; unset means a comma', () => {
  const joined = (separator: string, values: string[]) => {
    const result = readFields(operationOf('GeoData_ForPostcode'), { sPostcodes: values }, separator);
    return result.ok ? result.value.get('sPostcodes') : result.error.code;
  };
  expect(joined('|', ['A,1', 'B'])).toEqual(['A,1|B']);
  expect(joined('', ['A', 'B'])).toEqual(['A,B']);
  expect(joined('; ', ['A; B', 'C'])).toBe('bad-input');
});

test('the action follows the rule of both namespace styles and is placed as each version requires', () => {
  const operation = operationOf('ServiceTest');
  expect(actionOf('1.1', 'urn:x', operation)).toBe('urn:x/ServiceTest');
  expect(actionOf('1.1', 'http://x/y/', operation)).toBe('http://x/y/ServiceTest');
  expect(buildHeaders('1.1', 'urn:a')).toMatchObject({
    value: { 'content-type': 'text/xml; charset=utf-8', soapaction: '"urn:a"' },
  });
  const twelve = buildHeaders('1.2', 'urn:a');
  expect(twelve).toMatchObject({ value: { 'content-type': 'application/soap+xml; charset=utf-8; action="urn:a"' } });
  expect(twelve.ok && 'soapaction' in twelve.value).toBe(false);
  for (const hostile of ['a"b', 'a\r\nx: y', 'é']) expect(buildHeaders('1.1', hostile).ok).toBe(false);
});

test('credentials fill their fields; optional ones are blank, missing ones are named, REST keys are never used', () => {
  const fields = operationOf('AdvancedSearch').fields;
  const filled = fillCredentials(fields, new Set(), buildProfile());
  expect(filled.ok && Object.fromEntries(filled.value)).toEqual({
    sAccountName: 'ACME01',
    sGUID: '7d2e9a40-2222-4f5e-8a1b-ddddeeeeffff',
    sIPAddress: '',
    sLicenseID: '0b5f3c1e-1111-4a2b-9c3d-aaaabbbbcccc',
  });
  expect(fillCredentials(fields, new Set(), buildProfile({}, { guid: '' }))).toMatchObject({
    error: {
      code: 'no-credential',
      field: 'sGUID',
      message: 'The connection has no account GUID for this call.',
    },
  });
  for (const name of soapOperationNames) {
    const all = fillCredentials(operationOf(name).fields, new Set(), buildProfile());
    expect(all.ok && [...all.value.values()].some((value) => value.startsWith('rest-'))).toBe(false);
  }
});

test('a number that the description requires, but lets be nil, is nil where none is given', () => {
  const operation = {
    ...operationOf('ServiceTest'),
    fields: [
      { name: 'iRadius', label: 'iRadius', type: 'integer', always: true },
      { name: 'sType', label: 'sType', type: 'string', always: true },
    ],
  } as const;
  expect(buildEnvelope('1.1', 'urn:a', operation, new Map())).toContain(
    '<iRadius xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true" /><sType></sType>',
  );
  expect(buildEnvelope('1.1', 'urn:a', operation, new Map([['iRadius', ['5']]]))).toContain('<iRadius>5</iRadius>');
});
