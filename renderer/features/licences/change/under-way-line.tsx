import { Loader } from '@mantine/core';
import { Elapsed } from '../../../components/elapsed.tsx';
import { StopWaiting } from '../../../components/waiting.tsx';
import { type At, type Doing, type Flow, stopWaiting } from '../flow.ts';

const words: Partial<Record<Doing, string>> = {
  check: 'Reading the machines',
  undo: 'Planning the undo',
  plan: 'Planning',
  dismiss: 'Writing it down',
};

/** A read for a change that is under way, with the way to stop waiting. */
export function UnderWayLine({ at, flow }: { at: At; flow: Flow }) {
  const doing = flow.busy ? words[flow.busy.doing] : undefined;
  if (!flow.busy || doing === undefined) return null;
  return (
    <div className="row wrap sm" role="status">
      <Loader size={12} aria-hidden="true" />
      <span>{doing}</span>
      <Elapsed since={flow.busy.since} />
      <StopWaiting onStop={() => stopWaiting(at.connectionId)} />
    </div>
  );
}
