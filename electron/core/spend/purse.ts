import type { Connection } from '../../../shared/domain/connection.ts';

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
 * The origins whose balances may pay for a call of a connection: that of the interface it goes over first. One account may be behind both
 * interfaces, which nothing says, so both are named.
 */
export function originsOf(connection: Connection, protocol: 'rest' | 'soap'): string[] {
  if (connection.kind === 'demo') return [demoOrigin];
  const [rest, soap] = [originOf(connection.restBaseUrl), originOf(connection.soapUrl)];
  return [...new Set(protocol === 'rest' ? [...rest, ...soap] : [...soap, ...rest])];
}
