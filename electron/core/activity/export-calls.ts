import { type CallRecord, publishedPriceOf } from '../../../shared/domain/activity.ts';
import type { RowFilter } from '../../../shared/domain/row-filter.ts';
import { type CsvColumn, csvHead, csvRow } from '../../../shared/domain/text/csv.ts';
import type { SubjectsOf } from '../storage/call-words.ts';
import type { openCallSearch } from '../storage/search/call-search.ts';
import { maskGuids } from '../transport/redact/service-text.ts';

const columns: readonly (CsvColumn & { of: (call: CallRecord) => string | number | null })[] = [
  { head: 'at', of: ({ at }) => at },
  { head: 'operation', of: ({ operation }) => operation },
  { head: 'interface', of: (call) => call.interface },
  { head: 'subject', kind: 'identifier', of: ({ subject }) => maskGuids(subject) },
  { head: 'connection', of: ({ connectionName }) => connectionName },
  { head: 'paidBy', kind: 'identifier', of: ({ paidBy }) => maskGuids(paidBy) },
  { head: 'person', kind: 'identifier', of: ({ person }) => person },
  { head: 'source', of: ({ source }) => source },
  { head: 'outcome', of: ({ outcome }) => outcome },
  { head: 'errorCode', of: ({ errorCode }) => errorCode },
  { head: 'publishedPrice', kind: 'number', of: (call) => publishedPriceOf(call) ?? null },
  { head: 'durationMs', kind: 'number', of: ({ durationMs }) => durationMs },
  { head: 'callId', of: ({ id }) => id },
];

const pageSize = 1000;

/**
 * The calls a filter lets through, as pieces of a CSV file: the head, then newest first, one page per piece. Aborted, it may end early: the
 * pieces are then no complete file. Throws where SQLite does.
 */
export async function* exportCalls(
  search: ReturnType<typeof openCallSearch>,
  filter: RowFilter,
  subjectsOf: SubjectsOf,
  signal?: AbortSignal,
): AsyncGenerator<{ text: string; rows: number }> {
  yield { text: csvHead(columns), rows: 0 };
  for (let before: string | null = null; ; ) {
    const page = await search.list(filter, { before, limit: pageSize, fold: false }, subjectsOf, signal);
    const text = page.calls
      .map((call) =>
        csvRow(
          columns.map(({ of }) => of(call)),
          columns,
        ),
      )
      .join('');
    yield { text, rows: page.calls.length };
    if (page.next === null) return;
    before = page.next;
  }
}
