import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Batch } from '../../../../shared/domain/batch.ts';
import { Age } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { creditsOverviewQuery } from '../../../lib/calls/queries.ts';
import { countOf, formatAge, formatNumber } from '../../../lib/text/format.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { batchCalls, readBatchForm, useTerms } from '../batch-store.ts';
import { aboutTime, formatBounds } from '../messages.ts';
import { keyNamed, secondsAt, usePayingKeys } from '../money.ts';
import { BoundsButton } from '../parts.tsx';
import { backToTable, runBatch } from '../runs.ts';
import { GoOnTick, TermsFields } from '../terms/terms-fields.tsx';

/** The balance before and after, what the batch may spend, and the button that runs it. */
export function PlanSide({ batch }: { batch: Batch }) {
  const client = useQueryClient();
  const [terms, setTerms] = useTerms(batch);
  const { running, failure } = batchCalls.use(batch.id);
  const { plan } = batch;
  const keys = usePayingKeys(batch.connectionId);
  const key = keyNamed(keys, terms.keyLabel);
  const read = useQuery(creditsOverviewQuery(batch.connectionId));
  const { data: overview } = read;
  const most = plan.credits === null ? terms.limit : Math.min(plan.credits.most, terms.limit);
  const least = plan.credits === null ? 0 : Math.min(plan.credits.least, terms.limit);
  const tight = plan.credits !== null && terms.limit < plan.credits.most;
  const perDay = overview?.counts.perDay ?? null;
  return (
    <aside className="col pane-r insetbg batch-side" aria-label="What it may spend">
      <div className="batch-side-scroll">
        <dl className="batch-kv sm">
          <dt>Balance now</dt>
          <dd>
            {key?.sample ? (
              <>
                {formatNumber(key.sample.credits)}{' '}
                <span className="t3 xs">
                  <Age since={key.sample.at} format={formatAge} />
                </span>
              </>
            ) : (
              <span className="t3">{overview ? 'not read yet' : 'unknown'}</span>
            )}
          </dd>
          <dt>Balance after</dt>
          <dd className="m">
            {key?.sample && plan.credits !== null ? (
              tight ? (
                `not below ${formatNumber(key.sample.credits - most)}`
              ) : (
                formatBounds({ least: key.sample.credits - most, most: key.sample.credits - least })
              )
            ) : (
              <span className="t3">unknown</span>
            )}
          </dd>
          <dt>Time at this rate</dt>
          <dd>{plan.calls.most === 0 ? 'none' : aboutTime(secondsAt(plan.calls.most, terms.rate))}</dd>
        </dl>
        <TermsFields connectionId={batch.connectionId} terms={terms} onChange={setTerms} />
        <LimitNotice batch={batch} limit={terms.limit} />
        <p className="xs t3">
          Balance after: by published prices, with no other spending and nothing added. Each call counts at its highest
          price before it is sent.
          {perDay !== null &&
            perDay.cap !== null &&
            ` The daily cap counts it too: ${formatNumber(perDay.counted)} of ${formatNumber(perDay.cap)} today.`}
        </p>
        <hr className="batch-rule" />
        <GoOnTick terms={terms} onChange={setTerms} />
        <ReadFailure of={read} subject="Balance and caps" />
        {failure && <Failure error={failure.error} />}
      </div>
      <div className="col pane-t batch-side-foot">
        <BoundsButton
          main
          wide
          credits={plan.credits}
          {...(tight ? { says: `up to ${countOf(most, 'credit')}` } : {})}
          loading={running?.request === 'run'}
          disabled={running !== null || plan.credits === null}
          onClick={() => void runBatch(client, batch.id, terms)}
        >
          Run
        </BoundsButton>
        {readBatchForm(batch.connectionId).table && (
          <Button fullWidth disabled={running !== null} onClick={() => backToTable(batch.connectionId)}>
            Back to the table
          </Button>
        )}
        <span className="xs t3 batch-which">
          {batch.connectionName}
          {key && `, key ••${key.lastFour}`}
        </span>
      </div>
    </aside>
  );
}

/** What a limit under the plan means, and what has no price at all. */
function LimitNotice({ batch, limit }: { batch: Batch; limit: number }) {
  const go = useGo();
  const { credits, unpriced } = batch.plan;
  if (credits === null)
    return (
      <Notice
        tone="warn"
        action={
          <button type="button" className="link" onClick={() => go('credits', { do: 'change-caps' })}>
            Set a figure
          </button>
        }
      >
        <span className="m">No price is published for {new Intl.ListFormat('en-GB').format(unpriced)}.</span> Under a
        limit it is not sent until you say what to count for it.
      </Notice>
    );
  if (limit >= credits.most) return null;
  return (
    <Notice tone="warn">
      <span className="m">
        {limit < credits.least
          ? `Less than the plan’s least, ${formatNumber(credits.least)}.`
          : `Less than the plan’s most, ${formatNumber(credits.most)}.`}
      </span>{' '}
      It stops before the call that could pass {formatNumber(limit)} and waits for you. Saved rows are answered in any
      case.
    </Notice>
  );
}
