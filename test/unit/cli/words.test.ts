import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { adviseHere, wordHere } from '../../../electron/cli/advise-here.ts';
import { commandNames, forms, optionsOf, readArguments, takenByNpm } from '../../../electron/cli/arguments.ts';
import { commandPages } from '../../../electron/cli/command-pages.ts';
import { completeCommand } from '../../../electron/cli/commands/complete-command.ts';
import { completionScripts } from '../../../electron/cli/completion-scripts.ts';
import { rolesOf } from '../../../electron/cli/connection-secrets.ts';
import { environmentSignIn, findProxy } from '../../../electron/cli/environment-proxy.ts';
import { readSettings } from '../../../electron/cli/fields.ts';
import { findHelp } from '../../../electron/cli/help.ts';
import { waitAfterError } from '../../../electron/core/batch/run/waits.ts';
import type { RequestField } from '../../../electron/core/soap/operation.ts';
import { storageError } from '../../../electron/core/storage/database/errors.ts';
import { restEndpoints } from '../../../shared/catalogue/rest-endpoints.ts';
import { soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import type { FieldDef } from '../../../shared/catalogue/types.ts';
import { mostCredits } from '../../../shared/domain/credits/credits.ts';
import { errorCodes } from '../../../shared/errors.ts';

describe('completion', () => {
  test.each([
    [[''], [...commandNames, 'help', 'complete', '--version']],
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
    [['call', 'GetPremise', '--connection', ''], []],
    [['setup', 'export', '--out', ''], []],
    [
      ['setup', 'export', '--'],
      ['--out', '--json', '--help'],
    ],
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

// PowerShell is not installed where these tests run, so its script is compared with the documented rules for a native completer.
describe('PowerShell’s completer', () => {
  const { powershell } = completionScripts;
  /** The words that the script passes to the program: those that end before the cursor, then the one that is being typed. */
  const handed = (line: string, position = line.length): string[] => {
    const elements = [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      end: match.index + match[0].length,
    }));
    const under = elements.find(({ text, end }) => end >= position && end - text.length < position);
    const word = under ? under.text.slice(0, position - (under.end - under.text.length)) : '';
    const words = elements.slice(1).filter(({ end }) => end < position);
    return [...words.map(({ text }) => text), word];
  };

  test('completes for the shipped files, takes the three parameters, and returns completion results', () => {
    const names = /-CommandName (.+) -ScriptBlock/.exec(powershell)?.[1]?.split(', ');
    const shipped = readdirSync(join(import.meta.dirname, '../../../build/resources/command-line'));
    expect(shipped).toEqual(expect.arrayContaining(names ?? ['none']));
    expect(powershell).toMatch(/^Register-ArgumentCompleter -Native /);
    // Word, syntax tree and cursor, in this order, with any names.
    expect(powershell).toMatch(/param\(\$word, \$command, \$position\)/);
    expect(powershell).toContain('[System.Management.Automation.CompletionResult]::new(');
    // An empty line, which Electron on Windows prints before anything else, can be no completion.
    expect(powershell).toMatch(/ complete @words \$typed 2>\$null \| Where-Object \{ \$_ \} \|/);
  });

  test('is read the same by both PowerShells: balanced, without unset variables, plain ASCII', () => {
    // Windows PowerShell 5.1 reads a file without a byte order mark in the system's code page, so the script must be ASCII.
    expect(powershell).toMatch(/^[\n\x20-\x7e]+$/);
    const code = powershell.replace(/#.*$/gm, '');
    for (const [open, close] of ['()', '{}', '[]', '""', "''"].map((pair) => [...pair] as [string, string])) {
      const count = (mark: string) => code.split(mark).length - 1;
      expect(open === close ? count(open) % 2 : count(open) - count(close), open).toBe(0);
    }
    const own = new Set(['word', 'command', 'position', 'words', 'typed', '_', 'null', 'IsLinux', 'IsMacOS']);
    for (const [, name = ''] of code.matchAll(/(?<!@)\$(\w+)/g)) expect([...own]).toContain(name);
  });

  test.each([
    ['address-console-cli cr', ['credits']],
    ['address-console-cli call GetPremiseG', ['GetPremiseGeoData']],
    ['address-console-cli call GetPremise --set ', ['id=', 'uprn=']],
    ['address-console-cli wsdl x --a', ['--against']],
  ])('%s', (line, expected) => {
    expect(completeCommand(handed(line))).toEqual(expected);
  });
});

test('the help of completion says where the program has to be that its scripts call, and how PowerShell gets a profile', () => {
  for (const script of Object.values(completionScripts)) expect(script).toContain('address-console-cli complete ');
  const page = (findHelp(['completion'], 'npm run -s cli --', null) ?? '').replace(/\s+/g, ' ');
  expect(page).toContain('It calls address-console-cli, which has to be on the PATH: the deb puts it there');
  expect(page).toMatch(/# PowerShell; .*New-Item \$PROFILE -Force .* \| Add-Content \$PROFILE/);
});

test('every command has a help page whose examples it accepts', () => {
  for (const name of commandNames) {
    const page = findHelp([name], 'address-console-cli', null) ?? '';
    for (const option of optionsOf(name)) expect(page, name).toContain(option);
    expect(page).toContain('Examples');
    for (const [line] of commandPages[name].examples) {
      // “>” of Windows PowerShell writes UTF-16 into a profile of another encoding.
      expect(line).not.toMatch(/> \$PROFILE/);
      const [command = '', ...words] = [...line.replace(/ [>|].*$/, '').matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(
        ([word]) => word.replaceAll('"', ''),
      );
      if (command === 'help') expect(findHelp(words, 'x', null), line).toBeDefined();
      else expect(readArguments(command as typeof name, words), line).toMatchObject({ ok: true });
    }
  }
});

test('there is help for every name that can be called', () => {
  for (const name of [...restEndpoints.map((endpoint) => endpoint.name), ...soapOperationNames]) {
    expect(findHelp([name], 'cli', null), name).toContain(`${name} · `);
  }
  expect(findHelp(['Nothing'], 'cli', null)).toBeUndefined();
});

describe('options', () => {
  test('those that npm took for its own are known by the names that it gives its scripts', () => {
    const taken = {
      npm_config_dry_run: 'true',
      npm_config_out: 'x.json',
      npm_config_json: 'true',
      npm_config_cache: '/c',
    };
    expect(takenByNpm({ ...taken, npm_lifecycle_event: 'cli' }).sort()).toEqual(['--dry-run', '--out']);
    expect(takenByNpm({ ...taken, npm_lifecycle_event: 'test' })).toEqual([]);
  });

  test('a value may contain anything, an equals sign and a leading dash included', () => {
    const read = readArguments('call', ['Search', '--set', 'query=a=b', '--set=query=--x', '--timeout', '0.5']);
    expect(read).toMatchObject({ ok: true, value: { set: ['query=a=b', 'query=--x'], timeoutMs: 500 } });
  });

  test.each(['0', '-1', '301', 'NaN', '', ' ', '1e9', 'Infinity'])('a time limit of “%s” is refused', (timeout) => {
    expect(readArguments('call', ['Search', `--timeout=${timeout}`])).toMatchObject({ ok: false });
  });

  test.each([
    ['call', ['Search'], 'timeout'],
    ['batch', ['run', 'a.csv'], 'rate'],
    ['credits', [], 'below'],
  ] as const)('a number is one in figures alone: %s %j --%s', (command, words, option) => {
    const given = (text: string) => readArguments(command, [...words, `--${option}=${text}`]);
    for (const text of ['2.5', '.5']) expect(given(text), text).toMatchObject({ ok: true });
    for (const text of ['0x10', '1e1', ' 5 '])
      expect(given(text), text).toMatchObject({
        ok: false,
        error: { message: expect.stringMatching(new RegExp(`^--${option} takes `)) },
      });
  });

  test.each([
    ['credits', ['--below', '-5'], '--below'],
    ['call', ['Search', '--set', '-x=1'], '--set'],
    ['setup', ['export', '--out', '-x.json'], '--out'],
    ['batch', ['plan', 'f.csv', '--secret', '-abc'], '--secret'],
  ] as const)('a value with a leading dash of its own is refused in one sentence: %s %j', (command, words, option) => {
    expect(readArguments(command, [...words])).toMatchObject({
      ok: false,
      error: {
        message: `Option '${option}' argument is ambiguous.`,
        next: `A value follows it: one that begins with a dash is written ${option}=VALUE.`,
      },
    });
  });

  test.each(['limit', 'minimum-balance'])('a batch’s --%s is at most what the window takes', (name) => {
    const given = (credits: number) => readArguments('batch', ['run', 'a.csv', `--${name}`, String(credits)]);
    expect(given(mostCredits)).toMatchObject({ ok: true });
    expect(given(mostCredits + 1)).toMatchObject({
      ok: false,
      error: { message: `--${name} takes a whole number of credits up to 10,000,000.` },
    });
  });
});

test.each([
  ['no-credential', 'Add it in the environment or the keychain; an account’s name in the connection file.'],
  ['keychain-absent', 'Enter it again in the environment or the keychain.'],
  ['wrong-key-role', 'Add a key with the role “lookup” in the environment or the keychain.'],
  ['credentials-refused', 'Check them in the connection file, the environment or the keychain.'],
  ['not-configured', 'Add the address in the connection file.'],
] as const)('what a window’s batch waits for is put where a command reads it: %s', (code, expected) => {
  expect(wordHere(errorCodes[code].next, code)).toBe(expected);
});

test('a damaged database sends whoever reads it on the command line to the window, whose start alone opens a copy', () => {
  const damaged = storageError(Object.assign(new Error('database disk image is malformed'), { errcode: 11 }));
  expect(adviseHere(damaged)).toBe('Start the window: it opens the last good copy.');
  const { does } = waitAfterError('storage', damaged.code, 3, damaged, []);
  expect(wordHere(does, damaged.code)).toMatch(/^Waiting for you: start the window: it opens the last good copy\./);
});

describe('fields', () => {
  const fields: readonly FieldDef[] = [
    { name: 'text', type: 'string', label: '' },
    { name: 'list', type: 'string', label: '', list: true },
    { name: 'whole', type: 'integer', label: '' },
    { name: 'real', type: 'number', label: '' },
    { name: 'flag', type: 'boolean', label: '' },
  ];
  test('a field of which the description allows several elements is given several times', () => {
    const member: RequestField = { name: 'word', type: 'string', label: '', repeats: true };
    const read = readSettings(['word=a', 'word=b', 'word=c'], [member]);
    expect(read).toEqual({ ok: true, value: { word: ['a', 'b', 'c'] } });
  });

  test('each has its type; identifiers stay text', () => {
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
    // An argument in ISO-8859-1, as Node hands it over.
    'text=caf\uFFFD',
    'list=\uFFFD',
  ])('%s is refused', (word) => {
    const read = readSettings([word], fields);
    expect(read).toMatchObject({ ok: false, error: { code: 'bad-input', field: word.split('=')[0] } });
    // Whatever was typed may be a key.
    expect(!read.ok && read.error.message).not.toContain(`“${word.split('=')[1]}”`);
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

describe('the proxy of the usual variables', () => {
  const of = (address: string, environment: NodeJS.ProcessEnv) => findProxy(new URL(address), environment);
  const HTTPS_PROXY = 'http://proxy.example:8080';

  test('is the named one, in any common notation', () => {
    for (const written of [
      HTTPS_PROXY,
      ` ${HTTPS_PROXY} `,
      'proxy.example:8080',
      'HTTP://Proxy.Example:8080/',
      'kim:a@proxy.example:8080',
    ])
      expect(of('https://lookup.example/', { HTTPS_PROXY: written }), written).toBe(HTTPS_PROXY);
    expect(of('https://lookup.example/', { all_proxy: HTTPS_PROXY })).toBe(HTTPS_PROXY);
    for (const ALL_PROXY of ['socks5://Proxy.example:1080', 'socks5h://kim:a@proxy.example'])
      expect(of('https://lookup.example/', { ALL_PROXY })).toBe('socks5://proxy.example:1080');
    expect(of('https://lookup.example/', { HTTPS_PROXY: '', ALL_PROXY: ' ' })).toBeNull();
    expect(of('https://lookup.example/', {})).toBeNull();
  });

  test.each([
    'socks4://proxy.example:1080',
    'ftp://proxy.example',
    'http://',
    'http://a b:1',
    'proxy.example:99999',
    'http://proxy.example/way?x',
    'kim:se%cret@',
  ])('is never “none” if it is not understood: %s', (written) => {
    const ask = () => of('https://lookup.example/', { HTTPS_PROXY: written });
    expect(ask).toThrow('HTTPS_PROXY does not name a proxy');
    expect(ask).not.toThrow('cret');
  });

  test('is not used for the hosts of NO_PROXY', () => {
    const meant: [string, string][] = [
      ['https://lookup.example/', 'lookup.example'],
      ['https://lookup.example/', 'other.example, .example'],
      ['https://lookup.example/', 'other.example *.example'],
      ['https://lookup.example/', '*'],
      ['https://lookup.example/', 'LOOKUP.example.'],
      ['https://lookup.example./', 'lookup.example'],
      ['https://lookup.example/', 'lookup.example:443'],
      ['https://lookup.example:8443/', '.example:8443'],
      ['https://10.1.2.3/', '10.0.0.0/8'],
      ['https://10.1.2.3/', '10.1.2.3'],
      ['https://[2001:db8::5]/', '2001:db8::5'],
      ['https://[2001:db8::5]/', '2001:DB8:0::5'],
      ['https://[2001:db8::5]:8443/', '[2001:db8::5]:8443'],
      ['https://[2001:db8::5]/', '2001:db8::/32'],
    ];
    for (const [address, NO_PROXY] of meant) expect(of(address, { HTTPS_PROXY, NO_PROXY }), NO_PROXY).toBeNull();
    const others: [string, string][] = [
      ['https://lookup.example/', ''],
      ['https://lookup.example/', 'up.example'],
      ['https://lookup.example/', 'lookup.example.org'],
      ['https://lookup.example/', 'example.lookup'],
      ['https://lookup.example/', ','],
      ['https://lookup.example/', 'lookup.example:8443'],
      ['https://11.1.2.3/', '10.0.0.0/8'],
      ['https://11.1.2.3/', '10.0.0.0/99'],
      ['https://10.1.2.3/', '2.3'],
      ['https://[2001:db9::5]/', '2001:db8::/32'],
    ];
    for (const [address, NO_PROXY] of others)
      expect(of(address, { HTTPS_PROXY, NO_PROXY }), NO_PROXY).toBe(HTTPS_PROXY);
  });

  test('gets its own user and password, also with a bare %, and no other proxy does', async () => {
    const signInFor = environmentSignIn({ HTTPS_PROXY: 'http://kim:50%:o%66f@proxy.example:8080', NO_PROXY: '*' });
    expect(await signInFor(HTTPS_PROXY)).toEqual({ ok: true, value: { user: 'kim', value: '50%:o%66f' } });
    expect(await signInFor('http://other.example:8080')).toEqual({ ok: true, value: null });
    const escaped = environmentSignIn({ HTTPS_PROXY: 'kim:a%40b@proxy.example:8080' });
    expect(await escaped(HTTPS_PROXY)).toEqual({ ok: true, value: { user: 'kim', value: 'a@b' } });
    // If a policy names the proxy, the variables are first read here, so a value that is not a proxy must be reported here too.
    expect(await environmentSignIn({ HTTPS_PROXY: 'ftp://kim:pw@proxy.example' })(HTTPS_PROXY)).toMatchObject({
      ok: false,
      error: { code: 'proxy-failed', message: expect.stringContaining('HTTPS_PROXY'), charge: 'not-charged' },
    });
  });
});
