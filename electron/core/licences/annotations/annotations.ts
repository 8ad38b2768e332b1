import type {
  DueReminder,
  LicenceAnnotations,
  LicenceLabel,
  ReminderRule,
} from '../../../../shared/domain/licences/licence.ts';
import type { LicenceFilter } from '../../../../shared/domain/licences/licence-filter.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import { localDay } from '../../../../shared/domain/text/calendar-day.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import { type Clock, isoNow } from '../../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Settings } from '../../settings/settings.ts';
import { attempt, attemptLater } from '../../storage/database/errors.ts';
import type { InventoryStore, SavedView } from '../machines/inventory-store.ts';
import type { LicenceStore } from '../records/licence-store.ts';
import { describeDue, findDue, writeCalendar } from './reminders.ts';

/** What the administrator keeps about the licences of one connection, and which are within their lead time. */
export interface AnnotationsOfConnection {
  labels: LicenceLabel[];
  views: SavedView[];
  perLicence: LicenceAnnotations[];
  /** The first of those within their lead time or expired, by days left, and how many there are. */
  due: DueReminder[];
  dueTotal: number;
  rule: ReminderRule | null;
}

/** Reminders of one connection that are to be shown together. */
export interface DueNotice {
  connectionId: string;
  connectionName: string;
  /** Those that are noted as shown with it. */
  due: DueReminder[];
  /** What `describeDue` makes of them and of the rest. */
  text: string;
}

export interface AnnotationsParts {
  store: LicenceStore;
  inventory: InventoryStore;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
  /** Where the rules of reminders are stored; absent: there are none. */
  settings?: Pick<Settings, 'read' | 'write'> | undefined;
}

/** The most reminders that cross to the window, or are noted as shown with one notice. */
const mostDue = 500;

/**
 * What no service knows: labels, saved views, owners and lead times, and the reminders that follow from them. Errors: 'storage-failed', and
 * 'no-connection' of the calendar.
 */
export function createAnnotations({ store, inventory, clock, connections, settings }: AnnotationsParts) {
  const today = (): string => localDay(clock.now());

  function rules(): Record<string, ReminderRule> {
    const read = settings?.read('reminderRules');
    return read?.ok ? read.value : {};
  }

  const ruleOf = (connectionId: string): ReminderRule | null => rules()[connectionId] ?? null;
  const findDueOf = (connectionId: string) =>
    findDue(store.lastSeen(connectionId).licences, inventory.annotations(connectionId), today(), ruleOf(connectionId));

  /** One reminder for all; null removes it. Changing its days or exceptions does not restart it. */
  function saveRule(
    connectionId: string,
    rule: Pick<ReminderRule, 'leadDays' | 'except'> | null,
  ): Result<AnnotationsOfConnection> {
    const { [connectionId]: now, ...others } = rules();
    const except = [...new Set(rule?.except.map(plainId))];
    const next = rule && { leadDays: rule.leadDays, since: now?.since ?? today(), except };
    const saved = settings?.write('reminderRules', next ? { ...others, [connectionId]: next } : others);
    return saved && !saved.ok ? saved : own(connectionId);
  }

  /** Licences that have come within their lead time and of which nothing has been shown yet: a notice a connection, by days left. */
  async function newNotices(): Promise<Result<DueNotice[]>> {
    const reminded = attempt(() => new Set([...inventory.remindedConnections(), ...Object.keys(rules())]));
    if (!reminded.ok) return reminded;
    const notices: DueNotice[] = [];
    for (const connectionId of reminded.value) {
      const connection = connections.find(connectionId);
      if (!connection.ok) continue;
      // Read over several turns: fifty thousand licences at once would block main.
      const loaded = await attemptLater(() => store.loadLastSeen(connectionId));
      if (!loaded.ok) return loaded;
      const found = attempt((): DueNotice[] => {
        const noticed = new Map(
          inventory.annotations(connectionId).map((own) => [plainId(own.licenceNumber), own.noticedFor]),
        );
        const due = findDueOf(connectionId).filter(
          ({ licenceNumber, expiresOn }) => noticed.get(plainId(licenceNumber)) !== expiresOn,
        );
        const { readAt } = store.lastSeen(connectionId);
        if (due.length === 0 || readAt === null) return [];
        const text = describeDue(due, readAt, today());
        return [{ connectionId, connectionName: connection.value.name, due: due.slice(0, mostDue), text }];
      });
      if (!found.ok) return found;
      notices.push(...found.value);
    }
    return ok(notices);
  }

  /** It was shown: none of it is returned again for the same expiry. */
  function markShown({ connectionId, due }: DueNotice): Result<void> {
    return attempt(() => {
      for (const { licenceNumber, expiresOn } of due)
        inventory.markNoticed(connectionId, plainId(licenceNumber), expiresOn);
    });
  }

  function own(connectionId: string): Result<AnnotationsOfConnection> {
    return attempt(() => {
      const due = findDueOf(connectionId);
      return {
        labels: inventory.labels(connectionId),
        views: inventory.views(connectionId),
        perLicence: inventory.annotations(connectionId).map(({ noticedFor: _, ...kept }) => kept),
        due: due.slice(0, mostDue),
        dueTotal: due.length,
        rule: ruleOf(connectionId),
      };
    });
  }

  /** Runs what changes the administrator's annotations, and returns all of them. */
  function changeOwn(connectionId: string, work: () => void): Result<AnnotationsOfConnection> {
    const changed = attempt(work);
    return changed.ok ? own(connectionId) : changed;
  }

  async function exportCalendar(connectionId: string): Promise<Result<{ text: string; rows: number }>> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    return attemptLater(() => {
      const { licences, readAt } = store.lastSeen(connectionId);
      const at = isoNow(clock);
      const facts = { connectionId, connectionName: connection.value.name, at, readAt: readAt ?? at };
      return writeCalendar(licences, inventory.annotations(connectionId), facts, ruleOf(connectionId));
    });
  }

  function forgetRule(connectionId: string): void {
    const { [connectionId]: gone, ...others } = rules();
    if (gone) settings?.write('reminderRules', others);
  }

  return {
    own,
    saveLabel: (connectionId: string, label: LicenceLabel) =>
      changeOwn(connectionId, () => inventory.saveLabel(connectionId, label)),
    saveView: (connectionId: string, name: string, filter: LicenceFilter) =>
      changeOwn(connectionId, () => inventory.saveView(connectionId, name, filter)),
    removeView: (connectionId: string, name: string) =>
      changeOwn(connectionId, () => inventory.removeView(connectionId, name)),
    saveAnnotations: (connectionId: string, kept: LicenceAnnotations) =>
      changeOwn(connectionId, () =>
        inventory.saveAnnotations(connectionId, { ...kept, licenceNumber: plainId(kept.licenceNumber) }),
      ),
    saveRule,
    forgetRule,
    newNotices,
    markShown,
    exportCalendar,
  };
}
