import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, posix, win32 } from 'node:path';
import {
  brokenPolicy,
  type MachinePolicy,
  readPolicyText,
  readPolicyValue,
  withoutPolicy,
} from '../core/policy/read-policy.ts';
import { readRegistryPolicy, registryKey } from './registry-policy.ts';

/** The program's id with macOS: of its managed settings too. */
export const bundleId = 'app.address-console.desktop';

/** What the reading needs of the system; the tests give their own. */
export interface PolicyHost {
  platform: NodeJS.Platform;
  /** The policy file. */
  file: string;
  /** Where macOS writes a profile's settings. */
  profile: string;
  /** Users whose files count as an administrator's; null: the system is not asked (Windows). */
  administrators: readonly number[] | null;
  /** Runs a program of the system; its exit status and what it printed. Fails where it cannot be run. */
  run(program: string, args: readonly string[]): Promise<{ status: number; output: string }>;
}

/** Where each system keeps the file of a machine's policy. */
export function policyFileOf(platform: NodeJS.Platform, programData = 'C:\\ProgramData'): string {
  if (platform === 'win32') return win32.join(programData, 'Address Console', 'policy.json');
  if (platform === 'darwin') return '/Library/Application Support/Address Console/policy.json';
  return posix.join('/etc', 'address-console', 'policy.json');
}

export const thisHost = (): PolicyHost => ({
  platform: process.platform,
  file: policyFileOf(process.platform, process.env.ProgramData),
  profile: `/Library/Managed Preferences/${bundleId}.plist`,
  administrators: process.platform === 'win32' ? null : [0],
  run: runProgram,
});

/**
 * The policy of this computer: what the system's management says (Group Policy, macOS profile), else the file, else none. Never
 * fails: a policy that is there and cannot be used gives the strictest reading.
 */
export async function readMachinePolicy(host: PolicyHost = thisHost()): Promise<MachinePolicy> {
  const found = (await readManaged(host)) ?? (await readPolicyFile(host));
  return found.policy.extraCaFile === undefined ? found : withExtraCa(found, found.policy.extraCaFile, host);
}

/** Certificates that cannot be used are said and left out: without them nothing more is trusted. */
async function withExtraCa(found: MachinePolicy, file: string, host: PolicyHost): Promise<MachinePolicy> {
  const without = (reason: string): MachinePolicy => ({
    ...found,
    notices: [...found.notices, `The certificates that the policy names (${file}) are not used: ${reason}.`],
  });
  if (host.platform === 'win32') return without('on Windows they belong in the system’s own store');
  try {
    if (await isOpenToOthers(file, host.administrators))
      return without('others than administrators can write the file');
    const text = await readFile(file, 'utf8');
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    for (const certificate of certificates) new X509Certificate(certificate);
    return certificates.length === 0 ? without('the file holds none') : { ...found, extraCa: certificates };
  } catch {
    return without('they could not be read');
  }
}

/** Someone who may write a file, or its folder, could change what an administrator set. */
async function isOpenToOthers(file: string, administrators: readonly number[] | null): Promise<boolean> {
  if (administrators === null) return false;
  for (const path of [file, dirname(file)]) {
    const { uid, mode } = await stat(path);
    if (!administrators.includes(uid) || (mode & 0o022) !== 0) return true;
  }
  return false;
}

async function readManaged(host: PolicyHost): Promise<MachinePolicy | null> {
  if (host.platform === 'win32') {
    const source = 'Group Policy';
    try {
      const program = win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'reg.exe');
      const { status, output } = await host.run(program, ['query', registryKey, '/s', '/reg:64']);
      // 1: there is no such key.
      if (status === 1) return null;
      if (status !== 0) return brokenPolicy(source, 'the registry could not be read');
      return readPolicyValue(readRegistryPolicy(output), source);
    } catch {
      return brokenPolicy(source, 'the registry could not be read');
    }
  }
  if (host.platform === 'darwin') {
    try {
      if (!(await exists(host.profile))) return null;
      const { status, output } = await host.run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '--', host.profile]);
      if (status !== 0) return brokenPolicy('the macOS profile', 'its settings could not be read');
      return readPolicyValue(withoutPayloadKeys(JSON.parse(output)), 'the macOS profile');
    } catch {
      return brokenPolicy('the macOS profile', 'its settings could not be read');
    }
  }
  return null;
}

/** macOS leaves the profile's own keys among the settings. */
function withoutPayloadKeys(settings: unknown): unknown {
  if (typeof settings !== 'object' || settings === null) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('Payload')));
}

async function readPolicyFile({ file, administrators }: PolicyHost): Promise<MachinePolicy> {
  try {
    if (!(await exists(file))) return withoutPolicy;
    if (await isOpenToOthers(file, administrators))
      return brokenPolicy(file, 'others than administrators can write it or its folder');
    return readPolicyText(await readFile(file, 'utf8'), file);
  } catch {
    return brokenPolicy(file, 'it could not be read');
  }
}

/** False only where it surely is not there; whatever else is in the way is thrown. */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
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
