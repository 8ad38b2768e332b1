import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { strictestPolicy } from '../../electron/core/policy/policy-schema.ts';
import { type PolicyHost, policyFileOf, readMachinePolicy } from '../../electron/platform/policy-file.ts';
import { readRegistryPolicy, registryKey } from '../../electron/platform/registry-policy.ts';
import { goodCertificate } from './transport-certificates.ts';

// What `reg query … /s` prints on Windows.
const printed = [
  '',
  registryKey,
  '    exportallowed    REG_DWORD    0x0',
  '    LicenceWritesAllowed    REG_DWORD    0x1',
  '    heldAnswerHoursMax    REG_DWORD    0x18',
  '    proxy    REG_SZ    http://proxy.example:8080',
  '',
  `${registryKey}\\allowedBaseUrls`,
  '    1    REG_SZ    https://lookup.example/v1',
  '    2    REG_SZ    https://soap.example',
  '',
].join('\r\n');

describe.skipIf(process.platform === 'win32')('the policy of a computer', () => {
  let folder: string;
  let host: PolicyHost;
  const write = (text: string, mode = 0o644) => {
    writeFileSync(host.file, text);
    chmodSync(host.file, mode);
  };
  const noProgram = async (): Promise<never> => {
    throw new Error('no program is run here');
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'address-console-policy-'));
    mkdirSync(join(folder, 'held'), { mode: 0o755 });
    host = {
      platform: 'linux',
      file: join(folder, 'held', 'policy.json'),
      profile: join(folder, 'held', 'profile.plist'),
      administrators: [process.getuid?.() ?? 0],
      run: noProgram,
    };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is none where there is no file, and no folder', async () => {
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'none', source: null, notices: [] });
    expect(await readMachinePolicy({ ...host, file: join(folder, 'not', 'there') })).toMatchObject({ state: 'none' });
  });

  it('is what the file says, a byte order mark or not', async () => {
    const policy = { version: 1, allowedBaseUrls: ['https://lookup.example/v1'], exportAllowed: false };
    write(`\uFEFF${JSON.stringify(policy)}`);
    expect(await readMachinePolicy(host)).toEqual({
      state: 'read',
      source: host.file,
      policy,
      extraCa: [],
      notices: [],
    });
  });

  it.each([
    ['{ "version": 1,', 'it is not JSON'],
    ['[]', 'it is not a table of settings'],
    ['{}', '“version”'],
    ['{ "version": 2 }', '“version”'],
    ['{ "version": 1, "exportAlowed": false }', '“exportAlowed”'],
    ['{ "version": 1, "exportAllowed": "no" }', '“exportAllowed”'],
    ['{ "version": 1, "allowedBaseUrls": ["http://lookup.example"] }', '“allowedBaseUrls.0”'],
    ['{ "version": 1, "allowedBaseUrls": ["https://user@lookup.example"] }', '“allowedBaseUrls.0”'],
    ['{ "version": 1, "proxy": "http://user:word@proxy.example" }', '“proxy”'],
    ['{ "version": 1, "creditsPerDayMax": -1 }', '“creditsPerDayMax”'],
  ])('takes the strictest reading of %s and says why', async (text, reason) => {
    write(text);
    const found = await readMachinePolicy(host);
    expect(found).toMatchObject({ state: 'broken', policy: strictestPolicy });
    expect(found.notices.join()).toContain(reason);
    expect(found.notices.join()).not.toContain('word@');
  });

  it('takes the strictest reading of a file that others than administrators can write', async () => {
    write('{ "version": 1 }', 0o666);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken', policy: strictestPolicy });
    write('{ "version": 1 }');
    chmodSync(join(folder, 'held'), 0o777);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken' });
    chmodSync(join(folder, 'held'), 0o755);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'read' });
    expect(await readMachinePolicy({ ...host, administrators: [4242] })).toMatchObject({ state: 'broken' });
  });

  it('takes the strictest reading of what is there and cannot be read as a file', async () => {
    mkdirSync(host.file);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken', policy: strictestPolicy });
  });

  it('trusts the certificates of a file that it names, and says where they cannot be used', async () => {
    const file = join(folder, 'held', 'ca.pem');
    write(JSON.stringify({ version: 1, extraCaFile: file }));
    const missing = await readMachinePolicy(host);
    expect(missing).toMatchObject({ state: 'read', extraCa: [] });
    expect(missing.notices.join()).toContain('could not be read');
    writeFileSync(file, `comment\n${goodCertificate}`);
    expect((await readMachinePolicy(host)).extraCa).toEqual([goodCertificate.trim()]);
    writeFileSync(file, goodCertificate.replace(/^M.*$/m, 'AAAA'));
    expect((await readMachinePolicy(host)).extraCa).toEqual([]);
    writeFileSync(file, goodCertificate);
    chmodSync(file, 0o666);
    expect((await readMachinePolicy(host)).notices.join()).toContain('others than administrators');
  });

  it('comes from Group Policy before the file, and from the file where there is none', async () => {
    write('{ "version": 1, "updateMode": "off" }');
    const windows = (status: number, output = ''): PolicyHost => ({
      ...host,
      platform: 'win32',
      administrators: null,
      run: async (program, args) => {
        expect(program).toMatch(/\\System32\\reg\.exe$/);
        expect(args).toContain(registryKey);
        return { status, output };
      },
    });
    expect(await readMachinePolicy(windows(0, printed))).toMatchObject({
      state: 'read',
      source: 'Group Policy',
      policy: {
        exportAllowed: false,
        licenceWritesAllowed: true,
        heldAnswerHoursMax: 24,
        proxy: 'http://proxy.example:8080',
        allowedBaseUrls: ['https://lookup.example/v1', 'https://soap.example'],
      },
    });
    expect(await readMachinePolicy(windows(1))).toMatchObject({ source: host.file, policy: { updateMode: 'off' } });
    expect(await readMachinePolicy(windows(5))).toMatchObject({ state: 'broken', policy: strictestPolicy });
    expect(await readMachinePolicy({ ...windows(0), run: noProgram })).toMatchObject({ state: 'broken' });
    const unknown = printed.replace('exportallowed', 'exportAlowed');
    expect(await readMachinePolicy(windows(0, unknown))).toMatchObject({ state: 'broken' });
  });

  it('comes from a macOS profile before the file, without the keys of the profile itself', async () => {
    write('{ "version": 1, "updateMode": "off" }');
    const mac = (status: number, output = ''): PolicyHost => ({
      ...host,
      platform: 'darwin',
      run: async (program, args) => {
        expect([program, args.at(-1)]).toEqual(['/usr/bin/plutil', host.profile]);
        return { status, output };
      },
    });
    expect(await readMachinePolicy(mac(0))).toMatchObject({ source: host.file });
    writeFileSync(host.profile, 'a binary property list, which plutil reads');
    expect(await readMachinePolicy(mac(0, '{"version":1,"exportAllowed":false,"PayloadUUID":"8C…"}'))).toMatchObject({
      state: 'read',
      source: 'the macOS profile',
      policy: { version: 1, exportAllowed: false },
    });
    expect(await readMachinePolicy(mac(1))).toMatchObject({ state: 'broken', policy: strictestPolicy });
    expect(await readMachinePolicy(mac(0, 'no JSON'))).toMatchObject({ state: 'broken' });
  });

  it('keeps an empty list of Group Policy: nothing is allowed then', () => {
    expect(readRegistryPolicy(`${registryKey}\\AllowedBaseUrls\r\n`)).toEqual({ version: 1, allowedBaseUrls: [] });
  });

  it('stands where each system keeps such things', () => {
    expect(policyFileOf('win32', 'D:\\Data')).toBe('D:\\Data\\Address Console\\policy.json');
    expect(policyFileOf('darwin')).toBe('/Library/Application Support/Address Console/policy.json');
    expect(policyFileOf('linux')).toBe('/etc/address-console/policy.json');
  });
});
