import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { LedgerEntry } from '../../../../shared/domain/credits/credits.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { type Read, ReadFailure, readOfPages } from '../../../components/read-failure.tsx';
import { SplitPane } from '../../../components/split-pane.tsx';
import { EmptyState } from '../../../components/state.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { readNextPage } from '../../../components/table/read-near-end.ts';
import { useSubjects } from '../../../lib/answers/use-subjects.ts';
import { countOf, formatMoment, zonesOf } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { focusList } from '../../../lib/window/pane-focus.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { type Copied, useCopy } from '../../../lib/window/use-copy.ts';
import { useNow } from '../../../lib/window/use-now.ts';
import { useWide } from '../../../lib/window/width.ts';
import { EntryPane } from './entry-pane.tsx';
import { entryText, sentencesOf } from './entry-text.ts';
import { figureWidths, hiddenAtFirst, ledgerColumns, standsOut } from './ledger-columns.tsx';
import type { useLedger } from './use-ledger.ts';

interface LedgerPaneProps {
  connectionId: string;
  ledger: ReturnType<typeof useLedger>;
  /** What is read beside it, whose failures are shown with its own. */
  others: readonly Read[];
  onEvidence: (callId: string) => void;
  onNote: (entry: LedgerEntry) => void;
  /** Whether a filter beyond the days is set, which may hide what is missing. */
  filtered: boolean;
  onClear: () => void;
  /** Whether an entry opens beside the table, where there is room for its evidence, and not under its row. */
  beside: boolean;
}

/** Every spend, one row each, and what no call explains. */
export function LedgerPane(props: LedgerPaneProps) {
  const { connectionId, ledger, others, onEvidence, onNote, filtered, onClear, beside } = props;
  const { query, loaded } = ledger;
  const go = useGo();
  const { entries } = loaded;
  // The previous filter or range may have had nothing, which says nothing of this one.
  if (query.isPending || (query.isPlaceholderData && entries.length === 0)) {
    return (
      <p className="pad sm t3" aria-busy="true">
        Reading the ledger…
      </p>
    );
  }
  if (query.error && entries.length === 0) {
    return (
      <div className="pad">
        <ReadFailure of={[query, ...others]} subject="Ledger not read" />
      </div>
    );
  }
  if (entries.length === 0 && filtered) {
    return (
      <EmptyState title="No entries match" actions={<Button onClick={onClear}>Clear the filters</Button>}>
        This looks through the ledger on this computer. Nothing is sent and it is free.
      </EmptyState>
    );
  }
  if (entries.length === 0) {
    return (
      <EmptyState
        title="Nothing spent in these days"
        actions={<Button onClick={() => go('lookup')}>Look up an address</Button>}
      >
        Each call that may cost a credit is written here before it is sent, with its price, and afterwards with what the
        balance did.
      </EmptyState>
    );
  }
  const foot = <LedgerFoot query={query} others={others} count={entries.length} />;
  const table = { connectionId, entries, partly: query.hasNextPage, onNote };
  if (beside) return <LedgerBeside {...table} foot={foot} />;
  return (
    <>
      <LedgerTable {...table} onEvidence={onEvidence} />
      {foot}
    </>
  );
}

/** Left out in a window of 1024 pixels; the pane of an entry shows them. */
const leftOutNarrow = ['paid-by', 'after'];

/** Left out beside the pane of an entry, which shows them or leaves no room for them. */
const leftOutBeside = { wide: ['after', 'paid-by'], medium: ['after', 'paid-by', 'price', 'claim'] } as const;

interface TableProps extends Pick<LedgerPaneProps, 'connectionId' | 'onNote'> {
  entries: readonly LedgerEntry[];
  /** There are older ones, not read yet. */
  partly: boolean;
}

/** The table, and the chosen entry beside it. */
function LedgerBeside({ connectionId, entries, partly, onNote, foot }: TableProps & { foot: ReactNode }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const entry = entries.find(({ id }) => id === chosen);
  const wide = useWide();
  const { columns, formatSubject } = useLedgerColumns(connectionId, entries);
  const close = () => {
    setChosen(null);
    focusList('credits');
  };
  return (
    <SplitPane
      pane={entry ? 'second' : 'first'}
      onBack={() => setChosen(null)}
      backLabel="Back to the ledger"
      first={
        <div className="col grow">
          <DataTable
            label="Ledger"
            widthsKey="credits-ledger"
            hiddenAtFirst={hiddenAtFirst}
            {...(entry ? { leaveOut: leftOutBeside[wide ? 'wide' : 'medium'] } : !wide && { leaveOut: leftOutNarrow })}
            columns={columns}
            groupOf={dayOf}
            rows={entries}
            keyOf={keyOf}
            selectedKey={chosen}
            onSelect={({ id }) => setChosen((now) => (now === id ? null : id))}
            partly={partly}
            tight
            rowClass={rowClass}
          />
          {foot}
        </div>
      }
      second={
        entry && (
          <EntryPane
            key={entry.id}
            connectionId={connectionId}
            entry={entry}
            formatSubject={formatSubject}
            onNote={onNote}
            onClose={close}
          />
        )
      }
    />
  );
}

