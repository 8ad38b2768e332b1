import type { Connection } from '../../../shared/domain/connection.ts';
import { noAccounting } from '../../../shared/domain/credits/accounting.ts';
import {
  type ConnectionSettings,
  type SetupConnection,
  type SetupFile,
  setupFormat,
  setupVersion,
} from '../../../shared/domain/setup-file.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { appError } from '../../../shared/errors.ts';
import type { Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import { openInventoryStore } from '../licences/machines/inventory-store.ts';
import { openLicenceStore } from '../licences/records/licence-store.ts';
import { tightenCaps } from '../policy/apply-policy.ts';
import type { Policy } from '../policy/policy-schema.ts';
import type { Settings } from '../settings/settings.ts';
import { createCapsStore } from '../spend/caps-store.ts';
import { openAlertsRepository } from '../storage/alerts-repository.ts';
import { openConnectionsRepository, openHandlesRepository } from '../storage/connections-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { StorageFailure } from '../storage/database/errors.ts';
import { openOperationsRepository } from '../storage/operations-repository.ts';
import type { SetupEntry } from './setup-entries.ts';

const need = <T>(result: Result<T>): T => {
  if (!result.ok) throw new StorageFailure(result.error);
  return result.value;
};

type OwnEntry = Exclude<SetupEntry, { kind: 'connection' | 'lookup' }>;

const settingsOf = ({ id: _i, name: _n, machineId: _m, ipAddress: _a, ...rest }: Connection): ConnectionSettings => ({
  ...rest,
  kind: rest.kind === 'test' ? 'test' : 'production',
});

/** The set-up of this data folder, whole and entry by entry. Throws where SQLite does, and `StorageFailure` with what was refused. */
export function openSetupStore(parts: {
  db: Database;
  clock: Clock;
  settings: Settings;
  policy: Policy;
  userName: string;
}) {
  const { db, clock, settings, policy, userName } = parts;
  const connections = openConnectionsRepository(db.sql);
  const handles = openHandlesRepository(db.sql);
  const caps = createCapsStore(db, { person: userName, clock });
  const alerts = openAlertsRepository(db.sql);
  const inventory = openInventoryStore(db.sql);
  const licences = openLicenceStore(db);
  const operations = openOperationsRepository(db.sql);
  const hasCalls = db.sql.prepare('SELECT 1 FROM ledger WHERE connection_id = ? LIMIT 1');

  const own = (): Connection[] => connections.list().filter(({ kind }) => kind !== 'demo');

  function readConnection(connection: Connection): SetupConnection {
    const { id, name } = connection;
    const rule = need(settings.read('reminderRules'))[id];
    const accounting = need(settings.read('accounting'))[id] ?? noAccounting;
    return {
      name,
      settings: settingsOf(connection),
      keys: handles.list(id).map(({ role, label, lastFour }) => ({ role, label, lastFour })),
      caps: need(caps.read(id)),
      setPrices: need(caps.setPrices(id)).map(({ operation, credits }) => ({ operation, credits })),
      alerts: alerts
        .list(id)
        .map(({ kind, threshold, isOn }) => ({ kind, threshold, ...(isOn ? {} : { isOff: true }) })),
      poundsPerCredit: accounting.poundsPerCredit,
      reminderRule: rule ? { leadDays: rule.leadDays, except: rule.except } : null,
      costCentres: accounting.centres.map(({ label, centre }) => ({ label, centre })),
      machines: licences.inventory(id),
      labels: inventory.labels(id),
      views: inventory.views(id),
      licences: inventory
        .annotations(id)
        .filter(({ note, leadDays }) => note !== '' || leadDays !== null)
        .map(({ licenceNumber, note, leadDays }) => ({ licenceNumber, note, leadDays })),
    };
  }

  const read = (): SetupFile => ({
    format: setupFormat,
    version: setupVersion,
    savedAt: isoNow(clock),
    connections: own().map(readConnection),
    savedLookups: operations
      .listSaved()
      .map(({ folder, name, operation, dataset, fields }) => ({ folder, name, operation, dataset, fields })),
  });

  /** One that is switched off notifies nobody: it is not passed on to a colleague. */
  const readForFile = (): SetupFile => {
    const file = read();
    const isOn = (alert: object) => !('isOff' in alert);
    return { ...file, connections: file.connections.map((one) => ({ ...one, alerts: one.alerts.filter(isOn) })) };
  };

  /** As it applies here: a cap that a policy tightens is the policy's. */
  const readInForce = (): SetupFile => {
    const file = read();
    return { ...file, connections: file.connections.map((one) => ({ ...one, caps: tightenCaps(policy, one.caps) })) };
  };

  function findConnection(name: string): Connection {
    const found = connections.findByName(name);
    if (!found || found.kind === 'demo')
      throw new StorageFailure(appError('no-connection', { charge: 'not-applicable' }));
    return found;
  }

  function saveAccounting(id: string, change: (before: typeof noAccounting) => typeof noAccounting): void {
    const all = need(settings.read('accounting'));
    need(settings.write('accounting', { ...all, [id]: change(all[id] ?? noAccounting) }));
  }

  function writeConnection(name: string, value: ConnectionSettings | null): void {
    const found = connections.findByName(name);
    const at = isoNow(clock);
    if (value === null) {
      if (found) connections.remove(found.id);
      return;
    }
    if (!found) connections.insert(crypto.randomUUID(), { ...value, name, machineId: '', ipAddress: '' }, at);
    else {
      const { id, ...draft } = found;
      connections.update(id, { ...draft, ...value }, at);
    }
  }

  function writeLookup(
    entry: SetupEntry & { kind: 'lookup' },
    value: (SetupEntry & { kind: 'lookup' })['value'] | null,
  ): void {
    const { folder, name } = entry.value;
    const before = operations.findSavedByName(name, folder);
    if (value === null) {
      if (before) operations.remove(before.id, isoNow(clock));
    } else if (before) operations.replaceSaved(before.id, value);
    else operations.insertSaved({ ...value, id: crypto.randomUUID(), createdAt: isoNow(clock) });
  }

  /** Stores an entry, or removes it if `gone`. Other entries stay as they are. */
  function write(entry: SetupEntry, gone = false): void {
    if (entry.kind === 'connection') writeConnection(entry.connection, gone ? null : entry.value);
    else if (entry.kind === 'lookup') writeLookup(entry, gone ? null : entry.value);
    else writeOfConnection(findConnection(entry.connection).id, entry, gone);
  }

  function writeOfConnection(id: string, entry: OwnEntry, gone: boolean): void {
    switch (entry.kind) {
      case 'perRun':
      case 'perDay':
      case 'floor':
        need(caps.write(id, { [entry.kind]: gone ? null : entry.value }));
        break;
      case 'set-price':
        need(caps.setPrice(id, entry.name, gone ? null : entry.value));
        break;
      case 'alert':
        if (gone) alerts.remove(id, entry.value);
        else {
          alerts.add(id, entry.value);
          alerts.turn(id, entry.value, !entry.value.isOff);
        }
        break;
      case 'pounds-per-credit':
        saveAccounting(id, (before) => ({ ...before, poundsPerCredit: gone ? null : entry.value }));
        break;
      case 'cost-centre':
        saveAccounting(id, (before) => ({
          ...before,
          centres: [
            ...before.centres.filter(({ label }) => label !== entry.name),
            ...(gone ? [] : [{ label: entry.name, centre: entry.value }]),
          ],
        }));
        break;
      case 'reminder-rule': {
        const { [id]: before, ...others } = need(settings.read('reminderRules'));
        const since = before?.since ?? localDay(clock.now());
        need(settings.write('reminderRules', gone ? others : { ...others, [id]: { ...entry.value, since } }));
        break;
      }
      case 'machine':
        if (gone) licences.removeMachine(id, entry.name);
        else licences.saveMachine(id, { name: entry.name, ...entry.value });
        break;
      case 'label':
        inventory.saveLabel(id, gone ? { ...entry.value, label: '' } : entry.value);
        break;
      case 'view':
        if (gone) inventory.removeView(id, entry.name);
        else inventory.saveView(id, entry.name, entry.value);
        break;
      case 'licence': {
        const own = gone ? { note: '', leadDays: null } : entry.value;
        inventory.saveAnnotations(id, { licenceNumber: entry.name, ...own });
        break;
      }
    }
  }

  return {
    read,
    readForFile,
    readInForce,
    write,
    /** Connections set up by a person, by name. */
    connections: own,
    /** Names that a set-up cannot use here. */
    demoNames: (): string[] =>
      connections
        .list()
        .filter(({ kind }) => kind === 'demo')
        .map(({ name }) => name),
    keysOf: (connectionId: string) => handles.list(connectionId),
    /** Nothing of the connection has been used: removing it loses nothing. */
    isUnused: (connectionId: string): boolean => handles.list(connectionId).length === 0 && !hasCalls.get(connectionId),
  };
}
