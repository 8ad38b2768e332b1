import { Button, Checkbox } from '@mantine/core';
import { IconDownload, IconPlayerPause, IconPlayerStop } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Batch, RowProgress } from '../../../../shared/domain/batch.ts';
import { Mono } from '../../../components/marks.tsx';
import { Notice } from '../../../components/notice.tsx';
import { EmptyState } from '../../../components/state.tsx';
import { capital, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { batchCalls, termsOf } from '../batch-store.ts';
import { aboutTime, progressText } from '../messages.ts';
import { BatchFailure, BoundsButton, Facets } from '../parts.tsx';
import { batchRowsQuery, type RowFilter } from '../queries.ts';
import { RowsTable } from '../rows/rows-table.tsx';
import { pauseBatch, runBatch, stopBatch } from '../runs.ts';
import { SaveDialog } from '../save/save-dialog.tsx';
import { TermsDialog } from '../terms/terms-dialog.tsx';
import { RunHead } from './run-head.tsx';
import { WaitBanner } from './wait-banner.tsx';

type FacetId = 'all' | RowProgress;
const facetOrder: readonly RowProgress[] = ['at-work', 'done', 'waiting', 'stopped', 'failed', 'unknown', 'malformed'];
const all: RowFilter = {};

/** A batch that runs, is paused, or waits for a person: its rows as they fill, and what can be done now. */
export function RunView({ batch }: { batch: Batch }) {
  const go = useGo();
  const { running } = batchCalls.use(batch.id);
  const [facet, setFacet] = useState<FacetId>('all');
  const [following, setFollowing] = useState(true);
  const [active, setActive] = useState(-1);
  const [saving, setSaving] = useState(false);
  const filter: RowFilter = facet === 'all' ? all : { progress: [facet] };
  const follow = useNewest(batch, following && facet === 'all');
  const stoppedAt = batch.state === 'waiting' ? (batch.wait?.row ?? null) : null;
  return (
    <section className="batch-fill" aria-label="Run">
      {batch.wait && batch.state === 'waiting' && <WaitBanner batch={batch} wait={batch.wait} />}
      <RunHead batch={batch}>{batch.state !== 'waiting' && <RunControls batch={batch} />}</RunHead>
      {batch.backoff && (
        <div className="pad pane-b">
          <Notice tone="warn" announce>
            {legible(batch.backoff.text)} It goes on automatically while the program runs.
          </Notice>
        </div>
      )}
      <BatchFailure of={batch.id} />
      <div className="subbar batch-bar">
        <Facets<FacetId>
          label="Rows by progress"
          value={facet}
          onChange={(next) => {
            setFacet(next);
            setActive(-1);
          }}
          facets={[
            { id: 'all', label: 'All', count: batch.plan.rows.total },
            ...facetOrder
              // The one chosen stays, and “at work” while it runs: between two calls it is often 0.
              .filter(
                (name) =>
                  batch.progress[name] > 0 || name === facet || (name === 'at-work' && batch.state === 'running'),
              )
              .map((name) => ({ id: name, label: capital(progressText(name, batch)), count: batch.progress[name] })),
          ]}
        />
        <span className="grow" />
        {batch.state === 'running' && (
          <Checkbox
            label="Follow the newest row"
            checked={following}
            onChange={(event) => setFollowing(event.currentTarget.checked)}
          />
        )}
      </div>
      <RowsTable
        key={facet}
        batch={batch}
        filter={filter}
        active={active === -1 && stoppedAt !== null && facet === 'all' ? stoppedAt - 1 : active}
        onActive={(index) => {
          setActive(index);
          setFollowing(false);
        }}
        follow={follow}
        onWhatWasSent={(call) => go('activity', { call })}
        empty={<EmptyState title="No such row now">The others are under All.</EmptyState>}
      />
      <div className="footbar actions batch-foot">
        {batch.state === 'waiting' && batch.wait ? (
          <span className="row g16 t3">
            <span>
              Code <Mono>{batch.wait.code}</Mono>
            </span>
            {batch.wait.callId !== null && (
              <button type="button" className="link" onClick={() => go('activity', { call: batch.wait?.callId ?? '' })}>
                What was sent
              </button>
            )}
          </span>
        ) : (
          <span className="t2">
            {batch.state === 'running'
              ? 'You can leave this screen: it carries on while the program runs. Every row is saved before it is asked.'
              : 'Nothing is sent while it is paused. Rows with an answer are not asked again.'}
          </span>
        )}
        <span className="grow" />
        {batch.state === 'waiting' && <StopButton batch={batch} label="Stop for good" subtle />}
        <Button
          leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
          disabled={running?.request === 'stop'}
          onClick={() => setSaving(true)}
        >
          Save what is done…
        </Button>
      </div>
      {saving && <SaveDialog batch={batch} filter={{}} filterName="" row={null} onClose={() => setSaving(false)} />}
    </section>
  );
}

/** The index of the row being asked; null: not followed. */
function useNewest(batch: Batch, following: boolean): number | null {
  const first = useQuery({
    ...batchRowsQuery(batch.id, { progress: ['at-work'] }, 0),
    enabled: following && batch.state === 'running',
  });
  const row = first.data?.rows.at(-1)?.row;
  return following && row !== undefined ? row - 1 : null;
}

/** Pause and stop, which keep their places, or resume with its price. */
function RunControls({ batch }: { batch: Batch }) {
  const client = useQueryClient();
  const { running } = batchCalls.use(batch.id);
  const [changing, setChanging] = useState(false);
  if (batch.state === 'paused')
    return (
      <>
        <button type="button" className="link sm" onClick={() => setChanging(true)}>
          Limit, rate, key…
        </button>
        <BoundsButton
          main
          credits={batch.left.credits}
          loading={running?.request === 'run'}
          disabled={running !== null}
          onClick={() => void runBatch(client, batch.id, termsOf(batch))}
        >
          Resume
        </BoundsButton>
        <StopButton batch={batch} label="Stop" />
        {changing && (
          <TermsDialog
            batch={batch}
            title={`Resume ${batch.name}`}
            verb="Resume"
            credits={batch.left.credits}
            onRun={(next) => runBatch(client, batch.id, next)}
            onClose={() => setChanging(false)}
          />
        )}
      </>
    );
  return (
    <>
      <span className="col sm batch-left">
        <span className="m nowrap">
          {batch.secondsLeft === null ? 'time left unknown' : `${aboutTime(batch.secondsLeft)} left`}
        </span>
        {batch.elsewhere && <span className="t2 nowrap">run by another window or command</span>}
        <span className="t3 nowrap">
          {batch.rate === 1 ? '1 call a second' : `${formatRate(batch.rate)} calls a second`}
        </span>
      </span>
      <Button
        leftSection={<IconPlayerPause size={15} className="ti" aria-hidden="true" />}
        loading={running?.request === 'pause'}
        disabled={running !== null}
        onClick={() => void pauseBatch(client, batch.id)}
      >
        Pause
      </Button>
      <StopButton batch={batch} label="Stop" />
    </>
  );
}

const formatRate = (rate: number): string => (Number.isInteger(rate) ? formatNumber(rate) : rate.toFixed(1));

/** Ends the batch; it stays in the list, and its rows that are not done can be run later. */
function StopButton({ batch, label, subtle = false }: { batch: Batch; label: string; subtle?: boolean }) {
  const client = useQueryClient();
  const { running } = batchCalls.use(batch.id);
  return (
    <Button
      {...(subtle ? { variant: 'subtle', color: 'gray' } : {})}
      leftSection={subtle ? undefined : <IconPlayerStop size={15} className="ti" aria-hidden="true" />}
      loading={running?.request === 'stop'}
      disabled={running !== null}
      title="What is under way ends. The rows that wait can be run later as the not done."
      onClick={() => void stopBatch(client, batch.id)}
    >
      {label}
    </Button>
  );
}
