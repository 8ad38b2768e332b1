import type { BulkRow, BulkRowState } from '../../../shared/domain/licence-bulk.ts';
import { countOf } from '../../lib/text/format.ts';
import { stateWords } from './bulk-columns.tsx';

const barClass: Readonly<Record<BulkRowState, string>> = {
  seen: 'done',
  'on-its-way': 'unknown',
  'half-done': 'unknown',
  'not-seen': 'not-done',
  confirmed: 'done',
  contradicted: 'not-done',
  unknown: 'unknown',
  sent: 'sent',
  planned: 'waiting',
  failed: 'failed',
  skipped: 'left',
};
const barOrder: readonly BulkRowState[] = [
  'seen',
  'confirmed',
  'not-seen',
  'contradicted',
  'half-done',
  'failed',
  'on-its-way',
  'unknown',
  'sent',
  'planned',
  'skipped',
];

/** How many rows are in which state, as a bar and in words. */
export function RowStates({ rows }: { rows: readonly BulkRow[] }) {
  const counts = barOrder
    .map((state) => ({ state, count: rows.filter((row) => row.state === state).length }))
    .filter(({ count }) => count > 0);
  return (
    <section className="bulk-bar" aria-label="States of the rows">
      <span className="h nowrap">{countOf(rows.length, 'row')}</span>
      <span className="states" aria-hidden="true">
        {counts.map(({ state, count }) => (
          <i key={state} className={barClass[state]} style={{ flex: count }} />
        ))}
      </span>
      <span className="row wrap g12 sm">
        {counts.map(({ state, count }) => (
          <span key={state} className={`word ${barClass[state]}`}>
            {count} {stateWords[state]}
          </span>
        ))}
      </span>
    </section>
  );
}
