import { createLicences } from '../licences/licences.ts';
import { holdLicences } from '../policy/hold-to-policy.ts';
import type { CallParts } from './calls.ts';
import type { ConnectionParts } from './connections.ts';
import type { Ground } from './options.ts';

const hourMs = 60 * 60 * 1000;

/** Licences held to the policy, and the reminders of those that expire. */
export function buildLicences(
  { options, db, clock }: Ground,
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
    onChange: (change) => emit('licences.change', change),
    onScan: (progress) => emit('machines.scan-progress', progress),
    onBulk: (progress) => emit('bulk.progress', progress),
  });
  const licences = holdLicences(ownLicences, options.policy.policy);
  /** Expiries within their lead time, once each: at the start and every hour, for a program that is left open. */
  const remind = (): void => {
    const notices = licences.takeNotices();
    if (notices.ok && notices.value.length > 0)
      options.showNotice?.('Licences', `${notices.value.slice(0, 5).join('. ')}.`);
  };
  const reminding = setInterval(remind, hourMs);
  const close = (): void => {
    clearInterval(reminding);
    licences.close();
  };
  return { licences, remind, close };
}
