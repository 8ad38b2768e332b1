import { Button, Loader, Menu, TextInput } from '@mantine/core';
import { IconDownload, IconPlus, IconSearch, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { FindingKind, MachineView } from '../../../shared/domain/licence.ts';
import type { AppError } from '../../../shared/errors.ts';
import { announce } from '../../app/announce.tsx';
import { useDraft } from '../../app/drafts.ts';
import { useGo } from '../../app/routes.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { PriceButton } from '../../components/price-button.tsx';
import { SplitPane } from '../../components/split-pane.tsx';
import { Elapsed, State } from '../../components/state.tsx';
import { call } from '../../lib/bridge.ts';
import { countOf } from '../../lib/format.ts';
import { machineColumns } from './machine-columns.tsx';
import { MachineDetail } from './machine-detail.tsx';
import { askPrice, errorOf, machinesKey, machinesQuery, refreshMachines } from './queries.ts';
import { followScans, startScan, stopScan, useScan } from './scan-store.ts';
import './machines.css';

export interface LicenceTabProps {
  connection: Connection;
  /** The end of the page bar, where the tab's own actions stand. */
  bar: HTMLElement | null;
  shown: boolean;
}

const chips: readonly { kind: FindingKind; label: string; always?: boolean }[] = [
  { kind: 'near-equal', label: 'Near-equal names', always: true },
  { kind: 'double', label: 'Doubles', always: true },
  { kind: 'orphan', label: 'Orphans', always: true },
  { kind: 'nothing', label: 'Holding nothing', always: true },
  { kind: 'ghost', label: 'Not in the list' },
  { kind: 'expired', label: 'Expired' },
  { kind: 'changed', label: 'Changed since the last scan' },
  { kind: 'no-answer', label: 'No answer' },
];

const has = (machine: MachineView, kind: FindingKind) => machine.findings.some((finding) => finding.kind === kind);
const shownRemarks = 4;

/** The map of which machine holds what: an inventory, found out by asking. */
export function MachinesTab({ connection, bar, shown }: LicenceTabProps) {
  const connectionId = connection.id;
  const client = useQueryClient();
  const go = useGo();
  useEffect(followScans, []);
  const { data, error, refetch } = useQuery(machinesQuery(connectionId));
  const scan = useScan(connectionId);
  const [text, setText] = useDraft(`licences/machines-filter-${connectionId}`);
  const [kind, setKind] = useState<FindingKind | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  const machines = data?.machines ?? none;
  const rows = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return machines.filter((machine) => {
      if (kind !== null && kind !== 'orphan' && !has(machine, kind)) return false;
      const all = [machine.name, machine.nickname, machine.owner, machine.site, machine.note]
        .concat(machine.holds.map(({ name }) => name))
        .join('\n')
        .toLowerCase();
      return words.every((word) => all.includes(word));
    });
  }, [machines, text, kind]);
  const selected = machines.find(({ name }) => name === chosen) ?? null;
  const thisMachine = machines.find((machine) => machine.thisMachine)?.name ?? '';
  const close = () => {
    setChosen(null);
    setAdding(false);
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-screen="licences"] .machines-tab [role="grid"]')?.focus(),
    );
  };
  const run = async (work: () => Promise<string | null>) => {
    setFailure(null);
    setTold(null);
    try {
      const words = await work();
      setTold(words);
      if (words) announce(words);
    } catch (thrown) {
      setFailure(errorOf(thrown));
    }
  };
  const importFile = () =>
    run(async () => {
      const { fileName, added, changed, same, refused } = await call('machines.import', { connectionId });
      refreshMachines(client, connectionId);
      if (fileName === '') return null;
      const left = refused.slice(0, 3).map(({ row, reason }) => `row ${row} ${reason}`);
      return `${fileName}: ${added} added, ${changed} changed, ${same} as they were${
        refused.length === 0
          ? '.'
          : `, ${refused.length} left out (${left.join('; ')}${refused.length > 3 ? ' …' : ''}).`
      }`;
    });
  const exportFile = () =>
    run(async () => {
      const { saved, fileName, rows: count } = await call('machines.export', { connectionId });
      return saved ? `${countOf(count, 'machine')} saved as ${fileName}.` : null;
    });
  const countOfKind = (one: FindingKind): number =>
    one === 'orphan'
      ? (data?.remarks.filter((remark) => remark.kind === 'orphan').length ?? 0)
      : machines.filter((machine) => has(machine, one)).length;
  const answered = machines.filter(({ askedAt, failure: failed }) => askedAt !== null && !failed).length;
  const remarks = (data?.remarks ?? []).filter((remark) =>
    kind === null ? remark.kind !== 'orphan' : remark.kind === kind,
  );

  const actions = (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" color="gray">
            CSV
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUpload size={14} aria-hidden="true" />} onClick={() => void importFile()}>
            Import machines from a CSV file…
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={14} aria-hidden="true" />} onClick={() => void exportFile()}>
            Export the machines…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        leftSection={<IconPlus size={15} aria-hidden="true" />}
        onClick={() => {
          setChosen(null);
          setAdding(true);
        }}
      >
        Add machine
      </Button>
      <PriceButton
        price={askPrice(machines.length)}
        disabled={scan.requestId !== null || machines.length === 0}
        onClick={() => {
          setTold(null);
          void startScan(connectionId, client, null);
        }}
      >
        {machines.length === 1 ? 'Ask this machine' : `Ask all ${machines.length}`}
      </PriceButton>
    </>
  );

  if (error)
    return (
      <div className="state">
        <Failure error={errorOf(error)} actions={<Button onClick={() => void refetch()}>Try again</Button>} />
      </div>
    );
  if (!data) return <div className="grow" aria-busy="true" />;
  return (
    <div className="licences machines-tab">
      {shown && bar && createPortal(actions, bar)}
      <search className="filter-bar" aria-label="Filter machines">
        <TextInput
          className="low"
          placeholder="Filter"
          aria-label="Filter machines"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={160}
          leftSection={<IconSearch size={14} className="ti" aria-hidden="true" />}
        />
        {chips.map(({ kind: one, label, always }) => {
          const count = countOfKind(one);
          return (
            (always || count > 0) && (
              <button
                key={one}
                type="button"
                className="chip line facet"
                aria-pressed={kind === one}
                onClick={() => setKind(kind === one ? null : one)}
              >
                <span className="t2">{label}</span> <span className="m">{count}</span>
              </button>
            )
          );
        })}
        <span className="grow" />
        <span className="sm t3 nowrap">
          {countOf(machines.length, 'machine')}, {answered} answered
        </span>
      </search>
      {scan.requestId !== null && (
        <div className="subbar" role="status">
          <Loader size={12} aria-hidden="true" />
          <span className="m">
            Asking, {scan.progress?.done ?? 0} of {scan.progress?.total ?? machines.length} done
          </span>
          <Elapsed since={scan.since} />
          <button type="button" className="link" onClick={() => stopScan(connectionId)}>
            Stop asking
          </button>
          <span className="t3">
            What was asked already stays. The price is not published: stopping takes nothing back.
          </span>
        </div>
      )}
      {(scan.failure ?? failure) && (
        <div className="pad pane-b">
          <Failure error={(scan.failure ?? failure) as AppError} />
        </div>
      )}
      {scan.requestId === null && (told ?? scan.ended) && (
        <div className="subbar sm" role="status">
          {told ?? scan.ended}
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
                title={`None of the ${machines.length} machines passes the filter`}
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
            {remarks.length > 0 && (
              <section className="machine-remarks" aria-label="Remarks">
                {remarks.slice(0, shownRemarks).map((remark) => (
                  <Notice
                    key={`${remark.kind}${remark.text}`}
                    {...(remark.tone === 'plain' ? {} : { tone: remark.tone })}
                    action={
                      remark.licenceNumber !== null ? (
                        <button
                          type="button"
                          className="link"
                          onClick={() => go('licences', { licence: remark.licenceNumber ?? '' })}
                        >
                          Show the licence
                        </button>
                      ) : (
                        <button
                          type="button"
                          className="link"
                          onClick={() => setText(remark.machines[0]?.split('.')[0] ?? '')}
                        >
                          Compare
                        </button>
                      )
                    }
                  >
                    <span className="m">{remark.title}</span> {remark.text}
                  </Notice>
                ))}
                {remarks.length > shownRemarks && (
                  <p className="sm t2">{countOf(remarks.length - shownRemarks, 'more remark')} of this kind.</p>
                )}
              </section>
            )}
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
      <div className="footbar">
        <span className="t2 trunc">{describeMissing(data.onNoMachine, answered)}</span>
        <span className="grow" />
        <span className="t3">A licence names no machine. What a machine holds is found by asking for it.</span>
      </div>
    </div>
  );
}

const none: readonly MachineView[] = [];
const keyOf = ({ name }: MachineView): string => name;

function describeMissing(names: readonly string[], answered: number): string {
  if (answered === 0) return 'No machine has been asked yet';
  if (names.length === 0) return 'Every licence was found on a machine';
  const shown = names.slice(0, 4);
  const rest = names.length - shown.length;
  const words = rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(shown.length === 2 ? ' and ' : ', ');
  return `${words} ${names.length === 1 ? 'was' : 'were'} found on no machine`;
}
