import { useQueryClient } from '@tanstack/react-query';
import { type Connection, type Protocol, protocolNames } from '../../../shared/domain/connection.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import { Elapsed } from '../../components/elapsed.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { StopWaiting } from '../../components/waiting.tsx';
import { paidKey } from '../../lib/calls/account-key.ts';
import { call } from '../../lib/calls/bridge.ts';
import { createCallStore, type RunningCall } from '../../lib/session/call-store.ts';
import { formatStop } from '../../lib/text/format.ts';
import { cachedAnswersKey, premiseAnswersKey } from './queries.ts';
import { premiseOperations } from './sides.ts';

interface AskLineProps {
  /** The call under way; null: none is. */
  asking: Asking | null;
  missing: Protocol | undefined;
  onGet: (protocol: Protocol) => void;
  onStop: () => void;
}

/** From which interface no answer with the address is saved, available at its price, or how long the call has lasted. */
export function AskLine({ asking, missing, onGet, onStop }: AskLineProps) {
  return (
    <div className="subbar compare-ask" role="status">
      {asking ? (
        <>
          <span className="m">Asking {protocolNames[asking.request]} for this address</span>
          <Elapsed since={asking.since} />
          <span className="grow t3">{formatStop(publishedPrice(premiseOperations[asking.request]))}</span>
          <StopWaiting onStop={onStop} />
        </>
      ) : (
        missing && (
          <>
            <span className="grow t2">No {protocolNames[missing]} answer with this address is saved.</span>
            <PriceButton main price={publishedPrice(premiseOperations[missing])} onClick={() => onGet(missing)}>
              Get the {protocolNames[missing]} answer
            </PriceButton>
          </>
        )
      )}
    </div>
  );
}

const asks = createCallStore<Protocol, string>();

type Asking = RunningCall<Protocol>;

/** Asks one interface for the premise shown, once however often the button is pressed; returns the new answer's id. */
export function useAskOther(connection: Connection, premiseId: string | null) {
  const client = useQueryClient();
  const connectionId = connection.id;
  const keyNow = () => paidKey(connection, premiseId);
  const key = keyNow();
  const { running, failure } = asks.use(key);
  const ask = async (protocol: Protocol): Promise<string | null> => {
    if (premiseId === null) return null;
    const send = async (requestId: string) => {
      const view = await call('lookup.open', { connectionId, premiseId, interface: protocol }, { requestId });
      void client.invalidateQueries({ queryKey: cachedAnswersKey(connectionId) });
      // Before the call ends: else its button, with its price, would be there again until the answer is listed.
      await client.invalidateQueries({ queryKey: premiseAnswersKey(connectionId) });
      return view.provenance.answerId;
    };
    const result = await asks.start(key, protocol, send, keyNow);
    return result?.ok ? result.value : null;
  };
  return {
    ask,
    asking: running,
    failure: failure?.error ?? null,
    dismiss: () => asks.dismiss(key),
    stop: () => asks.stop(key),
  };
}
