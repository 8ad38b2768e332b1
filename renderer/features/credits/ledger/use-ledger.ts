import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type RowFilter, wholeTable } from '../../../../shared/domain/row-filter.ts';
import type { LoadedLedger } from '../balance/compare-samples.ts';
import { ledgerQuery } from '../queries.ts';

/** The ledger's entries that match a filter, as far as they are loaded. */
export function useLedger(connectionId: string, filter: RowFilter = wholeTable) {
  const query = useInfiniteQuery({ ...ledgerQuery(connectionId, filter), placeholderData: keepPreviousData });
  const { data, hasNextPage } = query;
  const loaded = useMemo((): LoadedLedger => {
    const entries = data?.pages.flatMap((page) => page.entries) ?? [];
    const complete = data !== undefined && !hasNextPage;
    // With nothing loaded, '9999' says that no time is covered.
    return { entries, since: complete ? null : (entries.at(-1)?.at ?? '9999') };
  }, [data, hasNextPage]);
  return { query, loaded };
}
