import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { removeFolder } from './folders.ts';

const run = promisify(execFile);

/** A real keychain for one test file: on Linux a Secret Service on its own bus and in its own home, elsewhere the system's. */
export interface TestKeychain {
  /** Variables that lead a child process (the program, the command line) to this keychain; empty where it is the system's. */
  env: Record<string, string>;
  /** Locks it as a user would. Linux only. */
  lock(): Promise<void>;
  /** Opens it again with the right password. Linux only. */
  unlock(): Promise<void>;
  /** Ends the service while the bus stays, as a crash would. Linux only. */
  kill(): Promise<void>;
  /** Starts it again over the same files, unlocked. Linux only. */
  start(): Promise<void>;
  /** Makes it silent, as one that waits for its prompt is, until `thaw`. Linux only. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));

/** Why the keychain tests cannot run here; undefined where they can. */
export function keychainMissing(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const missing = ['dbus-daemon', 'gnome-keyring-daemon', 'gdbus'].filter((program) => !onPath(program));
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** The system's own session configuration would also start services; this one names no folder to start any from. */
const busConfig = (
  home: string,
): string => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=${home}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/**
 * A bus of its own, with a home of its own. It starts nothing by itself: a keyring that was killed stays away, and a locked one
 * cannot open its prompt on the desktop of whoever runs the tests.
 */
async function startBus() {
  const home = mkdtempSync(join(tmpdir(), 'address-console-keychain-'));
  const env = {
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_RUNTIME_DIR: home,
    XDG_CACHE_HOME: join(home, 'cache'),
  };
  const config = join(home, 'bus.conf');
  writeFileSync(config, busConfig(home));
  const bus = spawn('dbus-daemon', ['--nofork', '--nopidfile', '--print-address=1', `--config-file=${config}`], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = (await once(createInterface(bus.stdout), 'line')) as [string];
  return {
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: address },
    stop: async () => {
      await end(bus);
      removeFolder(home);
    },
  };
}

async function startKeyring(env: Record<string, string>): Promise<ChildProcess> {
  const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', '--unlock'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keyring.stdin?.end('password of the test keychain');
  try {
    await run('gdbus', ['wait', '--session', '--timeout', '20', 'org.freedesktop.secrets'], {
      env: { PATH: process.env.PATH, ...env },
    });
  } catch (cause) {
    await end(keyring);
    throw cause;
  }
  return keyring;
}

/** Points this process at the given bus until `restore` is called; keychain libraries read the variable at each call. */
function pointToBus(env: Record<string, string>): () => void {
  const before = process.env.DBUS_SESSION_BUS_ADDRESS;
  process.env.DBUS_SESSION_BUS_ADDRESS = env.DBUS_SESSION_BUS_ADDRESS;
  return () => {
    if (before === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
    else process.env.DBUS_SESSION_BUS_ADDRESS = before;
  };
}

/** Starts the keychain and points this process at it. Elsewhere than on Linux callers use a service name of their own. */
export async function startTestKeychain(): Promise<TestKeychain> {
  if (process.platform !== 'linux') {
    const nothing = async () => undefined;
    return {
      env: {},
      lock: nothing,
      unlock: nothing,
      kill: nothing,
      start: nothing,
      freeze: () => undefined,
      thaw: () => undefined,
      stop: nothing,
    };
  }
  const bus = await startBus();
  let keyring = await startKeyring(bus.env).catch(async (cause: unknown) => {
    await bus.stop();
    throw cause;
  });
  const restore = pointToBus(bus.env);
  const env = { PATH: process.env.PATH, ...bus.env };
  const service = [
    'call',
    '--session',
    '--dest',
    'org.freedesktop.secrets',
    '--object-path',
    '/org/freedesktop/secrets',
  ];
  return {
    env: bus.env,
    lock: async () => {
      const collection = "['/org/freedesktop/secrets/collection/login']";
      await run('gdbus', [...service, '--method', 'org.freedesktop.Secret.Service.Lock', collection], {
        env,
      });
    },
    // The daemon opens its collection when it starts with the password; it offers no call that takes one.
    unlock: async () => {
      await end(keyring);
      keyring = await startKeyring(bus.env);
    },
    kill: () => end(keyring),
    start: async () => {
      keyring = await startKeyring(bus.env);
    },
    freeze: () => void keyring.kill('SIGSTOP'),
    thaw: () => void keyring.kill('SIGCONT'),
    stop: async () => {
      restore();
      await end(keyring);
      await bus.stop();
    },
  };
}

/** Points this process at a bus on which there is no keychain. Linux only. */
export async function startWithoutKeychain(): Promise<{ stop(): Promise<void> }> {
  const bus = await startBus();
  const restore = pointToBus(bus.env);
  return {
    stop: async () => {
      restore();
      await bus.stop();
    },
  };
}
