import type { SupportPart, supportChannels } from '../../shared/contract/support.ts';
import { localDay } from '../../shared/domain/text/calendar-day.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { searchForKeys } from '../core/setup/search-for-keys.ts';
import { joinParts } from '../core/support/support-parts.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import { type Shell, saveAs } from './shell.ts';

export function supportHandlers(
  { support, policy, secrets }: AppCore,
  shell: Pick<Shell, 'chooseSaveFile' | 'version' | 'host'>,
): HandlersOf<typeof supportChannels> {
  let latest = '';
  let prepared: { id: string; callId: string; parts: SupportPart[] } | null = null;

  return {
    'support.prepare': async ({ callId, masks }) => {
      const allowed = policy.checkExport();
      if (!allowed.ok) return allowed;
      const supportId = crypto.randomUUID();
      latest = supportId;
      const every = await secrets.readEvery();
      if (!every.ok) return every;
      const made = await support.prepare(callId, masks, { version: shell.version, host: shell.host });
      if (!made.ok) return made;
      const clean = searchForKeys(joinParts(made.value.parts, []), every.value.values);
      if (!clean.ok) return clean;
      // One that was begun later is what the window shows.
      if (latest === supportId) prepared = { id: supportId, callId, parts: made.value.parts };
      return ok({
        supportId,
        callId,
        ...made.value,
        searched: every.value.keys,
        unread: every.value.unread,
      });
    },
    'support.save': async ({ supportId, without }, { signal }) => {
      const allowed = policy.checkExport();
      if (!allowed.ok) return allowed;
      if (prepared?.id !== supportId)
        return fail(
          appError('bad-input', {
            message: 'This support file is no longer at hand.',
            next: 'Open it again from the call.',
            charge: 'not-applicable',
          }),
        );
      const text = joinParts(prepared.parts, without);
      const name = `support-file-${localDay(Date.now())}.txt`;
      // Only the summary has claims about the charge, so only it is entered as said.
      const said = support.enterSaid(without.includes('summary.txt') ? '' : prepared.callId);
      return saveAs(shell, { title: 'Save the support file', name, extension: 'txt' }, async (path) => {
        const written = await writeTextFile(path, [{ text, rows: 1 }], signal, said.begin);
        const noted = said.end(written.ok);
        return written.ok && !noted.ok ? noted : written;
      });
    },
  };
}
