import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { strictestPolicy } from '../../../electron/core/policy/policy-schema.ts';
import {
  type PolicyHost,
  policyFileOf,
  readMachinePolicy,
  windowsFolder,
  withoutOwnAuthorities,
} from '../../../electron/platform/policy-file.ts';
import { policiesKey, readRegistryPolicy, registryKey } from '../../../electron/platform/registry-policy.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { goodCertificate } from '../transport/certificates.ts';

// The output of `reg query … /s` on Windows.
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
  let host: PolicyHost & { file: string };
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
      profiles: [join(folder, 'held', 'profile.plist'), join(folder, 'held', 'of-the-user.plist')],
      // The system's folders belong to root, and the test's folder to the person who runs it.
      administrators: [0, process.getuid?.() ?? 0],
      run: noProgram,
    };
  });
  afterEach(() => removeFolder(folder));

  it('is none if there is no file or no folder', async () => {
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'none', source: null, notices: [] });
    expect(await readMachinePolicy({ ...host, file: join(folder, 'not', 'there') })).toMatchObject({ state: 'none' });
  });

  it('is what the file says, with or without a byte order mark', async () => {
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
  ])('is the strictest for %s and says why', async (text, reason) => {
    write(text);
    const found = await readMachinePolicy(host);
    expect(found).toMatchObject({ state: 'broken', policy: strictestPolicy });
    expect(found.notices.join()).toContain(reason);
    expect(found.notices.join()).not.toContain('word@');
  });

  it('is the strictest if others than administrators can write the file', async () => {
    write('{ "version": 1 }', 0o666);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken', policy: strictestPolicy });
    write('{ "version": 1 }');
    chmodSync(join(folder, 'held'), 0o777);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken' });
    chmodSync(join(folder, 'held'), 0o755);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'read' });
    expect(await readMachinePolicy({ ...host, administrators: [4242] })).toMatchObject({ state: 'broken' });
  });

  it('is the strictest if it exists and cannot be read as a file', async () => {
    mkdirSync(host.file);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken', policy: strictestPolicy });
  });

  it('is never “none” if a link on the way is broken', async () => {
    symlinkSync(join(folder, 'gone.json'), host.file);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken', policy: strictestPolicy });
    symlinkSync(join(folder, 'gone'), join(folder, 'linked'));
    const through = { ...host, file: join(folder, 'linked', 'policy.json') };
    expect(await readMachinePolicy(through)).toMatchObject({ state: 'broken', policy: strictestPolicy });
    const circle = join(folder, 'circle');
    symlinkSync(circle, circle);
    expect(await readMachinePolicy({ ...host, file: circle })).toMatchObject({ state: 'broken' });
  });

  it('follows links only through folders of administrators', async () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    writeFileSync(join(open, 'policy.json'), '{ "version": 1 }');
    symlinkSync(join(open, 'policy.json'), host.file);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'read' });
    // The file belongs to an administrator, but anybody who can write to its folder can replace it.
    chmodSync(open, 0o777);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken' });
    chmodSync(open, 0o755);
    mkdirSync(join(folder, 'above', 'deep'), { recursive: true });
    writeFileSync(join(folder, 'above', 'deep', 'policy.json'), '{ "version": 1 }');
    chmodSync(join(folder, 'above'), 0o777);
    const deep = { ...host, file: join(folder, 'above', 'deep', 'policy.json') };
    expect(await readMachinePolicy(deep)).toMatchObject({ state: 'broken' });
  });

  it('does not wait for a pipe', async () => {
    execFileSync('mkfifo', ['-m', '644', host.file]);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken', policy: strictestPolicy });
  });

  it.each([
    '{ "version": 1, "exportAllowed": false, "exportAllowed": true }',
    '{ "version": 1, "exportAllowed": false, "export\\u0041llowed": true }',
    '{ "version": 1, "proxy": "direct" , "x": {"a": 1}, "proxy" : "system" }',
    `{ "version": 1, "creditsPerDayMax"${' '.repeat(200)}: 5, "creditsPerDayMax"${'\n'.repeat(200)}: 5000 }`,
  ])('is the strictest if a setting is given twice: %s', async (text) => {
    write(text);
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'broken', policy: strictestPolicy });
  });

  it('reads quotes, braces and colons in values literally', async () => {
    write(
      '{ "version": 1, "allowedBaseUrls": ["https://a.example/{:}", "https://a.example/{:}"], "extraCaFile": "/a\\":{\\"/b:" }',
    );
    expect(await readMachinePolicy(host)).toMatchObject({ state: 'read' });
  });

  it('removes environment variables that would add authorities if it names the trusted ones', () => {
    const env = { SSL_CERT_FILE: '/own.pem', SSL_CERT_DIR: '/own', HOME: '/home/kim' };
    withoutOwnAuthorities({ version: 1 }, env);
    expect(Object.keys(env)).toHaveLength(3);
    withoutOwnAuthorities({ version: 1, extraCaFile: '/etc/ca.pem' }, env);
    expect(env).toEqual({ HOME: '/home/kim' });
  });

  it('trusts the certificates of a file that it names, and reports unusable ones', async () => {
    const file = join(folder, 'held', 'ca.pem');
    write(JSON.stringify({ version: 1, extraCaFile: file }));
    const missing = await readMachinePolicy(host);
    expect(missing).toMatchObject({ state: 'read', extraCa: [] });
    expect(missing.notices.join()).toContain('no such file');
    writeFileSync(file, `comment\n${goodCertificate}`);
    expect((await readMachinePolicy(host)).extraCa).toEqual([goodCertificate.trim()]);
    writeFileSync(file, goodCertificate.replace(/^M.*$/m, 'AAAA'));
    expect((await readMachinePolicy(host)).extraCa).toEqual([]);
    writeFileSync(file, goodCertificate);
    chmodSync(file, 0o666);
    expect((await readMachinePolicy(host)).notices.join()).toContain('others than administrators');
  });

  /** A Windows computer on which reg.exe gives these answers by key. */
  const windows = (answers: Record<string, { status: number; output?: string }>): PolicyHost => ({
    ...host,
    platform: 'win32',
    file: null,
    run: async (program, args) => {
      expect(program).toMatch(/^[A-Z]:\\[^\\]+\\System32\\reg\.exe$/);
      expect(args[0]).toBe('query');
      expect(args.at(-1)).toBe('/reg:64');
      return { output: '', ...(answers[args[1] ?? ''] ?? { status: 1 }) };
    },
  });

  it('comes from Group Policy on Windows', async () => {
    expect(await readMachinePolicy(windows({ [registryKey]: { status: 0, output: printed } }))).toMatchObject({
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
    const unknown = printed.replace('exportallowed', 'exportAlowed');
    expect(await readMachinePolicy(windows({ [registryKey]: { status: 0, output: unknown } }))).toMatchObject({
      state: 'broken',
    });
    // A type without a name of its own, and a line that reg.exe does not print today.
    for (const odd of ['    creditsPerDayMax    0x100    05000000', '\tcreditsPerDayMax\tREG_DWORD\t0x5'])
      for (const key of [registryKey, `${registryKey}\\allowedBaseUrls`]) {
        const output = printed.replace(`${key}\r\n`, `${key}\r\n${odd}\r\n`);
        expect(await readMachinePolicy(windows({ [registryKey]: { status: 0, output } }))).toMatchObject({
          state: 'broken',
          policy: strictestPolicy,
        });
      }
    const foreign = printed.replace('lookup.example', 'lök\uFFFDp.example');
    expect(await readMachinePolicy(windows({ [registryKey]: { status: 0, output: foreign } }))).toMatchObject({
      state: 'broken',
      policy: strictestPolicy,
    });
  });

  it('is none on Windows only if the registry can be read and has none', async () => {
    expect(await readMachinePolicy(windows({ [policiesKey]: { status: 0 } }))).toMatchObject({ state: 'none' });
    // “Registry editing has been disabled by your administrator” and a missing permission also end with 1.
    expect(await readMachinePolicy(windows({}))).toMatchObject({ state: 'broken', policy: strictestPolicy });
    const other = windows({ [registryKey]: { status: 5 }, [policiesKey]: { status: 0 } });
    expect(await readMachinePolicy(other)).toMatchObject({ state: 'broken', policy: strictestPolicy });
    expect(await readMachinePolicy({ ...windows({}), run: noProgram })).toMatchObject({ state: 'broken' });
  });

  it('is never a file on Windows, where every user may make one below ProgramData', async () => {
    expect(policyFileOf('win32')).toBeNull();
    expect(
      await readMachinePolicy({ ...windows({ [policiesKey]: { status: 0 } }), file: policyFileOf('win32') }),
    ).toMatchObject({ state: 'none', policy: {} });
  });

  it('runs the reg.exe of the running Windows, whatever the environment says', () => {
    const was = process.env.SystemRoot;
    process.env.SystemRoot = 'C:\\Users\\kim\\fake';
    try {
      const named = (folder: string) =>
        windowsFolder((path) => (path === '\\\\?\\GLOBALROOT\\SystemRoot' ? folder : ''));
      expect(named('D:\\WINDOWS')).toBe('D:\\WINDOWS');
      expect(named('\\\\?\\D:\\WINDOWS')).toBe('D:\\WINDOWS');
      expect(named('\\\\server\\share\\Windows')).toBe('C:\\Windows');
      // No other system has that name.
      expect(windowsFolder()).toBe('C:\\Windows');
    } finally {
      if (was === undefined) delete process.env.SystemRoot;
      else process.env.SystemRoot = was;
    }
  });

  it('comes from a macOS profile before the file, without the keys of the profile itself', async () => {
    write('{ "version": 1, "updateMode": "off" }');
    const asked: string[] = [];
    const mac = (status: number, output = ''): PolicyHost => ({
      ...host,
      platform: 'darwin',
      run: async (program, args) => {
        expect(program).toBe('/usr/bin/plutil');
        asked.push(args.at(-1) ?? '');
        return { status, output };
      },
    });
    const [machine = '', user = ''] = host.profiles;
    expect(await readMachinePolicy(mac(0))).toMatchObject({ source: host.file });
    const said = '{"version":1,"exportAllowed":false,"PayloadUUID":"8C…"}';
    // A policy of the user applies if there is no other; if the computer has one, the user's is ignored.
    for (const file of [user, machine]) {
      writeFileSync(file, 'a binary property list, which plutil reads');
      expect(await readMachinePolicy(mac(0, said))).toMatchObject({
        state: 'read',
        source: 'the macOS profile',
        policy: { version: 1, exportAllowed: false },
      });
    }
    expect(asked).toEqual([user, machine]);
    expect(await readMachinePolicy(mac(1))).toMatchObject({ state: 'broken', policy: strictestPolicy });
    expect(await readMachinePolicy(mac(0, 'no JSON'))).toMatchObject({ state: 'broken' });
  });

  it('keeps an empty list of Group Policy: nothing is allowed then', () => {
    expect(readRegistryPolicy(`${registryKey}\\AllowedBaseUrls\r\n`)).toEqual({ version: 1, allowedBaseUrls: [] });
  });

  it('is at the usual place of each system', () => {
    expect(policyFileOf('darwin')).toBe('/Library/Application Support/Address Console/policy.json');
    expect(policyFileOf('linux')).toBe('/etc/address-console/policy.json');
  });
});
