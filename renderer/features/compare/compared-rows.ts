import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { ComparedRow, ComparedSide } from '../../../shared/domain/lookup/compare-answers.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { writeTabbed } from '../../../shared/domain/text/csv.ts';
import type { TextColumn } from '../../components/table/table-text.ts';

export type RowFilter = 'all' | 'differs' | 'one-side' | 'same';

const filters: Record<RowFilter, (row: ComparedRow) => boolean> = {
  all: ({ verdict }) => verdict !== 'neither',
  differs: ({ verdict }) => verdict === 'differs',
  'one-side': ({ verdict }) => verdict === 'left' || verdict === 'right',
  same: ({ verdict }) => verdict === 'same' || verdict === 'form',
};

export const filterRows = (rows: readonly ComparedRow[], filter: RowFilter): ComparedRow[] =>
  rows.filter(filters[filter]);

export const countRows = (rows: readonly ComparedRow[]): Record<RowFilter, number> => ({
  all: filterRows(rows, 'all').length,
  differs: filterRows(rows, 'differs').length,
  'one-side': filterRows(rows, 'one-side').length,
  same: filterRows(rows, 'same').length,
});

/** The text of a cell that has no value. */
export function missingText(row: ComparedRow, side: ComparedSide, answer: Provenance): string {
  if (side.state === 'empty') return 'empty';
  if (side.state === 'not-kept') return 'not among its first values';
  // GetPremise returns the UPRN only if it was asked and paid for, which its price shows.
  const isPlain =
    answer.operation === 'GetPremise' && answer.expectedCredits === publishedCredits(priceOf('GetPremise'));
  return row.name === 'uprn' && isPlain ? 'not asked for' : 'not in this answer';
}

/** The columns as they are saved and printed. */
export const comparedColumns = (left: string, right: string): readonly TextColumn<ComparedRow>[] => [
  { id: 'group', head: 'Part', value: ({ group }) => group },
  { id: 'field', head: 'Field', value: ({ label }) => label },
  { id: 'left', head: left, value: (row) => row.left.value },
  { id: 'right', head: right, value: (row) => row.right.value },
  { id: 'verdict', head: 'Verdict', value: ({ explanation }) => explanation },
];

/** What differs, for a spreadsheet's clipboard. */
export function differencesText(rows: readonly ComparedRow[], left: string, right: string): string {
  function* lines(): Generator<string[]> {
    yield ['Field', left, right, 'Verdict'];
    for (const { verdict, label, left: one, right: other, explanation } of rows)
      if (['differs', 'left', 'right'].includes(verdict)) yield [label, one.value, other.value, explanation];
  }
  return writeTabbed(lines());
}
