import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adviseHere } from '../../../electron/cli/advise-here.ts';
import { commandNames } from '../../../electron/cli/arguments.ts';
import { completionScripts, shells } from '../../../electron/cli/completion-scripts.ts';
import { layOutPairs, layOutTable } from '../../../electron/cli/terminal/layout.ts';
import { certificateError } from '../../../electron/core/transport/connect/certificate-messages.ts';
import { proxyRefusal, tunnelRefusal } from '../../../electron/core/transport/connect/proxy-messages.ts';
import packageFile from '../../../package.json' with { type: 'json' };
import { prices } from '../../fixtures/specification.ts';
import {
  connectionSettings,
  createWorkFolder,
  type DemoService,
  noKeychain,
  runCommandLine,
  secretVariables,
  startDemo,
} from '../../helpers/demo-process.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';

/** What a person reads on a terminal, the exit statuses for a scheduler, and what a shell completes. */

const work = createWorkFolder();
const cliFile = join(import.meta.dirname, '../../../electron/cli.ts');
let demo: DemoService;
let connection: string;
let env: Record<string, string>;

beforeAll(async () => {
  demo = await startDemo('--premises', '4000', '--guide-operation', 'PostcodeLookup');
  connection = work.write('wyebank.json', connectionSettings(demo));
  env = secretVariables(demo.demo);
});
afterAll(async () => {
  await demo.stop();
  work.remove();
});
beforeEach(async () => {
  await demo.clearFaults();
  await demo.resetMeter();
});

const onTerminal = (width: number, ...args: string[]) =>
  runCommandLine([...args, '--connection', connection], { env, terminalWidth: width });
const piped = (...args: string[]) => runCommandLine([...args, '--connection', connection], { env });

/** A service of one answer, which `answer` may change; SOAP has no description. Returns the name of a connection file for it. */
async function startOddService(answer: { rest: string; soap?: string }) {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url?.startsWith('/v1')) return response.end(answer.rest);
    if (request.method === 'GET') return response.writeHead(404).end();
    return answer.soap === undefined ? response.destroy() : response.end(answer.soap);
  });
  const at = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const own = { name: 'Odd', restBaseUrl: `${at}/v1`, soapUrl: `${at}/service.asmx` };
  const file = work.write('odd.json', connectionSettings(demo, own));
  return {
    run: (width: number | null, ...args: string[]) =>
      runCommandLine([...args, '--connection', file], width === null ? { env } : { env, terminalWidth: width }),
    stop: () => server.close(),
  };
}

