import { createLicences } from '../licences/licences.ts';
import { licencesWithPolicy } from '../policy/enforce-policy.ts';
import type { CallParts } from './calls.ts';
import type { ConnectionParts } from './connections.ts';
import type { BaseParts } from './options.ts';

const hourMs = 60 * 60 * 1000;

/** Licences under the policy, and the reminders of those about to expire. */
export function buildLicences(
  { options, db, clock, settings }: BaseParts,
  { connections }: ConnectionParts,
  { clients }: CallParts,
) {
  const { folder, emit, machineName, userName } = options;
  const ownLicences = createLicences({
    db,
    clock,
    connections,
    clients,
    machineName,
    userName,
    folder,
    settings,
    pauses: options.pauses,
    isWindow: true,
    onChange: (change) => emit('licences.change', change),
    onBulk: (progress) => emit('bulk.progress', progress),
  });
  const licences = licencesWithPolicy(ownLicences, options.policy.policy);
  /**
   * Expiries within their lead time, at the start and then hourly for a program left open, each until the system has shown it once. Where
   * notices are not allowed they appear only in the window, and are tried again.
   */
  const remind = async (): Promise<void> => {
    const notices = await licences.newNotices();
    if (!notices.ok || !options.showNotice) return;
    for (const notice of notices.value)
      if (await options.showNotice(`${notice.connectionName}: licences`, notice.text)) licences.markShown(notice);
  };
  const reminding = setInterval(() => void remind(), hourMs);
  const close = (): void => {
    clearInterval(reminding);
    licences.close();
  };
  /** Changes left on their way are read once at the start; the result is reported like any other change. */
  const readAtStart = (): void => void licences.readAtStart();
  return { licences, remind, readAtStart, lookElsewhere: licences.lookElsewhere, close };
}
