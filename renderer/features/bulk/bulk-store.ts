import { useCallback, useSyncExternalStore } from 'react';
import type { BulkMapping } from '../../../shared/domain/licence-bulk.ts';
import type { ChangeKind } from '../../../shared/domain/licence-change.ts';
import type { AppError } from '../../../shared/errors.ts';

/** A table that was opened or pasted, before it is planned. */
export interface Draft {
  source: string;
  rows: string[][];
  /** Whether the first row names the columns. */
  headed: boolean;
  mapping: BulkMapping;
  kind: ChangeKind;
}

export interface BulkFlow {
  draft: Draft | null;
  /** What is pasted, kept while the form is closed. */
  pasting: boolean;
  busy: { doing: 'plan' | 'run'; requestId: string; since: string } | null;
  stopping: boolean;
  failure: AppError | null;
  /** Rows that are left out, and rows taken in though advised against, by row number. */
  toggled: ReadonlySet<number>;
  /** The plan that has just come: its rows take the focus. */
  fresh: string | null;
}

const idle: BulkFlow = {
  draft: null,
  pasting: false,
  busy: null,
  stopping: false,
  failure: null,
  toggled: new Set(),
  fresh: null,
};
const flows = new Map<string, BulkFlow>();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** How it stands now, for what runs outside a component. */
export const readBulk = (connectionId: string): BulkFlow => flows.get(connectionId) ?? idle;

export function changeBulk(connectionId: string, patch: Partial<BulkFlow>): void {
  flows.set(connectionId, { ...readBulk(connectionId), ...patch });
  for (const listener of listeners) listener();
}

export const useBulkFlow = (connectionId: string): BulkFlow =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => readBulk(connectionId), [connectionId]),
  );
