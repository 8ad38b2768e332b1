import type { ReactNode } from 'react';
import { unpublishedCodeText } from '../../../../shared/catalogue/return-codes.ts';
import type { Batch, BatchRow } from '../../../../shared/domain/batch.ts';
import { Mono } from '../../../components/marks.tsx';
import { formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { formatRowCredits, sourceText } from '../messages.ts';
import { ProgressMark, ResultMark, RowText } from './row-cells.tsx';

export interface RowColumn {
  id: string;
  head: string;
  /** Pixels in a wide and in a narrow table; undefined takes what is left. */
  width?: readonly [number, number];
  numeric?: boolean;
  cell: (row: BatchRow, batch: Batch) => ReactNode;
  title?: (row: BatchRow) => string;
}

const givenColumn: RowColumn = {
  id: 'given',
  head: 'Given',
  cell: ({ given }) => (given === '' ? <span className="t3">empty line</span> : legible(given)),
  title: ({ given }) => given,
};
export const numberColumn: RowColumn = {
  id: 'row',
  head: 'Row',
  width: [62, 58],
  cell: ({ row }) => <span className="t3 tn">{formatNumber(row)}</span>,
};
const progressColumn: RowColumn = {
  id: 'progress',
  head: 'Progress',
  width: [102, 100],
  cell: ({ progress }, batch) => <ProgressMark progress={progress} batch={batch} />,
};
const tailColumns: readonly RowColumn[] = [
  {
    id: 'source',
    head: 'Source',
    width: [142, 136],
    cell: ({ source, progress, row }) => (
      <span className="t2">{progress === 'malformed' ? 'not asked' : sourceText(source, row)}</span>
    ),
  },
  {
    id: 'credits',
    head: 'Credits',
    width: [72, 68],
    numeric: true,
    cell: ({ credits, progress }) =>
      progress === 'waiting' ? null : progress === 'at-work' ? `up to ${credits.most}` : formatRowCredits(credits),
  },
];
export const answerColumns: readonly RowColumn[] = [
  numberColumn,
  givenColumn,
  progressColumn,
  { id: 'result', head: 'Result', width: [136, 128], cell: (row) => <ResultMark row={row} /> },
  {
    id: 'text',
    head: 'What the service knows',
    width: [262, 192],
    cell: (row) => <RowText row={row} />,
    title: ({ text, notUsed, returnCode }) =>
      [
        text,
        ...(notUsed.length === 0 ? [] : [`Not used: ${notUsed.join(' ')}`]),
        ...(returnCode === undefined ? [] : [unpublishedCodeText(returnCode)]),
      ].join('\n'),
  },
  ...tailColumns,
];
/** With the reason and its code in place of result and answer: for rows without a result. */
export const reasonColumns: readonly RowColumn[] = [
  numberColumn,
  givenColumn,
  progressColumn,
  { id: 'reason', head: 'Reason', width: [200, 170], cell: ({ text }) => legible(text), title: ({ text }) => text },
  {
    id: 'code',
    head: 'Code',
    width: [162, 146],
    cell: ({ reason }) => (
      <span className="t2">
        <Mono>{reason}</Mono>
      </span>
    ),
  },
  ...tailColumns,
];
