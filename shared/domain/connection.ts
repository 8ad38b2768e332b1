import { z } from 'zod';

// The same in the window, in Node and in Electron; shared code knows the types of none of them.
declare const URL: {
  parse(text: string): { origin: string; pathname: string; search: string } | null;
};

/** Demo: the embedded demo service, whose addresses change with every start. */
const connectionKinds = ['production', 'test', 'demo'] as const;
const soapVersions = ['1.1', '1.2'] as const;
/** The two published forms of /Search (field notes, "REST"). */
const searchForms = ['query', 'phrase'] as const;
export const protocols = ['rest', 'soap'] as const;

export type ConnectionKind = (typeof connectionKinds)[number];
export type SoapVersion = (typeof soapVersions)[number];
export type SearchForm = (typeof searchForms)[number];
export type Protocol = (typeof protocols)[number];
/** What a protocol is called. */
export const protocolNames: Readonly<Record<Protocol, string>> = { rest: 'REST', soap: 'SOAP' };

/** The address for a protocol; empty: the connection has none. */
export const addressOf = (
  { restBaseUrl, soapUrl }: Pick<Connection, 'restBaseUrl' | 'soapUrl'>,
  protocol: Protocol,
): string => (protocol === 'rest' ? restBaseUrl : soapUrl);

/** The end of a SOAP address that asks for the description of the service there. */
export const descriptionQuery = /[?&](?:single)?wsdl$/i;

/**
 * The service at an address, as `URL` writes it, since a request's address is written so: one server may have live and test data at two paths.
 * Neither a slash at the end of the path nor the query that asks for a description names another. A path is never empty: earlier versions
 * stored the origin alone. No address: as it is.
 */
export function serviceAt(address: string): string {
  const text = address.trim().replace(descriptionQuery, '');
  const url = URL.parse(text);
  return url === null ? text : `${url.origin}${url.pathname.replace(/\/+$/, '') || '/'}${url.search}`;
}

/**
 * The service behind each interface of a connection; empty: none. What one answered says nothing of another to which the connection leads
 * later. The demo's address changes with every start.
 */
export const serviceOf = (
  connection: Pick<Connection, 'kind' | 'restBaseUrl' | 'soapUrl'>,
  protocol: Protocol,
): string => (connection.kind === 'demo' ? 'demo' : serviceAt(addressOf(connection, protocol)));

/** Whether the service that was stored is the one now. Earlier versions stored the origin alone. */
export const isSameService = (stored: string, now: string): boolean =>
  serviceAt(stored) === now || stored === URL.parse(now)?.origin;

/**
 * Where the keys of a connection may go that a call over a protocol takes: to its address; if it has none, to that of the other protocol,
 * which may be the same account's. The server of the other one has not had them. Empty: the connection has no address.
 */
export const keyAddresses = (connection: Pick<Connection, 'restBaseUrl' | 'soapUrl'>, protocol: Protocol): string[] => {
  const own = addressOf(connection, protocol);
  const all = own === '' ? [connection.restBaseUrl, connection.soapUrl] : [own];
  return all.filter((address) => address !== '');
};

export const connectionKindNames: Readonly<Record<ConnectionKind, string>> = {
  production: 'Production',
  test: 'Test',
  demo: 'Demo',
};

/** Identity colours for connections: distinct from each other in both schemes, none of them a colour that has a meaning. */
export const connectionColours = ['#b8336a', '#8a5a00', '#2f6fb0', '#5b7a1c', '#7a4fb5', '#0f7f86'] as const;

const setting = z.string().max(300);
const address = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)]);

/** What a user may set of a connection. Holds no secret. Empty text: not set. */
export const connectionDraftSchema = z.strictObject({
  name: z.string().trim().min(1).max(80),
  kind: z.enum(connectionKinds),
  /** CSS hex colour of its dot and band. */
  colour: z.string().regex(/^#[0-9a-f]{6}$/i),
  restBaseUrl: address,
  soapUrl: address,
  soapNamespace: setting,
  utilitiesNamespace: setting,
  soapVersion: z.enum(soapVersions),
  searchForm: z.enum(searchForms),
  preferredInterface: z.enum(protocols),
  accountName: setting,
  machineId: setting,
  ipAddress: setting,
  yourReference: setting,
  /** Joins several values in one field; not published (field notes), so a setting. */
  listSeparator: z.string().min(1).max(8),
});
export const connectionSchema = connectionDraftSchema.extend({ id: z.string().min(1).max(64) });

export type ConnectionDraft = z.infer<typeof connectionDraftSchema>;
export type Connection = z.infer<typeof connectionSchema>;

/**
 * Where a connection's licences are: its service and its account, of the demo service, which has one account, always the same. What was read of
 * licences says nothing of those of another place. It is stored.
 */
export const placeOfLicences = (draft: ConnectionDraft): string => {
  const service = serviceOf(draft, 'soap');
  return draft.kind === 'demo' ? service : `${service} ${draft.accountName.trim()}`;
};

/** What a new connection starts with: no name, no address, and of several published forms the first (field notes). */
export const emptyConnectionDraft: ConnectionDraft = {
  name: '',
  kind: 'production',
  colour: connectionColours[0],
  restBaseUrl: '',
  soapUrl: '',
  soapNamespace: '',
  utilitiesNamespace: '',
  soapVersion: '1.1',
  searchForm: 'query',
  preferredInterface: 'rest',
  accountName: '',
  machineId: '',
  ipAddress: '',
  yourReference: '',
  listSeparator: ',',
};

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

/** Whether there is a free call that tries a key by itself: GetCredits, over REST and with a lookup key. */
export const canTryKey = (role: SecretRole, { restBaseUrl }: Pick<Connection, 'restBaseUrl'>): boolean =>
  role === 'lookup-key' && restBaseUrl !== '';

/** What a role is called in a sentence. */
export const roleNames: Readonly<Record<SecretRole, string>> = {
  'lookup-key': 'lookup key',
  'master-key': 'master key',
  'licence-id': 'licence ID',
  'account-guid': 'account GUID',
  'licence-key': 'licence key',
  'web-map-key': 'web map key',
};

/** All that is known of a secret outside the keychain. */
export const secretHandleSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  role: z.enum(secretRoles),
  label: z.string(),
  /** Empty if the secret is too short to show any of it. */
  lastFour: z.string().max(4),
  /** True for the key that calls use if several share a role. */
  preferred: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type SecretHandle = z.infer<typeof secretHandleSchema>;

/** Where secrets are kept now. `memory`: no keychain on this computer; they are lost when the program ends. */
export const secretStoreSchema = z.object({
  kind: z.enum(['keychain', 'memory']),
  /** The system's own name for it, for example “Secret Service keychain”. */
  name: z.string(),
  /** not-read: macOS does not tell it without a prompt. */
  state: z.enum(['unlocked', 'locked', 'unreadable', 'not-read']),
  /** Keys that are listed and, without a keychain, are in memory. */
  entries: z.number().int(),
  /** Keys that are listed but were entered in an earlier run, which this one, without a keychain, does not have. 0 with a keychain. */
  elsewhere: z.number().int(),
});
export type SecretStore = z.infer<typeof secretStoreSchema>;
