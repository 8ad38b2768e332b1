import { hostname } from 'node:os';
import type { Connection } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { createClients } from '../../core/calls/clients.ts';
import { createDescriptions } from '../../core/calls/descriptions.ts';
import { createDecoder } from '../../core/decode/decoder.ts';
import { createLicences, type Licences } from '../../core/licences/licences.ts';
import { licencesWithPolicy } from '../../core/policy/enforce-policy.ts';
import { openConnectionsRepository } from '../../core/storage/connections-repository.ts';
import { attempt } from '../../core/storage/database/errors.ts';
import { openServiceDescriptions } from '../../core/storage/service-descriptions.ts';
import { systemClock } from '../../platform/clock.ts';
import { findUser } from '../../platform/user.ts';
import { type CallingDesk, openCallingDesk } from '../calling-desk.ts';
import type { Session } from '../session.ts';

export interface LicenceConsole {
  connectionId: string;
  licences: Licences;
  close(): void;
}

/**
 * The window's parts for licence changes, over the same database, so that journal, ledger, caps and activity log are shared. Calls
 * use the connection file; `timeoutMs` applies to each of them. Errors: those of `openCallingDesk` and `checkAccount`.
 */
export function openLicenceConsole(file: Connection, session: Session, timeoutMs: number): Result<LicenceConsole> {
  const opened = openCallingDesk(file, session);
  if (!opened.ok) return opened;
  const desk = opened.value;
  const own = checkAccount(desk);
  if (!own.ok) {
    desk.close();
    return own;
  }
  const licences = licencesAt(desk, session, timeoutMs);
  return ok({
    connectionId: desk.connection.id,
    licences,
    close() {
      licences.close();
      desk.close();
    },
  });
}

/**
 * `wrong-origin` if the window's connection of that name uses another account: what is read and changed over the file would be shown there
 * as that account's.
 */
export function checkAccount({ db, connection }: CallingDesk): Result<void> {
  const found = attempt(() => openConnectionsRepository(db.sql).find(connection.id));
  if (!found.ok) return found;
  const known = found.value?.accountName.trim() ?? '';
  const given = connection.accountName.trim();
  if (known === '' || given === '' || known === given) return ok(undefined);
  return fail(
    appError('wrong-origin', {
      message: `The window’s connection ${connection.name} uses the account ${known}, and this file ${given}.`,
      next: 'Correct the account in the file, or give its connection another name.',
      field: 'accountName',
      charge: 'not-charged',
    }),
  );
}

/** Licences over a calling desk that is already open. Close them before the desk. */
export function licencesAt(
  { db, folder, connections, caller }: CallingDesk,
  { send, policy, pauses }: Session,
  timeoutMs: number,
): Licences {
  const clients = createClients({
    caller,
    descriptions: createDescriptions(openServiceDescriptions(db), send, () => timeoutMs),
    transport: send,
    decoder: createDecoder(),
    timeoutMs: () => timeoutMs,
  });
  const own = createLicences({
    db,
    clock: systemClock,
    connections,
    clients,
    machineName: hostname(),
    userName: findUser().name,
    folder,
    pauses,
    onChange() {},
  });
  return licencesWithPolicy(own, policy);
}
