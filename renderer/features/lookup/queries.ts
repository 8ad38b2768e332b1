import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/calls/bridge.ts';

// Answered by the main process from what it holds: none of these asks the service, none costs anything. What costs is in asks.ts.

export const searchPriceKey = (connectionId: string) => ['lookup', 'search-price', connectionId] as const;

/** What a search for a text would cost now. Empty text: the price of a search that is not held. */
export const searchPriceQuery = (connectionId: string, text: string, maxResults: number | null = null) =>
  queryOptions({
    queryKey: [...searchPriceKey(connectionId), text, maxResults],
    queryFn: () => call('lookup.search-price', { connectionId, text, maxResults }),
    // One entry for each text typed: not kept.
    gcTime: 60_000,
  });

export const shapeKey = (connectionId: string) => ['lookup', 'shape', connectionId] as const;

/** Which answer shape the service speaks, and whether that has changed. */
export const shapeQuery = (connectionId: string) =>
  queryOptions({ queryKey: shapeKey(connectionId), queryFn: () => call('lookup.shape', { connectionId }) });

export const distancePriceKey = (connectionId: string) => ['lookup', 'distance-price', connectionId] as const;

/** What measuring from one postcode to others would cost now. */
export const distancePriceQuery = (connectionId: string, from: string, to: readonly string[]) =>
  queryOptions({
    queryKey: [...distancePriceKey(connectionId), from, ...to],
    queryFn: () => call('lookup.distances-price', { connectionId, from, to: [...to] }),
    gcTime: 60_000,
  });

/** Coordinates or a grid reference in every notation; calculated by the main process. */
export const convertPlaceQuery = (text: string) =>
  queryOptions({
    queryKey: ['lookup', 'convert-place', text],
    queryFn: () => call('lookup.convert-place', { text }),
    gcTime: 60_000,
  });

export const rawAnswerQuery = (answerId: string) =>
  queryOptions({
    queryKey: ['lookup', 'raw', answerId],
    queryFn: () => call('lookup.raw', { answerId }),
    gcTime: 60_000,
  });
