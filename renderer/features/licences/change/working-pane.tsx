import { Button } from '@mantine/core';
import type { LicenceChange } from '../../../../shared/domain/licence-change.ts';
import { Notice } from '../../../components/notice.tsx';
import { Elapsed } from '../../../components/state.tsx';
import type { Flow } from '../flow.ts';
import { type At, stopAfterStep } from '../flow.ts';

/** A change under way: what is at work, that the intent is kept, and the way to stop between two steps. */
export function WorkingPane({ at, flow, change }: { at: At; flow: Flow; change: LicenceChange }) {
  const stopping = flow.stopping === change.id;
  const step = change.steps.find(({ state }) => state === 'running');
  return (
    <>
      <div className="row between">
        <h3 className="h pane-title">Working</h3>
        <span className="sm">
          <Elapsed since={step?.startedAt ?? flow.busy?.since ?? change.plannedAt} />
        </span>
      </div>
      <p className="sm t2">{describe(change, step !== undefined)} Each call is sent once.</p>
      {change.journal && (
        <Notice>
          Journal entry {change.journal.first} holds the intent. If the console closes now, it begins here again.
        </Notice>
      )}
      <Button className="wide" disabled={stopping} onClick={() => void stopAfterStep(at.connectionId, change)}>
        {stopping ? 'Stopping after this step' : 'Stop after this step'}
      </Button>
      <p className="xs t3">Stopping after a write always reads back first.</p>
    </>
  );
}

function describe(change: LicenceChange, stepping: boolean): string {
  if (!stepping && change.state === 'planned') return 'The plan is held against what the service says now.';
  if (change.kind === 'register') return `${change.machine} is being asked to take the licence, and is then read.`;
  if (change.kind === 'unregister')
    return `${change.machine} is being asked to let go of the licence, and is then read.`;
  const letGo = change.steps.some((step) => step.number === 3 && step.state === 'done');
  if (change.steps.some((step) => step.number === 4 && step.state === 'done')) {
    return 'The new machine was asked to take the licence, and is being read.';
  }
  return letGo
    ? 'The old machine let go of the licence; the new one is being asked to take it.'
    : 'The old machine is being asked to let go of the licence.';
}
