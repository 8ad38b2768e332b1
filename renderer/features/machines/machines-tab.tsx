import { Button, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { FindingKind, MachineView } from '../../../shared/domain/licences/licence-machines.ts';
import { Elapsed } from '../../components/elapsed.tsx';
import { Failure } from '../../components/failure.tsx';
import { NotRead, NotReadAgain } from '../../components/read-failure.tsx';
import { SplitPane } from '../../components/split-pane.tsx';
import { State } from '../../components/state.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { machinesKey, machinesQuery } from '../../lib/licences/machines.ts';
import { followScans, scans, startScan, useScan } from '../../lib/licences/scans.ts';
import { useDraft } from '../../lib/session/drafts.ts';
import { formatNumber } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { useRouteParams } from '../../lib/window/routes.tsx';
import { MachineActions, useInventoryFiles } from './machine-actions.tsx';
import { machineColumns } from './machine-columns.tsx';
import { MachineDetail } from './machine-detail.tsx';
import { filterMachines, MachineFilterBar } from './machine-filter-bar.tsx';
import { MachineRemarks } from './machine-remarks.tsx';
import './machines.css';

interface MachinesTabProps {
  connection: Connection;
  /** The end of the page bar, into which the tab's own actions are drawn. */
  bar: HTMLElement | null;
  shown: boolean;
}

/** Which machine was read with which licences: an inventory, filled by reading each machine. */
export function MachinesTab({ connection, bar, shown }: MachinesTabProps) {
  const connectionId = connection.id;
  const client = useQueryClient();
  useEffect(followScans, []);
  const scan = useScan(connectionId);
  // Machines that have answered are shown so while others are still asked.
  const read = useQuery({ ...machinesQuery(connectionId), refetchInterval: scan.running ? scanRefreshMs : false });
  const { data } = read;
  const [text, setText] = useDraft(`licences/machines-filter-${connectionId}`);
  const [kind, setKind] = useState<FindingKind | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const files = useInventoryFiles(connectionId);
  useRouteParams('licences', 'machines', ({ machine }) => {
    if (machine === undefined) return;
    setText('');
    setKind(null);
    setChosen(machine);
  });
  const machines = data?.machines ?? none;
  const rows = useMemo(() => filterMachines(machines, text, kind), [machines, text, kind]);
  const selected = machines.find(({ name }) => name === chosen) ?? null;
  const thisMachine = machines.find((machine) => machine.thisMachine)?.name ?? '';
  const failure = scan.failure ?? files.failure;
  const close = () => {
    setChosen(null);
    setAdding(false);
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-screen="licences"] .machines-tab [role="grid"]')?.focus(),
    );
  };
  const answered = machines.filter(({ askedAt, failure: failed }) => askedAt !== null && !failed).length;
  const remarks = (data?.remarks ?? []).filter((remark) =>
    kind === null ? remark.kind !== 'orphan' : remark.kind === kind,
  );

  if (!data) return <NotRead of={read} />;
  return (
    <div className="licences machines-tab">
      <NotReadAgain of={read} />
      {shown &&
        bar &&
        createPortal(
          <MachineActions
            machines={machines.length}
            scanning={scan.running !== null}
            onImport={() => void files.importFile()}
            onExport={() => void files.exportFile()}
            onAdd={() => {
              setChosen(null);
              setAdding(true);
            }}
            onAskAll={() => {
              files.forget();
              void startScan(connectionId, client, null);
            }}
          />,
          bar,
        )}
      <MachineFilterBar
        overview={data}
        answered={scan.running || scan.ended ? null : answered}
        text={text}
        onText={setText}
        kind={kind}
        onKind={setKind}
      />
      {scan.running && (
        <div className="subbar" role="status">
          <Loader size={12} aria-hidden="true" />
          <span className="m">
            Asking, {formatNumber(scan.progress?.done ?? 0)} of {formatNumber(scan.progress?.total ?? machines.length)}{' '}
            done
          </span>
          <Elapsed since={scan.running.since} />
          <button type="button" className="link" onClick={() => scans.stop(connectionId)}>
            Stop asking
          </button>
          <span className="t3">
            What has been asked stays. The price is not published, and stopping does not take it back.
          </span>
        </div>
      )}
      {failure && (
        <div className="pad pane-b">
          <Failure error={failure} />
        </div>
      )}
      {!scan.running && (files.told ?? scan.ended) && (
        <div className="subbar sm" role="status">
          {files.told ?? scan.ended}
        </div>
      )}
      <SplitPane
        pane={selected || adding ? 'second' : 'first'}
        onBack={close}
        backLabel="Back to the machines"
        first={
          <div className="col grow">
            {rows.length === 0 ? (
              <State
                kind="nothing"
                title="No machines match"
                actions={
                  <Button
                    onClick={() => {
                      setText('');
                      setKind(null);
                    }}
                  >
                    Clear the filter
                  </Button>
                }
              />
            ) : (
              <DataTable
                label="Machines"
                widthsKey="machines"
                columns={machineColumns}
                rows={rows as MachineView[]}
                keyOf={keyOf}
                selectedKey={chosen}
                onSelect={({ name }) => {
                  setAdding(false);
                  setChosen(name);
                }}
              />
            )}
            <MachineRemarks remarks={remarks} onCompare={setText} />
          </div>
        }
        second={
          (selected || adding) && (
            <MachineDetail
              key={adding ? '' : (chosen ?? '')}
              connectionId={connectionId}
              machine={adding ? null : selected}
              thisMachine={thisMachine}
              onSaved={(name) => {
                setAdding(false);
                setChosen(name);
                void client.invalidateQueries({ queryKey: machinesKey(connectionId) });
              }}
              onClose={close}
            />
          )
        }
      />
      <div className="footbar two-notes">
        <span className="t2">
          {!scan.running &&
            legible(describeMissing(data.onNoMachine, machines.filter(({ askedAt }) => askedAt !== null).length))}
        </span>
        <span className="t3">A licence names no machine. What a machine holds is found by asking for it.</span>
      </div>
    </div>
  );
}

/** Between two reads of the overview during a scan, which for thousands of licences takes main some tenths of a second. */
const scanRefreshMs = 3000;
const none: readonly MachineView[] = [];
const keyOf = ({ name }: MachineView): string => name;

/** `answered`: machines that answered once, whatever came of their last read. */
function describeMissing(names: readonly string[] | null, answered: number): string {
  if (answered === 0) return 'No machine has answered yet';
  if (names === null) return 'No licence list to compare with';
  if (names.length === 0) return 'Every licence of the list was named for a machine that answered';
  const shown = names.slice(0, 4);
  const rest = names.length - shown.length;
  const words =
    rest > 0 ? `${shown.join(', ')} and ${formatNumber(rest)} more` : shown.join(shown.length === 2 ? ' and ' : ', ');
  const asked =
    answered === 1 ? 'the one machine that answered' : `any of the ${formatNumber(answered)} machines that answered`;
  return `${words} ${names.length === 1 ? 'was' : 'were'} not named for ${asked}`;
}
