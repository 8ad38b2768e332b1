import type { Connection } from '../../../shared/domain/connection.ts';

/** The secrets of one call, read from the keychain for its length and never stored. Absent: not set up. */
export interface CallSecrets {
  lookupKey?: string;
  masterKey?: string;
  licenceId?: string;
  guid?: string;
  licenceKey?: string;
  webMapKey?: string;
}

/** Everything a client needs to make one call for one connection. */
export interface CallProfile {
  connection: Connection;
  secrets: CallSecrets;
}
