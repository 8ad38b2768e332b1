import type { LookupInterface } from '../../../shared/domain/connection.ts';
import { publishedPrice } from '../../../shared/domain/published-price.ts';
import { PriceButton } from '../../components/money/price-button.tsx';
import { Elapsed } from '../../components/state.tsx';
import { premiseOperations, protocolNames } from './sides.ts';
import type { Asking } from './use-ask-other.ts';

export interface AskLineProps {
  /** The call under way; null: none is. */
  asking: Asking | null;
  missing: LookupInterface | undefined;
  onGet: (over: LookupInterface) => void;
  onStop: () => void;
}

/** Which interface's answer is missing, to be got at its price, or how long the asking has lasted. */
export function AskLine({ asking, missing, onGet, onStop }: AskLineProps) {
  return (
    <div className="subbar compare-ask" role="status">
      {asking ? (
        <>
          <span className="m">Asking {protocolNames[asking.request]} for this address</span>
          <Elapsed since={asking.since} />
          <span className="grow t3 trunc">Once it is sent, stopping does not take the credit back.</span>
          <button type="button" className="link" onClick={onStop}>
            Stop waiting
          </button>
        </>
      ) : (
        missing && (
          <>
            <span className="grow t2 trunc">No {protocolNames[missing]} answer of this premise is saved.</span>
            <PriceButton main price={publishedPrice(premiseOperations[missing])} onClick={() => onGet(missing)}>
              Get the {protocolNames[missing]} answer
            </PriceButton>
          </>
        )
      )}
    </div>
  );
}
