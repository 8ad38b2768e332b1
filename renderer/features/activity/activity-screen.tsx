import { Button, TextInput } from '@mantine/core';
import { IconCopy, IconHistory, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type UIEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { errorCodes } from '../../../shared/errors.ts';
import { CopiedNote } from '../../components/copied-note.tsx';
import { Failure } from '../../components/failure.tsx';
import { Fields } from '../../components/fields.tsx';
import { Mono } from '../../components/marks.tsx';
import { Notice } from '../../components/notice.tsx';
import { PaneHead } from '../../components/pane-head.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { SplitPane } from '../../components/split-pane.tsx';
import { EmptyState, State } from '../../components/state.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { useSubjects } from '../../lib/answers/use-subjects.ts';
import { listen } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { useDraft } from '../../lib/session/drafts.ts';
import { countOf, formatNumber } from '../../lib/text/format.ts';
import { focusList, useArrivalFocus } from '../../lib/window/pane-focus.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { useCopy } from '../../lib/window/use-copy.ts';
import { activityColumns, shortColumns } from './activity-columns.tsx';
import { callText, factsOf } from './call-messages.ts';
import { activityQuery } from './queries.ts';
import './activity.css';

const nearEnd = 600;

/** Every call of this console, newest first: searched, and read page by page as one scrolls. */
export function ActivityScreen() {
  const client = useQueryClient();
  const [typed, setTyped] = useDraft('activity/search');
  const search = useDeferredValue(typed.trim());
  const list = useInfiniteQuery({ ...activityQuery(search), placeholderData: keepPreviousData });
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useRouteParams('activity', 'activity', (params) => {
    if (params.search !== undefined) setTyped(params.search);
    if (params.call !== undefined) {
      setTyped(params.call);
      setChosen(params.call);
    }
    if (params.focus === 'search') field.current?.focus();
  });
  // The frame tells of calls that spend; a free one ends unheard but for the list of what runs.
  useEffect(() => listen('calls.running', () => refreshLocal(client, ['activity'])), [client]);

  const connectionId = useConnection()?.connection.id ?? null;
  const subjectOf = useSubjects(connectionId);
  const columns = useMemo(
    // The number of a premise is that of its own service.
    () => activityColumns((call) => (call.connectionId === connectionId ? subjectOf(call.subject) : call.subject)),
    [connectionId, subjectOf],
  );
  const calls = list.data?.pages.flatMap((page) => page.calls) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  const selected = calls.find((call) => call.id === chosen) ?? null;
  const more = () => {
    if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
  };
  const onScroll = ({ target }: UIEvent) => {
    if (!(target instanceof HTMLElement) || !target.classList.contains('table-scroll')) return;
    if (target.scrollHeight - target.scrollTop - target.clientHeight < nearEnd) more();
  };

  const close = () => {
    setChosen(null);
    focusList('activity');
  };
  const body = () => {
    if (list.error && calls.length === 0) {
      return (
        <div className="state">
          <Failure
            error={errorOf(list.error)}
            actions={<Button onClick={() => void list.refetch()}>Try again</Button>}
          />
        </div>
      );
    }
    if (!list.data) return <ReadingLog />;
    if (calls.length === 0 && search === '') {
      return (
        <EmptyState icon={<IconHistory size={24} stroke={1.5} />} title="No calls yet">
          Each call of this console is kept here: what was asked, by whom it was paid, what came of it and how long it
          took. Secrets are not.
        </EmptyState>
      );
    }
    if (calls.length === 0) {
      return (
        <State
          kind="nothing"
          icon={<IconHistory size={24} stroke={1.5} />}
          title={`No call matches “${search}”`}
          actions={<Button onClick={() => setTyped('')}>Show all calls</Button>}
        >
          This searches the log on this computer. Nothing is sent and it is free.
        </State>
      );
    }
    return (
      <SplitPane
        pane={selected ? 'second' : 'first'}
        onBack={() => setChosen(null)}
        backLabel="Back to the calls"
        first={
          <div className="col grow" onScrollCapture={onScroll}>
            <DataTable
              label="Calls"
              widthsKey="activity"
              columns={selected ? shortColumns(columns) : columns}
              rows={calls}
              keyOf={keyOf}
              selectedKey={chosen}
              onSelect={(call) => setChosen(call.id)}
              rowClass={rowClass}
            />
            {list.error && (
              <div className="pad pane-t">
                <Failure
                  error={errorOf(list.error)}
                  actions={<Button onClick={() => void list.fetchNextPage()}>Try again</Button>}
                />
              </div>
            )}
            <div className="footbar">
              <span className="t2">
                {calls.length === total
                  ? countOf(total, 'call')
                  : `${formatNumber(calls.length)} of ${countOf(total, 'call')}`}
              </span>
              {list.hasNextPage && (
                <button type="button" className="link" disabled={list.isFetchingNextPage} onClick={more}>
                  {list.isFetchingNextPage ? 'Reading earlier calls' : 'Show earlier calls'}
                </button>
              )}
              <span className="grow" />
              <span className="t3">Credits: as the balance showed, else in grey as published</span>
            </div>
          </div>
        }
        second={selected && <CallDetail key={selected.id} call={selected} onClose={close} />}
      />
    );
  };
  return (
    <div className="activity">
      <div className="pagebar">
        <ScreenTitle>Activity</ScreenTitle>
        <search className="activity-search">
          <TextInput
            ref={field}
            className="grow"
            placeholder="Search the calls"
            aria-label="Search the calls"
            value={typed}
            maxLength={500}
            onChange={(event) => setTyped(event.currentTarget.value)}
            leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
          />
        </search>
        <span className="grow" />
        <span className="sm t3 nowrap">On this computer, without secrets</span>
      </div>
      {body()}
    </div>
  );
}

const keyOf = (call: CallRecord): string => call.id;
const rowClass = (call: CallRecord): string | undefined => (call.outcome === 'unknown' ? 'warn-row' : undefined);

const ghosts = [82, 74, 88, 69, 78, 84];

/** The log is local and comes at once, or else the disk is slow: rows are hinted at, nothing moves. */
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

/** All that the log keeps of one call. */
function CallDetail({ call, onClose }: { call: CallRecord; onClose: () => void }) {
  const title = useArrivalFocus();
  const { copied, copy } = useCopy();
  const known = errorCodes[call.errorCode as keyof typeof errorCodes];
  return (
    <section className="call-detail" aria-label={`${call.operation} ${call.subject}`}>
      <PaneHead title={call.operation} titleRef={title} closeLabel="Close the call" onClose={onClose} />
      <div className="call-body">
        {known && (
          <Notice tone={call.outcome === 'unknown' ? 'warn' : 'danger'}>
            <span className="m">{known.what}</span> <span className="t2">{known.next}</span>
          </Notice>
        )}
        <Fields
          labelWidth={116}
          rows={factsOf(call).map(({ label, value, note }) => ({
            label,
            value: value && (
              <>
                {label === 'Call' || label === 'Code' ? <Mono>{value}</Mono> : value}{' '}
                {note && <span className="t3 xs">{note}</span>}
              </>
            ),
          }))}
        />
        <div className="row wrap">
          <Button
            leftSection={<IconCopy size={15} className="ti" aria-hidden="true" />}
            onClick={() => copy(callText(call), 'the call')}
          >
            Copy the call
          </Button>
          {copied && <CopiedNote copied={copied} />}
        </div>
      </div>
    </section>
  );
}
