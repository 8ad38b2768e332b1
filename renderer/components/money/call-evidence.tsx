import { balanceReadPrice, isReadable, useEvidence } from '../../lib/answers/use-evidence.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { announce } from '../../lib/window/announce.ts';
import { Notice } from '../notice.tsx';
import { ReadFailure } from '../read-failure.tsx';
import { EvidenceRows, EvidenceTable } from './evidence-table.tsx';
import { moneyText } from './money-claims.tsx';
import { PriceButton } from './price-button.tsx';

export type CallEvidenceState = ReturnType<typeof useEvidence>;

/** The evidence of one call. A balance reading that shows more is announced; `onRead` runs as well. */
export const useCallEvidence = (callId: string, onRead?: () => void): CallEvidenceState =>
  useEvidence(callId, ({ claims }) => {
    announce(moneyText(claims));
    onRead?.();
  });

interface CallEvidenceProps extends Pick<CallEvidenceState, 'evidence' | 'read'> {
  /** Shows the facts without the claims about them, which are elsewhere on the screen. */
  factsOnly?: boolean;
}

/** The evidence of one call: being read, not readable, or read; and why the last reading of the balance failed. */
export function CallEvidence({ evidence, read, factsOnly = false }: CallEvidenceProps) {
  const { data, error } = evidence;
  return (
    <>
      {data ? (
        factsOnly ? (
          <EvidenceRows evidence={data} />
        ) : (
          <EvidenceTable evidence={data} />
        )
      ) : error ? (
        <ReadFailure of={evidence} />
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

/** Said beside `ReadBalance` where it is not open. */
export const noFurtherReading = 'What is said above does not depend on another reading of the balance.';

/**
 * Reads the balance, at its price; nothing for a call that no reading says anything of. It stays when no further one is awaited: the button
 * that asks again would move up into its place. `w`: pixels.
 */
export const ReadBalance = ({ evidence: { data }, isOpen, read, w }: CallEvidenceState & { w?: number }) =>
  data && isReadable(data) ? (
    <PriceButton
      main={isOpen}
      {...(w === undefined ? {} : { w })}
      price={balanceReadPrice(data.operation)}
      loading={read.isPending}
      onClick={() => read.mutate()}
    >
      Read the balance
    </PriceButton>
  ) : null;
