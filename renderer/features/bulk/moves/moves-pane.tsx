import { Button, Loader } from '@mantine/core';
import { type QueryClient, useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { priceOfCalls, publishedPrice } from '../../../../shared/domain/credits/published-price.ts';
import type { Bulk, BulkRow } from '../../../../shared/domain/licences/licence-bulk.ts';
import { ConfirmName, confirmsName } from '../../../components/confirm-name.tsx';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { PriceButton, PriceNote } from '../../../components/money/price-button.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { refreshLocal } from '../../../lib/calls/queries.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { countOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import { findUnticked, runRows, stopRows } from '../bulk-run.ts';
import { bulkCalls, movesPlace, useBulkFlow, useChoices } from '../bulk-store.ts';
import { type MovesStage, nameOfRow } from './moves-stage.ts';

interface MovesPaneProps {
  client: QueryClient;
  bulk: Bulk;
  stage: MovesStage;
  onLeave: () => void;
}

/** Beside the moves: confirm, working, what can be done after one that was not seen, or the end. */
export function MovesPane({ client, bulk, stage, onLeave }: MovesPaneProps) {
  const place = movesPlace(bulk.connectionId);
  const flow = useBulkFlow(place);
  return (
    <aside className="change-pane" tabIndex={-1} aria-label="What you can do">
      {stage.kind === 'planned' && <Confirm client={client} bulk={bulk} stage={stage} onLeave={onLeave} />}
      {stage.kind === 'running' && (
        <>
          <h3 className="h pane-title">Moving</h3>
          <div className="row sm" role="status">
            <Loader size={12} aria-hidden="true" />
            <span>under way</span>
            {flow.busy && <Elapsed since={flow.busy.since} />}
          </div>
          <Button className="wide" disabled={flow.stopping} onClick={() => void stopRows(bulk)}>
            {flow.stopping ? 'Stopping after this one' : 'Stop after this one'}
          </Button>
          <p className="sm t2">The one under way is read back. Nothing is sent of those after it.</p>
        </>
      )}
      {(stage.kind === 'waits' || stage.kind === 'ended') && (
        <After client={client} bulk={bulk} stage={stage} onLeave={onLeave} />
      )}
      {flow.failure && <Failure error={flow.failure} />}
      <Counts bulk={bulk} stage={stage} />
    </aside>
  );
}

const writesOf = (rows: number) =>
  priceOfCalls(
    Array.from({ length: rows }, () => ['RegisterLicense', 'UnregisterLicense', 'GetLicenseDetails']).flat(),
  );

/** The new machine's name is typed once for all of them. */
function Confirm({ client, bulk, stage, onLeave }: MovesPaneProps) {
  const place = movesPlace(bulk.connectionId);
  const { busy } = useBulkFlow(place);
  const { ticked } = useChoices(bulk.id);
  const [typed, setTyped] = useDraft(`licences/moves-confirm-${bulk.id}`);
  const unticked = findUnticked(bulk.rows, stage.chosen, ticked);
  const name = bulk.moveTo ?? '';
  const reason =
    stage.chosen.size === 0
      ? 'Tick a licence.'
      : unticked[0]
        ? `Needs the tick of ${unticked.map(nameOfRow).join(', ')}.`
        : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || reason !== null || !confirmsName(typed, name)) return;
    setTyped('');
    void runRows(client, bulk, [...stage.chosen], typed.trim());
  };
  return (
    <form className="col g12" onSubmit={submit}>
      <h3 className="h pane-title">Confirm</h3>
      <ConfirmName
        name={name}
        value={typed}
        onChange={setTyped}
        label="Type the new machine’s name"
        disabled={busy !== null}
      />
      <div className="col g8">
        <PriceButton
          type="submit"
          main
          className="wide"
          price={writesOf(stage.chosen.size)}
          disabled={busy !== null || reason !== null || !confirmsName(typed, name)}
        >
          Move {countOf(stage.chosen.size, 'licence')}
        </PriceButton>
        {reason !== null && <p className="xs t3">{reason}</p>}
        <Button className="wide" disabled={busy !== null} onClick={onLeave}>
          Leave it as it is
        </Button>
      </div>
      <p className="sm t2">
        At least half a minute passes between taking a licence off and putting it on, because its removal is read twice.
        The first that was sent and is not seen on {name} holds back those after it.
      </p>
    </form>
  );
}

