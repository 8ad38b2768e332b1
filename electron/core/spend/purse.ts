import type { Connection } from '../../../shared/domain/connection.ts';
import type { CallSecrets } from '../connections/profile.ts';

/** The demo service's address changes with every start; its balance does not. */
const demoOrigin = 'demo';

function originOf(address: string): string[] {
  try {
    return address === '' ? [] : [new URL(address).origin];
  } catch {
    return [];
  }
}

/**
 * The origins whose balances may pay for a call of a connection: that of the interface it goes over first. An account may be one
 * behind both interfaces, which nothing says, so both are named.
 */
export function originsOf(connection: Connection, protocol: 'rest' | 'soap'): string[] {
  if (connection.kind === 'demo') return [demoOrigin];
  const [rest, soap] = [originOf(connection.restBaseUrl), originOf(connection.soapUrl)];
  return [...new Set(protocol === 'rest' ? [...rest, ...soap] : [...soap, ...rest])];
}

/** The secret by which a call is paid: the key of REST, the licence of SOAP; undefined: the call takes none. */
export const payingSecret = (secrets: CallSecrets, protocol: 'rest' | 'soap'): string | undefined =>
  protocol === 'rest'
    ? (secrets.lookupKey ?? secrets.masterKey)
    : (secrets.licenceId ?? secrets.guid ?? secrets.licenceKey ?? secrets.webMapKey);
