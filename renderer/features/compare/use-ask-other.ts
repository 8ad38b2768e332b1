import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { LookupInterface } from '../../../shared/domain/connection.ts';
import { call } from '../../lib/calls/bridge.ts';
import { createCallStore, type RunningCall } from '../../lib/session/call-store.ts';
import { heldAnswersKey, premiseAnswersKey } from './queries.ts';

const asks = createCallStore<LookupInterface, string>();

export type Asking = RunningCall<LookupInterface>;

/** Asks one interface for a premise, once however often the button is pressed; gives the new answer's id. */
export function useAskOther(connectionId: string) {
  const client = useQueryClient();
  const { running, failure } = asks.use(connectionId);
  const ask = useCallback(
    async (premiseId: string, protocol: LookupInterface, askAgain: boolean): Promise<string | null> => {
      const result = await asks.start(connectionId, protocol, async (requestId) => {
        const view = await call(
          'lookup.open',
          { connectionId, premiseId, interface: protocol, askAgain },
          { requestId },
        );
        void client.invalidateQueries({ queryKey: premiseAnswersKey(connectionId) });
        void client.invalidateQueries({ queryKey: heldAnswersKey(connectionId) });
        return view.provenance.answerId;
      });
      return result?.ok ? result.value : null;
    },
    [client, connectionId],
  );
  return {
    ask,
    asking: running,
    failure: failure?.error ?? null,
    dismiss: () => asks.dismiss(connectionId),
    stop: () => asks.stop(connectionId),
  };
}
