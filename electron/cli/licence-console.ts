import { createHash } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Connection } from '../../shared/domain/connection.ts';
import type { AppError } from '../../shared/errors.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { createActivityLog } from '../core/activity/activity-log.ts';
import { createCaller } from '../core/calls/caller.ts';
import { createClients } from '../core/calls/clients.ts';
import { createDescriptions } from '../core/calls/descriptions.ts';
import { createBalances } from '../core/credits/balances.ts';
import { createCapsStore } from '../core/credits/caps-store.ts';
import { createLedger } from '../core/credits/ledger.ts';
import { createLicences, type Licences } from '../core/licences/licences.ts';
import { holdCaps, holdLicences, holdTransport } from '../core/policy/hold-to-policy.ts';
import { createDecoder } from '../core/soap/decoder.ts';
import { openConnectionsRepository } from '../core/storage/connections-repository.ts';
import { type Database, openDatabase } from '../core/storage/database.ts';
import { attempt } from '../core/storage/errors.ts';
import { openServiceDescriptions } from '../core/storage/service-descriptions.ts';
import { systemClock } from '../platform/clock.ts';
import { readMachinePolicy } from '../platform/policy-file.ts';
import { findSecrets } from './connection-secrets.ts';
import { findDataFolder } from './data-folder.ts';
import type { Session } from './session.ts';

export interface LicenceConsole {
  connectionId: string;
  licences: Licences;
  /** Says of a call that failed for want of a credential where to put it. */
  explain(error: AppError): AppError;
  close(): void;
}

/**
 * The window's own parts for licence changes, over the same database: journal, ledger, caps and activity log are shared. Calls
 * are those of the connection file; `timeoutMs` is for each of them.
 */
export async function openLicenceConsole(
  file: Connection,
  session: Session,
  timeoutMs: number,
): Promise<Result<LicenceConsole>> {
  const { policy } = await readMachinePolicy();
  const folder = findDataFolder();
  const opened = openDatabase({ folder, clock: systemClock });
  if (!opened.ok) return opened;
  const db = opened.value;
  const known = findKnown(db, file);
  if (!known.ok) {
    db.close();
    return known;
  }
  const connection = { ...file, id: known.value };
  let explainLast = (error: AppError): AppError => error;

  const connections = {
    find: (id: string): Result<Connection> =>
      id === connection.id ? ok(connection) : fail(appError('no-connection', { charge: 'not-applicable' })),
  };
  const clock = systemClock;
  const send = holdTransport(session.send, policy, () => null);
  const descriptions = createDescriptions(openServiceDescriptions(db), send);
  const caller = createCaller({
    connections,
    // Whose key pays is not known from a connection file: the ledger names its account.
    secrets: { list: () => ok([]) },
    async profileFor(_, roles) {
      const { profile, explain } = await findSecrets(connection, roles);
      explainLast = explain;
      return ok(profile);
    },
    log: createActivityLog(db, clock),
    ledger: createLedger(db, clock),
    caps: holdCaps(createCapsStore(db), policy),
    balances: createBalances(db, clock),
    clock,
    onRunning() {},
    onSpent() {},
  });
  const decoder = createDecoder();
  const clients = createClients({
    caller,
    descriptions,
    transport: send,
    decoder,
    timeoutMs: () => timeoutMs,
  });
  const own = createLicences({
    db,
    clock,
    connections,
    clients,
    machineName: hostname(),
    userName: userInfo().username,
    folder,
    onChange() {},
  });
  const licences = holdLicences(own, policy);
  return ok({
    connectionId: connection.id,
    licences,
    explain: (error) => explainLast(error),
    close() {
      licences.close();
      db.close();
    },
  });
}

/** The window's connection of that name at the same address, so that both speak of one; else a name made of the settings. */
function findKnown(db: Database, file: Connection): Result<string> {
  return attempt(() => {
    const same = openConnectionsRepository(db.sql)
      .list()
      .find(({ name, soapUrl }) => name.toLowerCase() === file.name.toLowerCase() && soapUrl === file.soapUrl);
    if (same) return same.id;
    const settings = createHash('sha256').update(JSON.stringify([file.soapUrl, file.accountName]));
    return `file-${settings.digest('hex').slice(0, 24)}`;
  });
}
