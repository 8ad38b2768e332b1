import type { ConnectionDraft } from '../../../shared/domain/connection.ts';

/** Identity colours for connections: distinct from each other in both schemes, none of them a colour that has a meaning. */
export const connectionColours = ['#b8336a', '#8a5a00', '#2f6fb0', '#5b7a1c', '#7a4fb5', '#0f7f86'] as const;

/** What a new connection starts with; the published defaults where there are any (field notes). */
export const emptyDraft: ConnectionDraft = {
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

/** Why an address cannot be used, or null: https, or http for this computer only (safety.md 13). */
export function addressProblem(text: string): string | null {
  if (text.trim() === '') return null;
  if (!URL.canParse(text.trim())) return 'Not a web address: it starts with https://';
  const { protocol, hostname, username, password } = new URL(text.trim());
  if (username !== '' || password !== '') return 'Leave out the name and password: keys have fields of their own.';
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && loopback)) return null;
  return 'Only https: a key would travel in the clear. Plain http is for this computer alone.';
}
