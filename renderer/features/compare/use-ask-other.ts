import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { LookupInterface } from '../../../shared/domain/connection.ts';
import type { AppError } from '../../../shared/errors.ts';
import { call, cancelCall, newRequestId } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { heldAnswersKey, premiseAnswersKey } from './queries.ts';

export interface Asking {
  requestId: string;
  over: LookupInterface;
  since: string;
}

/** Asks one interface for a premise, once however often the button is pressed; gives the new answer's id. */
export function useAskOther(connectionId: string) {
  const client = useQueryClient();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const busy = useRef(false);

  const ask = useCallback(
    async (premiseId: string, over: LookupInterface, askAgain: boolean): Promise<string | null> => {
      if (busy.current) return null;
      busy.current = true;
      const requestId = newRequestId();
      setFailure(null);
      setAsking({ requestId, over, since: new Date().toISOString() });
      try {
        const view = await call('lookup.open', { connectionId, premiseId, interface: over, askAgain }, { requestId });
        void client.invalidateQueries({ queryKey: premiseAnswersKey(connectionId) });
        void client.invalidateQueries({ queryKey: heldAnswersKey(connectionId) });
        return view.provenance.answerId;
      } catch (thrown) {
        setFailure(errorOf(thrown));
        return null;
      } finally {
        busy.current = false;
        setAsking(null);
      }
    },
    [client, connectionId],
  );
  const stop = () => {
    if (asking) cancelCall(asking.requestId);
  };
  return { ask, asking, failure, dismiss: () => setFailure(null), stop };
}
