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
  fresh: null,
});
export const readBulk = forms.read;
export const changeBulk = forms.change;

/** What a person chose of one plan: its numbers are those of other rows in the next plan, which may come from another window. */
interface PlanChoices {
  /** By row number whether it is to be run, for the rows of which a person decided that. */
  chosen: ReadonlyMap<number, boolean>;
  /** Rows with a tick of their own, needed because the service may not give the licence back. */
  ticked: ReadonlySet<number>;
}

/** By the plan's id. */
const choices = createKeyedStore<PlanChoices>({ chosen: new Map(), ticked: new Set() });
export const readChoices = choices.read;
export const useChoices = choices.use;
export const changeChoices = choices.change;

/**
 * The waiting rows that are to be run: those that a person chose here; of the others those of the last run, or before the first run those
 * that nothing speaks against.
 */
export function chosenRows({ rows, confirmed }: Bulk, chosen: PlanChoices['chosen']): Set<number> {
  const before = confirmed && new Set(confirmed);
  return new Set(
    rows
      .filter(({ row, state, advised }) => state === 'planned' && (chosen.get(row) ?? before?.has(row) ?? advised))
      .map(({ row }) => row),
  );
}

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