/** After one that was not seen, and at the end. */
function After({ client, bulk, stage, onLeave }: MovesPaneProps) {
  const place = movesPlace(bulk.connectionId);
  const { busy } = useBulkFlow(place);
  const { ticked } = useChoices(bulk.id);
  const { copied, copy } = useCopy();
  const toRead = stage.open.find(({ state, closed }) => state !== 'not-seen' && !closed);
  const [next] = stage.waiting;
  const unticked = findUnticked(bulk.rows, stage.chosen, ticked);
  const read = useMutation({
    mutationFn: (row: BulkRow) => call('licences.resume', { changeId: row.changeId ?? '', action: 'check' }),
    onSuccess: ({ conclusion, verdict }) => announce(conclusion, verdict !== 'seen'),
    onError: (thrown) => bulkCalls.fail(place, 'run', thrown),
    onSettled: () => refreshLocal(client, ['licences']),
  });
  return (
    <>
      <h3 className="h pane-title">What you can do</h3>
      {/* Before the reading, which vanishes by itself after an automatic one: what writes would move up into its place. */}
      {next && (
        <Choice
          text={
            unticked[0]
              ? `Needs the tick of ${unticked.map(nameOfRow).join(', ')}.`
              : stage.open.length > 0
                ? `${stage.waiting.length === 1 ? 'It is a separate licence' : 'They are separate licences'}; nothing more is written for ${stage.open.map(nameOfRow).join(', ')}.`
                : 'The name was typed for them; each is read again before anything is written.'
          }
        >
          <PriceButton
            className="wide"
            price={writesOf(stage.waiting.length)}
            disabled={read.isPending || busy !== null || unticked.length > 0}
            onClick={() =>
              // These rows were confirmed by typing the name, together with those before them.
              void runRows(
                client,
                bulk,
                stage.waiting.map(({ row }) => row),
                '',
              )
            }
          >
            Go on with{' '}
            {stage.waiting.length === 1
              ? nameOfRow(next)
              : stage.waiting.length === stage.begun.length
                ? `all ${stage.waiting.length}`
                : `the ${stage.waiting.length} others`}
          </PriceButton>
        </Choice>
      )}
      {toRead && (
        <Choice text={`Reads only. ${nameOfRow(toRead)} is finished, or undone, from “What was seen”.`}>
          <PriceButton
            main
            className="wide"
            price={priceOfCalls(['GetLicenseDetails', 'GetLicenseDetails'])}
            disabled={read.isPending || busy !== null}
            onClick={() => read.mutate(toRead)}
          >
            {read.isPending ? 'Reading both' : 'Read both now'}
          </PriceButton>
        </Choice>
      )}
      <Choice
        text={
          next
            ? `Nothing is sent for ${stage.waiting.map(nameOfRow).join(', ')}${stage.isReadAgain ? '; what is on its way is read again' : ''}.`
            : 'Back to the search.'
        }
      >
        <Button className="wide" onClick={onLeave}>
          {next ? 'Stop here' : 'Close'}
        </Button>
      </Choice>
      <Button
        variant="subtle"
        color="gray"
        onClick={() =>
          copy(
            call('bulk.receipt', { bulkId: bulk.id }).then(({ text }) => text),
            'the receipt',
          )
        }
      >
        Copy the receipt
      </Button>
      <CopiedNote copied={copied} />
    </>
  );
}

function Choice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="col g6">
      {children}
      <p className="xs t3">{text}</p>
    </div>
  );
}

function Counts({ bulk, stage }: { bulk: Bulk; stage: MovesStage }) {
  const moves = stage.kind === 'planned' ? stage.chosen.size : stage.begun.length;
  return (
    <dl className="facts sm moves-counts">
      <div className="fact-pair">
        <dt className="t2">Writes planned</dt>
        <dd>{2 * moves}</dd>
      </div>
      <div className="fact-pair">
        <dt className="t2">Planned from</dt>
        <dd>{countOf(bulk.reads, 'read')}</dd>
      </div>
      <div className="fact-pair">
        <dt className="t2">Price of a write</dt>
        <dd>
          <PriceNote price={publishedPrice('RegisterLicense')} />
        </dd>
      </div>
    </dl>
  );
}
