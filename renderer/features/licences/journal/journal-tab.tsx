import { Button } from '@mantine/core';
import { IconCircleCheck, IconLink, IconNotebook } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { isWholeJournal, wholeJournal } from '../../../../shared/domain/licences/journal-filter.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import type { JournalEntry } from '../../../../shared/domain/licences/licence-journal.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { Failure } from '../../../components/failure.tsx';
import { Fields } from '../../../components/fields.tsx';
import { useKeptFilter } from '../../../components/filter/filter-frame.tsx';
import { Mono } from '../../../components/marks.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PaneHead } from '../../../components/pane-head.tsx';
import { ReadFailure, readOfPages } from '../../../components/read-failure.tsx';
import { SplitPane } from '../../../components/split-pane.tsx';
import { EmptyState, State } from '../../../components/state.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { readNextPage } from '../../../components/table/read-near-end.ts';
import type { TableColumn } from '../../../components/table/table-columns.ts';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { useConnection } from '../../../lib/connection/use-connection.ts';
import { countOf, formatClock, formatMoment, formatWhen } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { focusList, useArrivalFocus } from '../../../lib/window/pane-focus.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { journalCheckQuery, journalQuery, lastSeenQuery } from '../queries.ts';
import { JournalFilterBar } from './journal-filter-bar.tsx';
import { dayOf, describeCheck, eventText, machinesOf, seenByThen, stateText } from './journal-messages.ts';

/** Left out beside the pane of an entry, which shows them. */
const leftOutBeside = ['by', 'text', 'machines'];

