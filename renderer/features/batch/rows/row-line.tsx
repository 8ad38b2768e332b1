import { Checkbox } from '@mantine/core';
import type { Batch, BatchRow } from '../../../../shared/domain/batch.ts';
import { ClaimSentences } from '../../../components/money/money-claims.tsx';
import type { RowColumn } from './row-columns.tsx';

/** Ticks before the rows: which are set, which can be. */
export interface RowTicks {
  ticked: (row: BatchRow) => boolean;
  /** null: the tick can be changed; else why not, in words. */
  fixed: (row: BatchRow) => string | null;
  toggle: (row: BatchRow) => void;
}

interface RowLineProps {
  id: string;
  batch: Batch;
  row: BatchRow;
  index: number;
  columns: readonly RowColumn[];
  ticks: RowTicks | undefined;
  active: boolean;
  /** Pixels; null: it has none. */
  detailHeight: number | null;
  onPress: () => void;
  onWhatWasSent: ((callId: string) => void) | undefined;
}

/** One row, and under it the claims if its outcome is unknown. */
export function RowLine({
  id,
  batch,
  row,
  index,
  columns,
  ticks,
  active,
  detailHeight,
  onPress,
  onWhatWasSent,
}: RowLineProps) {
  const { callId } = row;
  const fixed = ticks?.fixed(row) ?? null;
  const tone = row.progress === 'unknown' ? 'warn-row' : '';
  return (
    <>
      <tr
        id={id}
        aria-rowindex={index + 2}
        aria-selected={active}
        data-active={active}
        className={`can-select ${tone} ${detailHeight === null ? '' : 'open'}`}
        onClick={(event) => {
          if ((event.target as HTMLElement).closest('button, input, label') === null) onPress();
        }}
      >
        {ticks && (
          <td>
            <Checkbox
              className="batch-check"
              aria-label={fixed === null ? `Run row ${row.row} again` : `Row ${row.row}: ${fixed}`}
              title={fixed ?? undefined}
              checked={ticks.ticked(row)}
              disabled={fixed !== null}
              onChange={() => ticks.toggle(row)}
              tabIndex={-1}
            />
          </td>
        )}
        {columns.map((column) => (
          <td key={column.id} className={column.numeric ? 'num' : undefined} title={column.title?.(row)}>
            {column.cell(row, batch)}
          </td>
        ))}
      </tr>
      {detailHeight !== null && (
        <tr className="detail warn-row" style={{ height: detailHeight }}>
          <td colSpan={ticks ? 2 : 1} />
          <td colSpan={columns.length - 1}>
            <ClaimSentences claims={row.claims} />
            <p>It is not asked again automatically.</p>
            {callId !== null && onWhatWasSent && (
              <button type="button" className="link" onClick={() => onWhatWasSent(callId)}>
                What was sent
              </button>
            )}
          </td>
        </tr>
      )}
    </>
  );
}
