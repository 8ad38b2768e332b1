import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Batch } from '../../../../shared/domain/batch.ts';
import { Failure } from '../../../components/failure.tsx';
import { Dot, Tag } from '../../../components/marks.tsx';
import { MiddleCut } from '../../../components/middle-cut.tsx';
import { settingsQuery } from '../../../lib/calls/queries.ts';
import { countOf, formatNumber, formatWhen } from '../../../lib/text/format.ts';
import { batchCalls, showBatch, termsOf } from '../batch-store.ts';
import { standText, stateNames } from '../messages.ts';
import { BoundsButton } from '../parts.tsx';
import { discardBatch, runBatch } from '../runs.ts';

/** The batches of a connection, the one that waits for a person first. `batches` null: not read yet. */
export function EarlierBatches({ connectionId, batches }: { connectionId: string; batches: readonly Batch[] | null }) {
  const { data: settings } = useQuery(settingsQuery());
  return (
    <>
      <div className="subbar">
        <h3 className="h">Earlier batches</h3>
        <span className="grow" />
        {batches && <span className="t3">{formatNumber(batches.length)}</span>}
      </div>
      <ul className="plain batch-earlier" aria-busy={batches === null}>
        {batches?.map((batch) => (
          <EarlierBatch key={batch.id} connectionId={connectionId} batch={batch} />
        ))}
        {batches?.length === 0 && (
          <li className="pad sm t2">
            None yet. What you run here can be found, resumed and saved again from this list.
          </li>
        )}
      </ul>
      <p className="sm t3 batch-foot-note">
        {settings &&
          `The rows of a batch are kept for ${countOf(settings.batchDays, 'day')} after its end, then only the counts. `}
        CSV and TSV to a million rows, Excel to 200,000.
      </p>
    </>
  );
}

function EarlierBatch({ connectionId, batch }: { connectionId: string; batch: Batch }) {
  const client = useQueryClient();
  const { running, failure } = batchCalls.use(batch.id);
  const show = () => showBatch(connectionId, batch.id);
  return (
    <li className="col pane-b batch-one">
      <div className="row between">
        <button type="button" className="bare m batch-name" onClick={show}>
          <MiddleCut text={batch.name} />
        </button>
        <StateMark state={batch.state} />
      </div>
      <div className="row between sm top">
        <span className="t2">{standText(batch)}</span>
        <span className="t3 nowrap">{formatWhen(batch.endedAt ?? batch.startedAt ?? batch.createdAt)}</span>
      </div>
      {batch.state === 'waiting' && (
        <div className="batch-do">
          <Button onClick={show}>Look at it</Button>
        </div>
      )}
      {batch.state === 'planned' && (
        <div className="batch-do">
          <Button
            variant="subtle"
            color="gray"
            loading={running !== null}
            aria-label={`Discard ${batch.name}`}
            onClick={() => void discardBatch(client, connectionId, batch.id)}
          >
            Discard
          </Button>
        </div>
      )}
      {batch.state === 'paused' && !batch.elsewhere && (
        <div className="batch-do">
          <BoundsButton
            credits={batch.left.credits}
            loading={running !== null}
            onClick={() => {
              show();
              void runBatch(client, batch.id, termsOf(batch));
            }}
          >
            Resume
          </BoundsButton>
        </div>
      )}
      {failure && (
        <Failure error={failure.error} actions={<Button onClick={() => batchCalls.dismiss(batch.id)}>Close</Button>} />
      )}
    </li>
  );
}

function StateMark({ state }: { state: Batch['state'] }) {
  const word = stateNames[state];
  if (state === 'waiting') return <Tag tone="warn">{word}</Tag>;
  const tone = state === 'done' ? 'good' : state === 'running' ? 'accent' : undefined;
  return (
    <span className={`mark sm ${tone ?? 't2'}`}>
      <Dot {...(tone ? { tone } : state === 'planned' ? { tone: 'hollow' as const } : {})} />
      {word}
    </span>
  );
}
