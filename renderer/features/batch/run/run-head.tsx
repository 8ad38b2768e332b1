import type { ReactNode } from 'react';
import type { Batch, rowProgresses } from '../../../../shared/domain/batch.ts';
import { formatNumber } from '../../../lib/text/format.ts';
import { progressText, progressTones } from '../messages.ts';
import { CountBar } from '../parts.tsx';

const order = [
  'done',
  'at-work',
  'stopped',
  'failed',
  'waiting',
  'unknown',
  'malformed',
] as const satisfies readonly (typeof rowProgresses)[number][];

/** Rows by their progress, and credits as they are counted; `children`: what can be done now. */
export function RunHead({ batch, children }: { batch: Batch; children?: ReactNode }) {
  const { progress, credits } = batch;
  const counts = order.map((name) => ({ name, count: progress[name] })).filter(({ count }) => count > 0);
  return (
    <section className="batch-head" aria-label="Progress">
      <div className="batch-meter">
        <div className="row between sm">
          <span className="t2">Rows</span>
          <span className="row wrap end batch-words">
            {counts.map(({ name, count }) => (
              <span key={name} className={progressTones[name]}>
                {formatNumber(count)} {progressText(name, batch)}
              </span>
            ))}
          </span>
        </div>
        <CountBar parts={counts} />
      </div>
      <div className="batch-meter credits">
        <div className="row between sm">
          <span className="t2">Credits, counted at most</span>
          {credits.counted === null ? (
            <span className="danger">could not be read</span>
          ) : (
            <span>
              <span className="b">{formatNumber(credits.counted)}</span>{' '}
              <span className="t2">of {formatNumber(credits.limit)}</span>
            </span>
          )}
        </div>
        {credits.counted !== null && (
          <CountBar
            parts={[
              { name: 'ask', count: credits.counted - credits.unknown },
              { name: 'unknown', count: credits.unknown },
              { name: 'room', count: Math.max(0, credits.limit - credits.counted) },
            ]}
          />
        )}
        {(credits.unknown > 0 || batch.again > 0) && (
          <div className="row wrap xs t3 batch-words">
            {credits.unknown > 0 && (
              <span className="warn">{formatNumber(credits.unknown)} without a usable answer</span>
            )}
            {batch.again > 0 && <span>asked again after 429: {formatNumber(batch.again)}</span>}
          </div>
        )}
      </div>
      {children && <div className="row batch-doing">{children}</div>}
    </section>
  );
}
