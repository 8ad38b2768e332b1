import { Button, TextInput } from '@mantine/core';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { HistoryRow, OperationForm } from '../../../../shared/contract/operations.ts';
import type { CallRecord } from '../../../../shared/domain/activity.ts';
import { Cached } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { ReadFailure, readOfPages } from '../../../components/read-failure.tsx';
import { EmptyState, State } from '../../../components/state.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { readNearEnd, readNextPage } from '../../../components/table/read-near-end.ts';
import type { TableColumn } from '../../../components/table/table-columns.ts';
import { countOf, formatDuration, formatMoment, formatWhen } from '../../../lib/text/format.ts';
import { useRefreshAfterCalls } from '../../../lib/window/use-refresh-after-calls.ts';
import { freshPrice } from '../fresh-price.ts';
import { historyKey, historyQuery } from '../queries.ts';

const outcomeText: Record<CallRecord['outcome'], string> = {
  answered: 'answered',
  'nothing-found': 'nothing found',
  held: 'saved, free',
  refused: 'refused',
  failed: 'failed',
  unknown: 'unknown',
  cancelled: 'cancelled',
};
const tones: Partial<Record<CallRecord['outcome'], string>> = {
  held: 'good',
  unknown: 'warn',
  refused: 'danger',
  failed: 'danger',
};

export const historyColumns: readonly TableColumn<HistoryRow>[] = [
  {
    id: 'at',
    head: 'Time',
    value: ({ call }) => call.at,
    text: ({ call }) => formatMoment(call.at),
    cell: ({ call }) => <span className="tn">{formatWhen(call.at)}</span>,
    width: 112,
    sort: false,
  },
  { id: 'subject', head: 'Subject', value: ({ call }) => call.subject, width: 110, grow: true, sort: false },
  {
    id: 'outcome',
    head: 'Outcome',
    value: ({ call }) => outcomeText[call.outcome],
    cell: ({ call, stored }) => (
      <span className={tones[call.outcome]}>
        {outcomeText[call.outcome]}
        {stored !== null && call.outcome !== 'held' && (
          <> {stored === 'saved' ? <Cached /> : <span className="xs t3">{stored}</span>}</>
        )}
      </span>
    ),
    width: 160,
    sort: false,
  },
  {
    id: 'took',
    head: 'Took',
    value: ({ call }) => formatDuration(call.durationMs),
    width: 74,
    align: 'right',
    sort: false,
  },
];

interface HistoryViewProps {
  connectionId: string;
  form: OperationForm;
  onOpen: (row: HistoryRow) => void;
  onUse: (row: HistoryRow) => void;
  onAskAgain: (row: HistoryRow) => void;
  busy: boolean;
}

/** The calls of one operation from the activity log: searched, opened from what is saved, asked again at the price. */
export function HistoryView({ connectionId, form, onOpen, onUse, onAskAgain, busy }: HistoryViewProps) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const [chosen, setChosen] = useState<string | null>(null);
  const list = useInfiniteQuery({
    ...historyQuery(connectionId, form.name, search),
    placeholderData: keepPreviousData,
  });
  useRefreshAfterCalls(historyKey, 1000);
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const selected = rows.find(({ call }) => call.id === chosen) ?? null;
  return (
    <div className="col grow" onScrollCapture={readNearEnd(list)}>
      <search className="subbar">
        <TextInput
          className="grow low"
          aria-label={`Search the calls of ${form.name}`}
          placeholder="Search these calls"
          value={typed}
          maxLength={500}
          onChange={(event) => setTyped(event.currentTarget.value)}
          leftSection={<IconSearch size={13} className="ti" aria-hidden="true" />}
        />
      </search>
      {list.error && (
        <div className="pad">
          <ReadFailure of={readOfPages(list)} />
        </div>
      )}
      {rows.length > 0 ? (
        <DataTable
          label={`Calls of ${form.name}`}
          widthsKey="operations/history"
          columns={historyColumns}
          rows={rows}
          keyOf={({ call }) => call.id}
          selectedKey={chosen}
          onSelect={({ call }) => setChosen(call.id)}
          partly={list.hasNextPage}
          tight
        />
      ) : !list.data || list.isPlaceholderData ? (
        <div className="grow" aria-busy={!list.error} />
      ) : search === '' ? (
        <EmptyState
          icon={<IconHistory size={24} stroke={1.5} />}
          title="No calls of this operation over this connection yet"
        >
          Each one over this connection is kept here with what was asked and what came of it.
        </EmptyState>
      ) : (
        <State
          kind="nothing"
          title={`No call matches “${search}”`}
          actions={<Button onClick={() => setTyped('')}>Show all</Button>}
        >
          The search looks at the log on this computer and costs nothing.
        </State>
      )}
      <div className="footbar actions">
        {selected ? (
          <>
            <Button disabled={selected.stored === null} onClick={() => onOpen(selected)}>
              Open · free
            </Button>
            <Button disabled={!selected.asked} onClick={() => onUse(selected)}>
              Fill the form
            </Button>
            {!form.writes && form.blocked === null && (
              <PriceButton
                price={freshPrice(form, selected.asked ?? { fields: [] })}
                disabled={!selected.asked || busy}
                onClick={() => onAskAgain(selected)}
              >
                Ask again
              </PriceButton>
            )}
            {!selected.asked && <span className="xs t3 trunc">Asked from another screen: {selected.call.subject}</span>}
          </>
        ) : (
          <span className="t3">
            {rows.length > 0 ? `${countOf(rows.length, 'call')} read. Choose one to open or repeat it.` : ''}
          </span>
        )}
        <span className="grow" />
        {list.hasNextPage && (
          <button
            type="button"
            className="link"
            disabled={list.isFetchingNextPage}
            onClick={() => void readNextPage(list)}
          >
            Show earlier calls
          </button>
        )}
      </div>
    </div>
  );
}