/** Every entry of the licence journal, newest first, and whether its chain is unbroken. Makes no network call. */
export function JournalTab() {
  const [filter, onFilter] = useKeptFilter('licences/journal-filter', wholeJournal, isWholeJournal);
  const wanted = useDeferredValue(filter);
  const journal = useInfiniteQuery({ ...journalQuery(wanted), placeholderData: keepPreviousData });
  const [moment, setMoment] = useState<string | null>(null);
  const check = useQuery({ ...journalCheckQuery(moment ?? ''), enabled: moment !== null });
  const intact = check.data?.intact === true;
  // It is checked again with each new entry.
  const checkedAt = new Date(check.dataUpdatedAt).toISOString();
  const [chosen, setChosen] = useState<number | null>(null);
  const exporting = useMutation({
    mutationFn: () => call('journal.export', {}),
    meta: { subject: 'Exporting the journal' },
    onSuccess: ({ saved, fileName }) => saved && announce(`Saved as ${fileName}`),
  });
  const connectionId = useConnection()?.connection.id ?? null;
  const known = useQuery({ ...lastSeenQuery(connectionId ?? ''), enabled: connectionId !== null });
  const licences = known.data?.list.licences;
  const columns = useMemo(
    () =>
      columnsWith(
        new Map(
          (licences ?? [])
            .filter(({ referenceNo }) => referenceNo.trim() !== '')
            .map(({ licenceNumber, referenceNo }) => [plainId(licenceNumber), referenceNo.trim()]),
        ),
        intact,
      ),
    [licences, intact],
  );
  const entries = journal.data?.pages.flatMap((page) => page.entries) ?? [];
  const selected = entries.find((entry) => entry.sequence === chosen) ?? null;

  if (journal.error && entries.length === 0) {
    return (
      <div className="state">
        <ReadFailure of={journal} />
      </div>
    );
  }
  if (!journal.data) return <div className="grow" aria-busy="true" />;
  // While a filter is read, the entries are the previous one's, which may have been none.
  const reading = journal.isPlaceholderData;
  if (entries.length === 0 && isWholeJournal(wanted) && !reading) {
    return (
      <EmptyState icon={<IconNotebook size={24} stroke={1.5} />} title="The journal is empty">
        Each licence change is written here before it is sent, with what was read before and after.
      </EmptyState>
    );
  }
  return (
    <div className="licences">
      <JournalFilterBar filter={filter} onFilter={onFilter} />
      <div className="filter-bar">
        <span className="sm t2" role="status">
          {!reading && `${countOf(entries.length, 'entry', 'entries')} shown`}
          {!reading && !isWholeJournal(wanted) && (journal.hasNextPage ? ', more match' : ', all that match')}
          {!reading && journal.hasNextPage && '. Sorting applies to these only.'}
        </span>
        {journal.hasNextPage && (
          <button
            type="button"
            className="link sm"
            disabled={journal.isFetchingNextPage}
            onClick={() => void readNextPage(journal)}
          >
            Show earlier entries
          </button>
        )}
        <span className="grow" />
        {intact && (
          <span className="row g6 sm good" role="status">
            <IconCircleCheck size={15} className="ti" aria-hidden="true" />
            {check.data && describeCheck(check.data)}, checked {formatWhen(checkedAt)}
          </span>
        )}
        <Button variant="subtle" color="gray" onClick={() => exporting.mutate()}>
          Export the whole journal
        </Button>
        <Button disabled={check.isFetching} onClick={() => setMoment(new Date().toISOString())}>
          Check the chain · free
        </Button>
      </div>
      {journal.error && (
        <div className="pad pane-b">
          <ReadFailure of={readOfPages(journal)} />
        </div>
      )}
      {exporting.error && (
        <div className="pad pane-b">
          <Failure error={errorOf(exporting.error)} />
        </div>
      )}
      {exporting.data?.saved && (
        <div className="pad pane-b">
          <Notice tone="good">
            {countOf(exporting.data.rows, 'entry', 'entries')} saved as {exporting.data.fileName}; journal verify checks
            it anywhere.
          </Notice>
        </div>
      )}
      {((check.data && !intact) || check.error) && (
        <div className="pad pane-b">
          {check.data && (
            <Notice tone="danger" announce>
              {describeCheck(check.data)} <span className="t2">{formatWhen(checkedAt)}</span>
            </Notice>
          )}
          {check.error && <Failure error={errorOf(check.error)} />}
        </div>
      )}
      <SplitPane
        pane={selected ? 'second' : 'first'}
        onBack={() => setChosen(null)}
        backLabel="Back to the journal"
        first={
          entries.length === 0 && reading ? (
            <div className="grow" aria-busy="true" />
          ) : entries.length === 0 ? (
            <State
              kind="nothing"
              icon={<IconNotebook size={24} stroke={1.5} />}
              title="No entries match"
              actions={<Button onClick={() => onFilter(wholeJournal)}>Show all entries</Button>}
            >
              This searches the journal on this computer. Nothing is sent and it is free.
            </State>
          ) : (
            <div className="col grow">
              <DataTable
                label="Journal"
                widthsKey="licence-journal"
                columns={columns}
                rows={entries}
                keyOf={keyOf}
                groupOf={dayOf}
                selectedKey={chosen === null ? null : String(chosen)}
                {...(selected && { leaveOut: leftOutBeside })}
                onSelect={(entry) => setChosen(entry.sequence)}
                partly={journal.hasNextPage}
              />
              <div className="footbar two-notes">
                <span className="t3">
                  An edit, a gap or a cut shows, unless the whole chain after it and its anchors are rewritten; a
                  receipt shows that too.
                </span>
              </div>
            </div>
          )
        }
        second={
          selected && (
            <EntryDetail
              entry={selected}
              onClose={() => {
                setChosen(null);
                focusList('licences');
              }}
            />
          )
        }
      />
    </div>
  );
}

const keyOf = (entry: JournalEntry): string => String(entry.sequence);

