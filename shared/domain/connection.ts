/** Demo: the embedded demo service, whose addresses change with every start. */
export type ConnectionKind = 'production' | 'test' | 'demo';
export type SoapVersion = '1.1' | '1.2';
/** The two published forms of /Search (field notes, "REST"). */
export type SearchForm = 'query' | 'phrase';
export type LookupInterface = 'rest' | 'soap';

/** A connection as set up by the user. Holds no secret. Empty text: not set. */
export interface Connection {
  id: string;
  name: string;
  kind: ConnectionKind;
  /** CSS hex colour of its dot and band. */
  colour: string;
  restBaseUrl: string;
  soapUrl: string;
  soapNamespace: string;
  utilitiesNamespace: string;
  soapVersion: SoapVersion;
  searchForm: SearchForm;
  preferredInterface: LookupInterface;
  accountName: string;
  machineId: string;
  ipAddress: string;
  yourReference: string;
  /** Joins several values in one field; not published (field notes), so a setting. */
  listSeparator: string;
}

/** What a stored secret is for. The first two are REST keys (specification, Authentication 3), the rest SOAP credentials. */
export const secretRoles = [
  'lookup-key',
  'master-key',
  'licence-id',
  'account-guid',
  'licence-key',
  'web-map-key',
] as const;
export type SecretRole = (typeof secretRoles)[number];

/** All that is known of a secret outside the keychain. */
export interface SecretHandle {
  id: string;
  connectionId: string;
  role: SecretRole;
  label: string;
  /** Last four characters, or empty where the secret is too short to show any. */
  lastFour: string;
  createdAt: string;
  lastUsedAt: string | null;
}
