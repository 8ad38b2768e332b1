import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { describeReturnCode, doubtText } from '../../../../shared/catalogue/return-codes.ts';
import type { OperationAnswer } from '../../../../shared/contract/operations.ts';
import type { ChannelOutput } from '../../../../shared/contract.ts';
import { drawable } from '../../../../shared/domain/text/visible-text.ts';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { State } from '../../../components/state.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { readNearEnd } from '../../../components/table/read-near-end.ts';
import { fileNameOf } from '../../../components/table/save-table.ts';
import type { TableColumn } from '../../../components/table/table-columns.ts';
import { type TableLook, useTableLook } from '../../../components/table/table-look.ts';
import { headText } from '../../../components/table/table-text.ts';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { saveInParts } from '../../../lib/window/save-in-parts.ts';
import { type RowView, rowsQuery } from '../queries.ts';

interface Row {
  /** Its number in the order in which the rows came. */
  n: number;
  cells: readonly (string | null)[];
}

/** With fewer rows there is no filter. */
const fewRows = 20;
const pauseMs = 150;

/**
 * An answer's records as rows, the tables of a data set one by one. Long ones are sorted and filtered where they are, and read while
 * scrolling.
 */
export function AnswerTable({ answer }: { answer: OperationAnswer }) {
  const [chosen, setChosen] = useState(0);
  const [filter, setFilter] = useState('');
  const [rested] = useDebouncedValue(filter, pauseMs);
  const table = answer.tables[chosen] ?? answer.tables[0];
  const index = table ? answer.tables.indexOf(table) : 0;
  const widthsKey = `operations/${answer.provenance.operation}/${table?.name ?? ''}`;
  const [look] = useTableLook(widthsKey);
  const list = useInfiniteQuery({
    ...rowsQuery(answer.answerId, index, viewOf(look, table?.columns ?? [], rested)),
    enabled: table !== undefined,
    // Only rows of the same table: another table has other columns.
    placeholderData: (before, query) =>
      query?.queryKey[2] === answer.answerId && query.queryKey[3] === index ? before : undefined,
  });
  const rows = useMemo(() => toRows(list.data?.pages ?? []), [list.data]);
  const total = list.data?.pages[0]?.total ?? 0;
  /** Reads the rows that are printed and not read yet. */
  const rowsTo = async (most: number) => {
    let now: Pick<typeof list, 'data' | 'hasNextPage' | 'fetchNextPage' | 'error'> = list;
    while (now.hasNextPage && toRows(now.data?.pages ?? []).length < most) {
      now = await now.fetchNextPage();
      if (now.error) throw now.error;
    }
    return { rows: toRows(now.data?.pages ?? []), total };
  };
  const saveAll = async (shown: readonly TableColumn<Row>[]) => {
    const {
      saved,
      fileName,
      rows: count,
    } = await saveInParts(
      'operations.export-rows',
      {
        answerId: answer.answerId,
        name: fileNameOf(`${table?.name ?? ''}, ${countOf(total, 'row')}`),
        table: index,
        view: viewOf(look, table?.columns ?? [], rested),
        columns: shown.map((column) => ({ at: positionOf(column.id), head: headText(column) })),
      },
      countOf(total, 'row'),
    );
    return saved ? `${countOf(count, 'row')} saved in ${fileName}` : 'Nothing was saved.';
  };
  const complete = table !== undefined && rows.length >= total;
  const columns = useMemo(() => columnsOf(table?.columns ?? [], rows.slice(0, 60), table?.rows ?? 0), [table, rows]);
  if (!table || answer.found === 'nothing')
    return (
      <State kind="nothing" title="The service found nothing">
        {answer.errorMessage ??
          (answer.returnCode
            ? `Return code ${answer.returnCode}: ${answer.returnMeaning ?? 'meaning not published'}.`
            : 'The answer contains no records.')}
      </State>
    );
  if (list.error) return <ReadFailure of={list} />;
  const several = answer.tables.length > 1;
  return (
    <div className="col grow" onScrollCapture={readNearEnd(list)}>
      {(several || table.rows > fewRows) && (
        <div className="ops-tables row">
          {several && (
            <Select
              aria-label="Table"
              w={280}
              value={String(index)}
              onChange={(value) => setChosen(Number(value))}
              data={answer.tables.map(({ name, rows: count }, at) => ({
                value: String(at),
                label: `${drawable(name, 80)}, ${countOf(count, 'row')}`,
              }))}
            />
          )}
          {table.rows > fewRows && (
            <TextInput
              className="low"
              w={220}
              placeholder="Filter"
              aria-label="Filter the rows"
              maxLength={200}
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
              leftSection={<IconFilter size={13} className="ti" aria-hidden="true" />}
            />
          )}
          {rested !== '' && (
            <span className="sm t2" role="status">
              {formatNumber(total)} of {countOf(table.rows, 'row')}
            </span>
          )}
        </div>
      )}
      {list.data && rested !== '' && total === 0 && (
        <div className="grow pad sm t2" role="status">
          No rows contain “{rested}”.{' '}
          <button type="button" className="link" onClick={() => setFilter('')}>
            Show all {formatNumber(table.rows)}
          </button>
        </div>
      )}
      {list.data && (rested === '' || total > 0) && (
        <DataTable
          key={`${answer.answerId}/${index}`}
          label={`${table.name}, ${countOf(total, 'row')}`}
          widthsKey={widthsKey}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          tight
          inOrder
          rowsTo={complete ? undefined : rowsTo}
          saveAll={saveAll}
        />
      )}
      {!complete && rows.length > 0 && (
        <div className="footbar">
          <span className="t2">
            {formatNumber(rows.length)} of {countOf(total, 'row')} read so far
          </span>
          <button type="button" className="link" disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
            Read more
          </button>
        </div>
      )}
      {answer.truncated && <p className="sm warn ops-note">The service cut this list off (IsTruncated).</p>}
      {answer.provenance.doubt !== undefined && (
        <p className="sm warn ops-note">{legible(doubtText(answer.provenance.doubt))}</p>
      )}
    </div>
  );
}

