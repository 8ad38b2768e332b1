import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import type { BalanceReading } from '../../../../shared/domain/credits.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { call, cancelCall, newRequestId } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { formatCredits } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { refreshCredits } from '../queries.ts';
import { type AskedSource, sources } from './sources.ts';

export interface Reads {
  underWay: Partial<Record<AskedSource, { requestId: string; since: string }>>;
  failures: Partial<Record<AskedSource, AppError>>;
}

const idle: Reads = { underWay: {}, failures: {} };

// Outside of the parts: a reading goes on, and its failure is kept, while another screen or another connection is shown.
const reads = new Map<string, Reads>();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const readsOf = (connectionId: string): Reads => reads.get(connectionId) ?? idle;

function put<Part extends keyof Reads>(
  connectionId: string,
  part: Part,
  source: AskedSource,
  value: Reads[Part][AskedSource] | null,
): void {
  const now = readsOf(connectionId);
  const { [source]: _before, ...others } = now[part];
  reads.set(connectionId, { ...now, [part]: value === null ? others : { ...others, [source]: value } });
  for (const listener of listeners) listener();
}

/** The readings under way and failed of one connection. */
export const useReads = (connectionId: string): Reads =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => readsOf(connectionId), [connectionId]),
  );

const inWords = ({ source, label, credits }: BalanceReading): string => {
  if (credits !== null) return `${formatCredits(credits)}, ${label}`;
  return source === 'service-test' ? 'The service test answered' : `${label} gave no number`;
};

export interface At {
  connectionId: string;
  client: QueryClient;
}

/** Asks one source, once: a second click finds the first under way. Its failure stays on the credits screen until it is put away. */
export async function readBalance({ connectionId, client }: At, source: AskedSource): Promise<void> {
  if (readsOf(connectionId).underWay[source]) return;
  const requestId = newRequestId();
  put(connectionId, 'failures', source, null);
  put(connectionId, 'underWay', source, { requestId, since: new Date().toISOString() });
  const fail = (error: AppError) => {
    put(connectionId, 'failures', source, error);
    announce(`${sources[source].name}: ${error.message} ${error.money}`, true);
  };
  try {
    const answer = await call('credits.read-balances', { connectionId, sources: [source] }, { requestId });
    const failure = answer.failures[0];
    if (failure) fail(failure.error as AppError);
    else announce(answer.readings.map(inWords).join('. '));
  } catch (thrown) {
    fail(errorOf(thrown));
  } finally {
    put(connectionId, 'underWay', source, null);
    refreshCredits(client, connectionId);
  }
}

/** Stops waiting; main answers with its own word on what that means for credits. */
export function stopReading(connectionId: string, source: AskedSource): void {
  const at = readsOf(connectionId).underWay[source];
  if (at) cancelCall(at.requestId);
}

/** Puts a failure away; the call stays in the activity log. */
export const dismissReadFailure = (connectionId: string, source: AskedSource): void =>
  put(connectionId, 'failures', source, null);
