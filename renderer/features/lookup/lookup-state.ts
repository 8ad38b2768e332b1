import type { Protocol } from '../../../shared/domain/connection.ts';
import type { SearchOf } from '../../../shared/domain/lookup/lookup.ts';
import { createKeyedStore } from '../../lib/session/keyed-store.ts';

export interface Question {
  text: string;
  maxResults: number | null;
  interface: Protocol;
  of: SearchOf;
}

/** What the screen shows, by connection: kept when the screen is left, when it is drawn anew, and when the connection is switched. */
export interface LookupState {
  /** The search whose answer is shown; null: none yet. */
  question: Question | null;
  /** The previous search, to go back to from one that found nothing. */
  previous: Question | null;
  filter: string;
  /** The row the keys are on. */
  activeId: string | null;
  /** The premise shown beside the list, with its line as the list or the saved ones wrote it. */
  premise: { id: string; line: string } | null;
  /** Under 900 px one pane is shown at a time: the list (first) or the premise (second). */
  pane: 'first' | 'second';
}

const states = createKeyedStore<LookupState>(
  {
    question: null,
    previous: null,
    filter: '',
    activeId: null,
    premise: null,
    pane: 'first',
  },
  { sessionKey: 'lookup/state' },
);

/** The state as it is now, for what happens once a call has ended. */
export const readLookupState = (connectionId: string): LookupState => states.read(connectionId);

export const changeLookupState = (connectionId: string, patch: Partial<LookupState>): void =>
  states.change(connectionId, patch);

/** The screen's state for a connection, and the way to change it. */
export function useLookupState(connectionId: string): [LookupState, (patch: Partial<LookupState>) => void] {
  const state = states.use(connectionId);
  return [state, (patch) => changeLookupState(connectionId, patch)];
}
