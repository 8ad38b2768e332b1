import type { QueryClient } from '@tanstack/react-query';
import type { BalanceSample } from '../../../../shared/domain/credits/credits.ts';
import { askBalance, type ReadableSource } from '../../../lib/calls/ask-balance.ts';
import { createCallStore } from '../../../lib/session/call-store.ts';
import { formatCredits } from '../../../lib/text/format.ts';
import { announce, announceFailure } from '../../../lib/window/announce.ts';
import { refreshCredits } from '../queries.ts';
import { balanceError } from './sources.ts';

/** The readings of balances under way, and those that failed: each source of each connection by itself. */
const samples = createCallStore<ReadableSource, readonly BalanceSample[]>();
const keyOf = (connectionId: string, source: ReadableSource): string => `${connectionId}/${source}`;

/** The state of reading one source. Its failure stays on the credits screen until it is dismissed. */
export const useBalanceRead = (connectionId: string, source: ReadableSource) =>
  samples.use(keyOf(connectionId, source));

const formatSample = ({ source, label, credits }: BalanceSample): string => {
  if (credits !== null) return `${formatCredits(credits)}, ${label}`;
  return source === 'service-test' ? 'The service test answered' : `${label} gave no number`;
};

export interface At {
  connectionId: string;
  client: QueryClient;
}

/** Asks one source, once: a second click finds the first under way. */
export async function readBalance({ connectionId, client }: At, source: ReadableSource): Promise<void> {
  const result = await samples.start(keyOf(connectionId, source), source, (requestId) =>
    askBalance(connectionId, source, requestId),
  );
  if (result === null) return;
  refreshCredits(client, connectionId);
  if (result.ok) announce(result.value.map(formatSample).join('. '));
  else announceFailure(balanceError(source, result.error));
}

/** Stops waiting; main answers with its own statement of what that means for credits. */
export const stopRead = (connectionId: string, source: ReadableSource): void =>
  samples.stop(keyOf(connectionId, source));

/** Dismisses a failure; the call stays in the activity log. */
export const dismissReadFailure = (connectionId: string, source: ReadableSource): void =>
  samples.dismiss(keyOf(connectionId, source));
