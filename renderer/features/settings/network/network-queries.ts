import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { NetworkState } from '../../../../shared/domain/network.ts';
import { call } from '../../../lib/calls/bridge.ts';

/** How calls reach the network now. */
export const networkQuery = () =>
  queryOptions({ queryKey: ['network'], queryFn: () => call('network.state', {}), refetchOnMount: 'always' });

export const keepNetwork = (client: QueryClient, state: NetworkState): void =>
  void client.setQueryData(networkQuery().queryKey, state);
