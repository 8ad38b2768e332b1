import { Button } from '@mantine/core';
import { IconFilterOff, IconLicense } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { Licence } from '../../../shared/domain/licence.ts';
import { filterLicences, type LicenceFilter, noFilter, plainId } from '../../../shared/domain/licence-filter.ts';
import { useDraft } from '../../app/drafts.ts';
import { appInfoQuery } from '../../app/queries.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Failure } from '../../components/failure.tsx';
import { PriceButton } from '../../components/price-button.tsx';
import { SplitPane } from '../../components/split-pane.tsx';
import { EmptyState, State, UnderWay } from '../../components/state.tsx';
import { useNow } from '../../components/use-now.ts';
import { focusList } from '../../lib/pane-focus.ts';
import { DueNotices } from './due-notices.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type At, errorOf, readLicences, stopWaiting } from './flow.ts';
import type { Flow } from './flow-store.ts';
import { licenceColumns } from './licence-columns.tsx';
import { LicenceDetail } from './licence-detail.tsx';
import { dayOf, isSameLicence, licenceKey } from './licence-facts.ts';
import type { Wish } from './licences-screen.tsx';
import { ListActions } from './list-actions.tsx';
import { labelOf, useOwn } from './own.ts';
import { listPrice } from './prices.ts';
import { lastSeenQuery } from './queries.ts';
import { ReadState } from './read-state.tsx';
import { Remarks } from './remarks.tsx';
import { SeatsBar } from './seats-bar.tsx';
import { SeatsByType } from './seats-by-type.tsx';
import { UnfinishedPanel } from './unfinished-panel.tsx';

interface LicencesTabProps {
  at: At;
  connection: Connection;
  flow: Flow;
  wish: Wish | null;
  /** Where this tab's own actions stand, while it is shown. */
  bar: HTMLElement | null;
}