function useLedgerColumns(connectionId: string, entries: readonly LedgerEntry[]) {
  const today = useNow(60_000).toDateString();
  const zones = useMemo(() => zonesOf(entries.map(({ at }) => at)), [entries]);
  const formatSubject = useSubjects(connectionId);
  const { fall, after } = useMemo(() => figureWidths(entries), [entries]);
  const columns = useMemo(
    () => ledgerColumns(zones, new Date(today), formatSubject, { fall, after }),
    [zones, today, formatSubject, fall, after],
  );
  return { columns, formatSubject };
}

const keyOf = ({ id }: LedgerEntry): string => id;
const rowClass = (entry: LedgerEntry): string | undefined => (standsOut(entry) ? 'warn-row' : undefined);

function LedgerTable({
  connectionId,
  entries,
  partly,
  onEvidence,
  onNote,
}: TableProps & Pick<LedgerPaneProps, 'onEvidence'>) {
  const [openId, setOpenId] = useState<string | null>(null);
  const { copied, copy } = useCopy();
  const [copiedId, setCopiedId] = useState<string | null>(null);
  const { columns } = useLedgerColumns(connectionId, entries);
  const wide = useWide();
  const onCopy = (entry: LedgerEntry) => {
    setCopiedId(entry.id);
    copy(entryText(entry), 'the entry');
  };
  return (
    <DataTable
      label="Ledger"
      widthsKey="credits-ledger"
      hiddenAtFirst={hiddenAtFirst}
      {...(!wide && { leaveOut: leftOutNarrow })}
      columns={columns}
      groupOf={dayOf}
      rows={entries}
      keyOf={keyOf}
      selectedKey={openId}
      onSelect={(entry) => setOpenId((now) => (now === entry.id ? null : entry.id))}
      partly={partly}
      tight
      rowClass={rowClass}
      detailHeight={(entry) => 36 + 16 * Math.ceil(sentencesOf(entry).length / 100)}
      detail={(entry) =>
        (entry.id === openId || standsOut(entry)) && (
          <LedgerDetail
            entry={entry}
            copied={copiedId === entry.id ? copied : null}
            onCopy={onCopy}
            onEvidence={onEvidence}
            onNote={onNote}
          />
        )
      }
    />
  );
}

const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** "Saturday 21 November 2026": the head of a day's entries. */
function dayOf({ at }: LedgerEntry): string {
  const day = new Date(at);
  return Number.isNaN(day.getTime()) ? at : weekdays.format(day).replace(',', '');
}

function LedgerFoot({
  query,
  others,
  count,
}: Pick<LedgerPaneProps, 'others'> & { query: LedgerPaneProps['ledger']['query']; count: number }) {
  const failed = [readOfPages(query), ...others].filter(({ error }) => error);
  const loadMore = () =>
    void readNextPage(query).then((data) => {
      const now = data?.pages.reduce((sum, page) => sum + page.entries.length, 0) ?? count;
      if (now > count) announce(`${countOf(now, 'entry', 'entries')} loaded`);
    });
  return (
    <>
      {failed.length > 0 && (
        <div className="pad pane-t">
          <ReadFailure of={failed} />
        </div>
      )}
      <div className="footbar t3">
        <span>
          {query.isPlaceholderData
            ? 'Reading the ledger…'
            : query.hasNextPage
              ? `Showing the latest ${countOf(count, 'entry', 'entries')}.`
              : `All ${countOf(count, 'entry', 'entries')}`}
          {query.hasNextPage && ' Sorting applies to these only.'}
        </span>
        <span className="grow" />
        {query.hasNextPage && (
          <Button className="small" loading={query.isFetchingNextPage} onClick={loadMore}>
            Load older entries
          </Button>
        )}
      </div>
    </>
  );
}

interface LedgerDetailProps {
  entry: LedgerEntry;
  /** What was just copied from this entry; null: nothing. */
  copied: Copied | null;
  onCopy: (entry: LedgerEntry) => void;
  onEvidence: (callId: string) => void;
  onNote: (entry: LedgerEntry) => void;
}

/** The line under an entry: its claims, and what can be done. */
function LedgerDetail({ entry, copied, onCopy, onEvidence, onNote }: LedgerDetailProps) {
  const { callId, kind, note, at } = entry;
  return (
    <div className="credits-why">
      <p className="sm t2">{sentencesOf(entry)}</p>
      <div className="row wrap sm t3 g12">
        {callId !== null && (
          <button type="button" className="link" onClick={() => onEvidence(callId)}>
            Show the evidence
          </button>
        )}
        {kind === 'movement' && (
          <button type="button" className="link" onClick={() => onNote(entry)}>
            {note === '' ? 'Say what it was' : 'Change your note'}
          </button>
        )}
        <button type="button" className="link" onClick={() => onCopy(entry)}>
          <IconCopy size={14} className="ti" aria-hidden="true" />
          Copy row
        </button>
        <span>
          {formatMoment(at)}
          {callId !== null && `, call ${callId}`}
        </span>
        {copied && <CopiedNote copied={copied} />}
      </div>
    </div>
  );
}
