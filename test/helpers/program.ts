import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreOptions } from '../../electron/core/app-core/options.ts';
import type { AppCore } from '../../electron/core/app-core.ts';
import type { Shell } from '../../electron/ipc/shell.ts';
import type { EventName } from '../../shared/contract.ts';
import type { ConnectionDraft, SecretRole } from '../../shared/domain/connection.ts';
import type { Result } from '../../shared/result.ts';
import { type Channels, openChannels, startCore } from './core.ts';
import { removeFolder } from './folders.ts';
import { connectionDraft, unwrap } from './temp-database.ts';

/** All of the program except its window: real storage, transport, workers, handlers and dispatcher, called by messages. */
export interface Program extends Channels {
  core: AppCore;
  folder: string;
  /** Every event that was sent to the window. */
  told: { event: EventName; payload: unknown }[];
  /** Everything that was logged. */
  logged: { where: string; error: unknown }[];
  /** Creates a connection with the given secrets and returns its id. */
  connect(draft: Partial<ConnectionDraft>, secrets?: Partial<Record<SecretRole, string>>): Promise<string>;
  /** Ends the program. Its folder is removed unless it was given. */
  close(): Promise<void>;
}

export interface ProgramOptions extends Partial<Omit<CoreOptions, 'emit' | 'logger'>> {
  shell?: Partial<Shell>;
  /** The program creates its database itself (core.ts). */
  firstStart?: boolean;
}

/** Saves a connection with some of its settings changed, as its form does. */
export async function editConnection(
  { call }: Pick<Channels, 'call'>,
  connectionId: string,
  change: Partial<ConnectionDraft>,
): Promise<void> {
  const { connections } = unwrap(await call('connections.list', {}));
  const found = connections.find(({ connection }) => connection.id === connectionId);
  if (!found) throw new Error('The connection is gone.');
  const { id, ...draft } = found.connection;
  unwrap(await call('connections.save', { id, draft: { ...draft, ...change } }));
}

let names = 0;

/** Starts the program with a data folder. Returns the error if it cannot start. */
export async function startProgram(options: ProgramOptions = {}): Promise<Result<Program>> {
  const { shell, ...parts } = options;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'address-console-program-'));
  const told: Program['told'] = [];
  const logged: Program['logged'] = [];
  const opened = await startCore({
    machineName: 'HERE',
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
  const channels = openChannels(
    core,
    { chooseSaveFile: async ({ name }) => join(folder, name), ...shell },
    (error) => void logged.push({ where: 'channel', error }),
  );
  const { call } = channels;
  return {
    ok: true,
    value: {
      core,
      folder,
      told,
      logged,
      ...channels,
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
        channels.cancelAll();
        await core.close();
        remove();
      },
    },
  };
}
