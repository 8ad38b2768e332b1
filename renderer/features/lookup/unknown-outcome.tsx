import { Button } from '@mantine/core';
import { IconClockExclamation, IconCopy } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { ShownPrice, SpendVerdict } from '../../../shared/domain/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { announce } from '../../app/announce.tsx';
import { describeError, Failure } from '../../components/failure.tsx';
import { Mono, Tag } from '../../components/marks.tsx';
import { Notice } from '../../components/notice.tsx';
import { PriceButton } from '../../components/price-button.tsx';
import { useNow } from '../../components/use-now.ts';
import { call, listen } from '../../lib/bridge.ts';
import { formatCredits } from '../../lib/format.ts';
import { CopiedNote } from './copied-note.tsx';
import { errorOf } from './error-of.ts';
import { EvidenceTable, isOpen } from './evidence-table.tsx';
import { evidenceKey, evidenceQuery } from './queries.ts';
import { formatMomentNear } from './spend-words.ts';
import { useCopy } from './use-copy.ts';

export interface UnknownOutcomeProps {
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

const titleOf = (error: AppError): string => {
  if (error.code === 'sent-no-answer') return 'No answer came, and it may have been charged';
  if (error.code === 'cancelled-after-sending') return 'You stopped waiting, and it may have been charged';
  return error.message;
};

/** Sent, and no answer to show: what is known, the verdict, and three ways on. Nothing here asks again by itself. */
export function UnknownOutcome({ error, callId, price, gain, onAskAgain, onLeave, at }: UnknownOutcomeProps) {
  const client = useQueryClient();
  const { copied, copy } = useCopy();
  const evidence = useQuery(evidenceQuery(callId));
  const settle = useMutation({
    mutationFn: () => call('credits.settle', { callId }),
    onSuccess: (settled) => {
      client.setQueryData(evidenceKey(callId), settled);
      announce(settled.conclusion);
    },
  });
  useEffect(
    () => listen('credits.reading', () => void client.invalidateQueries({ queryKey: evidenceKey(callId) })),
    [client, callId],
  );

  const expected = evidence.data?.expected ?? null;
  const now = useNow(30_000);
  const verdict = evidence.data?.verdict;
  const settled = verdict !== undefined && !isOpen(verdict);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even where nothing in it is */}
      <section className="lookup-scroll lookup-trouble" aria-label="Unknown outcome" tabIndex={0}>
        <div className="row top lookup-said">
          <IconClockExclamation size={26} stroke={1.5} className="fixed warn" aria-hidden="true" />
          <div className="col g4" role="alert">
            <h2 className="title">{titleOf(error)}</h2>
            <p className="t2">
              The request left this computer, so the service may have counted it. It was not sent again.
              {error.detail ? ` ${error.detail}` : ''}
            </p>
          </div>
        </div>
        <div className="lookup-ways">
          <h3 className="h">Evidence</h3>
          {evidence.error ? (
            <Failure error={errorOf(evidence.error)} />
          ) : evidence.data ? (
            <EvidenceTable evidence={evidence.data} />
          ) : (
            <p className="sm t3">Reading what is known …</p>
          )}
          {settle.error && (
            <Notice tone="danger" announce>
              The balance was not read: {errorOf(settle.error).message} {errorOf(settle.error).next}
            </Notice>
          )}
          <h3 className="h lookup-more">What you can do</h3>
          {!settled && (
            <Way
              button={
                <PriceButton
                  main
                  w={196}
                  price={{ kind: 'credits', credits: 0 }}
                  loading={settle.isPending}
                  onClick={() => settle.mutate()}
                >
                  Read the balance
                </PriceButton>
              }
            >
              One more reading may settle it.
            </Way>
          )}
          <Way
            button={
              <PriceButton w={196} price={price} disabled={settle.isPending} onClick={onAskAgain}>
                Ask again
              </PriceButton>
            }
          >
            {gain} {riskWords(verdict, expected, price)}
          </Way>
          <Way
            button={
              <Button w={196} onClick={onLeave}>
                {settled ? 'Close' : 'Leave it open'}
              </Button>
            }
          >
            {settled ? 'It is settled in the ledger.' : 'Stays in the ledger until a later reading settles it.'}
          </Way>
          <div className="row wrap sm t3 g12 lookup-more">
            <span>
              Code <Mono>{error.code}</Mono>
            </span>
            <span>call {callId}</span>
            <button type="button" className="link" onClick={() => copy(describeError(error), 'the details')}>
              <IconCopy size={14} className="ti" aria-hidden="true" />
              Copy details, key left out
            </button>
            <CopiedNote copied={copied} />
          </div>
        </div>
      </section>
      <div className="footbar lookup-foot">
        <span className={!verdict || isOpen(verdict) ? 'warn m' : 'm'}>
          {formatCredits(expected, 'price not published')}{' '}
          {!verdict || isOpen(verdict) ? 'unsettled' : verdict === 'not-charged' ? 'not charged' : 'charged'}
        </span>
        {evidence.data && <span className="t2">{evidence.data.operation}</span>}
        <span className="t2 tn">{formatMomentNear(at, now)}</span>
      </div>
    </>
  );
}

function riskWords(verdict: SpendVerdict | undefined, expected: number | null, price: ShownPrice): string {
  if (verdict === 'not-charged') return 'The first call was not charged.';
  if (verdict && !isOpen(verdict)) return 'The first call was charged; this one is charged as well.';
  return expected !== null && price.kind === 'credits'
    ? `Worst case, ${formatCredits(expected + price.credits)} for one answer.`
    : 'Worst case, it is charged twice for one answer.';
}

/** Beside the title: how the question of the credit stands. */
export function OutcomeTag({ callId }: { callId: string }) {
  const { data } = useQuery(evidenceQuery(callId));
  if (!data || isOpen(data.verdict)) return <Tag tone="warn">may have been charged</Tag>;
  return data.verdict === 'not-charged' ? <Tag tone="held">not charged</Tag> : <Tag tone="danger">charged</Tag>;
}

function Way({ button, children }: { button: ReactNode; children: ReactNode }) {
  return (
    <div className="row lookup-way">
      <span className="fixed">{button}</span>
      <span className="sm t2">{children}</span>
    </div>
  );
}
