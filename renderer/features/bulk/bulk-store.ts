import type { Bulk, BulkMapping } from '../../../shared/domain/licences/licence-bulk.ts';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import { createCallStore } from '../../lib/session/call-store.ts';
import { createKeyedStore } from '../../lib/session/keyed-store.ts';

/** A table that was opened or pasted, before it is planned. */
export interface Draft {
  source: string;
  rows: string[][];
  /** Whether the first row names the columns. */
  headed: boolean;
  mapping: BulkMapping;
  kind: ChangeKind;
}

interface BulkForm {
  draft: Draft | null;
  /** Whether the form to paste into is open. */
  pasting: boolean;
  /** Whether the run was asked to stop after its rows. */
  stopping: boolean;
  /** Rows that are left out, and rows included though advised against, by row number. */
  toggled: ReadonlySet<number>;
  /** Rows with a tick of their own, needed because the service may not give the licence back. */
  ticked: ReadonlySet<number>;
  /** Id of a plan that has just been made: its rows take the focus. */
  fresh: string | null;
}

/** Where a bulk change is stored: that of a table under its connection, a move of everything to one machine beside it. */
export const placeOf = ({ connectionId, moveTo }: Pick<Bulk, 'connectionId' | 'moveTo'>): string =>
  moveTo === undefined ? connectionId : movesPlace(connectionId);
export const movesPlace = (connectionId: string): string => `${connectionId}/moves`;

const forms = createKeyedStore<BulkForm>({
  draft: null,
  pasting: false,
  stopping: false,
  toggled: new Set(),
  ticked: new Set(),
  fresh: null,
});
export const readBulk = forms.read;
export const changeBulk = forms.change;

/**
 * Planning and running, one at a time for each connection. `file`: opening, reading and saving tables, which ask nothing of the service;
 * only their failures are recorded here.
 */
export const bulkCalls = createCallStore<'plan' | 'run' | 'stop' | 'file', Bulk>();

/** The state of a connection's bulk change: what is filled in, the call under way, and the last failure. */
export function useBulkFlow(connectionId: string) {
  const { running, failure } = bulkCalls.use(connectionId);
  return { ...forms.use(connectionId), busy: running, failure: failure?.error ?? null };
}

export type BulkFlow = ReturnType<typeof useBulkFlow>;
