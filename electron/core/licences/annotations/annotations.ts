import type { DueReminder, LicenceLabel, LicenceOwn } from '../../../../shared/domain/licences/licence.ts';
import type { LicenceFilter } from '../../../../shared/domain/licences/licence-filter.ts';
import type { Result } from '../../../../shared/result.ts';
import { type Clock, isoNow, localDay } from '../../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { attempt } from '../../storage/database/errors.ts';
import type { InventoryStore, SavedView } from '../machines/inventory-store.ts';
import { toLicenceId } from '../records/licence-ids.ts';
import type { LicenceStore } from '../records/licence-store.ts';
import { describeDue, findDue, writeCalendar } from './reminders.ts';

/** What the administrator keeps about the licences of one connection, and which are within their lead time. */
export interface OwnOfConnection {
  labels: LicenceLabel[];
  views: SavedView[];
  owns: LicenceOwn[];
  due: DueReminder[];
}

/** A reminder that is to be shown. */
export interface DueNotice {
  connectionId: string;
  licenceNumber: string;
  /** YYYY-MM-DD. */
  expiresOn: string;
  /** “WY-20419 expires in 18 days”. */
  text: string;
}

export interface OwnFactsParts {
  store: LicenceStore;
  inventory: InventoryStore;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
}

/** What no service knows: labels, saved views, owners and lead times, and the reminders that follow from them. Errors: 'storage-failed'. */
export function createAnnotations({ store, inventory, clock, connections }: OwnFactsParts) {
  const today = (): string => localDay(clock.now());

  function dueReminders(connectionId: string): Result<DueReminder[]> {
    return attempt(() => findDue(store.lastSeen(connectionId).licences, inventory.owns(connectionId), today()));
  }

  /** Licences that came within their lead time and of which nothing was shown yet, the nearest first in each connection. */
  function newNotices(): Result<DueNotice[]> {
    return attempt(() =>
      inventory.remindedConnections().flatMap((connectionId) => {
        const owns = inventory.owns(connectionId);
        const noticed = new Map(owns.map((own) => [toLicenceId(own.licenceNumber), own.noticedFor]));
        return findDue(store.lastSeen(connectionId).licences, owns, today()).flatMap((due) => {
          if (noticed.get(toLicenceId(due.licenceNumber)) === due.expiresOn) return [];
          return [{ connectionId, licenceNumber: due.licenceNumber, expiresOn: due.expiresOn, text: describeDue(due) }];
        });
      }),
    );
  }

  /** They were shown: none of them is given again for the same expiry. */
  function markShown(notices: readonly DueNotice[]): Result<void> {
    return attempt(() => {
      for (const { connectionId, licenceNumber, expiresOn } of notices)
        inventory.markNoticed(connectionId, toLicenceId(licenceNumber), expiresOn);
    });
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
    newNotices,
    markShown,
    exportCalendar,
  };
}
