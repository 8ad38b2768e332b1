import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/calls/bridge.ts';

// All of these are answered by the main process from what it holds: none asks the service, none costs anything.

export const premiseAnswersKey = (connectionId: string) => ['lookup', 'premise-answers', connectionId] as const;

/** Everything held of one premise. */
export const premiseAnswersQuery = (connectionId: string, premiseId: string) =>
  queryOptions({
    queryKey: [...premiseAnswersKey(connectionId), premiseId],
    queryFn: () => call('lookup.premise-answers', { connectionId, premiseId }),
  });

export const heldAnswersKey = (connectionId: string) => ['lookup', 'held-answers', connectionId] as const;

/** Held answers of any kind, newest first. */
export const heldAnswersQuery = (connectionId: string) =>
  queryOptions({
    queryKey: heldAnswersKey(connectionId),
    queryFn: () => call('lookup.held-answers', { connectionId, search: '', limit: 200 }),
  });

export const comparisonKey = ['lookup', 'compare'] as const;

export const comparisonQuery = (leftId: string, rightId: string) =>
  queryOptions({
    queryKey: [...comparisonKey, leftId, rightId],
    queryFn: () => call('lookup.compare', { leftId, rightId }),
    gcTime: 60_000,
  });

export const rawQuery = (answerId: string) =>
  queryOptions({
    queryKey: ['lookup', 'raw', answerId],
    queryFn: () => call('lookup.raw', { answerId }),
    gcTime: 60_000,
  });
