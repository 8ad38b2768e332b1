import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreOptions } from '../../electron/core/app-core/options.ts';
import type { AppCore } from '../../electron/core/app-core.ts';
import { readTextFile } from '../../electron/platform/read-file.ts';
import type { OpenedSetup } from '../../shared/contract/setup.ts';
import { noFilter } from '../../shared/domain/licences/licence-filter.ts';
import type { SetupFile } from '../../shared/domain/setup-file.ts';
import { type Channels, openChannels, startCore } from './core.ts';
import { removeFolder } from './folders.ts';
import { connectionDraft, unwrap } from './temp-database.ts';

/** A program with an empty data folder, in which saving and opening a set-up use one file. */
export interface Desk {
  core: AppCore;
  channels: Channels;
  file: string;
  /** The id of the connection with that name. */
  idOf(name: string): Promise<string>;
  /** Saves the whole set-up and returns the content of the file. */
  save(): Promise<SetupFile>;
  /** Opens a set-up file with this content. */
  open(content: unknown): ReturnType<Channels['call']>;
  preview(content: unknown): Promise<OpenedSetup>;
  /** Imports the given lines, or those that the program suggests. Returns the number of changes. */
  take(opened: OpenedSetup, rows?: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

export async function startDesk(options: Partial<CoreOptions> & { firstStart?: boolean } = {}): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'));
  const file = join(folder, 'set-up.json');
  const core = unwrap(await startCore({ folder, ...options }));
  const channels = openChannels(core, {
    chooseSaveFile: async () => file,
    openTextFile: async ({ megabytes }) => readTextFile(file, megabytes),
  });
  const desk: Desk = {
    core,
    channels,
    file,
    async idOf(name) {
      const found = unwrap(core.connections.list()).find((one) => one.name === name);
      if (!found) throw new Error(`no connection ${name}`);
      return found.id;
    },
    async save() {
      const { exportId } = unwrap(await channels.call('setup.prepare', {}));
      unwrap(await channels.call('setup.save', { exportId, without: [] }));
      return JSON.parse(readFileSync(file, 'utf8'));
    },
    open(content) {
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return channels.call('setup.open', {});
    },
    async preview(content) {
      const { opened } = unwrap(await desk.open(content)) as { opened: OpenedSetup | null };
      if (!opened) throw new Error('nothing was opened');
      return opened;
    },
    async take({ importId, rows }, chosen = rows.filter(({ take }) => take === 'file').map(({ id }) => id)) {
      return unwrap(await channels.call('setup.import', { importId, rows: [...chosen] })).changes;
    },
    async close() {
      await core.close();
      removeFolder(folder);
    },
  };
  return desk;
}

export const keyOfDesk = 'LK-51b2c7d90e1f4a2f4f2a';

/** Sets up one of everything, as a person does in the window. */
export async function furnish({ channels, idOf }: Desk): Promise<string> {
  const done = async (result: Promise<{ ok: boolean }>) => unwrap((await result) as never);
  await done(
    channels.call('connections.save', { id: null, draft: connectionDraft('Wyebank', { machineId: 'DESK-1' }) }),
  );
  const connectionId = await idOf('Wyebank');
  await done(
    channels.call('secrets.put', { connectionId, role: 'lookup-key', label: 'Contact centre', value: keyOfDesk }),
  );
  await done(channels.call('credits.save-caps', { connectionId, caps: { perRun: null, perDay: 400, floor: 750 } }));
  await done(channels.call('credits.set-price', { connectionId, operation: 'GetAvailableCredits', credits: 2 }));
  await done(
    channels.call('credits.save-alerts', { connectionId, alerts: [{ kind: 'below-credits', threshold: 1000 }] }),
  );
  await done(
    channels.call('credits.save-accounting', {
      connectionId,
      accounting: { poundsPerCredit: 0.04, centres: [{ label: 'Contact centre', centre: 'CC-12' }] },
    }),
  );
  for (const name of ['TRO-LT-0011', 'TRO-LT-0012'])
    await done(
      channels.call('machines.save', {
        connectionId,
        machine: { name, nickname: '', owner: 'Sales', site: 'Hereford', note: 'with a\nsecond line' },
        oldName: null,
      }),
    );
  await done(
    channels.call('licences.save-label', { connectionId, label: { field: 'status', value: 'S', label: 'Suspended' } }),
  );
  await done(
    channels.call('licences.save-view', { connectionId, name: 'Free seats', filter: { ...noFilter, quick: ['free'] } }),
  );
  await done(
    channels.call('licences.annotate', { connectionId, own: { licenceNumber: '6203', note: 'Kim', leadDays: 30 } }),
  );
  await done(channels.call('licences.save-rule', { connectionId, rule: { leadDays: 30, except: ['6205'] } }));
  await done(
    channels.call('operations.save', {
      name: 'The office',
      folder: 'Daily',
      operation: 'GetPremise',
      dataset: false,
      fields: [{ name: 'id', values: ['25000001'] }],
    }),
  );
  return connectionId;
}
