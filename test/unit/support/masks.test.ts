import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMasker, maskPattern } from '../../../electron/core/support/support-masks.ts';
import { supportMasks, usualMasks } from '../../../shared/contract/support.ts';

// A support file shows how the service answered, but nothing about the person or address.

const masker = (masks = usualMasks) =>
  createMasker({
    masks,
    subjects: ['HR1 2DT', '25000001', '14 Tannery Row'],
    machines: ['OLD-LAPTOP-3', 'PC'],
    people: ['kim', 'Lee Preece'],
    addresses: ['https://lookup.example:8443/v1', 'https://soap.example/service.asmx'],
  });

test('a request keeps its endpoint, its options and the end of its key', () => {
  const url = masker().url('https://lookup.example:8443/v1/premise/25000001?key=••••4f2a&maxresults=20');
  expect(url).toBe('https://[masked: host name]/v1/premise/[masked: 8 digits]?key=••••4f2a&maxresults=20');
  expect(masker().url('https://lookup.example:8443/v1/search?query=14%20Tannery%20Row')).not.toContain('Tannery');
});

test('a JSON answer keeps its form; only values about the outcome stay', () => {
  const body = JSON.stringify({
    IsError: false,
    ErrorMessage: 'No premise at 14 Tannery Row, HR1 2DT on lookup.example',
    message: 'The key is not valid for 16 other uses',
    faultstring: 'Nothing in Kiln Brow',
    reason: 'Server was unable to read the XML. Try again',
    Credits: 4812,
    results: [{ street: 'Tannery Row', number: 14, postcode: 'HR1 2DT', id: '25000001', empty: '' }],
  });
  const shown = JSON.parse(masker().body(body));
  expect(shown.IsError).toBe(false);
  expect(shown.ErrorMessage).toBe(
    'No premise at [masked: 14 characters], [masked: 7 characters] on [masked: host name]',
  );
  expect([shown.message, shown.faultstring]).toEqual(['[masked: 38 characters]', '[masked: 20 characters]']);
  expect(shown.reason).toBe('Server was unable to read the XML. Try again');
  expect(shown.Credits).toBe(4812);
  expect(shown.results).toEqual([
    {
      street: '[masked: 11 characters]',
      number: '[masked: 2 digits]',
      postcode: '[masked: 7 characters]',
      id: '[masked: 8 digits]',
      empty: '',
    },
  ]);
  expect(JSON.parse(masker([...usualMasks, 'balances']).body(body)).Credits).toBe('[masked: figure]');
  const named = JSON.parse(masker().body('{"HR1 2DT": {"street": "x"}, "BS1 4ZZ": 2, "HR2 6AA": 3, "found": "y"}'));
  expect(Object.keys(named)).toEqual(['[masked: 7 characters]', '[masked: postcode]', '[masked: postcode] 3', 'found']);
});

test('an XML answer keeps its tags and namespaces; text, CDATA, comments and attributes are judged', () => {
  const shown = masker().body(
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns="https://soap.example/x"><a:Street b="Tannery">Tannery Row</a:Street><!-- Lee --><N><![CDATA[14 Tannery]]></N><IsError>false</IsError><GUID>3f2504e0-4f89-41d3-9a0c-0305e82c3301</GUID></s:Envelope>',
  );
  expect(shown).toContain('http://schemas.xmlsoap.org/soap/envelope/');
  expect(shown).toContain('<IsError>false</IsError>');
  expect(shown).not.toMatch(/Tannery|Lee|soap\.example|3f2504e0/);
});

test('a tag of one word as long as an answer that is kept comes back as it was, and holds nobody up for minutes', () => {
  const tag = `<${'a-'.repeat(128_000)}>`;
  expect(masker().body(tag)).toBe(tag);
});

test('other texts are left out completely while addresses are masked', () => {
  expect(masker().body('Tannery Row, 14')).toBe('[masked: text that is neither JSON nor XML, 15 characters]');
  expect(masker().body('{"street":"Tannery Row"')).not.toContain('Tannery');
  expect(masker(['hosts']).body('see https://lookup.example/x')).toBe('see https://[masked: host name]/x');
});

