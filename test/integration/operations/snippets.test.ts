import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { editConnection } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { type OperationsConsole, openOperationsConsole } from './operations-core.ts';

const run = promisify(execFile);
let it: OperationsConsole;

beforeAll(async () => {
  it = await openOperationsConsole();
});
afterAll(() => it.close());

/** Whether a snippet of this language can be run here. On Windows there may be no shell, or no Python. */
const canRun = (language: 'curl' | 'python'): boolean =>
  (language === 'curl' ? spawnSync('sh', ['-c', 'curl --version']) : spawnSync('python3', ['--version'])).status === 0;

type Language = 'curl' | 'python' | 'powershell' | 'csharp';
const snippet = async (language: Language, operation: string, fields: Record<string, string | string[]>) =>
  unwrap(await it.call('operations.snippet', { ...it.asked(operation, fields), language }));

/** Runs the copied code with each placeholder filled in. */
async function runFilled(
  language: 'curl' | 'python',
  operation: string,
  fields: Record<string, string | string[]>,
): Promise<string> {
  const { text, placeholders } = await snippet(language, operation, fields);
  const { lookupKey, licenceId, guid, licenceKey, webMapKey } = it.service.demo;
  const values: Record<string, string> = {
    '<API_KEY>': lookupKey,
    '<LICENCE_ID>': licenceId,
    '<ACCOUNT_GUID>': guid,
    '<LICENCE_KEY>': licenceKey,
    '<WEB_MAP_KEY>': webMapKey,
  };
  expect(placeholders.length).toBeGreaterThan(0);
  const filled = placeholders.reduce((program, hole) => program.replace(hole, values[hole] ?? ''), text);
  const [program, args] = language === 'curl' ? ['sh', ['-c', filled]] : ['python3', ['-c', filled]];
  const { stdout } = await run(program as string, args as string[], {
    env: { ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
  });
  return stdout;
}

describe.each(['curl', 'python'] as const)('%s', (language) => {
  const runs = canRun(language);
  beforeEach(({ skip }) => skip(!runs, 'not installed'));

  test('calls a REST endpoint', async () => {
    const { sample } = it.service.demo;
    const answer = JSON.parse(await runFilled(language, 'Search', { query: sample.postcode, maxresults: '3' }));
    expect(answer.results.length).toBeGreaterThan(0);
    expect(answer.results.length).toBeLessThanOrEqual(3);
  });

  test('requests a UPRN with a switch', async () => {
    const answer = JSON.parse(
      await runFilled(language, 'GetPremise', { id: it.service.demo.sample.premiseId, uprn: 'true' }),
    );
    expect(JSON.stringify(answer)).toContain(it.service.demo.sample.premiseId);
  });

  test('calls a SOAP operation of each group of credentials', async () => {
    const { sample, machines } = it.service.demo;
    const calls: [string, Record<string, string | string[]>][] = [
      ['ReturnPremise_ByPostcode', { sPostcode: sample.postcode }],
      ['GeoData_ForPostcode', { sPostcodes: [sample.postcode, ...sample.nearPostcodes] }],
      ['GetAddressesForPostcode', { Postcode: sample.postcode }],
      ['GetAddress', { sUDP: sample.premiseId }],
      ['GetLicenseList', { sMachineName: machines[0] ?? '' }],
    ];
    for (const [operation, fields] of calls) {
      const answer = await runFilled(language, operation, fields);
      expect(answer, operation).toContain(`<${operation}Result>`);
      expect(answer, operation).not.toContain('Fault');
    }
  });

  test('text with special characters arrives as it was typed', async () => {
    const awkward = `O'Brien & "Sons" <x> $HOME \`id\` \\n %20 + é €`;
    await it.service.resetMeter();
    await runFilled(language, 'Search', { query: awkward });
    await runFilled(language, 'SearchPremise_ByWordMatchOnAll', { sSearch: awkward });
    const { calls } = await it.service.meter();
    expect(calls.Search?.answered).toBe(1);
    expect(calls.SearchPremise_ByWordMatchOnAll?.hits).toBe(1);
  });

  test('takes the keys to no other address by a redirect', async () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(302, { location: `/elsewhere${request.url}` }).end();
    });
    await listenOnLoopback(server);
    const edit = (restBaseUrl: string) => editConnection(it, it.connectionId, { restBaseUrl });
    await edit(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    await runFilled(language, 'Search', { query: 'x' }).catch(() => '');
    await edit(it.service.restBaseUrl);
    server.close();
    expect(paths).toEqual([expect.stringMatching(/^\/v1\/Search/)]);
  });
});

describe.each(['curl', 'python', 'powershell', 'csharp'] as const)('%s holds', (language) => {
  test('has placeholders and no secret', async () => {
    const { sample, lookupKey, licenceId } = it.service.demo;
    const rest = await snippet(language, 'Search', { query: sample.postcode });
    expect(rest.placeholders).toEqual(['<API_KEY>']);
    expect(rest.text).not.toContain(lookupKey);
    const soap = await snippet(language, 'ReturnPremise_ByPostcode', { sPostcode: sample.postcode });
    expect(soap.placeholders).toEqual(['<LICENCE_ID>']);
    expect(soap.text).not.toContain(licenceId);
    expect(soap.text).toContain('ReturnPremise_ByPostcode');
    expect(`${rest.text}${soap.text}`).not.toContain('placeholder0');
  });
});

test('a text cannot end the quotes of any language', async () => {
  const fields = { sSearch: `it's “5 o’clock" \\ $(x)` };
  const operation = 'SearchPremise_ByWordMatchOnAll';
  expect((await snippet('powershell', operation, fields)).text).toContain(`>it''s “5 o’’clock&quot; \\ $(x)<`);
  expect((await snippet('csharp', operation, fields)).text).toContain(`>it's “5 o’clock&quot; \\\\ $(x)<`);
});

test('a line end of another kind stays inside its quotes', async () => {
  const { text } = await snippet('csharp', 'Search', { query: 'a\u0085b' });
  expect(text).not.toContain('\u0085');
  const soap = await snippet('csharp', 'SearchPremise_ByWordMatchOnAll', { sSearch: 'a\u0085b' });
  expect(soap.text).toContain('>a\\u0085b<');
});

test('a snippet stores nothing and makes no call', async () => {
  await it.service.resetMeter();
  await snippet('curl', 'GetPremise', { id: it.service.demo.sample.premiseId });
  expect((await it.service.meter()).requests).toBe(0);
});

test('a licence write has no snippet, since it would bypass the journal', async () => {
  const refused = await it.call('operations.snippet', {
    ...it.asked('RegisterLicense', { iLicenseID: '4101', sMachineName: 'DESK-1' }),
    language: 'curl',
  });
  expect(refused).toMatchObject({ ok: false, error: { code: 'not-permitted' } });
});