/** Every licence of the account as last read, and beside them the one that is chosen. */
export function LicencesTab({ at, connection, flow, wish, bar }: LicencesTabProps) {
  const lastSeen = useQuery(lastSeenQuery(connection.id));
  const info = useQuery(appInfoQuery());
  const now = useNow(60_000);
  const today = dayOf(now);
  const [text, setText] = useDraft(`licences/filter-${connection.id}`);
  const [facets, setFacets] = useState<Omit<LicenceFilter, 'text'>>(noFilter);
  const [chosen, setChosen] = useState<string | null>(null);
  const [told, setTold] = useState<{ words: string; failed: boolean } | null>(null);
  const { labels } = useOwn(connection.id);
  const licences = lastSeen.data?.list.licences ?? noLicences;
  const holdings = lastSeen.data?.machines;
  const facts = useMemo(
    () => ({ today, held: new Set((holdings ?? []).flatMap(({ licenceNumbers }) => licenceNumbers.map(plainId))) }),
    [today, holdings],
  );
  const filter = useMemo(() => ({ ...facets, text: text.slice(0, 500) }), [facets, text]);
  // Fifty thousand rows are drawn anew behind the typing, not before the next letter shows.
  const applied = useDeferredValue(filter);
  const shown = useMemo(() => filterLicences(licences, applied, facts), [licences, applied, facts]);
  const columns = useMemo(() => licenceColumns((value) => labelOf(labels, 'status', value)), [labels]);
  const selected = useMemo(
    () => (chosen === null ? null : (licences.find((licence) => licenceKey(licence) === chosen) ?? null)),
    [licences, chosen],
  );
  // Both look through every licence: only where the licences or the day change.
  const remarks = useMemo(() => <Remarks licences={shown} today={today} now={now} />, [shown, today, now]);
  const seats = useMemo(
    () => <SeatsBar licences={shown} today={today} byType={<SeatsByType licences={shown} today={today} />} />,
    [shown, today],
  );

  // A wish is fulfilled once: reading the list again must not bring it back.
  const fulfilled = useRef<Wish | null>(null);
  const [arrival, setArrival] = useState<Wish | null>(null);
  useEffect(() => {
    if (wish === null || wish === fulfilled.current) return;
    const wished = licences.find((licence) => isSameLicence(licence.licenceNumber, wish.licenceNumber));
    if (!wished) return;
    fulfilled.current = wish;
    setArrival(wish);
    setChosen(licenceKey(wished));
  }, [wish, licences]);
  const choose = (key: string | null) => {
    setArrival(null);
    setChosen(key);
  };

  const clear = () => {
    setText('');
    setFacets(noFilter);
  };
  const again = (
    <PriceButton main price={listPrice()} disabled={flow.busy !== null} onClick={() => void readLicences(at)}>
      Read licences
    </PriceButton>
  );
  const reading = flow.busy?.doing === 'read' ? flow.busy : null;

  const body = () => {
    if (lastSeen.error) {
      return (
        <div className="state">
          <Failure
            error={errorOf(lastSeen.error)}
            actions={<Button onClick={() => void lastSeen.refetch()}>Try again</Button>}
          />
        </div>
      );
    }
    if (!lastSeen.data) return <div className="grow" aria-busy="true" />;
    const { list, machines } = lastSeen.data;
    if (list.readAt === null) {
      if (reading) {
        return (
          <UnderWay
            doing={`Reading the licences of ${connection.name}`}
            since={reading.since}
            onStop={() => stopWaiting(connection.id)}
            foot="The price of this call is not published."
          />
        );
      }
      return (
        <EmptyState
          icon={<IconLicense size={24} stroke={1.5} />}
          title={`The licences of ${connection.name} have not been read yet`}
          actions={again}
          foot="Kept afterwards on this computer, so that they can be seen without a network."
        >
          One call reads them all: their seats, credits and expiry.
        </EmptyState>
      );
    }
    if (licences.length === 0) {
      return (
        <State
          kind="nothing"
          icon={<IconLicense size={24} stroke={1.5} />}
          title="The account has no licences"
          actions={again}
        >
          The service answered with an empty list.
        </State>
      );
    }
    return (
      <>
        <FilterBar
          licences={licences}
          shown={shown.length}
          readAt={list.readAt}
          filter={filter}
          facts={facts}
          labels={labels}
          connectionId={connection.id}
          onFilter={({ text: words, ...rest }) => {
            setText(words);
            setFacets(rest);
          }}
          onText={setText}
          onFacets={setFacets}
          onClear={clear}
        />
        {told && (
          <div className={`subbar sm ${told.failed ? 'danger' : ''}`} role="status">
            {told.words}
          </div>
        )}
        {seats}
        <SplitPane
          pane={selected ? 'second' : 'first'}
          onBack={() => choose(null)}
          backLabel="Back to the licences"
          first={
            <div className="col grow">
              {shown.length === 0 ? (
                <State
                  kind="nothing"
                  icon={<IconFilterOff size={24} stroke={1.5} />}
                  title={`None of the ${licences.length} licences passes the filter`}
                  actions={<Button onClick={clear}>Clear the filter</Button>}
                />
              ) : (
                <>
                  <DataTable
                    label="Licences"
                    widthsKey="licences"
                    columns={columns}
                    rows={shown as Licence[]}
                    keyOf={licenceKey}
                    selectedKey={chosen}
                    onSelect={(licence) => choose(licenceKey(licence))}
                  />
                  {remarks}
                </>
              )}
            </div>
          }
          second={
            selected && (
              <LicenceDetail
                key={chosen}
                at={at}
                flow={flow}
                licence={selected}
                licences={licences}
                machines={machines}
                thisMachine={info.data?.machineName ?? null}
                today={today}
                now={now}
                wish={arrival}
                onClose={() => {
                  choose(null);
                  focusList('licences');
                }}
              />
            )
          }
        />
      </>
    );
  };
  return (
    <div className="licences">
      <UnfinishedPanel at={at} flow={flow} connectionId={connection.id} />
      <ListActions
        connectionId={connection.id}
        filter={filter}
        count={shown.length}
        bar={bar}
        onTold={(words, failed) => setTold({ words, failed })}
      />
      <DueNotices
        connectionId={connection.id}
        onShow={(number) => {
          const wanted = licences.find((licence) => isSameLicence(licence.licenceNumber, number));
          if (wanted) choose(licenceKey(wanted));
        }}
      />
      <ReadState at={at} flow={flow} hasList={(lastSeen.data?.list.readAt ?? null) !== null} />
      {body()}
    </div>
  );
}

const noLicences: readonly Licence[] = [];
