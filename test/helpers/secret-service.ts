import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { removeFolder } from './folders.ts';

const run = promisify(execFile);

/** A real keychain for one test file: on Linux a Secret Service with a separate bus and home folder, elsewhere the system's. */
export interface TestKeychain {
  /** Variables with which a child process (the program, the command line) uses this keychain; empty if it is the system's. */
  env: Record<string, string>;
  /** Locks the keychain as a user would. Linux only. */
  lock(): Promise<void>;
  /** Unlocks it with the right password. Linux only. */
  unlock(): Promise<void>;
  /** Ends the service but not the bus, as a crash would. Linux only. */
  kill(): Promise<void>;
  /** Starts the service again with the same files, unlocked. Linux only. */
  start(): Promise<void>;
  /** Stops it from answering until `thaw`, as if it waited for its prompt. Linux only. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const onPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));

/** Why the keychain tests cannot run here; undefined if they can. */
export function keychainMissing(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const missing = ['dbus-daemon', 'gnome-keyring-daemon', 'gdbus', 'setpriv'].filter((program) => !onPath(program));
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/**
 * The system's session configuration would also start services; this one names no folder of services. The limits are that one's: an entry of
 * the keychain keeps its connection until it is collected, and the default of 256 is for all programs on the bus.
 */
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
  <limit name="max_completed_connections">100000</limit>
  <limit name="max_connections_per_user">100000</limit>
</busconfig>
`;

/** For setpriv: what it starts ends with the thread that started it, however that ends, and even if it is frozen. */
const endsWithUs = ['--pdeathsig', 'KILL'];

/**
 * Starts a bus with its own home folder. It starts no services: a keyring that was killed is not started again, and a locked one
 * cannot open its prompt on the desktop of the person who runs the tests.
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
  const daemon = ['dbus-daemon', '--nofork', '--nopidfile', '--print-address=1', `--config-file=${config}`];
  const bus = spawn('setpriv', [...endsWithUs, ...daemon], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(bus, 'exit').then(([code, signal]) => {
    throw new Error(`dbus-daemon ended with ${code ?? signal} before it gave its address`);
  });
  const [address] = (await Promise.race([once(createInterface(bus.stdout), 'line'), ended])) as [string];
  return {
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: address },
    stop: async () => {
      await end(bus);
      removeFolder(home);
    },
  };
}

/** `onCrash`: it ended by itself, which gnome-keyring does now and then (system-keychain.ts says why); a desktop starts it again. */
async function startKeyring(env: Record<string, string>, onCrash?: () => void): Promise<ChildProcess> {
  const keyring = spawn(
    'setpriv',
    [...endsWithUs, 'gnome-keyring-daemon', '--foreground', '--components=secrets', '--unlock'],
    {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  let said = '';
  keyring.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  keyring.on('close', (_code, signal) => {
    if (signal === null || signal === 'SIGKILL') return;
    console.error(`The test keychain ended by ${signal}: ${said}`);
    onCrash?.();
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

/** Makes this process use the given bus until the returned function is called. Keychain libraries read the variable at each call. */
function pointToBus(env: Record<string, string>): () => void {
  const before = process.env.DBUS_SESSION_BUS_ADDRESS;
  process.env.DBUS_SESSION_BUS_ADDRESS = env.DBUS_SESSION_BUS_ADDRESS;
  return () => {
    if (before === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
    else process.env.DBUS_SESSION_BUS_ADDRESS = before;
  };
}

/** Starts the keychain and makes this process use it. On other systems than Linux callers must use a separate service name. */
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
  const start = async (): Promise<void> => {
    keyring = await startKeyring(bus.env, () => void start().catch(() => undefined));
  };
  let keyring: ChildProcess;
  await start().catch(async (cause: unknown) => {
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
    // The daemon has no call that takes a password, so it is started again: it unlocks its collection with the password at its start.
    unlock: async () => {
      await end(keyring);
      await start();
    },
    kill: () => end(keyring),
    start,
    freeze: () => void keyring.kill('SIGSTOP'),
    thaw: () => void keyring.kill('SIGCONT'),
    stop: async () => {
      restore();
      await end(keyring);
      await bus.stop();
    },
  };
}

/** Makes this process use a bus without a keychain. Linux only. */
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
