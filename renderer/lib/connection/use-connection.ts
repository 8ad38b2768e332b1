import { useQuery } from '@tanstack/react-query';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { connectionsQuery } from '../calls/queries.ts';

/** The connection in use; null while it is not known, or none is set up. */
export function useConnection(): ConnectionView | null {
  const { data } = useQuery(connectionsQuery());
  return data?.connections.find((view) => view.connection.id === data.selectedId) ?? null;
}