describe('on a terminal', () => {
  test('credits are a table; --json prints the same document as to a pipe', async () => {
    const { status, stdout } = await onTerminal(100, 'credits');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Balance +Credits\nREST key +\d+\nSOAP licence +\d+\n$/);
    const asked = await onTerminal(100, 'credits', '--json');
    expect(Object.keys(asked.json)).toEqual(Object.keys((await piped('credits')).json));
  });

  test('--raw shows the answers as they came below the balances and below a list of licences', async () => {
    const credits = (await onTerminal(100, 'credits', '--raw')).stdout;
    expect(credits).toMatch(/^Balance .*\n.*\n.*\n\nREST key, as it came:\n\{"/);
    expect(credits).toMatch(/\n\nSOAP licence, as it came:\n[\s\S]*<GetAvailableCreditsResult>/);
    const list = (await onTerminal(100, 'licences', 'list', '--raw')).stdout;
    expect(list).toMatch(/ licences named\n\nAs it came:\n[\s\S]*<GetLicenseListResult>/);
    expect(list).not.toContain(demo.demo.guid);
  });

  test('of an answer as it came a carriage return that ends no line is shown by name: it would write over what stands before it', async () => {
    const odd = await startOddService({ rest: '{"credits":\r5,\r\n"used":1}' });
    try {
      const { status, stdout } = await odd.run(100, 'call', 'GetCredits', '--raw');
      expect(status).toBe(0);
      expect(stdout).toContain('{"credits":⟨U+000D⟩5,\r\n"used":1}');
    } finally {
      odd.stop();
    }
  });

  test('what to do names no screen that a command does not have', async () => {
    const https = work.write('https.json', { name: 'Far', restBaseUrl: 'https://lookup.example/v1' });
    const far = await runCommandLine(['credits', '--connection', https], {
      env: { ...env, HTTPS_PROXY: 'http://127.0.0.1:1' },
      terminalWidth: 500,
    });
    // The command cannot know from the error which of them it was, and where a policy does, the environment is not asked.
    const proxy = 'Check the proxy that a policy of this computer or the environment (HTTPS_PROXY, ALL_PROXY) names';
    expect(far.stderr).toContain(`${proxy}.`);
    expect(far.stderr).not.toContain('Settings');
    expect(adviseHere(tunnelRefusal('http://proxy.example:80', 'lookup.example:443', 302))).toBe(
      `${proxy}, or tell whoever runs the network.`,
    );
    // A sign-in is the environment's also where a policy names the proxy.
    expect(adviseHere(proxyRefusal('http://proxy.example:80', [], false))).toBe(
      'Enter them in the environment (HTTPS_PROXY, ALL_PROXY).',
    );
    const unknown = certificateError('SELF_SIGNED_CERT_IN_CHAIN', 'server’s', '');
    expect(adviseHere(unknown)).toMatch(
      /^Ask .+: have it put into the system’s store and start the program again\. Or the server /,
    );
  });

  test('results show once what all rows share, keep every identifier whole, and fit a narrow terminal', async () => {
    for (const width of [60, 100, 200]) {
      const { stdout } = await onTerminal(width, 'call', 'Search', '--set', `query=${demo.demo.sample.postcode}`);
      const { json } = await piped('call', 'Search', '--set', `query=${demo.demo.sample.postcode}`);
      for (const { id, address } of json.value.results) {
        expect(stdout, `${width}`).toContain(id);
        expect(stdout).toContain(address);
      }
      expect(stdout).toContain('Published price: 1 credit');
    }
  });

  test('an empty result says so; control characters in a name are shown and not executed', async () => {
    expect((await onTerminal(80, 'call', 'Search', '--set', 'query=ZZ99 9ZZ')).stdout).toMatch(/^Nothing found\./);
    const odd = await onTerminal(80, 'call', 'Search', '--set', 'query=\u202eHR10\u009b31m');
    expect(odd.stdout + odd.stderr).not.toMatch(/[\u202e\u009b]/);
  });

  test('control characters in the names of fields are shown too: they are the service’s as well', async () => {
    const rest = { results: [{ id: '1', 'addr\u001b[2Jess': 'x' }], 'o\u009bther': { 'k\r\nind\u202e': 'y' } };
    const odd = await startOddService({ rest: JSON.stringify(rest) });
    for (const width of [80, 10]) {
      const { status, stdout } = await odd.run(width, 'call', 'Search', '--set', 'query=HR10 2DT');
      expect({ status, hidden: [...'\u001b\u009b\u202e\r'].filter((one) => stdout.includes(one)) }).toEqual({
        status: 0,
        hidden: [],
      });
      expect(stdout).toContain('addr⟨U+001B⟩[2Jess');
      expect(stdout).toContain('o⟨U+009B⟩ther:\nk ⏎ ind⟨U+202E⟩  y');
    }
    odd.stop();
  });

  test('a failure is a sentence on standard error, with its code, and nothing on standard output', async () => {
    const { status, stdout, stderr } = await onTerminal(80, 'call', 'GetPremise', '--set', 'id=nothing');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/no such record[\s\S]*\(not-found/);
  });

  test('licences are a line each, a plan says that nothing has been changed', async () => {
    const list = await onTerminal(120, 'licences', 'list');
    const count = Object.keys(demo.demo.licences).length;
    expect(list.stdout).toContain(`${count} licences named`);
    expect(list.stdout).not.toContain(demo.demo.guid);
    const licence = String(demo.demo.licences.free);
    const plan = await onTerminal(120, 'licences', 'register', '--licence', licence, '--machine', 'CLI-TEST-01');
    expect(plan.stdout).toMatch(new RegExp(`^register licence ${licence} .*CLI-TEST-01`));
    expect(plan.stdout).toContain('Nothing has been changed.');
    expect((await onTerminal(120, 'licences', 'unfinished')).stdout).toBe(
      'No unfinished changes of this connection.\n',
    );
  });

  test('a list of licences that is empty or may not be whole says so', async () => {
    const answer = { rest: '', soap: '' };
    const odd = await startOddService(answer);
    const list = async (inside: string) => {
      const result = `<GetLicenseListResult>${inside}</GetLicenseListResult>`;
      const body = `<GetLicenseListResponse xmlns="${demo.soapNamespace}">${result}</GetLicenseListResponse>`;
      answer.soap = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
      return (await odd.run(80, 'licences', 'list')).stdout;
    };
    const named = '<List><License><LicenseID>6203</LicenseID></License></List><IsError>false</IsError>';
    expect(await list(named)).toMatch(/6203\n\n1 licence named\n$/);
    expect(await list(`${named}<ErrorMessage>The first of 40</ErrorMessage>`)).toMatch(
      /1 licence named\nThis answer may not be whole: its ErrorMessage is “The first of 40”\.\n$/,
    );
    expect(await list(`${named}<IsTruncated>true</IsTruncated>`)).toMatch(/may not be whole: its IsTruncated is set\./);
    const shell = '<List><License><Return_Code>0</Return_Code></License></List><IsError>false</IsError>';
    expect(await list(shell)).toMatch(/^Nothing found\./);
    odd.stop();
  });

  test('that an address is to be mended says where it is', async () => {
    const server = createServer((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    const restBaseUrl = `http://127.0.0.1:${await listenOnLoopback(server)}/v1`;
    const file = work.write('moved.json', { name: 'Moved', restBaseUrl });
    const { json } = await runCommandLine(['call', 'GetCredits', '--connection', file], { env });
    expect(json.error).toMatchObject({
      code: 'redirect-refused',
      message: expect.stringMatching(/Enter the final address in the connection file\.$/),
    });
    server.close();
  });

  test('operations are one line each at any width', async () => {
    for (const terminalWidth of [60, 220]) {
      const { stdout } = await runCommandLine(['operations'], { terminalWidth });
      expect(stdout.trimEnd().split('\n')).toHaveLength(1 + Object.keys(prices).length);
    }
  });

  test('help fits 80 columns, beside commands and JSON that are pasted, and says the same at any width', async () => {
    const help = (width: number, page: string[]) => runCommandLine(['help', ...page], { env, terminalWidth: width });
    const wordsOf = (text: string) => text.split(/\s+/);
    for (const page of [[], ['GetPremise'], ...commandNames.map((name) => [name])]) {
      const [narrow, wide] = [(await help(80, page)).stdout, (await help(300, page)).stdout];
      expect(wordsOf(narrow)).toEqual(wordsOf(wide));
      const tooLong = narrow
        .split('\n')
        .filter((line) => line.length > 80 && !line.startsWith('  address-console-cli '));
      expect(tooLong).toEqual([]);
    }
  });

  test('in a narrow terminal the texts of help stand under their names, and fit too', async () => {
    const help = async (page: string) => {
      const { stdout } = await runCommandLine(['help', page], { env, terminalWidth: 40 });
      return stdout;
    };
    const operation = await help('GetPremise');
    expect(operation).toContain('  id string, required\n      As returned by a search, leading\n      zeros kept.\n');
    expect(operation.split('\n').filter((line) => line.length > 40)).toEqual([]);
    expect(await help('batch')).toContain('  --minimum-balance CREDITS\n      Calls that could take the balance\n');
  });

  test('a description without differences, and the journal', async () => {
    expect((await onTerminal(80, 'wsdl', demo.soapUrl)).stdout).toContain('operations described');
    expect((await runCommandLine(['journal', 'verify'], { terminalWidth: 200 })).stdout).toMatch(
      /No edit, gap or cut was found in 0 entries\. .*receipt/,
    );
  });
});

describe('credits --below, for a scheduler', () => {
  test('exits with 0 if there is enough, with 3 if not, and names the balance', async () => {
    const { rest, soap } = (await piped('credits')).json.value;
    const low = Math.min(rest.credits, soap);
    const enough = await piped('credits', '--below', String(low));
    expect({ status: enough.status, below: enough.json.below }).toEqual({
      status: 0,
      below: { threshold: low, sides: [] },
    });
    const under = await piped('credits', '--below', String(low + 1));
    expect({ status: under.status, ok: under.json.ok, sides: under.json.below.sides }).toEqual({
      status: 3,
      ok: true,
      sides: [rest.credits < soap ? 'rest' : 'soap'],
    });
    expect(under.json).not.toHaveProperty('exitStatus');
  });

  test('a balance that could not be read is a failure, and hides no other that is below', async () => {
    await demo.setFaults({ kind: 'reset', on: 'GetAvailableCredits', times: 'always' });
    expect((await piped('credits', '--below', '1')).status).toBe(1);
    const below = await piped('credits', '--below', '99999999');
    expect(below.status).toBe(3);
    expect(below.json).toMatchObject({ ok: false, below: { sides: ['rest'] }, failed: { soap: {} } });
    expect(below.json).not.toHaveProperty('exitStatus');
  });

  test.each([
    [
      '{"credits":{"remaining":80,"used":20,"total":100,"expiryDate":"2027-01-31"}}',
      /REST key +80 +used 20, total 100, expiry as sent 2027-01-31$/m,
    ],
    ['{"credits":"80"}', /REST key +80$/m],
    ['{"Credits":80}', /REST key +80$/m],
    ['{"remaining":80}', /REST key +80$/m],
  ])('the balance of %s is 80, as in the window', async (rest, line) => {
    const odd = await startOddService({ rest });
    for (const [below, status, sides] of [
      ['80', 1, []],
      ['81', 3, ['rest']],
    ] as const) {
      const { json, ...ended } = await odd.run(null, 'credits', '--below', below);
      // SOAP's could not be read.
      expect(ended).toMatchObject({ status });
      expect(json).toMatchObject({ balance: { rest: { credits: 80 } }, below: { sides } });
      const { stderr } = await odd.run(120, 'credits', '--below', below);
      if (status === 1) expect(stderr).toMatch(line);
    }
    odd.stop();
  });

  test('a balance that is no number is a failure, and shown as it came', async () => {
    const odd = await startOddService({ rest: '{"credits":{"remaining":"plenty"}}' });
    for (const args of [[], ['--below', '1']]) {
      const { status, stderr } = await odd.run(120, 'credits', ...args);
      expect(status).toBe(1);
      expect(stderr).toMatch(/REST key +no number +as sent: .*plenty/);
    }
    odd.stop();
  });

  test('where both fail, the error is of the call that may have cost something', async () => {
    const odd = await startOddService({ rest: '{"error":"no"}' });
    const { status, json } = await odd.run(null, 'credits');
    expect(status).toBe(1);
    expect(json).toMatchObject({
      error: { code: 'sent-no-answer', charge: 'may-have-been-charged', message: expect.stringContaining('may have') },
      failed: { rest: { charge: 'not-charged' }, soap: { charge: 'may-have-been-charged' } },
    });
    odd.stop();
  });

  test('an interface that is half set up, or whose description cannot be read, is a failure and not left out', async () => {
    for (const [changes, code, message] of [
      [{ accountName: '' }, 'no-credential', /account name/],
      [{ soapNamespace: '', utilitiesNamespace: '', soapUrl: 'http://127.0.0.1:1/x' }, 'connection-refused', /./],
    ] as const) {
      const file = work.write('half.json', connectionSettings(demo, changes));
      const { status, json } = await runCommandLine(['credits', '--below', '1', '--connection', file], { env });
      expect(status, code).toBe(1);
      expect(json).toMatchObject({
        error: { code, message: expect.stringMatching(message) },
        value: { rest: { credits: expect.any(Number) } },
        failed: { soap: { code } },
      });
    }
    // No secret of it: left out, whatever else is missing.
    for (const changes of [{}, { soapNamespace: '', utilitiesNamespace: '', soapUrl: 'http://127.0.0.1:1/x' }]) {
      const file = work.write('half.json', connectionSettings(demo, changes));
      const { status, json } = await runCommandLine(['credits', '--below', '1', '--connection', file], {
        env: { ADDRESS_CONSOLE_API_KEY: demo.demo.lookupKey },
      });
      expect([status, Object.keys(json.leftOut)]).toEqual([0, ['soap']]);
    }
  });

  test.each(['', '-1', 'many', '1e3', '5,000'])('“%s” is no number of credits', async (below) => {
    const { status, json } = await piped('credits', `--below=${below}`);
    expect({ status, code: json.error.code }).toEqual({ status: 1, code: 'bad-input' });
    expect((await demo.meter()).requests).toBe(0);
  });
});

describe('the request that only the guide shows takes the lookup key', () => {
  const lookup = () => ['call', 'PostcodeLookup', '--set', `Postcode=${demo.demo.sample.postcode}`];

  test('it is sent once, alone, and masked in the output', async () => {
    const { status, stdout, json } = await piped(...lookup());
    expect(status, stdout).toBe(0);
    expect(json.request.body).toContain(`<ApiKey>••••${demo.demo.lookupKey.slice(-4)}</ApiKey>`);
    expect(stdout).not.toContain(demo.demo.lookupKey);
    expect((await demo.meter()).calls.PostcodeLookup?.hits).toBe(1);
  });

  test('without a lookup key nothing is sent; a master key never replaces it', async () => {
    for (const [secrets, code] of [
      [{}, 'no-credential'],
      [{ ADDRESS_CONSOLE_MASTER_KEY: demo.demo.masterKey }, 'no-credential'],
      [
        { ADDRESS_CONSOLE_API_KEY: demo.demo.masterKey, ADDRESS_CONSOLE_MASTER_KEY: demo.demo.masterKey },
        'wrong-key-role',
      ],
      [
        {
          ADDRESS_CONSOLE_API_KEY: '{3f2504e04f8941d39a0c0305e82c3301}',
          ADDRESS_CONSOLE_MASTER_KEY: '3F2504E0-4F89-41D3-9A0C-0305E82C3301',
        },
        'wrong-key-role',
      ],
    ] as const) {
      const { json } = await runCommandLine([...lookup(), '--connection', connection], { env: secrets });
      expect(json.error.code).toBe(code);
    }
    expect((await demo.meter()).calls.PostcodeLookup).toBeUndefined();
  });
});

describe('output that cannot be written', () => {
  /** The program from its sources, with its output to `stdout`. */
  const spawnProgram = (stdout: 'pipe' | number, words = ['call', 'GetCredits', '--connection', connection]) =>
    spawn(process.execPath, [cliFile, ...words], {
      env: { ...process.env, ...noKeychain, ...env, ADDRESS_CONSOLE_DATA_FOLDER: join(work.folder, 'data') },
      stdio: ['ignore', stdout, 'pipe'],
    });
  const ended = async (child: ChildProcess) => {
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [status] = await once(child, 'close');
    return { status, stderr };
  };

  test.skipIf(!existsSync('/dev/full'))(
    'to a full disk: the answer is on standard error, and the status says so',
    async () => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = await ended(spawnProgram(full));
      closeSync(full);
      expect(status).toBe(1);
      expect(stderr).toMatch(/could not be written \(ENOSPC\)[\s\S]*"credits": \d+/);
    },
  );

  test('to a program that has ended: the same', async () => {
    const child = spawnProgram('pipe');
    child.stdout?.destroy();
    const { status, stderr } = await ended(child);
    expect(status).toBe(1);
    expect(stderr).toMatch(/could not be written \(E[A-Z]+\)[\s\S]*"credits": \d+/);
  });

  test('of what can be printed again, a reader may take the beginning alone', async () => {
    const child = spawnProgram('pipe', ['operations']);
    child.stdout?.destroy();
    expect(await ended(child)).toEqual({ status: 0, stderr: '' });
  });

  test.each([
    ['ENOSPC', 'credits', 1, true],
    ['ENOSPC', 'licences', 1, true],
    ['EPIPE', 'credits', 0, false],
    ['EOF', 'credits', 0, false],
    ['EOF', 'call', 1, true],
  ] as const)(
    '%s of %s: status %i, and on standard error what may have been paid for: %s',
    async (code, name, status, isSaid) => {
      const words = { call: ['call', 'GetCredits'], credits: ['credits'], licences: ['licences', 'list'] }[name];
      const ended = await runCommandLine([...words, '--connection', connection], {
        env,
        surroundings: { print: () => Promise.reject(Object.assign(new Error(code), { code })) },
      });
      expect({ status: ended.status, isSaid: ended.stderr.includes('"value":') }).toEqual({ status, isSaid });
    },
  );
});

/** Whether any user may read a file and every folder above it. */
function isForAll(path: string): boolean {
  const found = statSync(path);
  const needed = found.isDirectory() ? 0o005 : 0o004;
  return (found.mode & needed) === needed && (dirname(path) === path || isForAll(dirname(path)));
}

// Only root may become another user. What the others know of a user is in one place, which throws for nobody.
test.skipIf(process.getuid?.() !== 0 || !isForAll(cliFile) || !isForAll(process.execPath))(
  'a user whom the system does not list, as in a container, can use it',
  () => {
    const { status, stdout } = spawnSync(process.execPath, [cliFile, 'operations'], {
      encoding: 'utf8',
      env: process.env,
      uid: 54_321,
      gid: 54_321,
    });
    expect({ status, ok: JSON.parse(stdout).ok }).toEqual({ status: 0, ok: true });
  },
);

test('a table of any length is laid out', () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => ({ Row: at, Name: 'x' }));
  expect(layOutTable(rows, 80)).toHaveLength(rows.length + 1);
  expect(layOutTable(rows, 4).length).toBeGreaterThan(rows.length);
  expect(layOutPairs(rows.map(({ Row }) => [String(Row), 'x'] as const))).toHaveLength(rows.length);
});

