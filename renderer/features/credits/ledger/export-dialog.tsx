import { Button, SegmentedControl, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RowFilter } from '../../../../shared/domain/row-filter.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { SavedNote } from '../../../components/saved-note.tsx';
import { call, cancelCall, newRequestId } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatBytes, formatDate } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import type { Range } from '../queries.ts';

/** Writes a range into a file, which is chosen in the system's dialog. */
export function ExportDialog({
  connectionId,
  range,
  keys,
  ofKey,
  filter,
  entries,
  onClose,
}: {
  connectionId: string;
  range: Range;
  /** Labels of what can pay. */
  keys: readonly string[];
  /** The chosen key; null: all. */
  ofKey: string | null;
  /** Only the entries that match; null: the whole range. */
  filter: RowFilter | null;
  /** How many entries that is; null: not known. */
  entries: number | null;
  onClose: () => void;
}) {
  const [paidBy, setPaidBy] = useState(ofKey);
  const [what, setWhat] = useState<'ledger' | 'readings'>('ledger');
  const [format, setFormat] = useState<'csv' | 'json'>('csv');
  const [running, setRunning] = useState<{ requestId: string; since: string } | null>(null);
  const save = useMutation({
    mutationFn: () => {
      const requestId = newRequestId();
      setRunning({ requestId, since: new Date().toISOString() });
      return call(
        'credits.export',
        {
          connectionId,
          from: range.from,
          to: range.to,
          what,
          format,
          paidBy: what === 'ledger' ? paidBy : null,
          filter: what === 'ledger' ? filter : null,
        },
        { requestId },
      );
    },
    meta: { subject: 'Exporting from Credits', connectionId },
    onSuccess: ({ saved, rows, fileName }) =>
      announce(saved ? `${countOf(rows, 'row')} written to ${fileName}` : 'Nothing was saved.'),
    onSettled: () => setRunning(null),
  });
  const { data } = save;
  return (
    <Dialog title="Export" size={460} onClose={onClose}>
      <p className="sm t2">
        {formatDate(range.from)} to {formatDate(range.to)}
        {entries !== null && what === 'ledger' && `, the ${countOf(entries, 'entry', 'entries')} that match the filter`}
        . Formulas in cells are kept as text.
      </p>
      <SegmentedControl
        aria-label="What to export"
        value={what}
        onChange={(value) => setWhat(value as typeof what)}
        data={[
          { value: 'ledger', label: 'Ledger' },
          { value: 'readings', label: 'Balance readings' },
        ]}
      />
      {what === 'ledger' && keys.length > 0 && filter === null && (
        <Select
          label="Paid by"
          value={paidBy ?? ''}
          onChange={(value) => setPaidBy(value === '' ? null : value)}
          data={[{ value: '', label: 'Every key and licence' }, ...keys.map((one) => ({ value: one, label: one }))]}
        />
      )}
      <SegmentedControl
        aria-label="Format"
        value={format}
        onChange={(value) => setFormat(value as typeof format)}
        data={[
          { value: 'csv', label: 'CSV' },
          { value: 'json', label: 'JSON' },
        ]}
      />
      {save.error && <Failure error={errorOf(save.error)} />}
      {data && (
        <SavedNote saved={data.saved}>
          {`${countOf(data.rows, 'row')} written to ${data.fileName}, ${formatBytes(data.bytes)}.`}
        </SavedNote>
      )}
      <div className="row wrap">
        <Button variant="filled" data-autofocus loading={running !== null} onClick={() => save.mutate()}>
          Choose a file
        </Button>
        {running ? (
          <span className="row g6 sm">
            <Elapsed since={running.since} />
            <button type="button" className="link" onClick={() => cancelCall(running.requestId)}>
              Stop
            </button>
          </span>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )}
      </div>
    </Dialog>
  );
}
