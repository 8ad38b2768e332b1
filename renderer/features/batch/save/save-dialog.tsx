import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelInput } from '../../../../shared/contract.ts';
import { type Batch, type BatchWant, neededColumns, type ResultColumn } from '../../../../shared/domain/batch.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Mono } from '../../../components/marks.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { SavedNote } from '../../../components/saved-note.tsx';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatBytes, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { announce } from '../../../lib/window/announce.ts';
import { saveInParts } from '../../../lib/window/save-in-parts.ts';
import { resultColumnNames } from '../messages.ts';
import { type RowFilter, resultSampleQuery } from '../queries.ts';

type SaveInput = ChannelInput<'batch.save'>;

const formats: readonly { value: SaveInput['format']; label: string }[] = [
  { value: 'as-it-came', label: 'As it came' },
  { value: 'csv', label: 'CSV with commas' },
  { value: 'xlsx', label: 'Excel' },
];
const encodings: readonly { value: SaveInput['encoding']; label: string }[] = [
  { value: 'utf-8-bom', label: 'UTF-8 with byte order mark' },
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'as-it-came', label: 'As it came' },
];

/** Columns that stay empty unless this was asked for. */
const columnsOf: Readonly<Partial<Record<BatchWant, readonly ResultColumn[]>>> = {
  coordinates: ['ac_latitude', 'ac_longitude'],
  uprn: ['ac_uprn'],
  udprn: ['ac_udprn'],
  area: ['ac_grid_reference', 'ac_area'],
  distance: ['ac_distance_m'],
  'all-premises': ['ac_premises'],
};
const notWanted = (wants: readonly BatchWant[]): ResultColumn[] =>
  Object.entries(columnsOf).flatMap(([want, columns]) => (wants.includes(want as BatchWant) ? [] : columns));

interface SaveDialogProps {
  batch: Batch;
  /** The filter of the rows shown when the dialog was opened. */
  filter: RowFilter;
  /** In words; empty: all rows. */
  filterName: string;
  /** The row whose values are shown beside the columns. */
  row: number | null;
  onClose: () => void;
}

/** The result as a file: the columns that were given, and after them those of the answers. */
export function SaveDialog({ batch, filter, filterName, row, onClose }: SaveDialogProps) {
  const sample = useQuery(resultSampleQuery(batch.id, row));
  const [shown, setShown] = useState(filterName !== '' && batch.state === 'planned');
  const [format, setFormat] = useState<SaveInput['format']>('as-it-came');
  const [encoding, setEncoding] = useState<SaveInput['encoding']>('utf-8-bom');
  const [left, setLeft] = useState<readonly ResultColumn[]>(() => notWanted(batch.wants));
  const [acknowledgement, setAcknowledgement] = useState('');
  const [part, setPart] = useState<{ percent: number; stop: () => void } | null>(null);
  // A workbook has its own encoding.
  const savesWorkbook = format === 'xlsx' || (format === 'as-it-came' && sample.data?.cameAsWorkbook === true);
  const columns = (sample.data?.columns ?? []).filter(({ column }) => column !== 'ac_acknowledgement');
  const save = useMutation({
    mutationFn: () => {
      const chosen = columns
        .map(({ column }) => column)
        .filter((column) => neededColumns.includes(column) || !left.includes(column));
      const input: SaveInput = {
        batchId: batch.id,
        filter: shown ? filter : {},
        format,
        encoding,
        columns: [...chosen, ...(acknowledgement.trim() === '' ? [] : (['ac_acknowledgement'] as const))],
        acknowledgement: acknowledgement.trim(),
      };
      return saveInParts('batch.save', input, batch.name, (percent, stop) => setPart({ percent, stop }));
    },
    meta: { subject: `Saving the result of ${batch.name}` },
    onSettled: () => setPart(null),
    onSuccess: ({ saved, rows, fileName }) =>
      announce(saved ? `${countOf(rows, 'row')} saved as ${fileName}` : 'No file was chosen, so nothing was saved.'),
  });
  const toggle = (column: ResultColumn) =>
    setLeft(left.includes(column) ? left.filter((one) => one !== column) : [...left, column]);
  return (
    <Dialog title="Save result" size={660} className="batch-save" onClose={onClose}>
      <div className="batch-save-as">
        <span className="t2" aria-hidden="true">
          Rows
        </span>
        <Select
          aria-label="Rows"
          data-autofocus
          data={[
            { value: 'all', label: `All ${formatNumber(batch.plan.rows.total)}, in the order of the table` },
            ...(filterName === '' ? [] : [{ value: 'shown', label: `Those shown: ${filterName}` }]),
          ]}
          value={shown ? 'shown' : 'all'}
          onChange={(value) => setShown(value === 'shown')}
        />
        <span className="t2" aria-hidden="true">
          As
        </span>
        <span className="row">
          <Select
            className="grow"
            aria-label="Format"
            data={[...formats]}
            value={format}
            onChange={(value) => value && setFormat(value as SaveInput['format'])}
          />
          <Select
            w={220}
            aria-label="Encoding"
            data={[...encodings]}
            value={encoding}
            disabled={savesWorkbook}
            onChange={(value) => value && setEncoding(value as SaveInput['encoding'])}
          />
        </span>
        <span className="t2" aria-hidden="true">
          Acknowledgement
        </span>
        <TextInput
          aria-label="Acknowledgement"
          placeholder="a line that your provider asks for, or none"
          value={acknowledgement}
          onChange={(event) => setAcknowledgement(event.currentTarget.value.slice(0, 500))}
        />
      </div>
      <section>
        <div className="row between wrap">
          <h3 className="h">Your columns as they were read, and after them</h3>
          {sample.data && (
            <span className="sm t2">as in row {formatNumber(sample.data.row)}; formulas are made safe</span>
          )}
        </div>
        <ReadFailure of={sample} />
        <ul className="plain batch-save-columns" aria-busy={sample.isPending}>
          {columns.map(({ column, value }) => (
            <li key={column} className="row" title={resultColumnNames[column]}>
              <Checkbox
                className="batch-check"
                aria-label={`${column}, ${resultColumnNames[column]}`}
                checked={neededColumns.includes(column) || !left.includes(column)}
                disabled={neededColumns.includes(column)}
                onChange={() => toggle(column)}
              />
              <Mono>{column}</Mono>
              <span className="grow" />
              <span className="sm t2 trunc">{legible(value)}</span>
            </li>
          ))}
        </ul>
      </section>
      <p className="notice">
        The file carries the batch’s number. Open it here again, even on another computer: rows with an answer are not
        asked again.
      </p>
      {save.error && <Failure error={errorOf(save.error)} />}
      {save.data && (
        <SavedNote saved={save.data.saved}>
          {`${countOf(save.data.rows, 'row')} saved as ${save.data.fileName}.`}
        </SavedNote>
      )}
      <div className="row">
        {part ? (
          <label className="sm t2 grow row g8">
            Saving, {part.percent} %
            <progress max={100} value={part.percent} />
          </label>
        ) : (
          <span className="sm t2 grow trunc">{sample.data && `about ${formatBytes(sample.data.bytes)}`}</span>
        )}
        {part ? (
          <Button onClick={part.stop}>Stop</Button>
        ) : (
          <Button onClick={onClose}>{save.data?.saved ? 'Close' : 'Cancel'}</Button>
        )}
        <Button
          variant="filled"
          leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
          loading={save.isPending}
          disabled={!sample.data}
          onClick={() => save.mutate()}
        >
          Save…
        </Button>
      </div>
    </Dialog>
  );
}
