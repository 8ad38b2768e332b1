import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { LookupText } from '../../../../shared/domain/lookup/lookup-text.ts';
import { searchWaysQuery, suggestQuery } from '../queries.ts';
import { type BoxActions, boxActions } from './box-actions.ts';

/** What the box offers for a text. While the text's own prices are on their way, those of an unsaved search are shown. */
export function useBox(connectionId: string, read: LookupText): { actions: BoxActions; exact: boolean } {
  const text = useDeferredValue(read.text);
  const base = useQuery(searchWaysQuery(connectionId, { text: '' }));
  const own = useQuery({ ...searchWaysQuery(connectionId, { text }), enabled: text !== '' });
  const saved = useQuery({
    ...suggestQuery(connectionId, text),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  const exact = text === read.text && own.data !== undefined && (read.kind !== 'number' || !saved.isPlaceholderData);
  const ways = (exact ? own.data : base.data)?.ways;
  const suggestions = text === '' ? undefined : saved.data?.saved;
  const actions = useMemo(() => boxActions(read, ways ?? [], suggestions ?? []), [read, ways, suggestions]);
  return { actions, exact };
}
