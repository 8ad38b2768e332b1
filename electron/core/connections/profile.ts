import type { Connection, SecretHandle } from '../../../shared/domain/connection.ts';

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
  /** Whose they are, in the order of the roles that the call takes; absent: not known, as of a command without the console's database. */
  keys?: readonly SecretHandle[];
  /** Secrets of the same connection that this call does not use: an answer may name them all the same, and they are masked in it. */
  alsoMask?: readonly string[];
}

/** Shorter ones of those are not masked by their value: they would hide parts of identifiers and postcodes. */
const shortestAlsoMasked = 8;

/** Everything that is masked in what a call shows, whatever of it is sent. */
export const maskedValues = ({ secrets, alsoMask = [] }: CallProfile): string[] => [
  ...Object.values(secrets).filter((value): value is string => typeof value === 'string'),
  ...alsoMask.filter((value) => value.length >= shortestAlsoMasked),
];

/** The secret by which a call is paid: the key of REST, the licence of SOAP; undefined: the call takes none. */
export const payingSecret = (secrets: CallSecrets, protocol: 'rest' | 'soap'): string | undefined =>
  protocol === 'rest'
    ? (secrets.lookupKey ?? secrets.masterKey)
    : (secrets.licenceId ?? secrets.guid ?? secrets.licenceKey ?? secrets.webMapKey);
