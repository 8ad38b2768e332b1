import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { priceOfCalls } from '../../../shared/domain/credits/published-price.ts';
import { call } from '../calls/bridge.ts';
import { refreshLocal } from '../calls/queries.ts';

// The main process answers from its storage. What asks the service is in scans.ts, and is sent only by a click or Enter.

export const machinesKey = (connectionId: string) => ['licences', 'machines', connectionId] as const;

/** The inventory with the last answer of each machine, its findings, and the remarks about all. */
export const machinesQuery = (connectionId: string) =>
  queryOptions({
    queryKey: machinesKey(connectionId),
    queryFn: () => call('machines.overview', { connectionId }),
  });

/** Invalidates what reading a machine may have changed in the main process. */
export function refreshMachines(client: QueryClient, connectionId: string): void {
  refreshLocal(client, machinesKey(connectionId), ['licences', 'last-seen', connectionId], ['activity']);
}

/** The calls that read so many machines. */
export const machineReads = (machines: number): string[] => new Array<string>(machines).fill('GetLicenseDetails');

/** What reading so many machines costs; the button that has none to read yet says what one costs, which is not known to be free. */
export const askPrice = (machines: number): ShownPrice => priceOfCalls(machineReads(Math.max(1, machines)));
