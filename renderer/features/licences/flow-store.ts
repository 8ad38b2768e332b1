import { useCallback, useSyncExternalStore } from 'react';
import type { LicenceChange } from '../../../shared/domain/licence-change.ts';
import type { AppError } from '../../../shared/errors.ts';

export type Doing = 'read' | 'ask' | 'plan' | 'run' | 'check' | 'finish' | 'undo' | 'dismiss';

/** A licence call under way; `since` is ISO time. */
export interface Busy {
  doing: Doing;
  /** The machine or licence it is about. */
  subject: string;
  requestId: string;
  since: string;
}

export interface FlowFailure {
  doing: Doing;
  subject: string;
  error: AppError;
}

/** What the licences screen of one connection is at. One call at a time: nothing is ever sent beside a change. */
export interface Flow {
  /** The change shown, or left in the background while the list is shown. */
  change: LicenceChange | null;
  view: 'list' | 'change';
  busy: Busy | null;
  failure: FlowFailure | null;
  /** Id of the change that was asked to stop after its step. */
  stopping: string | null;
}

const idle: Flow = { change: null, view: 'list', busy: null, failure: null, stopping: null };

// Outside of the parts: a change goes on, and its answer is kept, while another screen or another connection is shown.
const flows = new Map<string, Flow>();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const readFlow = (connectionId: string): Flow => flows.get(connectionId) ?? idle;

export function changeFlow(connectionId: string, patch: Partial<Flow>): void {
  flows.set(connectionId, { ...readFlow(connectionId), ...patch });
  for (const listener of listeners) listener();
}

/** Puts the newer state of a change in the place of the older, wherever it is shown. */
export function putChange(change: LicenceChange): void {
  for (const [connectionId, flow] of flows) {
    if (flow.change?.id === change.id) changeFlow(connectionId, { change });
  }
}

/** The flow of a connection, drawn again when it changes. */
export const useFlow = (connectionId: string): Flow =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => readFlow(connectionId), [connectionId]),
  );