test('each name has one replacement, in fields and in sentences', () => {
  const one = masker();
  expect(one.machine('OLD-LAPTOP-3')).toBe('[masked: machine 1]');
  expect(one.text('old-laptop-3 was asked by Lee Preece; kimberley was not')).toBe(
    '[masked: machine 1] was asked by [masked: person 1]; kimberley was not',
  );
  expect(one.person('kim')).toBe('[masked: person 2]');
  expect(masker(['hosts']).text('OLD-LAPTOP-3')).toBe('OLD-LAPTOP-3');
});

test('what was asked for is masked by its names and hosts where addresses are shown', () => {
  expect(masker(['names']).subject('licence 6203, OLD-LAPTOP-3')).toBe('licence 6203, [masked: machine 1]');
  expect(masker(['hosts']).subject('kim at lookup.example:8443')).toBe('kim at [masked: host name]');
  expect(masker([]).subject('OLD-LAPTOP-3')).toBe('OLD-LAPTOP-3');
});

test('a machine that nothing else names is masked in the field that names it', () => {
  for (const masks of [usualMasks, ['names'] as const]) {
    const one = masker([...masks]);
    const shown = one.body('<Register><iLicenseID>6203</iLicenseID><sMachineName> TYPED-1 </sMachineName></Register>');
    expect(shown).toContain('<sMachineName>[masked: machine 1]</sMachineName>');
    expect(JSON.parse(one.body('{"MachineID": "typed-1", "machine": "", "machines": "3"}'))).toEqual({
      MachineID: '[masked: machine 1]',
      machine: '',
      machines: masks === usualMasks ? '[masked: 1 digits]' : '3',
    });
  }
  expect(masker(['hosts']).body('<sMachineName>TYPED-1</sMachineName>')).toContain('TYPED-1');
});

test('names with dots that may be a host’s are masked in headers and sentences; file names, types and versions stay', () => {
  const { text } = masker();
  expect(text('1.1 proxy01.corp.local (squid/3.5), 1.1 EDGE-2.ACME.CO.UK, web03.acme.co.uk:8080')).toBe(
    '1.1 [masked: host name] (squid/3.5), 1.1 [masked: host name], [masked: host name]',
  );
  expect(text('Cannot reach //db.internal; ask help@acme.example.')).toBe(
    'Cannot reach //[masked: host name]; ask help@[masked: host name].',
  );
  const kept =
    'System.Web.Services.Protocols.SoapException in batch.csv, node.js 24.1, ASP.NET, v1.2.x, e.g. text/xml, org.apache.axis2.AxisFault, /v1/service.asmx, schemas.xmlsoap.org';
  expect(text(kept)).toBe(kept);
  expect(masker(['names']).text('proxy01.corp.local')).toBe('proxy01.corp.local');
});

test('times, prices and calls stay in sentences', () => {
  const text = 'The balance fell by 12 between 09:57:58 and 10:00:24, 20 Nov 2026. It read 4,812.';
  expect(masker(supportMasks).text(text)).toBe(text);
});

describe('any answer', () => {
  const secret = 'Zq7Tannery9';
  test('only values of fields known to be harmless stay, in JSON or XML', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), (name, other) => {
        const shown = masker().body(JSON.stringify({ [`x${name}`]: [secret, { deep: secret }], other }));
        expect(shown.replace(/"(?:[^"\\]|\\.)*":/g, '')).not.toContain(secret);
        const tag = name.replace(/[^a-z]/gi, '');
        expect(
          masker().body(`<a><x${tag} y='${secret}'>${secret}</x${tag}><![CDATA[${secret}]]>${secret}</a>`),
        ).not.toContain(secret);
      }),
      { numRuns: 400 },
    );
  });
  test('masking twice masks nothing more', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const once = masker().text(text);
        expect(masker().text(once).match(maskPattern)?.length ?? 0).toBe(once.match(maskPattern)?.length ?? 0);
      }),
    );
  });
});
