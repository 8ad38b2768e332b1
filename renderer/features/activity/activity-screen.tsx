import { Button } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { ChannelOutput } from '../../../shared/contract.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { CopiedNote } from '../../components/copied-note.tsx';
import { CountingLine } from '../../components/filter/counting-line.tsx';
import { FilterBar, isFiltering, useRowFilter } from '../../components/filter/filter-bar.tsx';
import { ReadFailure, readOfPages } from '../../components/read-failure.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { SplitPane } from '../../components/split-pane.tsx';
import { EmptyState, State } from '../../components/state.tsx';
import { ColumnsButton } from '../../components/table/columns-button.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { modKey } from '../../components/table/menu-actions.ts';
import { readNearEnd, readNextPage } from '../../components/table/read-near-end.ts';
import { useSubjects } from '../../lib/answers/use-subjects.ts';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { useSessionState } from '../../lib/session/session-state.ts';
import { countOf, formatNumber, zonesOf } from '../../lib/text/format.ts';
import { focusList } from '../../lib/window/pane-focus.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { saveInParts } from '../../lib/window/save-in-parts.ts';
import { useCopy } from '../../lib/window/use-copy.ts';
import { useRefreshAfterCalls } from '../../lib/window/use-refresh-after-calls.ts';
import { useWide } from '../../lib/window/width.ts';
import { activityColumns, hiddenAtFirst, leftOutBeside, leftOutNarrow } from './activity-columns.tsx';
import { type ActivityRow, foldId, rowsOf } from './activity-rows.ts';
import { CallDetail } from './call-detail.tsx';
import { outcomeText } from './call-messages.ts';
import { activityChoicesQuery, activityKey, activityQuery, activitySumsQuery, unfoldQuery } from './queries.ts';
import './activity.css';

const outcomes = Object.entries(outcomeText).map(([value, label]) => ({ value, label }));

