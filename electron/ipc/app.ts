import type { appChannels, Settings } from '../../shared/contract/app.ts';
import { localDay } from '../../shared/domain/text/calendar-day.ts';
import { mapResult, ok, type Result } from '../../shared/result.ts';
import { crashNotice } from '../core/app-core/start-notices.ts';
import type { AppCore } from '../core/app-core.ts';
import { maskGuids } from '../core/transport/redact/service-text.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import { putOnClipboard, type Shell, saveAs } from './shell.ts';

const platforms = { win32: 'windows', darwin: 'macos' } as const;

function readSettings({ settings }: AppCore): Result<Settings> {
  const colourScheme = settings.read('colourScheme');
  if (!colourScheme.ok) return colourScheme;
  const cachePolicy = settings.read('cachePolicy');
  if (!cachePolicy.ok) return cachePolicy;
  const timeoutSeconds = settings.read('timeoutSeconds');
  if (!timeoutSeconds.ok) return timeoutSeconds;
  const cacheMegabytes = settings.read('cacheMegabytes');
  if (!cacheMegabytes.ok) return cacheMegabytes;
  const batchDays = settings.read('batchDays');
  if (!batchDays.ok) return batchDays;
  return ok({
    colourScheme: colourScheme.value,
    cachePolicy: cachePolicy.value,
    cacheMegabytes: cacheMegabytes.value,
    batchDays: batchDays.value,
    timeoutSeconds: timeoutSeconds.value,
  });
}

/** Characters of a file written at once. */
const pieceSize = 250_000;

/** A table in pieces that end with a line, GUIDs masked as in every export: here a GUID is a secret's form. */
function* maskedPieces(text: string): Generator<{ text: string; rows: number }> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + pieceSize);
    const to = end < 0 ? text.length : end + 1;
    yield { text: maskGuids(text.slice(from, to)), rows: 0 };
    from = to;
  }
}

export function appHandlers(core: AppCore, shell: Shell): HandlersOf<typeof appChannels> {
  const { windows } = shell;
  return {
    'app.info': (_, { window }) => {
      const isBeside = windows.isBeside(window);
      if (!isBeside) core.startNoticesShown();
      return ok({
        version: shell.version,
        host: shell.host,
        platform: platforms[process.platform as keyof typeof platforms] ?? 'linux',
        machineName: core.machineName,
        userName: core.userName,
        startNotices: [...(isBeside ? [] : core.startNotices), ...(windows.hasCrashed(window) ? [crashNotice] : [])],
        lockedByPolicy: core.policy.locked,
        policySource: core.policy.source,
      });
    },
    'app.copy-text': ({ text }) => putOnClipboard(shell, text),
    'app.export-table': async ({ name, text }, { signal }) => {
      const allowed = core.policy.checkExport();
      if (!allowed.ok) return allowed;
      const file = { title: 'Save the table', name: `${name}-${localDay(Date.now())}.csv`, extension: 'csv' };
      return saveAs(shell, file, (path) => writeTextFile(path, maskedPieces(text), signal));
    },
    'app.may-print': () => mapResult(core.policy.checkExport('print'), () => ({})),
    'app.save-session': ({ name, text }, { window }) => {
      windows.keep(window, name, text);
      return ok({});
    },
    'app.read-session': (_, { window }) => ok({ pieces: windows.kept(window) }),
    'app.new-window': () => ok({ opened: shell.openWindow() }),
    'app.arrivals': () => ok({ arrivals: shell.takeArrivals() }),
    'app.running-calls': () => ok({ calls: core.runningCalls() }),
    'settings.read': () => readSettings(core),
    'settings.save': (changes) => {
      for (const [key, value] of Object.entries(changes)) {
        if (value === undefined) continue;
        const written = core.settings.write(key as keyof Settings, value);
        if (!written.ok) return written;
      }
      const shrunk = core.lookup.answers.shrink();
      if (!shrunk.ok) return shrunk;
      if (changes.colourScheme) shell.setColourScheme(changes.colourScheme);
      const saved = readSettings(core);
      if (saved.ok) core.emit('settings.changed', saved.value);
      return saved;
    },
  };
}
