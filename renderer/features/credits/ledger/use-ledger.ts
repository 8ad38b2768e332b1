import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type RowFilter, wholeTable } from '../../../../shared/domain/row-filter.ts';
import type { LoadedLedger } from '../balance/compare-samples.ts';
import { ledgerQuery } from '../queries.ts';

/** The ledger, or what a filter leaves of it, as far as it is loaded. */
export function useLedger(connectionId: string, filter: RowFilter = wholeTable) {
  const query = useInfiniteQuery({ ...ledgerQuery(connectionId, filter), placeholderData: keepPreviousData });
  const { data, hasNextPage } = query;
  const loaded = useMemo((): LoadedLedger => {
    const entries = data?.pages.flatMap((page) => page.entries) ?? [];
    const complete = data !== undefined && !hasNextPage;
    // Nothing loaded: nothing is known of any time.
    return { entries, since: complete ? null : (entries.at(-1)?.at ?? '9999') };
  }, [data, hasNextPage]);
  return { query, loaded };
}
