import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import type { Policy } from '../core/policy/policy-schema.ts';
import {
  brokenPolicy,
  type MachinePolicy,
  readPolicyText,
  readPolicyValue,
  withoutPolicy,
} from '../core/policy/read-policy.ts';
import { readAdministratorsFile, UntrustedFile } from './administrators-file.ts';
import { policiesKey, readRegistryPolicy, registryKey } from './registry-policy.ts';
import { findUser } from './user.ts';

/** The program's id with macOS: of its managed settings too. */
export const bundleId = 'app.address-console.desktop';

/** What reading a policy needs of the system; tests pass their own. */
export interface PolicyHost {
  platform: NodeJS.Platform;
  /** The policy file; null: this system has none. */
  file: string | null;
  /** Where macOS writes the settings of profiles: the computer's, then this user's. Only the system can write there. */
  profiles: readonly string[];
  /** Users whose files count as an administrator's. */
  administrators: readonly number[];
  /** Runs a program of the system. Resolves with its exit status and what it printed; rejects if it cannot be run. */
  run(program: string, args: readonly string[]): Promise<{ status: number; output: string }>;
}

/**
 * Where each system keeps the file of a machine's policy. Windows has none: every user may make folders below ProgramData, so a
 * file there could be anybody's. What Group Policy writes, and `reg add` by an administrator, nobody else can.
 */
export function policyFileOf(platform: NodeJS.Platform): string | null {
  if (platform === 'win32') return null;
  if (platform === 'darwin') return '/Library/Application Support/Address Console/policy.json';
  return posix.join('/etc', 'address-console', 'policy.json');
}

const thisHost = (): PolicyHost => ({
  platform: process.platform,
  file: policyFileOf(process.platform),
  profiles: ['', findUser().name].map((user) => posix.join('/Library/Managed Preferences', user, `${bundleId}.plist`)),
  administrators: [0],
  run: runProgram,
});

/**
 * The policy of this computer: what the system's management says (Group Policy, macOS profile), else the file, else none. Never
 * fails: a policy that exists and cannot be used returns the strictest one.
 */
export async function readMachinePolicy(host: PolicyHost = thisHost()): Promise<MachinePolicy> {
  const found = (await readManaged(host)) ?? (await readPolicyFile(host));
  return found.policy.extraCaFile === undefined ? found : withExtraCa(found, found.policy.extraCaFile, host);
}

/** Certificates that cannot be used are reported and left out: that way nothing more is trusted. */
async function withExtraCa(found: MachinePolicy, file: string, host: PolicyHost): Promise<MachinePolicy> {
  const without = (reason: string): MachinePolicy => ({
    ...found,
    notices: [...found.notices, `The certificates that the policy names (${file}) are not used: ${reason}.`],
  });
  if (host.platform === 'win32') return without('on Windows they belong in the system’s own store');
  try {
    const text = await readAdministratorsFile(file, host.administrators);
    if (text === null) return without('there is no such file');
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    for (const certificate of certificates) new X509Certificate(certificate);
    return certificates.length === 0 ? without('the file holds none') : { ...found, extraCa: certificates };
  } catch (error) {
    return without(error instanceof UntrustedFile ? error.message : 'they could not be read');
  }
}

/**
 * Where a policy says which authorities are trusted, the variables that name others for the system's store (Linux) are taken away,
 * before the store is read.
 */
export function withoutOwnAuthorities({ extraCaFile }: Policy, env: NodeJS.ProcessEnv = process.env): void {
  if (extraCaFile === undefined) return;
  for (const name of ['SSL_CERT_FILE', 'SSL_CERT_DIR']) delete env[name];
}

async function readManaged(host: PolicyHost): Promise<MachinePolicy | null> {
  if (host.platform === 'win32') return readGroupPolicy(host);
  if (host.platform === 'darwin') return readProfile(host);
  return null;
}

async function readGroupPolicy({ run }: PolicyHost): Promise<MachinePolicy | null> {
  const source = 'Group Policy';
  const program = win32.join(windowsFolder(), 'System32', 'reg.exe');
  const query = (key: string, ...more: string[]) => run(program, ['query', key, ...more, '/reg:64']);
  try {
    const { status, output } = await query(registryKey, '/s');
    if (status !== 0) {
      // reg.exe ends with 1 for every failure: no such key, no right to read it, registry tools switched off by Group Policy. The key
      // above is on every computer, so where that one cannot be read either, nothing is known of ours.
      const above = await query(policiesKey);
      return status === 1 && above.status === 0 ? null : brokenPolicy(source, 'the registry could not be read');
    }
    // reg.exe prints in the console's code page, in which other letters are lost.
    if (/[^\t\r\n -~]/.test(output)) return brokenPolicy(source, 'a value has letters other than ASCII');
    return readPolicyValue(readRegistryPolicy(output), source);
  } catch {
    return brokenPolicy(source, 'the registry could not be read');
  }
}

/**
 * The folder of Windows, by the name that the system itself has for it: `SystemRoot` of the environment is anybody's to set, and would name
 * another reg.exe. Not by the libraries of `process.report`: a report has ended programs on Electron outright.
 */
export function windowsFolder(realpath: (path: string) => string = realpathSync.native): string {
  try {
    const folder = realpath('\\\\?\\GLOBALROOT\\SystemRoot').replace(/^\\\\\?\\/, '');
    return /^[a-z]:\\[^\\]+$/i.test(folder) ? folder : 'C:\\Windows';
  } catch {
    return 'C:\\Windows';
  }
}

async function readProfile({ profiles, run }: PolicyHost): Promise<MachinePolicy | null> {
  const source = 'the macOS profile';
  try {
    for (const profile of profiles) {
      if (!(await exists(profile))) continue;
      const { status, output } = await run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '--', profile]);
      if (status !== 0) return brokenPolicy(source, 'its settings could not be read');
      return readPolicyValue(withoutPayloadKeys(JSON.parse(output)), source);
    }
    return null;
  } catch {
    return brokenPolicy(source, 'its settings could not be read');
  }
}

/** macOS leaves the profile's own keys among the settings. */
function withoutPayloadKeys(settings: unknown): unknown {
  if (typeof settings !== 'object' || settings === null) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('Payload')));
}

async function readPolicyFile({ file, administrators }: PolicyHost): Promise<MachinePolicy> {
  if (file === null) return withoutPolicy;
  try {
    const text = await readAdministratorsFile(file, administrators);
    return text === null ? withoutPolicy : readPolicyText(text, file);
  } catch (error) {
    return brokenPolicy(file, error instanceof UntrustedFile ? error.message : 'it could not be read');
  }
}

/** False only if it is certainly not there; any other failure is thrown. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

function runProgram(program: string, args: readonly string[]): Promise<{ status: number; output: string }> {
  return new Promise((done, failed) => {
    execFile(program, [...args], { timeout: 10_000, windowsHide: true }, (error, output) => {
      if (error === null) done({ status: 0, output });
      else if (typeof error.code === 'number') done({ status: error.code, output });
      else failed(error);
    });
  });
}
