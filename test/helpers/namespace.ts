import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..', '..');

/** Why no network namespace can be created here; null if one can. */
export function whyNoNamespace(): string | null {
  if (process.platform !== 'linux') return 'namespaces are Linux’s';
  if (process.getuid?.() !== 0) return 'namespaces take root';
  try {
    execFileSync('unshare', ['--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'unshare or ip is missing, or not allowed';
  }
}

/**
 * Runs a TypeScript file in a namespace with the given hosts file and name servers, in which this computer has `addresses` besides 127.0.0.1
 * and no other can be reached. Returns what it printed.
 */
export async function runInNamespace(
  script: string,
  { hosts = '127.0.0.1 localhost\n', nameServer = '127.0.0.1', addresses = [] as string[] },
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-names-'));
  try {
    writeFileSync(join(folder, 'hosts'), hosts);
    writeFileSync(join(folder, 'resolv.conf'), `nameserver ${nameServer}\noptions timeout:2 attempts:1\n`);
    writeFileSync(join(folder, 'nsswitch.conf'), 'hosts: files dns\n');
    const setUp = [
      'ip link set lo up',
      ...addresses.map((address) => `ip addr add ${address}/32 dev lo`),
      ...['hosts', 'resolv.conf', 'nsswitch.conf'].map((name) => `mount --bind "${join(folder, name)}" /etc/${name}`),
      `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${join(root, script)}"`,
    ].join(' && ');
    const { stdout } = await promisify(execFile)('unshare', ['--net', '--mount', 'sh', '-c', setUp], { cwd: root });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