/** Every call of this console, newest first: searched, filtered, summed, and read page by page while scrolling. */
export function ActivityScreen() {
  const [filter, setFilter] = useRowFilter('activity/filter');
  const [folding, setFolding] = useSessionState<'folded' | 'shown'>('activity/reads', 'folded');
  const wanted = useDeferredValue(filter);
  const fold = folding === 'folded';
  const wide = useWide();
  const list = useInfiniteQuery({ ...activityQuery(wanted, fold), placeholderData: keepPreviousData });
  // Requested after the rows, which would otherwise wait: the sums read all matching calls, perhaps a million.
  const sums = useQuery({ ...activitySumsQuery(wanted), enabled: list.isSuccess && !list.isPlaceholderData });
  // The previous filter's sums are of other rows, so they are not shown.
  const counted = sums.isPlaceholderData ? undefined : sums.data;
  const choices = useQuery(activityChoicesQuery());
  const [chosen, setChosen] = useState<string | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const field = useRef<HTMLInputElement>(null);
  useRouteParams('activity', 'activity', (params) => {
    if (params.search !== undefined) setFilter({ ...wholeTable, search: params.search });
    if (params.call !== undefined) {
      setFilter({ ...wholeTable, search: params.call });
      setChosen(params.call);
    }
    if (params.focus === 'search') field.current?.focus();
  });
  // A call that spends is reported when it ends; a free one changes only the list of running calls.
  useRefreshAfterCalls(activityKey, 1000);

  const connectionId = useConnection()?.connection.id ?? null;
  const subjectOf = useSubjects(connectionId);
  const pages = list.data?.pages ?? noPages;
  const zones = useMemo(
    () =>
      zonesOf(
        pages.flatMap(({ calls, folds }) => [
          ...calls.map(({ at }) => at),
          ...folds.flatMap(({ from, to }) => [from, to]),
        ]),
      ),
    [pages],
  );
  const columns = useMemo(
    // A premise number belongs to one connection's service: calls of other connections keep the number.
    () =>
      activityColumns(zones, (call) => (call.connectionId === connectionId ? subjectOf(call.subject) : call.subject)),
    [zones, connectionId, subjectOf],
  );
  const open = pages.flatMap(({ folds }) => folds).filter((fold) => opened.has(foldId(fold)));
  const reads = useQueries({ queries: open.map(({ newestId, oldestId }) => unfoldQuery(newestId, oldestId)) });
  const failed = [readOfPages(list), sums, choices, ...reads].filter(({ error }) => error);
  const unfolded = new Map(open.map((fold, index) => [foldId(fold), reads[index]?.data?.calls ?? []]));
  const rows = rowsOf(pages, opened, unfolded);
  const selected = rows.find((row) => row.kind !== 'fold' && row.id === chosen);
  const onSelect = (row: ActivityRow) => {
    if (row.kind !== 'fold') return setChosen(row.id);
    setOpened((now) => {
      const next = new Set(now);
      if (!next.delete(row.id)) next.add(row.id);
      return next;
    });
  };
  const close = () => {
    setChosen(null);
    focusList('activity');
  };
  const { copied, report } = useCopy();
  const save = () =>
    report(async () => {
      const { saved, rows: count, fileName } = await saveInParts('activity.export', { filter: wanted }, 'the calls');
      return saved ? `${countOf(count, 'call')} saved in ${fileName}` : 'Nothing was saved.';
    }, 'Not saved');

  const body = () => {
    if (list.error && rows.length === 0) {
      return (
        <div className="state">
          <ReadFailure of={list} />
        </div>
      );
    }
    // The previous filter may have matched nothing, which says nothing of this one.
    if (!list.data || (rows.length === 0 && list.isPlaceholderData)) return <ReadingLog />;
    if (rows.length === 0 && !isFiltering(wanted)) {
      return (
        <EmptyState icon={<IconHistory size={24} stroke={1.5} />} title="No calls yet">
          Every call this console makes is saved here: what was asked, who paid, what came of it and how long it took.
          Keys are not saved.
        </EmptyState>
      );
    }
    if (rows.length === 0) {
      return (
        <State
          kind="nothing"
          icon={<IconHistory size={24} stroke={1.5} />}
          title="No calls match"
          actions={<Button onClick={() => setFilter(wholeTable)}>Show all calls</Button>}
        >
          This searches the log on this computer. Nothing is sent and it is free.
        </State>
      );
    }
    const call = selected && selected.kind !== 'fold' ? selected.call : null;
    const isCurrent = call !== null && call.connectionId === connectionId;
    const words = call && isCurrent ? subjectOf(call.subject) : null;
    return (
      <SplitPane
        pane={call ? 'second' : 'first'}
        onBack={() => setChosen(null)}
        backLabel="Back to the calls"
        first={
          <div className="col grow" onScrollCapture={readNearEnd(list)}>
            <DataTable
              label="Calls"
              widthsKey="activity"
              columns={columns}
              {...(call ? { leaveOut: leftOutBeside[wide ? 'wide' : 'medium'] } : !wide && { leaveOut: leftOutNarrow })}
              hiddenAtFirst={hiddenAtFirst}
              rows={rows}
              keyOf={keyOf}
              selectedKey={chosen}
              onSelect={onSelect}
              onSave={save}
              partly={list.hasNextPage}
              rowClass={rowClass}
            />
            {failed.length > 0 && (
              <div className="pad pane-t">
                <ReadFailure of={failed} />
              </div>
            )}
            <div className="footbar">
              {list.hasNextPage ? (
                <button
                  type="button"
                  className="link"
                  disabled={list.isFetchingNextPage}
                  onClick={() => void readNextPage(list)}
                >
                  {list.isFetchingNextPage ? 'Reading earlier calls' : 'Show earlier calls'}
                </button>
              ) : (
                !list.isPlaceholderData && <span className="t3">No earlier calls</span>
              )}
              <span className="grow" />
              <span className="t3 trunc">
                ↑↓ move · Enter opens · {modKey('C')} copies · {modKey('F')} finds
              </span>
            </div>
          </div>
        }
        second={
          call && (
            <CallDetail
              key={call.id}
              call={call}
              address={words !== null && words !== call.subject ? words : null}
              isCurrent={isCurrent}
              onClose={close}
            />
          )
        }
      />
    );
  };
  return (
    <div className="activity">
      <div className="pagebar">
        <ScreenTitle>Activity</ScreenTitle>
        <span className="sm t3 trunc">Every call this console made, saved on this computer without keys</span>
        <span className="grow" />
        <CopiedNote copied={copied} />
        <ColumnsButton table="activity" columns={columns} hiddenAtFirst={hiddenAtFirst} />
        <Button
          disabled={sums.data === undefined || counted?.calls === 0}
          leftSection={<IconDownload size={15} className="ti" aria-hidden="true" />}
          onClick={save}
        >
          Export these{counted ? ` ${formatNumber(counted.calls)}` : ''}…
        </Button>
      </div>
      <FilterBar
        label="Search the calls"
        field={field}
        filter={filter}
        onFilter={setFilter}
        choices={choices.data}
        outcomes={outcomes}
      >
        <button
          type="button"
          className="chip line"
          aria-pressed={fold}
          onClick={() => setFolding(fold ? 'shown' : 'folded')}
        >
          Balance reads {fold ? 'folded' : 'shown'}
        </button>
      </FilterBar>
      {(sums.data || sums.error) && list.data && (
        <Sums sums={counted ?? null} failed={sums.error !== null} zones={zones} />
      )}
      {body()}
    </div>
  );
}

