import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { describeError, Failure } from '../../../components/failure.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { useCopy } from '../../../lib/window/use-copy.ts';

interface PlainFailureProps {
  failure: { error: AppError };
  price: ShownPrice;
  onAgain: () => void;
  onLeave: () => void;
  leaveLabel: string;
  /** Other ways to ask the same, at their prices. */
  children?: ReactNode;
}

/** A failure of which it is known whether it cost: what happened, and asking again at its price. */
export function PlainFailure({ failure: { error }, price, onAgain, onLeave, leaveLabel, children }: PlainFailureProps) {
  const { copied, copy } = useCopy();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is
    <section className="lookup-scroll lookup-trouble" aria-label="What went wrong" tabIndex={0}>
      <Failure
        error={error}
        onCopyDetails={() => copy(describeError(error), 'the details')}
        actions={
          <>
            <PriceButton price={price} onClick={onAgain}>
              Ask again
            </PriceButton>
            {children}
            <Button variant="subtle" color="gray" onClick={onLeave}>
              {leaveLabel}
            </Button>
            <CopiedNote copied={copied} />
          </>
        }
      />
    </section>
  );
}
