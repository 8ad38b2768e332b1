import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import type { Licence } from '../../../../shared/domain/licences/licence.ts';
import { filterLicences, type LicenceFilter, noFilter } from '../../../../shared/domain/licences/licence-filter.ts';
import { isSameLicence, plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { localDay } from '../../../../shared/domain/text/calendar-day.ts';
import { Notice } from '../../../components/notice.tsx';
import { NotRead, NotReadAgain } from '../../../components/read-failure.tsx';
import { SplitPane } from '../../../components/split-pane.tsx';
import { State } from '../../../components/state.tsx';
import { DataTable } from '../../../components/table/data-table.tsx';
import { appInfoQuery } from '../../../lib/calls/queries.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { useKeptFocus } from '../../../lib/window/kept-focus.ts';
import { focusList } from '../../../lib/window/pane-focus.ts';
import { useNow } from '../../../lib/window/use-now.ts';
import { labelOf, useOwn } from '../annotations.ts';
import { LicenceDetail } from '../detail/licence-detail.tsx';
import type { At, Flow } from '../flow.ts';
import { licenceKey } from '../licence-facts.ts';
import { lastSeenQuery } from '../queries.ts';
import { type OpenRequest, useChosenLicence } from '../use-chosen-licence.ts';
import { DueNotices } from './due-notices.tsx';
import { factsOf } from './figures.ts';
import { FilterBar } from './filter-bar.tsx';
import { licenceColumns } from './licence-columns.tsx';
import { ListActions } from './list-actions.tsx';
import { NoLicences, ReadState } from './read-state.tsx';
import { Remarks } from './remarks.tsx';
import { SeatsBar, SeatsByType } from './seats-bar.tsx';
import { UnfinishedPanel } from './unfinished-panel.tsx';

interface LicencesTabProps {
  at: At;
  connection: Connection;
  flow: Flow;
  openRequest: OpenRequest | null;
  /** The end of the page bar, into which this tab's actions are drawn while it is shown. */
  bar: HTMLElement | null;
}

/** Every licence of the account as last read, and beside them the one that is chosen. */
export function LicencesTab({ at, connection, flow, openRequest, bar }: LicencesTabProps) {
  const lastSeen = useQuery(lastSeenQuery(connection.id));
  const info = useQuery(appInfoQuery());
  const now = useNow(60_000);
  const today = localDay(now);
  const [text, setText] = useDraft(`licences/filter-${connection.id}`);
  const [facets, setFacets] = useState<Omit<LicenceFilter, 'text'>>(noFilter);
  const [told, setTold] = useState<{ words: string; failed: boolean } | null>(null);
  const { labels } = useOwn(connection.id);
  const licences = lastSeen.data?.list.licences ?? noLicences;
  const facts = factsOf(lastSeen.data?.machines ?? noMachines, today);
  const filter = useMemo(() => ({ ...facets, text: text.slice(0, 500) }), [facets, text]);
  const shown = useMemo(() => filterLicences(licences, filter, facts), [licences, filter, facts]);
  const changedSince = lastSeen.data?.changedSince ?? noChanges;
  const columns = useMemo(() => {
    const older = new Set(changedSince.map(plainId));
    return licenceColumns(
      (value) => labelOf(labels, 'status', value),
      ({ licenceNumber }) => older.has(plainId(licenceNumber)),
    );
  }, [labels, changedSince]);
  const { chosen, selected, arrival, choose } = useChosenLicence(licences, openRequest);
  // Both go through every licence, so they are drawn again only when the licences or the day change.
  const remarks = useMemo(() => <Remarks licences={shown} today={today} now={now} />, [shown, today, now]);
  const seats = useMemo(
    () => <SeatsBar licences={shown} today={today} byType={<SeatsByType licences={shown} today={today} />} />,
    [shown, today],
  );

  useKeptFocus(flow.busy?.doing === 'read' ? 'reading' : (lastSeen.data?.list.readAt ?? 'never'), () =>
    document.querySelector<HTMLElement>('.licences [role="grid"]'),
  );

  const clear = () => {
    setText('');
    setFacets(noFilter);
  };

  const body = () => {
    if (!lastSeen.data || (lastSeen.error && licences.length === 0))
      return <NotRead of={lastSeen} subject="Licences" />;
    const { list, machines } = lastSeen.data;
    if (list.readAt === null || licences.length === 0)
      return <NoLicences at={at} connection={connection} flow={flow} readAt={list.readAt} />;
    return (
      <>
        <NotReadAgain of={lastSeen} subject="Licences" />
        <FilterBar
          licences={licences}
          shown={shown.length}
          readAt={list.readAt}
          filter={filter}
          facts={facts}
          asked={machines.length}
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
        {list.doubt !== undefined && (
          <div className="pad pane-b">
            <Notice tone="warn">
              This list may not be whole: {list.doubt}. It has what the service returned. A licence that is not in it
              may be the account’s all the same, and the sums leave it out.
            </Notice>
          </div>
        )}
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
                  title="No licences match"
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
                isOlder={changedSince.some((id) => isSameLicence(id, selected.licenceNumber))}
                readAt={list.readAt}
                now={now}
                openRequest={arrival}
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
      <UnfinishedPanel at={at} flow={flow} />
      <ListActions
        licences={licences}
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
const noMachines: readonly MachineHoldings[] = [];
const noChanges: readonly string[] = [];
