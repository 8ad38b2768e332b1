import { queryOptions } from '@tanstack/react-query';
import type { SearchOf } from '../../../shared/domain/lookup/lookup.ts';
import { call } from '../../lib/calls/bridge.ts';

// The main process answers these from its storage: none asks the service, none costs anything. What costs is in asks.ts.

export const searchWaysKey = (connectionId: string) => ['lookup', 'search-ways', connectionId] as const;

interface Wanted {
  text: string;
  maxResults?: number | null;
  of?: SearchOf;
}

/** The ways to search for a text and what each would cost now, the cheapest first. For an empty text: those of a search that is not saved. */
export const searchWaysQuery = (connectionId: string, { text, maxResults = null, of = { kind: 'text' } }: Wanted) =>
  queryOptions({
    queryKey: [...searchWaysKey(connectionId), text, maxResults, of],
    queryFn: () => call('lookup.search-ways', { connectionId, text, maxResults, of }),
  });

/** Saved answers that fit what is typed. Its key begins with that of the ways, so that both are invalidated together. */
export const suggestQuery = (connectionId: string, text: string) =>
  queryOptions({
    queryKey: [...searchWaysKey(connectionId), 'suggest', text],
    queryFn: () => call('lookup.suggest', { connectionId, text }),
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
  });

/** Coordinates or a grid reference in every notation; calculated by the main process. */
export const placeQuery = (text: string) =>
  queryOptions({
    queryKey: ['lookup', 'place', text],
    queryFn: () => call('lookup.convert-place', { text }),
  });
