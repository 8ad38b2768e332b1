import { Button } from '@mantine/core';
import { IconClockExclamation, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext } from 'react';
import { shortenMoneyClaims } from '../../../../shared/claims/money-claims.ts';
import type { ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import type { AppError, ErrorCode } from '../../../../shared/errors.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { describeError } from '../../../components/failure.tsx';
import { FailureHelp } from '../../../components/failure-help.ts';
import { Mono, Tag } from '../../../components/marks.tsx';
import {
  CallEvidence,
  noFurtherReading,
  ReadBalance,
  useCallEvidence,
} from '../../../components/money/call-evidence.tsx';
import { SpendNote, toneOfClaims } from '../../../components/money/money-claims.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { evidenceQuery, isReadable } from '../../../lib/answers/use-evidence.ts';
import { formatCredits } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { useNow } from '../../../lib/window/use-now.ts';
import { formatMomentNear } from '../source-messages.ts';

interface UnknownOutcomeProps {
  error: AppError;
  callId: string;
  price: ShownPrice;
  /** What asking again would bring: "Gets the address." */
  gain: string;
  onAskAgain: () => void;
  onLeave: () => void;
  /** ISO time at which it was asked. */
  at: string;
}

/** Failures whose advice is to read the balance: left out here, since the button for it says whether that may show more. */
const readsBalance: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['sent-no-answer', 'cancelled-after-sending']);

/** A call that was sent and brought no answer: its evidence, its claims, and what can be done. Nothing here asks again by itself. */
export function UnknownOutcome({ error, callId, price, gain, onAskAgain, onLeave, at }: UnknownOutcomeProps) {
  const { copied, copy } = useCopy();
  const known = useCallEvidence(callId);
  const { evidence, isOpen, read } = known;
  const now = useNow(30_000);
  const { data } = evidence;
  const help = useContext(FailureHelp)?.(error) ?? null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is */}
      <section className="lookup-scroll lookup-trouble" aria-label="Unknown outcome" tabIndex={0}>
        <div className="row top lookup-said">
          <IconClockExclamation size={26} stroke={1.5} className="fixed warn" aria-hidden="true" />
          <div className="col g4" role="alert">
            <h2 className="title">{error.message}</h2>
            <p className="t2">
              {error.money} It was not sent again. {readsBalance.has(error.code) ? '' : error.next}
            </p>
            {error.detail && <p className="sm t2">{legible(error.detail)}</p>}
          </div>
        </div>
        <div className="lookup-ways">
          <h3 className="h">Evidence</h3>
          <div className="col g6 lookup-evidence">
            <CallEvidence {...known} />
          </div>
          <h3 className="h lookup-more">What you can do</h3>
          {isReadable(data) && (
            <Way button={<ReadBalance {...known} w={196} />}>
              {isOpen ? 'Another reading may show more.' : noFurtherReading}
            </Way>
          )}
          <Way
            button={
              <PriceButton w={196} price={price} disabled={read.isPending} onClick={onAskAgain}>
                Ask again
              </PriceButton>
            }
          >
            {gain} {formatBoth(data?.expected ?? null, price)}
          </Way>
          <Way
            button={
              <Button w={196} onClick={onLeave}>
                {isOpen ? 'Leave it open' : 'Close'}
              </Button>
            }
          >
            {isOpen
              ? 'It stays open in the ledger until a later balance shows more.'
              : 'The ledger keeps what was seen.'}
          </Way>
          {help && <div className="row lookup-way">{help}</div>}
          <div className="row wrap sm t3 g12 lookup-more">
            <span>
              Code <Mono>{error.code}</Mono>
            </span>
            <span>call {callId}</span>
            <button type="button" className="link" onClick={() => copy(describeError(error), 'the details')}>
              <IconCopy size={14} className="ti" aria-hidden="true" />
              Copy details without the key
            </button>
            <CopiedNote copied={copied} />
          </div>
        </div>
      </section>
      <div className="footbar lookup-foot">
        {data && <SpendNote expected={data.expected} claims={data.claims} />}
        {data && <span className="t2">{data.operation}</span>}
        <span className="t2 tn">{formatMomentNear(at, now)}</span>
      </div>
    </>
  );
}

/** The published price of both calls together. */
const formatBoth = (expected: number | null, price: ShownPrice): string =>
  expected !== null && price.kind === 'credits'
    ? `By the published prices, both calls come to ${formatCredits(expected + price.credits)}.`
    : 'It is a second call, with a price of its own.';

/** The short form of the claims about the call's cost, beside the title. */
export function OutcomeTag({ callId }: { callId: string }) {
  const { data } = useQuery(evidenceQuery(callId));
  if (!data) return null;
  const tone = toneOfClaims(data.claims);
  return <Tag {...(tone === undefined ? {} : { tone })}>{shortenMoneyClaims(data.claims)}</Tag>;
}

function Way({ button, children }: { button: ReactNode; children: ReactNode }) {
  return (
    <div className="row lookup-way">
      <span className="fixed">{button}</span>
      <span className="sm t2">{children}</span>
    </div>
  );
}
