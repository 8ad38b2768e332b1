import { Button } from '@mantine/core';
import { balanceReadPrice, useEvidence } from '../../lib/answers/use-evidence.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { announce } from '../../lib/window/announce.ts';
import { Failure } from '../failure.tsx';
import { Notice } from '../notice.tsx';
import { EvidenceRows, EvidenceTable } from './evidence-table.tsx';
import { moneyText } from './money-claims.tsx';
import { PriceButton } from './price-button.tsx';

export type CallEvidenceState = ReturnType<typeof useEvidence>;

/** What is known of one call. A reading that shows more of it is announced; `onRead` is for what else follows from it. */
export const useCallEvidence = (callId: string, onRead?: () => void): CallEvidenceState =>
  useEvidence(callId, ({ claims }) => {
    announce(moneyText(claims));
    onRead?.();
  });

interface CallEvidenceProps extends Pick<CallEvidenceState, 'evidence' | 'read'> {
  /** The facts alone: what follows from them is shown elsewhere. */
  factsOnly?: boolean;
}

/** What is known of one call, while it is read, where it could not be, and where the last reading of the balance failed. */
export function CallEvidence({ evidence, read, factsOnly = false }: CallEvidenceProps) {
  const { data, error, isFetching, refetch } = evidence;
  return (
    <>
      {data ? (
        factsOnly ? (
          <EvidenceRows evidence={data} />
        ) : (
          <EvidenceTable evidence={data} />
        )
      ) : error ? (
        <Failure
          error={errorOf(error)}
          actions={
            <Button loading={isFetching} onClick={() => void refetch()}>
              Read what is known again
            </Button>
          }
        />
      ) : (
        <p className="sm t3" aria-busy="true">
          Reading what is known…
        </p>
      )}
      {read.error && (
        <Notice tone="danger" announce>
          The balance was not read: {errorOf(read.error).message} {errorOf(read.error).next}
        </Notice>
      )}
    </>
  );
}

/** The reading of the balance that may show more, at its price; nothing if no later one can. `w`: pixels. */
export const ReadBalance = ({ evidence: { data }, isOpen, read, w }: CallEvidenceState & { w?: number }) =>
  data && isOpen ? (
    <PriceButton
      main
      {...(w === undefined ? {} : { w })}
      price={balanceReadPrice(data.operation)}
      loading={read.isPending}
      onClick={() => read.mutate()}
    >
      Read the balance
    </PriceButton>
  ) : null;
