import { createLicences } from '../licences/licences.ts';
import { licencesWithPolicy } from '../policy/enforce-policy.ts';
import type { CallParts } from './calls.ts';
import type { ConnectionParts } from './connections.ts';
import type { Ground } from './options.ts';
import type { WayOut } from './way-out.ts';

const hourMs = 60 * 60 * 1000;
/** A system notice has room for a few lines; the window lists them all. */
const mostAtOnce = 5;

/** Licences under the policy, and the reminders of those about to expire. */
export function buildLicences(
  { options, db, clock, settings }: Ground,
  { connections }: ConnectionParts,
  { clients }: CallParts,
  { timeoutMs }: WayOut,
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
    timeoutMs,
    pauses: options.pauses,
    readsAgain: true,
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
    if (!notices.ok || notices.value.length === 0 || !options.showNotice) return;
    const texts = notices.value.slice(0, mostAtOnce).map(({ text }) => text);
    if (await options.showNotice('Licences', `${texts.join('. ')}.`)) licences.markShown(notices.value);
  };
  const reminding = setInterval(() => void remind(), hourMs);
  const close = (): void => {
    clearInterval(reminding);
    licences.close();
  };
  /** Changes left on their way are read once at the start; the result is reported like any other change. */
  const readAtStart = (): void => void licences.readAtStart();
  return { licences, remind, readAtStart, close };
}