test('a mistake of the program before anything was sent does not say that it may have cost something', async () => {
  const failing = async (...args: string[]) => {
    const findKeychain = () => Promise.reject(new Error('a mistake'));
    const { json } = await runCommandLine([...args, '--connection', connection], { surroundings: { findKeychain } });
    return json.error;
  };
  expect(await failing('call', 'GetCredits')).toMatchObject({ code: 'internal', charge: 'not-charged' });
  expect((await demo.meter()).requests).toBe(0);
  // The description was read before it: that it cost nothing is not known to who catches it.
  expect(await failing('call', 'ServiceTest')).toMatchObject({ code: 'internal', charge: 'may-have-been-charged' });
});

test('--version is the version of the package', async () => {
  expect(await runCommandLine(['--version'])).toMatchObject({
    status: 0,
    stdout: `Address Console ${packageFile.version}\n`,
  });
});

describe('completion', () => {
  test('there is a script for each shell; another shell is refused', async () => {
    for (const shell of shells) {
      const { status, stdout } = await runCommandLine(['completion', shell]);
      expect({ status, stdout }).toEqual({ status: 0, stdout: completionScripts[shell] });
    }
    expect((await runCommandLine(['completion', 'tcsh'])).json.error.message).toContain('bash, zsh, fish');
  });

  /** A folder with the program under its packaged name, for a shell to find. */
  const withProgram = () => {
    const bin = createWorkFolder();
    bin.write('address-console-cli', `#!/bin/sh\nexec "${process.execPath}" "${cliFile}" "$@"\n`);
    chmodSync(join(bin.folder, 'address-console-cli'), 0o755);
    return { ...bin, env: { ...process.env, PATH: `${bin.folder}:${process.env.PATH}`, ZDOTDIR: bin.folder } };
  };
  const missing = (shell: string) => spawnSync(shell, ['--version']).status !== 0;
  let bin: ReturnType<typeof withProgram>;
  beforeAll(() => {
    bin = withProgram();
  });
  afterAll(() => bin.remove());
  /** The lines that a shell prints. It must end well and complain of nothing. */
  const linesOf = (shell: string, ...args: string[]): string[] => {
    const { stdout, stderr, status } = spawnSync(shell, args, { encoding: 'utf8', env: bin.env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trim().split('\n');
  };

  // A shell that is not installed is skipped; every machine that runs these tests has bash, except on Windows.
  test.skipIf(process.platform === 'win32')('bash completes a command, an operation and a field by it', () => {
    const completed = (words: string[]) =>
      linesOf(
        'bash',
        '-c',
        `${completionScripts.bash}
        compopt() { :; }; COMP_WORDS=(address-console-cli ${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length}
        _address_console; printf '%s\\n' "\${COMPREPLY[@]}"`,
      );
    expect(completed(['cre'])).toEqual(['credits']);
    expect(completed(['call', 'GetPremiseG'])).toEqual(['GetPremiseGeoData']);
    expect(completed(['call', 'GetPremise', '--set', ''])).toEqual(['id=', 'uprn=']);
  });

  test.skipIf(missing('zsh'))('zsh completes by it, also where nothing else has loaded its completion system', () => {
    bin.write('.zshrc', completionScripts.zsh);
    // Prints what is offered. The completion itself would need a terminal.
    const completed = (line: string) =>
      linesOf(
        'zsh',
        '-i',
        '-c',
        `compadd() { print -rl -- \${@:#-*} }; words=(${line}); CURRENT=$#words; $_comps[$words[1]]`,
      );
    expect(completed("address-console-cli call GetPremise --set ''")).toEqual(['id=', 'uprn=']);
    expect(completed('address-console-cli cre')).toEqual(['credits']);
  });

  test.skipIf(missing('fish'))('fish completes by it', () => {
    const completed = (line: string) =>
      linesOf('fish', '--no-config', '-c', `${completionScripts.fish}\ncomplete -C '${line}'`);
    expect(completed('address-console-cli call GetPremise --set ')).toEqual(['id=', 'uprn=']);
  });
});
