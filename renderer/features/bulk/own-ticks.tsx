import { Checkbox } from '@mantine/core';
import type { BulkRow } from '../../../shared/domain/licences/licence-bulk.ts';
import { Notice } from '../../components/notice.tsx';
import { changeChoices, readChoices, useChoices } from './bulk-store.ts';

interface OwnTicksProps {
  rows: readonly BulkRow[];
  chosen: ReadonlySet<number>;
  bulkId: string;
  disabled: boolean;
  name: (row: BulkRow) => string;
}

/** Beside each warning that the service might not give a licence back, the tick without which its row is not run. */
export function OwnTicks({ rows, chosen, bulkId, disabled, name }: OwnTicksProps) {
  const { ticked } = useChoices(bulkId);
  const asked = rows.filter(({ row, tick, state }) => tick !== undefined && state === 'planned' && chosen.has(row));
  if (asked.length === 0) return null;
  const toggle = (row: number) => {
    const next = new Set(readChoices(bulkId).ticked);
    if (!next.delete(row)) next.add(row);
    changeChoices(bulkId, { ticked: next });
  };
  return (
    <div className="own-ticks">
      {asked.map((row) => (
        <Notice key={row.row} tone="warn">
          <span className="m">{name(row)}.</span> {row.tickReason ?? 'The service might not give this licence back.'}
          <Checkbox
            className="tick"
            size="xs"
            label={row.tick}
            checked={ticked.has(row.row)}
            disabled={disabled}
            onChange={() => toggle(row.row)}
          />
        </Notice>
      ))}
    </div>
  );
}
