import type { appChannels, Settings } from '../../shared/contract/app.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { createKeptWork } from '../core/settings/session-state.ts';
import type { HandlersOf } from './dispatcher.ts';
import type { Shell } from './shell.ts';

/** What kind of error it was. Its message may quote what was to be copied. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

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
  return ok({
    colourScheme: colourScheme.value,
    cachePolicy: cachePolicy.value,
    cacheMegabytes: cacheMegabytes.value,
    timeoutSeconds: timeoutSeconds.value,
  });
}

export function appHandlers(core: AppCore, shell: Shell): HandlersOf<typeof appChannels> {
  const kept = createKeptWork();
  return {
    'app.info': () =>
      ok({
        version: shell.version,
        host: shell.host,
        platform: platforms[process.platform as keyof typeof platforms] ?? 'linux',
        machineName: core.machineName,
        userName: core.userName,
        startNotices: core.startNotices,
        lockedByPolicy: core.policy.locked,
        policySource: core.policy.source,
      }),
    'app.copy-text': async ({ text }) => {
      try {
        await shell.copyText(text);
        return ok({});
      } catch (error) {
        return fail(
          appError('internal', {
            message: 'The system did not take the text into its clipboard.',
            next: 'Copy it again. If that fails too, another program may hold the clipboard.',
            charge: 'not-applicable',
            detail: reasonOf(error),
          }),
        );
      }
    },
    'app.keep-work': ({ name, text }) => {
      kept.keep(name, text);
      return ok({});
    },
    'app.kept-work': () => ok({ pieces: kept.list() }),
    'app.arrivals': () => ok({ arrivals: shell.takeArrivals() }),
    'app.running-calls': () => ok({ calls: core.runningCalls() }),
    'settings.read': () => readSettings(core),
    'settings.save': ({ colourScheme, cachePolicy, cacheMegabytes, timeoutSeconds }) => {
      const results = [
        core.settings.write('colourScheme', colourScheme),
        core.settings.write('cachePolicy', cachePolicy),
        core.settings.write('cacheMegabytes', cacheMegabytes),
        core.lookup.answers.shrink(),
        core.settings.write('timeoutSeconds', timeoutSeconds),
      ];
      const failed = results.find((result) => !result.ok);
      if (failed && !failed.ok) return failed;
      shell.setColourScheme(colourScheme);
      const saved = readSettings(core);
      if (saved.ok) core.emit('settings.changed', saved.value);
      return saved;
    },
  };
}