const numberColumn = '#';
const columnId = (name: string, at: number): string => `${at}/${name}`;
/** The index of a column in the answer; null: the column of row numbers. */
const positionOf = (id: string): number | null => (id === numberColumn ? null : Number.parseInt(id, 10));

/** The order named by the table's look, in the form main takes. */
function viewOf({ sort }: TableLook, columns: readonly string[], filter: string): RowView {
  const column = columns.findIndex((name, at) => columnId(name, at) === sort?.id);
  const sorted = column >= 0 || sort?.id === numberColumn;
  return { column: column < 0 ? null : column, descending: sorted && sort?.descending === true, filter };
}

const toRows = (pages: readonly ChannelOutput<'operations.rows'>[]): Row[] =>
  pages.flatMap(({ rows, places }) => rows.map((cells, index): Row => ({ n: places[index] ?? index, cells })));

const keyOf = ({ n }: Row): string => String(n);
const perCharacter = 6.4;
/** Characters of a cell that are drawn; the column cuts it long before. */
const longestCell = 300;
/** The widest column takes what the others leave, and no less than this. */
const leastWidest = 150;

function columnsOf(names: readonly string[], sample: readonly Row[], count: number): TableColumn<Row>[] {
  const widths = names.map((name, at) => {
    const longest = sample.reduce((most, { cells }) => Math.max(most, cells[at]?.length ?? 0), 0);
    return Math.round(Math.min(320, Math.max(64, longest * perCharacter + 22, Math.min(name.length, 80) * 6 + 28)));
  });
  const widest = widths.indexOf(Math.max(...widths));
  return [
    {
      id: numberColumn,
      head: '#',
      value: ({ n }) => n + 1,
      width: Math.max(44, String(count).length * 8 + 24),
      cell: ({ n }) => <span className="t3">{n + 1}</span>,
    },
    ...names.map(
      (name, at): TableColumn<Row> => ({
        id: columnId(name, at),
        head: drawable(name, 80),
        value: ({ cells }) => cells[at] ?? null,
        cell: ({ cells }) => <Cell name={name} value={cells[at] ?? null} />,
        width: at === widest ? Math.min(leastWidest, widths[at] ?? 0) : (widths[at] ?? 100),
        grow: at === widest,
      }),
    ),
  ];
}

function Cell({ name, value }: { name: string; value: string | null }) {
  if (value === null || value === '') return <span className="t3 xs">{value === null ? 'not sent' : 'empty'}</span>;
  const meaning = name === 'Return_Code' ? describeReturnCode(value) : undefined;
  return (
    <span title={drawable(value)}>
      {drawable(value, longestCell)}
      {meaning !== undefined && <span className="t3 xs"> {meaning}</span>}
    </span>
  );
}
