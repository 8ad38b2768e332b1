import type { CredentialSlot } from '../../../shared/catalogue/types.ts';
import {
  type Connection,
  type Protocol,
  type SecretHandle,
  type SecretRole,
  secretRoles,
} from '../../../shared/domain/connection.ts';

/** The secrets of one call, read from the keychain for its duration and never stored. Absent: not set up. */
export interface CallSecrets {
  lookupKey?: string;
  masterKey?: string;
  licenceId?: string;
  guid?: string;
  licenceKey?: string;
  webMapKey?: string;
}

export const secretFieldOf: Readonly<Record<SecretRole, keyof CallSecrets>> = {
  'lookup-key': 'lookupKey',
  'master-key': 'masterKey',
  'licence-id': 'licenceId',
  'account-guid': 'guid',
  'licence-key': 'licenceKey',
  'web-map-key': 'webMapKey',
};

/**
 * The role of the secret that fills a field of this slot; undefined: no secret does, or one of the two REST keys. The slot of a SOAP
 * secret has the name of its field in `CallSecrets`.
 */
export const soapRoleOf = (slot: CredentialSlot | undefined): SecretRole | undefined =>
  secretRoles.find((role) => secretFieldOf[role] === slot);

/** Everything a client needs to make one call for one connection. */
export interface CallProfile {
  connection: Connection;
  secrets: CallSecrets;
  /** Their labels, in the order of the roles the call takes; absent: not known, as for a command without the program's database. */
  keys?: readonly SecretHandle[];
  /** Secrets of the same connection that this call does not use: an answer may name them all the same, so they are masked in it. */
  alsoMask?: readonly string[];
}

/** Shorter secrets of that kind are not masked by value: that would hide parts of identifiers and postcodes. */
const shortestAlsoMasked = 8;

/** Everything that is masked in what a call shows, whichever of it is sent. */
export const maskedValues = ({ secrets, alsoMask = [] }: CallProfile): string[] => [
  ...Object.values(secrets).filter((value): value is string => typeof value === 'string'),
  ...alsoMask.filter((value) => value.length >= shortestAlsoMasked),
];

/** The secret that identifies who pays for a call: the key for REST, the licence for SOAP; undefined: the call takes none. */
export const payingSecret = (secrets: CallSecrets, protocol: Protocol): string | undefined =>
  protocol === 'rest'
    ? (secrets.lookupKey ?? secrets.masterKey)
    : (secrets.licenceId ?? secrets.guid ?? secrets.licenceKey ?? secrets.webMapKey);
