import type { UpdateMode, UpdateState } from '../../../../shared/contract/updates.ts';
import { isPrerelease } from '../../../../shared/domain/version.ts';
import type { Tone } from '../../../components/marks.tsx';
import { formatDate } from '../../../lib/text/format.ts';

export const updateModeText: Readonly<Record<UpdateMode, string>> = {
  off: 'Do nothing',
  notify: 'Notify me',
  automatic: 'Install it',
};

/** What the section says of the newest version: a tone and one or two sentences; null: nothing is known and nothing went wrong. */
export function formatUpdate(state: UpdateState): { tone?: Tone; text: string } | null {
  const { mode, stage, latest, error, currentVersion } = state;
  if (mode === 'off') return null;
  const version = latest?.version ?? '';
  if (stage === 'looking') return { text: 'Looking for a newer version …' };
  if (stage === 'downloading') return { text: `Fetching version ${version} …` };
  if (stage === 'ready')
    return {
      tone: 'good',
      text: `Version ${version} is fetched and checked. ${state.installs}`,
    };
  if (error) return { tone: 'warn', text: `${error.message} ${error.next}` };
  if (latest === null) return null;
  if (latest.is === 'too-new')
    return {
      tone: 'warn',
      text: `Version ${version} is available, but it needs a later system than this computer has.`,
    };
  if (latest.is === 'not-newer' && isPrerelease(version) && !isPrerelease(currentVersion))
    return { text: `The update address names version ${version}, a trial version. This is ${currentVersion}.` };
  if (latest.is === 'not-newer')
    return { tone: 'good', text: `The update address names none newer than this one, ${currentVersion}.` };
  return {
    text: `Version ${version} is available${latest.date === null ? '' : `, dated ${formatDate(latest.date)}`}. This is ${currentVersion}.`,
  };
}

/** The rest of "Only the addresses of your connections": where else the program may go, if anywhere. */
export const formatUpdateAddress = (state: UpdateState): string =>
  state.mode === 'off' ? '' : ` and the update address, ${state.address}`;
