import { Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type UIEvent, useMemo, useState } from 'react';
import { describeReturnCode } from '../../../../shared/catalogue/return-codes.ts';
import type { OperationAnswer } from '../../../../shared/contract/operations.ts';
import { drawable } from '../../../../shared/domain/text/visible-text.ts';
import { Failure } from '../../../components/failure.tsx';
import { State } from '../../../components/state.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import type { TableColumn } from '../../../components/table/table-columns.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { countOf, formatNumber } from '../../../lib/text/format.ts';
import { rowsQuery } from '../queries.ts';

interface Row {
  n: number;
  cells: readonly (string | null)[];
}

const nearEnd = 800;

/** An answer's records as rows, the tables of a data set one by one. Long ones are read as one scrolls. */
export function AnswerTable({ answer }: { answer: OperationAnswer }) {
  const [chosen, setChosen] = useState(0);
  const table = answer.tables[chosen] ?? answer.tables[0];
  const index = table ? answer.tables.indexOf(table) : 0;
  const list = useInfiniteQuery({
    ...rowsQuery(answer.answerId, index, table?.rows ?? 0),
    enabled: table !== undefined,
  });
  const rows = useMemo(() => toRows(list.data?.pages ?? []), [list.data]);
  /** Reads what is not read yet: a saved or printed table is whole. */
  const allRows = async () => {
    let now: Pick<typeof list, 'data' | 'hasNextPage' | 'fetchNextPage' | 'error'> = list;
    while (now.hasNextPage) {
      now = await now.fetchNextPage();
      if (now.error) throw now.error;
    }
    return toRows(now.data?.pages ?? []);
  };
  const complete = table !== undefined && rows.length >= table.rows;
  const columns = useMemo(
    () => columnsOf(table?.columns ?? [], rows.slice(0, 60), complete),
    [table?.columns, rows, complete],
  );
  if (!table || answer.found === 'nothing')
    return (
      <State kind="nothing" title="The service found nothing">
        {answer.errorMessage ??
          (answer.returnCode
            ? `Return code ${answer.returnCode}: ${answer.returnMeaning ?? 'meaning not published'}.`
            : 'The answer contains no records.')}
      </State>
    );
  if (list.error) return <Failure error={errorOf(list.error)} />;
  const onScroll = ({ target }: UIEvent) => {
    if (!(target instanceof HTMLElement) || !target.classList.contains('table-scroll')) return;
    const left = target.scrollHeight - target.scrollTop - target.clientHeight;
    if (left < nearEnd && list.hasNextPage && !list.isFetching) void list.fetchNextPage();
  };
  return (
    <div className="col grow" onScrollCapture={onScroll}>
      {answer.tables.length > 1 && (
        <div className="ops-tables">
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
        </div>
      )}
      {list.data && (
        <DataTable
          key={`${answer.answerId}/${index}`}
          label={`${table.name}, ${countOf(table.rows, 'row')}`}
          widthsKey={`operations/${answer.provenance.operation}/${table.name}`}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          tight
          allRows={complete ? undefined : allRows}
        />
      )}
      {!complete && rows.length > 0 && (
        <div className="footbar">
          <span className="t2">
            {formatNumber(rows.length)} of {countOf(table.rows, 'row')} read so far
          </span>
          <button type="button" className="link" disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
            Read more
          </button>
          <span className="grow" />
          <span className="t3 trunc">Sorted once all are read</span>
        </div>
      )}
      {answer.truncated && <p className="sm warn ops-note">The service cut this list off (IsTruncated).</p>}
    </div>
  );
}

const toRows = (pages: readonly { rows: readonly (readonly (string | null)[])[] }[]): Row[] =>
  pages.flatMap((page) => page.rows).map((cells, n): Row => ({ n, cells }));

const keyOf = ({ n }: Row): string => String(n);
const perCharacter = 6.4;
/** Characters; the column is cut long before. */
const longestCell = 300;
/** The widest column takes what the others leave, and no less than this. */
const leastWidest = 150;

function columnsOf(names: readonly string[], sample: readonly Row[], sort: boolean): TableColumn<Row>[] {
  const widths = names.map((name, at) => {
    const longest = sample.reduce((most, { cells }) => Math.max(most, cells[at]?.length ?? 0), 0);
    return Math.round(Math.min(320, Math.max(64, longest * perCharacter + 22, Math.min(name.length, 80) * 6 + 28)));
  });
  const widest = widths.indexOf(Math.max(...widths));
  return [
    {
      id: '#',
      head: '#',
      value: ({ n }) => n + 1,
      width: 44,
      sort,
      cell: ({ n }) => <span className="t3">{n + 1}</span>,
    },
    ...names.map(
      (name, at): TableColumn<Row> => ({
        id: `${at}/${name}`,
        head: drawable(name, 80),
        value: ({ cells }) => cells[at] ?? null,
        cell: ({ cells }) => <Cell name={name} value={cells[at] ?? null} />,
        width: at === widest ? Math.min(leastWidest, widths[at] ?? 0) : (widths[at] ?? 100),
        grow: at === widest,
        sort,
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
