import { roleNames, type SecretRole } from '../../../shared/domain/connection.ts';

/** The title of a secret's role; in a sentence it is called by `roleNames`. */
export const secretRoleNames: Readonly<Record<SecretRole, string>> = {
  'lookup-key': 'Lookup key',
  'master-key': 'Master key',
  'licence-id': 'SOAP licence ID',
  'account-guid': 'SOAP account GUID',
  'licence-key': 'SOAP licence key',
  'web-map-key': 'Web map key',
};

/** The same in a narrow column. */
export const shortRoleNames: Readonly<Record<SecretRole, string>> = {
  'lookup-key': 'Lookup',
  'master-key': 'Master',
  'licence-id': 'SOAP licence',
  'account-guid': 'SOAP account',
  'licence-key': 'SOAP key',
  'web-map-key': 'Web map',
};

/** A key in a sentence: keys of two roles may have one label, as those for SOAP have which the first run stores. */
export const describeKey = ({ label, role }: { label: string; role: SecretRole }): string =>
  `the ${roleNames[role]} ${label}`;
