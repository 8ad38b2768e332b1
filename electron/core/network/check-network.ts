import type { CheckedAddress, CheckStep, NetworkCheck } from '../../../shared/contract/network.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { ok } from '../../../shared/result.ts';
import { type CheckAddressParts, checkAddress } from './check-address.ts';

interface Listed {
  uses: string[];
  origin: string;
  /** Addresses of the service behind it, in full: a policy may allow one path of a server and not another. */
  service: string[];
}

/** What is to be checked, with addresses on the same server grouped. */
export function listAddresses(
  connection: Pick<Connection, 'restBaseUrl' | 'soapUrl'> | null,
  updateAddress: string,
): Listed[] {
  const byOrigin = new Map<string, Listed>();
  for (const [use, address] of [
    ['REST', connection?.restBaseUrl ?? ''],
    ['SOAP', connection?.soapUrl ?? ''],
    ['Updates', updateAddress],
  ] as const) {
    if (!URL.canParse(address)) continue;
    const { origin } = new URL(address);
    const listed = byOrigin.get(origin) ?? { uses: [], origin, service: [] };
    byOrigin.set(origin, listed);
    listed.uses.push(use);
    if (use !== 'Updates') listed.service.push(address);
  }
  return [...byOrigin.values()];
}

/** Checks all addresses at once. `report` receives each address first (step null), then its steps. */
export async function checkNetwork(
  request: { connection: Connection | null; updateAddress: string; at: string },
  parts: CheckAddressParts,
  signal: AbortSignal,
  report: (index: number, address: Omit<CheckedAddress, 'steps'>, step: CheckStep | null) => void,
): Promise<NetworkCheck> {
  const started = performance.now();
  const addresses = listAddresses(request.connection, request.updateAddress);
  for (const [index, { uses, origin }] of addresses.entries()) report(index, { uses, origin }, null);
  const checked = await Promise.all(
    addresses.map(async ({ uses, origin, service }, index) => {
      // The policy's list of addresses covers services; where newer versions come from is another of its settings.
      const allowed = () => service.map((address) => parts.checkAddress(new URL(address))).find(({ ok }) => !ok);
      const steps = await checkAddress(
        new URL(origin),
        { ...parts, forService: service.length > 0, checkAddress: () => allowed() ?? ok(undefined) },
        signal,
        (step) => report(index, { uses, origin }, step),
      );
      return { uses, origin, steps };
    }),
  );
  return {
    at: request.at,
    connectionName: request.connection?.name ?? '',
    totalMs: performance.now() - started,
    addresses: checked,
  };
}
