import { describe, expect, test } from 'vitest';
import { commandNames, forms, optionsOf, readArguments } from '../../electron/cli/arguments.ts';
import { completeCommand } from '../../electron/cli/complete-command.ts';
import { rolesOf } from '../../electron/cli/connection-secrets.ts';
import { readSettings } from '../../electron/cli/fields.ts';
import { findHelp } from '../../electron/cli/help.ts';
import { findProxy } from '../../electron/cli/session.ts';
import { restEndpoints } from '../../shared/catalogue/rest-endpoints.ts';
import { soapOperationNames } from '../../shared/catalogue/soap-operations.ts';
import type { FieldDef } from '../../shared/catalogue/types.ts';

describe('completion', () => {
  test.each([
    [[''], [...commandNames, 'help', 'complete']],
    [['cr'], ['credits']],
    [['call', 'GetPremiseG'], ['GetPremiseGeoData']],
    [['call', 'GetPremiseAddress_'], ['GetPremiseAddress_Dataset']],
    [
      ['call', 'GetPremise', '--set', ''],
      ['id=', 'uprn='],
    ],
    [['call', 'GetLicenseList', '--set', ''], ['sMachineName=']],
    [['call', 'Nothing', '--set', ''], []],
    [['wsdl', 'x', '--a'], ['--against']],
    [['wsdl', 'x', '--set'], []],
    [['help', 'GeoData_ForU'], ['GeoData_ForUDP']],
    [['nothing', ''], []],
  ])('%j', (words, expected) => {
    expect(completeCommand(words)).toEqual(expected);
  });

  test('offers every name of the catalogue', () => {
    expect(completeCommand(['call', ''])).toEqual([...restEndpoints.map(({ name }) => name), ...soapOperationNames]);
  });

  test('offers what a command takes and nothing else', () => {
    for (const name of commandNames) {
      const offered = completeCommand([name, '--']);
      expect(offered).toEqual([...optionsOf(name), '--help']);
      expect(offered).toHaveLength(forms[name].options.length + 2);
    }
  });
});

test('help is there for every name that can be called', () => {
  for (const name of [...restEndpoints.map((endpoint) => endpoint.name), ...soapOperationNames]) {
    expect(findHelp([name]), name).toContain(`${name} · `);
  }
  expect(findHelp(['Nothing'])).toBeUndefined();
});

describe('options', () => {
  test('a value may hold anything, an equals sign and a leading dash included', () => {
    const read = readArguments('call', ['Search', '--set', 'query=a=b', '--set=query=--x', '--timeout', '0.5']);
    expect(read).toMatchObject({ ok: true, value: { set: ['query=a=b', 'query=--x'], timeoutMs: 500 } });
  });

  test.each(['0', '-1', '301', 'NaN', '', ' ', '1e9', 'Infinity'])('a time limit of “%s” is refused', (timeout) => {
    expect(readArguments('call', ['Search', `--timeout=${timeout}`])).toMatchObject({ ok: false });
  });
});

describe('fields', () => {
  const fields: readonly FieldDef[] = [
    { name: 'text', type: 'string', label: '' },
    { name: 'list', type: 'string', label: '', list: true },
    { name: 'whole', type: 'integer', label: '' },
    { name: 'real', type: 'number', label: '' },
    { name: 'flag', type: 'boolean', label: '' },
  ];
  test('each in its type; identifiers stay text', () => {
    const read = readSettings(['text=007', 'list=a', 'list=b', 'whole=-07', 'real=1.50', 'flag=false'], fields);
    expect(read).toEqual({ ok: true, value: { text: '007', list: ['a', 'b'], whole: -7, real: 1.5, flag: false } });
  });

  test.each([
    'whole=1.5',
    'whole=',
    'whole=0x1f',
    'whole=٣',
    'whole=99999999999999999999',
    'real=1e3',
    'real=NaN',
    'flag=1',
    'flag=TRUE',
  ])('%s is refused', (word) => {
    expect(readSettings([word], fields)).toMatchObject({
      ok: false,
      error: { code: 'bad-input', field: word.split('=')[0] },
    });
  });

  test.each(['Text=a', '__proto__=a', 'constructor=a', '=a', 'text', ''])('“%s” is no field of it', (word) => {
    expect(readSettings([word], fields)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
  });
});

test('the roles of secrets that a call needs', () => {
  expect(rolesOf(['apiKey'])).toEqual(['lookup-key', 'master-key']);
  expect(rolesOf(['accountName', 'licenceId', 'machineId'])).toEqual(['licence-id']);
  expect(rolesOf(['guid', 'licenceKey', 'webMapKey', undefined])).toEqual([
    'account-guid',
    'licence-key',
    'web-map-key',
  ]);
  expect(rolesOf([undefined])).toEqual([]);
});

test('the proxy of the usual variables', () => {
  const of = (address: string, environment: NodeJS.ProcessEnv) => findProxy(new URL(address), environment);
  const HTTPS_PROXY = 'http://proxy.example:8080';
  expect(of('https://lookup.example/', { HTTPS_PROXY })).toBe(HTTPS_PROXY);
  expect(of('https://lookup.example/', { all_proxy: HTTPS_PROXY })).toBe(HTTPS_PROXY);
  expect(of('https://lookup.example/', {})).toBeNull();
  expect(of('https://lookup.example/', { HTTPS_PROXY: 'socks5://proxy.example' })).toBeNull();
  for (const NO_PROXY of ['lookup.example', 'other.example, .example', '*.example', '*', 'LOOKUP.example']) {
    expect(of('https://lookup.example/', { HTTPS_PROXY, NO_PROXY }), NO_PROXY).toBeNull();
  }
  for (const NO_PROXY of ['', 'up.example', 'lookup.example.org', 'example.lookup', ',']) {
    expect(of('https://lookup.example/', { HTTPS_PROXY, NO_PROXY }), NO_PROXY).toBe(HTTPS_PROXY);
  }
});