const columnsWith = (
  references: ReadonlyMap<string, string>,
  intact: boolean,
): readonly TableColumn<JournalEntry>[] => [
  {
    id: 'sequence',
    head: 'No.',
    value: (entry) => entry.sequence,
    cell: ({ sequence }) => (
      <span className="row g6">
        <IconLink size={13} className={intact ? 'ti good' : 'ti t3'} aria-hidden="true" />
        {sequence}
      </span>
    ),
    width: 76,
  },
  {
    id: 'at',
    head: 'Time',
    value: (entry) => entry.at,
    text: (entry) => formatMoment(entry.at),
    cell: (entry) => (
      <span className="tn" title={formatMoment(entry.at)}>
        {formatClock(entry.at)}
      </span>
    ),
    width: 82,
  },
  { id: 'by', head: 'Who', value: (entry) => entry.by, width: 116 },
  {
    id: 'event',
    head: 'What',
    value: ({ kind, event }) => (kind === 'guid' ? eventText[event] : `${kind}: ${eventText[event]}`),
    width: 150,
  },
  {
    id: 'licence',
    head: 'Licence',
    value: ({ licenceNumber }) => references.get(licenceNumber) ?? licenceNumber,
    cell: ({ licenceNumber }) => (
      <span className="m" title={`LicenseID ${licenceNumber}`}>
        {references.get(licenceNumber) ?? licenceNumber}
      </span>
    ),
    width: 104,
  },
  {
    id: 'machines',
    head: 'Machines',
    value: machinesOf,
    cell: (entry) => (
      <span title={machinesOf(entry)}>
        <Mono>{machinesOf(entry)}</Mono>
      </span>
    ),
    width: 176,
  },
  {
    id: 'text',
    head: 'What was done or seen',
    value: (entry) => entry.text,
    cell: (entry) => (
      <span className="t2" title={entry.text}>
        {entry.text}
      </span>
    ),
    width: 240,
    grow: true,
  },
];

const holdings = (list: readonly MachineHoldings[]) =>
  list
    .map(({ machine, licenceNumbers }) => `${machine}: ${licenceNumbers.join(', ') || 'no licence named'}`)
    .join('; ');

/** Everything in one entry of the journal. */
function EntryDetail({ entry, onClose }: { entry: JournalEntry; onClose: () => void }) {
  const title = useArrivalFocus();
  const go = useGo();
  return (
    <section className="licence-detail" aria-label={`Entry ${entry.sequence}`}>
      <PaneHead title={`Entry ${entry.sequence}`} titleRef={title} closeLabel="Close the entry" onClose={onClose} />
      <div className="licence-body">
        <Fields
          labelWidth={110}
          rows={[
            { label: 'Time', value: formatMoment(entry.at) },
            { label: 'By', value: entry.by },
            { label: 'What', value: eventText[entry.event] },
            { label: 'Step', value: entry.step === null ? 'none' : String(entry.step) },
            { label: 'Text', value: entry.text },
            {
              label: 'Change',
              value: (
                <span className="row g8 wrap">
                  <span className="mono wrapped">{entry.changeId}</span>
                  {entry.kind !== 'guid' && (
                    <button type="button" className="link" onClick={() => go('licences', { change: entry.changeId })}>
                      Open the change
                    </button>
                  )}
                </span>
              ),
            },
            { label: 'Connection', value: entry.connectionName },
            { label: 'Licence', value: entry.licenceNumber },
            { label: 'Machine', value: machinesOf(entry) },
            { label: 'Read before', value: holdings(entry.before) || 'not read' },
            { label: 'Read after', value: holdings(entry.after) || 'not read' },
            // A copied GUID is no change, and nothing is read back of it.
            ...(entry.kind === 'guid'
              ? []
              : [
                  { label: 'State after', value: stateText[entry.state] },
                  { label: 'Seen by then', value: seenByThen(entry.verdict) },
                ]),
            { label: 'Hash', value: <span className="mono wrapped">{entry.hash}</span> },
            {
              label: 'Hash before',
              value: <span className="mono wrapped">{entry.previousHash || 'none: the first entry'}</span>,
            },
          ]}
        />
      </div>
    </section>
  );
}
