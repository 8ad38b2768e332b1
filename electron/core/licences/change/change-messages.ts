import { type LicenceChange, nameLicence } from '../../../../shared/domain/licences/licence-change.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { lazy } from '../../../../shared/lazy.ts';

/** “nothing”, or the licence ids, the first eight of them. */
export function listIds(ids: readonly string[]): string {
  if (ids.length === 0) return 'nothing';
  return ids.length <= 8 ? ids.join(', ') : `${ids.slice(0, 8).join(', ')} and ${ids.length - 8} more`;
}

/** “Named for HFD-LT-0147: 20418; for HFD-LT-0219: none”. */
export function describeHoldings(holdings: readonly MachineHoldings[]): string {
  return holdings
    .map(
      ({ machine, licenceNumbers }, index) =>
        `${index === 0 ? 'Named for' : 'for'} ${machine}: ${licenceNumbers.length === 0 ? 'none' : listIds(licenceNumbers)}`,
    )
    .join('; ');
}

/** Lazy: it takes milliseconds of a start. */
const dayAndClock = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/London',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    }),
);

/** UK date and time with its zone, “21 Nov 2026, 10:04:39 GMT”. */
export const formatUkMoment = (iso: string): string => dayAndClock().format(new Date(iso));

const day = lazy(() => new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', dateStyle: 'medium' }));

/** UK day, “21 Nov 2026”. */
export const formatDay = (iso: string): string => day().format(new Date(iso));

/** What is asked for, as a verb phrase: “put WY-20418 on HFD-LT-0219”. */
export function describeChange(
  change: Pick<LicenceChange, 'kind' | 'licenceNumber' | 'licenceReference' | 'machine' | 'fromMachine'>,
): string {
  const licence = nameLicence(change);
  if (change.kind === 'register') return `put ${licence} on ${change.machine}`;
  if (change.kind === 'unregister') return `take ${licence} off ${change.machine}`;
  return `move ${licence} from ${change.fromMachine} to ${change.machine}`;
}
