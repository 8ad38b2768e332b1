import { hostname, userInfo } from 'node:os';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { AppError } from '../../../shared/errors.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { createClients } from '../../core/calls/clients.ts';
import { createDescriptions } from '../../core/calls/descriptions.ts';
import { createDecoder } from '../../core/decode/decoder.ts';
import { createLicences, type Licences } from '../../core/licences/licences.ts';
import { licencesWithPolicy } from '../../core/policy/enforce-policy.ts';
import { openServiceDescriptions } from '../../core/storage/service-descriptions.ts';
import { systemClock } from '../../platform/clock.ts';
import { type CallingDesk, openCallingDesk } from '../calling-desk.ts';
import type { Session } from '../session.ts';

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
export function openLicenceConsole(file: Connection, session: Session, timeoutMs: number): Result<LicenceConsole> {
  const opened = openCallingDesk(file, session);
  if (!opened.ok) return opened;
  const desk = opened.value;
  const licences = licencesAt(desk, session, timeoutMs);
  return ok({
    connectionId: desk.connection.id,
    licences,
    explain: desk.explain,
    close() {
      licences.close();
      desk.close();
    },
  });
}

/** Licences over a desk that is open already; they are closed before it. */
export function licencesAt(
  { db, folder, connections, caller }: CallingDesk,
  { send, policy, pauses }: Session,
  timeoutMs: number,
): Licences {
  const clients = createClients({
    caller,
    descriptions: createDescriptions(openServiceDescriptions(db), send),
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
    userName: userInfo().username,
    folder,
    timeoutMs: () => timeoutMs,
    pauses,
    onChange() {},
  });
  return licencesWithPolicy(own, policy);
}
