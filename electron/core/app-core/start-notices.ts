import type { JournalCheck } from '../../../shared/domain/licences/licence-journal.ts';
import type { Result } from '../../../shared/result.ts';
import type { Recovery } from '../storage/database/recovery.ts';

/** What was repaired or is missing at the start, as sentences for the window to show. */
export function listStartNotices(start: {
  policyNotices: readonly string[];
  /** The database was damaged or missing, and this copy was opened in its place; null: it was whole. */
  recovery: Recovery | null;
  /** Why the copy that was due could not be made. */
  copyFailure: string | null;
  checkJournal(): Result<JournalCheck>;
  keychainMissing: boolean;
}): string[] {
  return [
    ...start.policyNotices,
    ...(start.recovery
      ? [formatRecovery(start.recovery), ...formatJournalCheck(start.checkJournal(), start.recovery)]
      : []),
    ...(start.copyFailure === null
      ? []
      : [`No copy of the database could be made at this start (${start.copyFailure}). The next start tries again.`]),
    ...(start.keychainMissing
      ? [
          'This computer has no keychain that answers, so keys entered now are kept in memory and are gone when the program ends. Keys entered earlier are not here.',
        ]
      : []),
  ];
}

function formatRecovery({ setAside, backupAt }: Recovery): string {
  const was = setAside === null ? 'missing' : 'damaged';
  if (backupAt === null) {
    const kept = setAside === null ? '' : ' The damaged file is kept.';
    return `The program’s database was ${was} and no good copy was found, so a new one was started.${kept}`;
  }
  const opened = `The program’s database was ${was}. The copy of ${backupAt.slice(0, 16).replace('T', ' ')} UTC was opened`;
  return setAside === null
    ? `${opened}. Saved answers, and what was done from then until it went missing, are not in it.`
    : `${opened}; the damaged file is kept. Saved answers, and what was done from then until the damage was found, can only be in that file.`;
}

/** What was opened may be older than the journal's own count beside it: licences were then changed that it knows nothing of. */
function formatJournalCheck(check: Result<JournalCheck>, { backupAt }: Recovery): string[] {
  if (check.ok && check.value.intact) return [];
  const found = !check.ok
    ? 'The licence journal could not be checked.'
    : backupAt === null
      ? 'The licence journal begins anew: no change of a licence made until now is in it.'
      : 'The licence journal in the copy fails its check: changes made after it may be missing.';
  return [`${found} Read the machines again before changing licences, and see Licences, Journal.`];
}

/** For a window whose process ended and was restarted. */
export const crashNotice =
  'The window ended unexpectedly and was started again. What was typed is here, except keys and very long texts; calls went on and are in Activity.';
