import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CoreOptions } from '../../electron/core/app-core/options.ts';
import { type AppCore, createCore } from '../../electron/core/app-core.ts';
import { withoutPolicy } from '../../electron/core/policy/read-policy.ts';
import { createDispatcher } from '../../electron/ipc/dispatcher.ts';
import { createHandlers, type Shell } from '../../electron/ipc/handlers.ts';
import { elapsedOf, systemClock } from '../../electron/platform/clock.ts';
import { createMemoryVault } from '../../electron/platform/memory-vault.ts';
import type { ChannelInput, ChannelName, ChannelOutput, EventName } from '../../shared/contract.ts';
import type { ConnectionDraft, SecretRole } from '../../shared/domain/connection.ts';
import type { Result } from '../../shared/result.ts';
import { removeFolder } from './folders.ts';
import { connectionDraft, unwrap } from './temp-database.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** All of the program but its window: real storage, transport, workers, handlers and dispatcher, spoken to by messages. */
export interface Program {
  core: AppCore;
  folder: string;
  /** Everything told to the window unasked. */
  told: { event: EventName; payload: unknown }[];
  /** Everything given to the logger. */
  logged: { where: string; error: unknown }[];
  call<C extends ChannelName>(
    channel: C,
    input: ChannelInput<C>,
    requestId?: string,
  ): Promise<Result<ChannelOutput<C>>>;
  cancel(requestId: string): void;
  /** A connection with the given secrets; gives its id. */
  connect(draft: Partial<ConnectionDraft>, secrets?: Partial<Record<SecretRole, string>>): Promise<string>;
  /** Ends it; its folder stays where one was given. */
  close(): Promise<void>;
}

export interface ProgramOptions extends Partial<Omit<CoreOptions, 'emit' | 'logger'>> {
  shell?: Partial<Shell>;
}

let names = 0;
let jumped = 0;

/** The start of the program over a folder, or what it says where it cannot start. */
export async function startProgram(options: ProgramOptions = {}): Promise<Result<Program>> {
  const { shell, ...parts } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'address-console-program-'));
  const told: Program['told'] = [];
  const logged: Program['logged'] = [];
  const opened = await createCore({
    policy: withoutPolicy,
    // A person's own keychain is none of a test's business.
    keychain: { keychain: createMemoryVault(), missing: null },
    proxyFor: async () => null,
    machineName: 'HERE',
    userName: 'kim',
    demoWorker: join(root, 'electron', 'demo-service', 'worker.ts'),
    decodeWorker: join(root, 'electron', 'core', 'decode', 'decode-worker.ts'),
    // Waiting is not what is tested: it passes at once.
    pauses: {
      uptime: () => elapsedOf(systemClock) + jumped,
      wait: async (ms) => {
        jumped += ms;
      },
    },
    ...parts,
    folder,
    emit: (event, payload) => void told.push({ event, payload: structuredClone(payload) }),
    logger: { error: (where, error) => void logged.push({ where, error }) },
  });
  const remove = () => {
    if (options.folder === undefined) removeFolder(folder);
  };
  if (!opened.ok) {
    remove();
    return opened;
  }
  const core = opened.value;
  const dispatcher = createDispatcher(
    createHandlers(core, {
      version: '0.0.0',
      host: 'development host',
      copyText: async () => {},
      chooseSaveFile: async ({ name }) => join(folder, name),
      chooseFile: async () => null,
      openTextFile: async () => ({ ok: true, value: null }),
      openOutside: async () => ({ ok: true, value: undefined }),
      takeArrivals: () => [],
      setColourScheme: () => {},
      ...shell,
    }),
    (error) => void logged.push({ where: 'channel', error }),
  );
  let number = 0;
  const call: Program['call'] = async (channel, input, requestId = `request-${number++}`) =>
    (await dispatcher.dispatch(channel, requestId, input)) as never;
  return {
    ok: true,
    value: {
      core,
      folder,
      told,
      logged,
      call,
      cancel: (requestId) => dispatcher.cancel(requestId),
      async connect(draft, secrets = {}) {
        names += 1;
        const saved = await call('connections.save', {
          id: null,
          draft: connectionDraft(`Wyebank ${names}`, { restBaseUrl: '', ...draft }),
        });
        const { id } = unwrap(saved).connection;
        for (const [role, value] of Object.entries(secrets))
          unwrap(await call('secrets.put', { connectionId: id, role: role as SecretRole, label: 'main', value }));
        return id;
      },
      async close() {
        dispatcher.cancelAll();
        await core.close();
        remove();
      },
    },
  };
}