const noPages: never[] = [];

/** The sums of the matching calls; null: not counted, or not yet. Prices are as published; the ledger shows what the balance did. */
function Sums({
  sums,
  failed,
  zones,
}: {
  sums: ChannelOutput<'activity.sums'> | null;
  failed: boolean;
  zones: string;
}) {
  if (!sums) return <CountingLine failed={failed} />;
  return (
    <div className="filter-sums">
      <div className="filter-figures" role="status">
        <span>
          <b>{formatNumber(sums.calls)}</b> of {countOf(sums.total, 'call')}
        </span>
        {sums.reads > 0 && (
          <span>
            <b>{formatNumber(sums.reads)}</b> of them balance {sums.reads === 1 ? 'read' : 'reads'}
          </span>
        )}
        <span>
          published prices <b>{formatNumber(sums.price)}</b>
        </span>
        {sums.unpriced > 0 && (
          <span>
            <b>{formatNumber(sums.unpriced)}</b> without a published price
          </span>
        )}
        {sums.saved > 0 && (
          <span>
            <b>{formatNumber(sums.saved)}</b> from saved answers
          </span>
        )}
        {sums.unsent > 0 && (
          <span title="In no sum of prices: they did not leave this computer">
            <b>{formatNumber(sums.unsent)}</b> not sent
          </span>
        )}
        {sums.refused > 0 && (
          <span>
            <b>{formatNumber(sums.refused)}</b> refused
          </span>
        )}
        {sums.unanswered > 0 && (
          <span className="warn">
            <b>{formatNumber(sums.unanswered)}</b> without a complete answer
          </span>
        )}
      </div>
      <span className="grow" />
      <span className="t3">time in {zones}, newest first</span>
    </div>
  );
}

const keyOf = (row: ActivityRow): string => row.id;
const rowClass = (row: ActivityRow): string | undefined =>
  row.kind === 'fold' ? 'fold-row' : row.call.outcome === 'unknown' ? 'warn-row' : undefined;

const ghosts = [82, 74, 88, 69, 78, 84];

/** Placeholder rows, seen only if the disk is slow, since the log is local; not animated. */
function ReadingLog() {
  return (
    <section className="state" aria-label="Reading the log" aria-busy="true">
      <div className="xs t3 m">Reading the log</div>
      <div className="col g16 pad">
        {ghosts.map((width) => (
          <div key={width} className="ghost" style={{ width: `${width}%` }} />
        ))}
      </div>
    </section>
  );
}
