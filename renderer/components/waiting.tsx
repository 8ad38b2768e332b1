import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { cancelCall } from '../lib/calls/bridge.ts';
import { Elapsed } from './elapsed.tsx';

interface WaitingProps {
  /** The call that is waited for, and since when (ISO 8601). */
  call: { requestId: string; since: string };
  /** What stopping means for money. */
  children?: ReactNode;
}

/** A call under way beside the button that began it: the seconds, and the way to stop waiting. */
export const Waiting = ({ call, children }: WaitingProps) => (
  <span className="row g6 sm" aria-busy="true">
    <Loader size={12} aria-hidden="true" />
    <Elapsed since={call.since} />
    <StopWaiting onStop={() => cancelCall(call.requestId)} />
    {children}
  </span>
);

export const StopWaiting = ({ onStop }: { onStop: () => void }) => (
  <button type="button" className="link" onClick={onStop}>
    Stop waiting
  </button>
);
