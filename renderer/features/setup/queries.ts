import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';

/** The last import, as long as it can be undone. */
export const lastImportQuery = () =>
  queryOptions({ queryKey: ['setup', 'last'], queryFn: () => call('setup.last', {}), refetchOnMount: 'always' });

/** Reads everything again that an import may have changed. None of it is asked of a service. */
export const refreshSetUp = (client: QueryClient): void =>
  refreshLocal(client, ['setup'], ['connections'], ['credits'], ['licences'], ['operations']);
