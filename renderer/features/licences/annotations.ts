import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Annotations } from '../../../shared/contract/licences.ts';
import type { LabelField, LicenceLabel } from '../../../shared/domain/licences/licence.ts';
import { call } from '../../lib/calls/bridge.ts';
import { announce } from '../../lib/window/announce.ts';

const annotationsKey = (connectionId: string) => ['licences', 'own', connectionId] as const;

/** The administrator's labels, views, notes and lead times. From the main process; makes no network call. */
const ownQuery = (connectionId: string) =>
  queryOptions({
    queryKey: annotationsKey(connectionId),
    queryFn: () => call('licences.annotations', { connectionId }),
  });

const nothing: Annotations = { labels: [], views: [], perLicence: [], due: [], dueTotal: 0, rule: null };

/** For what says nothing and saves nothing while they are not known, such as a label beside a value. */
export const useOwn = (connectionId: string): Annotations => useQuery(ownQuery(connectionId)).data ?? nothing;

/** As a query, for what depends on whether they were read. */
export const useOwnRead = (connectionId: string) => useQuery(ownQuery(connectionId));

interface Saved {
  ask: () => Promise<Annotations>;
  /** "Saving the view Berlin". */
  doing: string;
  done: string;
}

/** Saves one of them; all are returned. A failure is shown, and the typed text stays. */
export function useSaveAnnotations(connectionId: string) {
  const client: QueryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ ask }: Saved) => ask(),
    meta: { subject: ({ doing }: Saved) => doing, connectionId },
    onSuccess: (facts, { done }) => {
      client.setQueryData(annotationsKey(connectionId), facts);
      announce(done);
    },
  });
}

/** The administrator's own name for a value that the service does not document. */
export const labelOf = (labels: readonly LicenceLabel[], field: LabelField, value: string): string | null =>
  labels.find((one) => one.field === field && one.value === value)?.label ?? null;
