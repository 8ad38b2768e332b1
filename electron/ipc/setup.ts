import type { OpenedSetup, setupChannels } from '../../shared/contract/setup.ts';
import type { SetupFile } from '../../shared/domain/setup-file.ts';
import { localDay } from '../../shared/domain/text/calendar-day.ts';
import { mapResult, ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import type { ComparedRow } from '../core/setup/compare-setup.ts';
import {
  checkSetupText,
  mostSetupMegabytes,
  type ReadSetup,
  readSetup,
  refuseSetup,
  setupText,
} from '../core/setup/read-setup.ts';
import { searchForKeys } from '../core/setup/search-for-keys.ts';
import { entryId, withoutEntries } from '../core/setup/setup-entries.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import { type Shell, saveAs } from './shell.ts';

interface Opened {
  id: string;
  fileName: string;
  read: ReadSetup;
  rows: ComparedRow[];
}

const gone = () => refuseSetup('This preview is no longer at hand.', 'Open the set-up file again.');

export function setupHandlers(
  core: AppCore,
  shell: Pick<Shell, 'chooseSaveFile' | 'openTextFile'>,
): HandlersOf<typeof setupChannels> {
  const { setup, policy, secrets, settings, emit } = core;
  let opened: Opened | null = null;
  let prepared: { id: string; file: SetupFile; rows: ComparedRow[] } | null = null;

  function look(): Result<OpenedSetup> {
    if (!opened) return gone();
    const preview = setup.preview(opened.read);
    if (!preview.ok) return preview;
    const { rows, keys } = preview.value;
    opened = { ...opened, rows };
    return ok({
      importId: opened.id,
      fileName: opened.fileName,
      savedAt: opened.read.file.savedAt,
      rows,
      keys,
    });
  }

  return {
    'setup.prepare': async () => {
      const allowed = policy.checkExport();
      if (!allowed.ok) return allowed;
      const every = await secrets.readEvery();
      if (!every.ok) return every;
      const own = setup.readOwn();
      if (!own.ok) return own;
      const { file, rows, leftOut } = own.value;
      const text = setupText(file);
      const clean = searchForKeys(text, every.value.values);
      if (!clean.ok) return clean;
      prepared = { id: crypto.randomUUID(), file, rows };
      return ok({
        exportId: prepared.id,
        rows,
        leftOut,
        searched: every.value.keys,
        unread: every.value.unread,
        bytes: Buffer.byteLength(text),
      });
    },
    'setup.save': async ({ exportId, without }, { signal }) => {
      const allowed = policy.checkExport();
      if (!allowed.ok) return allowed;
      if (prepared?.id !== exportId) return gone();
      const unwanted = new Set(without);
      const left = prepared.rows.filter(({ id }) => unwanted.has(id)).flatMap(({ entries }) => entries.map(entryId));
      const text = setupText(withoutEntries(prepared.file, new Set(left)));
      const readable = checkSetupText(text);
      if (!readable.ok) return readable;
      const name = `address-console-set-up-${localDay(Date.now())}.json`;
      return saveAs(shell, { title: 'Save the set-up', name, extension: 'json' }, (path) =>
        writeTextFile(path, [{ text, rows: 1 }], signal),
      );
    },
    'setup.open': async () => {
      const file = await shell.openTextFile({
        title: 'Import a set-up',
        extensions: ['json'],
        megabytes: mostSetupMegabytes,
      });
      if (!file.ok) return file;
      if (file.value === null) return ok({ opened: null });
      const read = readSetup(file.value.text);
      if (!read.ok) return read;
      // Keys that were typed into a text are recognised by their values as well.
      await secrets.readEvery();
      opened = { id: crypto.randomUUID(), fileName: file.value.name, read: read.value, rows: [] };
      const shown = look();
      return shown.ok ? ok({ opened: shown.value }) : shown;
    },
    'setup.look': ({ importId }) => (opened?.id === importId ? look() : gone()),
    'setup.import': ({ importId, rows }) => {
      if (opened?.id !== importId) return gone();
      const applied = setup.apply(opened.read, opened.rows, rows, opened.fileName);
      if (!applied.ok) return applied;
      const selected = settings.read('selectedConnectionId');
      const first = setup.connections()[0];
      if (selected.ok && selected.value === null && first) settings.write('selectedConnectionId', first.id);
      emit('connections.changed', {});
      // What was read of licences goes with a connection's address.
      emit('storage.changed', {});
      const shown = look();
      return shown.ok ? ok({ changes: applied.value.changes, opened: shown.value }) : shown;
    },
    'setup.last': () => mapResult(setup.lastImport(), (last) => ({ last })),
    'setup.undo': () => {
      const undone = setup.undo();
      if (undone.ok) {
        emit('connections.changed', {});
        emit('storage.changed', {});
      }
      return undone;
    },
  };
}
