import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../components/failure.tsx';
import { moneyText } from '../../components/money/money-claims.tsx';
import { PriceButton } from '../../components/money/price-button.tsx';
import { balanceReadPrice, useEvidence } from '../../lib/answers/use-evidence.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { announce } from '../../lib/window/announce.ts';
import { refreshCredits } from './queries.ts';

type EvidenceOf = ReturnType<typeof useEvidence>;

/** What is known of one call on the Credits screen: a reading is announced, and the screen's figures follow it. */
export function useCreditsEvidence(connectionId: string, callId: string): EvidenceOf {
  const client = useQueryClient();
  return useEvidence(callId, ({ claims }) => {
    announce(moneyText(claims));
    refreshCredits(client, connectionId);
  });
}

/** While there is no evidence to show: it is read, or could not be. */
export function EvidenceState({ evidence }: Pick<EvidenceOf, 'evidence'>) {
  if (evidence.data) return null;
  if (evidence.error)
    return (
      <Failure
        error={errorOf(evidence.error)}
        actions={
          <Button loading={evidence.isFetching} onClick={() => void evidence.refetch()}>
            Read what is known again
          </Button>
        }
      />
    );
  return (
    <p className="sm t3" aria-busy="true">
      Reading what is known…
    </p>
  );
}

/** The reading of the balance that may show more; nothing if no later one can. */
export const ReadBalance = ({ evidence: { data }, isOpen, read, underWay }: EvidenceOf) =>
  data && isOpen ? (
    <PriceButton
      main
      price={balanceReadPrice(data.operation)}
      disabled={underWay !== null}
      onClick={() => read.mutate()}
    >
      Read the balance
    </PriceButton>
  ) : null;
