import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConnectionView } from '../../../../shared/contract/connections.ts';
import type { BalanceSample } from '../../../../shared/domain/credits/credits.ts';
import { Age, Elapsed } from '../../../components/elapsed.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { StopWaiting } from '../../../components/waiting.tsx';
import type { ReadableSource } from '../../../lib/calls/ask-balance.ts';
import { type Missing, useCompletion } from '../../../lib/connection/connection-dialogs.ts';
import { countOf, formatAge, formatDate, formatNumber, isFree } from '../../../lib/text/format.ts';
import { type Comparison, compareSamples, type LoadedLedger } from './compare-samples.ts';
import { Figure } from './figure.tsx';
import { type At, readBalance, stopRead, useBalanceRead } from './read-balances.ts';
import { sourceNames } from './sources.ts';
import { useSourcePrice } from './use-source-price.ts';

interface SourceFigureProps {
  at: At;
  source: ReadableSource;
  /** null: none of where the connection leads now. */
  sample: BalanceSample | null;
  /** The reading that the figure is compared with; null: none. */
  against: BalanceSample | null;
  ledger: LoadedLedger;
  view: ConnectionView;
  /** What the connection lacks for reading it; null: nothing. */
  missing: Missing | null;
}

/** One source: its figure, with which key it was read and when, how it compares with another, and the way to ask it. */
export function SourceFigure({ at, view, source, sample, against, ledger, missing }: SourceFigureProps) {
  const comparison = sample && against ? compareSamples(sample, against, ledger) : null;
  return (
    <Figure
      label={sourceNames[source]}
      // Not “never read”: before its address was edited it may have been.
      value={sample ? <Value sample={sample} /> : <span className="t2">not known yet</span>}
      unit={sample?.credits == null ? undefined : 'credits'}
      note={
        <div className="credits-notes">
          {sample && <SampleNote sample={sample} />}
          {comparison && against && <ComparisonNote comparison={comparison} other={against.label} />}
          <Asking at={at} view={view} source={source} never={sample === null} missing={missing} />
        </div>
      }
    />
  );
}

/** The last figure of a key that is no longer read, with its age. */
export function OlderKeyFigure({ sample, known }: { sample: BalanceSample; known: boolean }) {
  return (
    <Figure
      label={known ? 'Key balance, another key' : 'Key balance, key removed'}
      value={<Value sample={sample} />}
      unit={sample.credits === null ? undefined : 'credits'}
      note={<SampleNote sample={sample} />}
    />
  );
}

const Value = ({ sample: { credits, text } }: { sample: BalanceSample }) =>
  credits === null ? <span className={text === null ? 'warn' : 't2'}>no number given</span> : formatNumber(credits);

function SampleNote({ sample }: { sample: BalanceSample }) {
  const { label, keyLastFour, credits, text, used, total, expiryDate, at } = sample;
  const more = [
    total === null ? '' : `of ${formatNumber(total)}`,
    used === null ? '' : `${formatNumber(used)} used`,
    expiryDate === null ? '' : `expires ${formatDate(expiryDate)}`,
  ].filter((part) => part !== '');
  return (
    <>
      <div>
        {label}
        {keyLastFour !== '' && <span className="nowrap"> ••{keyLastFour}</span>}, <Age since={at} format={formatAge} />
      </div>
      {credits === null && text !== null && <div>It answers in its own words: see below.</div>}
      {more.length > 0 && <div>{more.join(', ')}</div>}
    </>
  );
}

function ComparisonNote({ comparison, other }: { comparison: Comparison; other: string }) {
  const { by, calls, complete } = comparison;
  if (by === 0) return <div>the same figure as {other}</div>;
  // Figures that differ although no call was begun between them need attention.
  const odd = calls === 0 && complete;
  return (
    <div className={odd ? 'warn' : undefined}>
      {formatNumber(Math.abs(by))} {by > 0 ? 'more' : 'less'} than {other}
      {odd
        ? ', with no call of this connection begun between the readings, apart from those that are free by published prices'
        : `, with ${complete ? '' : 'at least '}${countOf(calls, 'call')} of this connection begun between the readings`}
    </div>
  );
}

export type AskingProps = Pick<SourceFigureProps, 'at' | 'view' | 'source' | 'missing'> & {
  never: boolean;
};

/** The button that reads one source, what is under way, or why it cannot be read. The free source's button is in the page bar. */
export function Asking({ at, view, source, never, missing }: AskingProps): ReactNode {
  const completion = useCompletion(view, missing);
  const price = useSourcePrice(at.connectionId)(source);
  const { running } = useBalanceRead(at.connectionId, source);
  if (missing !== null && !running) {
    return (
      <div>
        Cannot be asked without {missing.words}.{' '}
        <button type="button" className="link" onClick={completion.open}>
          {completion.label}
        </button>
      </div>
    );
  }
  return (
    <>
      {(never || !isFree(price)) && (
        <div>
          <PriceButton
            size="small"
            price={price}
            disabled={running !== null}
            onClick={() => void readBalance(at, source)}
          >
            Read
          </PriceButton>
        </div>
      )}
      {running && (
        <div className="row wrap g6" aria-busy="true">
          <Loader size={12} aria-hidden="true" />
          <span className="t2">Reading</span>
          <Elapsed since={running.since} />
          <StopWaiting onStop={() => stopRead(at.connectionId, source)} />
          {!isFree(price) && <span>Once it is sent, stopping does not take it back.</span>}
        </div>
      )}
    </>
  );
}
