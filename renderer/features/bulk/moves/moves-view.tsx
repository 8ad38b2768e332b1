import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Bulk, BulkRow } from '../../../../shared/domain/licences/licence-bulk.ts';
import type { MachineView } from '../../../../shared/domain/licences/licence-machines.ts';
import { Notice } from '../../../components/notice.tsx';
import { announce } from '../../../lib/window/announce.ts';
import { closeByEscape } from '../../../lib/window/close-by-escape.ts';
import { leaveRowOut } from '../bulk-run.ts';
import { changeChoices, movesPlace, useBulkFlow, useChoices } from '../bulk-store.ts';
import { OwnTicks } from '../own-ticks.tsx';
import { MoveList } from './move-list.tsx';
import { MovesBoxes } from './moves-boxes.tsx';
import { MovesPane } from './moves-pane.tsx';
import { describeStage, headlineOf, nameOfRow, stageOf } from './moves-stage.ts';

interface MovesViewProps {
  bulk: Bulk;
  machines: readonly MachineView[];
  onLeave: () => void;
}

/** A move of everything from plan to end, in one layout: machines, the moves one after another, and what can be done. */
export function MovesView({ bulk, machines, onLeave }: MovesViewProps) {
  const client = useQueryClient();
  const flow = useBulkFlow(movesPlace(bulk.connectionId));
  const { chosen } = useChoices(bulk.id);
  const stage = stageOf(bulk, chosen);
  const headline = headlineOf(stage, bulk);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => announce(headline), [headline]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each stage brings another pane, which takes the focus
  useEffect(() => {
    (
      box.current?.querySelector<HTMLElement>('aside input:enabled') ?? box.current?.querySelector<HTMLElement>('h2')
    )?.focus();
  }, [stage.kind]);
  const toggle = ({ row }: BulkRow) =>
    changeChoices(bulk.id, { chosen: new Map(chosen).set(row, !stage.chosen.has(row)) });
  const leaveOut = async (row: BulkRow, out: boolean) => {
    if (await leaveRowOut(client, bulk, row, out))
      announce(out ? `${nameOfRow(row)} left out` : `${nameOfRow(row)} waits again`);
  };
  const free = stage.kind !== 'running' && flow.busy === null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is listened for on behalf of whatever holds the focus in it
    <div className="change-body" ref={box} onKeyDown={closeByEscape(onLeave, () => stage.kind !== 'running')}>
      <div className="change-plan">
        <div>
          <h2 className="headline sel" tabIndex={-1}>
            {headline}
          </h2>
          <p className="t2 sel">{describeStage(stage)}</p>
        </div>
        <MovesBoxes bulk={bulk} stage={stage} machines={machines} />
        <MoveList
          bulk={bulk}
          stage={stage}
          machines={machines}
          onToggle={free ? toggle : null}
          onLeaveOut={flow.busy === null || stage.kind === 'running' ? leaveOut : null}
        />
        {free && stage.kind !== 'ended' && (
          <OwnTicks rows={bulk.rows} chosen={stage.chosen} bulkId={bulk.id} disabled={!free} name={nameOfRow} />
        )}
        {bulk.rows.every(({ state }) => state !== 'planned') && stage.kind === 'planned' && (
          <Notice tone="warn">None of these can be moved by this plan. The reasons are beside them.</Notice>
        )}
      </div>
      <MovesPane client={client} bulk={bulk} stage={stage} onLeave={onLeave} />
    </div>
  );
}
