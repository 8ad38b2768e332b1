import type { DueReminder, LicenceLabel, LicenceOwn } from '../../../shared/domain/licence.ts';
import type { LicenceFilter } from '../../../shared/domain/licence-filter.ts';
import type { Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../platform/clock.ts';
import type { Connections } from '../connections/connections.ts';
import { attempt } from '../storage/errors.ts';
import type { InventoryStore, SavedView } from './inventory-store.ts';
import { toLicenceId } from './licence-ids.ts';
import type { LicenceStore } from './licence-store.ts';
import { describeDue, findDue, writeCalendar } from './reminders.ts';

/** What the administrator keeps about the licences of one connection, and which are within their lead time. */
export interface OwnOfConnection {
  labels: LicenceLabel[];
  views: SavedView[];
  owns: LicenceOwn[];
  due: DueReminder[];
}

export interface OwnFactsParts {
  store: LicenceStore;
  inventory: InventoryStore;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
}

/** What no service knows: labels, saved views, owners and lead times, and the reminders that follow from them. Errors: 'storage-failed'. */
export function createOwnFacts({ store, inventory, clock, connections }: OwnFactsParts) {
  const today = (): string => isoNow(clock).slice(0, 10);

  function dueReminders(connectionId: string): Result<DueReminder[]> {
    return attempt(() => findDue(store.lastSeen(connectionId).licences, inventory.owns(connectionId), today()));
  }

  /** Licences that came within their lead time and were not noticed yet, in sentences; each is given once for each expiry. */
  function takeNotices(): Result<string[]> {
    return attempt(() =>
      inventory.remindedConnections().flatMap((connectionId) => {
        const owns = inventory.owns(connectionId);
        const noticed = new Map(owns.map((own) => [toLicenceId(own.licenceNumber), own.noticedFor]));
        return findDue(store.lastSeen(connectionId).licences, owns, today()).flatMap((due) => {
          if (noticed.get(toLicenceId(due.licenceNumber)) === due.expiresOn) return [];
          inventory.markNoticed(connectionId, toLicenceId(due.licenceNumber), due.expiresOn);
          return [describeDue(due)];
        });
      }),
    );
  }

  function own(connectionId: string): Result<OwnOfConnection> {
    return attempt(() => ({
      labels: inventory.labels(connectionId),
      views: inventory.views(connectionId),
      owns: inventory.owns(connectionId).map(({ noticedFor: _, ...kept }) => kept),
      due: findDue(store.lastSeen(connectionId).licences, inventory.owns(connectionId), today()),
    }));
  }

  /** Does what changes the administrator's own facts, and gives all of them back. */
  function changeOwn(connectionId: string, work: () => void): Result<OwnOfConnection> {
    const changed = attempt(work);
    return changed.ok ? own(connectionId) : changed;
  }

  function exportCalendar(connectionId: string): Result<{ text: string; rows: number }> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    return attempt(() =>
      writeCalendar(store.lastSeen(connectionId).licences, inventory.owns(connectionId), {
        connectionId,
        connectionName: connection.value.name,
        at: isoNow(clock),
      }),
    );
  }

  return {
    own,
    saveLabel: (connectionId: string, label: LicenceLabel) =>
      changeOwn(connectionId, () => inventory.saveLabel(connectionId, label)),
    saveView: (connectionId: string, name: string, filter: LicenceFilter) =>
      changeOwn(connectionId, () => inventory.saveView(connectionId, name, filter)),
    removeView: (connectionId: string, name: string) =>
      changeOwn(connectionId, () => inventory.removeView(connectionId, name)),
    saveOwn: (connectionId: string, kept: LicenceOwn) =>
      changeOwn(connectionId, () =>
        inventory.saveOwn(connectionId, { ...kept, licenceNumber: toLicenceId(kept.licenceNumber) }),
      ),
    dueReminders,
    takeNotices,
    exportCalendar,
  };
}
