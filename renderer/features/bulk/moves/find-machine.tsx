import { Button, Checkbox, Loader, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import type { Bulk } from '../../../../shared/domain/licences/licence-bulk.ts';
import type { MachineView } from '../../../../shared/domain/licences/licence-machines.ts';
import type { LicenceSeen } from '../../../../shared/domain/licences/licence-seen.ts';
import {
  findMachines,
  likeliest,
  type MachineMatch,
  mostMatches,
} from '../../../../shared/domain/licences/machine-search.ts';
import { Failure } from '../../../components/failure.tsx';
import { Tag } from '../../../components/marks.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { scans, useScan } from '../../../lib/licences/scans.ts';
import { useDraft } from '../../../lib/session/drafts.ts';
import { countOf, formatMoment, formatWhen } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { changeMoves, useMoves } from '../moves-store.ts';
import { seenQuery } from '../queries.ts';
import { headlineOf, stageOf } from './moves-stage.ts';
import { SeenLicences } from './seen-licences.tsx';
import { startsTicked, TargetPane } from './target-pane.tsx';

/** Matches shown at first, besides those that are ticked: what was seen on these stands below them. */
const fewMatches = 6;

interface FindMachineProps {
  connection: Connection;
  machines: readonly MachineView[];
  /** The last move of everything, to be opened again. */
  earlier: Bulk | null;
}

/** The search by an approximate name, the machines that resemble it, what the ticked ones were seen with, and the target. */
export function FindMachine({ connection, machines, earlier }: FindMachineProps) {
  const connectionId = connection.id;
  const [text, setText] = useDraft(`licences/dead-laptop-${connectionId}`);
  const moves = useMoves(connectionId);
  const scan = useScan(connectionId);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const matches = useMemo(() => findMachines(text, machines), [text, machines]);
  const chosen = useMemo(() => moves.machines ?? new Set(likeliest(matches)), [moves.machines, matches]);
  const names = matches.flatMap(({ name }) => (chosen.has(name) ? [name] : []));
  /** The text whose matches are all shown. */
  const [wholeList, setWholeList] = useState<string | null>(null);
  const shown =
    wholeList === text ? matches : matches.filter(({ name }, index) => index < fewMatches || chosen.has(name));
  const go = useGo();
  const seen = useQuery({ ...seenQuery(connectionId, names), enabled: names.length > 0 });
  const byName = useMemo(() => new Map(machines.map((machine) => [machine.name, machine])), [machines]);
  const licences = names.length > 0 ? (seen.data?.licences ?? []) : [];
  const isTicked = (one: LicenceSeen) => moves.licences.get(one.licenceNumber) ?? startsTicked(one);
  const ticked = licences.filter(isTicked);
  const kept = machines.filter((machine) => machine.kept).length;

  const toggle = ({ name, group }: MachineMatch) => {
    const next = new Set(chosen);
    // The spellings of one name are ticked together; each can be unticked individually.
    if (next.has(name)) next.delete(name);
    else for (const match of matches) if (match.name === name || match.group === group) next.add(match.name);
    changeMoves(connectionId, { machines: next, licences: new Map() });
  };
  return (
    <div className="moves-body">
      <div className="moves-find">
        <div className="moves-search">
          <TextInput
            ref={field}
            size="md"
            aria-label="Machine"
            placeholder="Name, nickname, digits, owner or place, as far as you know it"
            leftSection={<IconSearch size={16} aria-hidden="true" />}
            rightSectionWidth={170}
            rightSection={<span className="xs t3 nowrap">searched on this computer</span>}
            value={text}
            maxLength={255}
            onChange={(event) => {
              setText(event.currentTarget.value);
              changeMoves(connectionId, { machines: null, licences: new Map() });
            }}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        {text.trim() === '' ? (
          <div className="pad col g8">
            <p className="sm t2">
              Type what you know of the machine that failed. Every name in the inventory and in past answers is
              searched; nothing is asked.
            </p>
            {earlier && <Earlier bulk={earlier} />}
          </div>
        ) : (
          <section aria-label="Matching machines">
            <div className="moves-head">
              <h2 className="h">{describeCount(matches.length)}</h2>
              <span className="xs t3">
                of {countOf(kept, 'machine')} in the inventory and {countOf(machines.length - kept, 'name')} seen
                otherwise
              </span>
            </div>
            <ul className="plain">
              {shown.map((match) => (
                <li key={match.name} className={chosen.has(match.name) ? 'moves-match on' : 'moves-match'}>
                  <Checkbox
                    size="xs"
                    checked={chosen.has(match.name)}
                    onChange={() => toggle(match)}
                    aria-label={`${match.name}, ${match.reasons.join(', ')}`}
                  />
                  <MatchText match={match} machine={byName.get(match.name)} />
                </li>
              ))}
            </ul>
            {shown.length < matches.length && (
              <div className="pad">
                <button type="button" className="link sm" onClick={() => setWholeList(text)}>
                  Show all {matches.length}
                </button>
              </div>
            )}
            {matches.length === 0 && (
              <div className="pad col g8">
                <p className="sm t2">
                  Only machines that you listed or asked are known here. List yours, or ask one by its exact name, under
                  Machines.
                </p>
                <div className="row">
                  <Button onClick={() => go('licences', { show: 'machines' })}>Go to Machines</Button>
                </div>
              </div>
            )}
          </section>
        )}
        {names.length > 0 && seen.error && (
          <div className="pad">
            <ReadFailure of={seen} />
          </div>
        )}
        {names.length > 0 && seen.data && (
          <SeenLicences
            connectionId={connectionId}
            seen={seen.data}
            ticked={new Set(ticked.map(({ licenceNumber }) => licenceNumber))}
            onToggle={(one) =>
              changeMoves(connectionId, { licences: new Map(moves.licences).set(one.licenceNumber, !isTicked(one)) })
            }
          />
        )}
        {scan.running && (
          <div className="pad row sm" role="status">
            <Loader size={12} aria-hidden="true" /> Asking the machines
            <button type="button" className="link" onClick={() => scans.stop(connectionId)}>
              Stop asking
            </button>
          </div>
        )}
        {scan.failure && (
          <div className="pad">
            <Failure error={scan.failure} />
          </div>
        )}
        {names.length > 0 && (
          <div className="pad">
            <Notice>
              <span className="m">A licence record names no machine.</span> These were found by asking for{' '}
              {names.length === 1 ? 'this name' : `each of the ${names.length} names`}; one bound under another spelling
              would not be among them.
            </Notice>
          </div>
        )}
      </div>
      <TargetPane
        connection={connection}
        machines={machines}
        sources={names}
        licences={seen.data && !seen.isPlaceholderData ? ticked : null}
        text={text}
      />
    </div>
  );
}

function describeCount(count: number): string {
  if (count === 0) return 'No machine matches';
  if (count === mostMatches) return `The ${count} closest matches`;
  return count === 1 ? '1 machine matches' : `${count} machines match`;
}

function MatchText({ match, machine }: { match: MachineMatch; machine: MachineView | undefined }) {
  const holds = machine?.holds.length ?? 0;
  const words = machine ? [machine.nickname, machine.owner, machine.site].filter(Boolean).join(', ') : '';
  return (
    <>
      <span className="col grow moves-name">
        <span className="row g6">
          <span className="mono sel">{mark(match)}</span>
          {machine?.thisMachine && <Tag>this machine</Tag>}
        </span>
        <span className="xs t2">{words || (machine?.kept ? 'not named' : 'not in the inventory')}</span>
      </span>
      <span className="xs t2 moves-why">{match.reasons.join(', ')}</span>
      <span className="sm moves-count">
        {machine?.askedAt == null ? (
          <span className="t3">never answered</span>
        ) : holds === 0 ? (
          <span className="t3" title={formatMoment(machine.askedAt)}>
            named no licence {formatWhen(machine.askedAt)}
          </span>
        ) : (
          <span className="m">{countOf(holds, 'licence')} seen</span>
        )}
      </span>
    </>
  );
}

/** The name with its matching parts marked. */
function mark({ name, marks }: MachineMatch) {
  let at = 0;
  const parts = marks.flatMap(([from, to]) => {
    const before = name.slice(at, from);
    at = to;
    return [legible(before), <mark key={from}>{legible(name.slice(from, to))}</mark>];
  });
  return [...parts, legible(name.slice(at))];
}

function Earlier({ bulk }: { bulk: Bulk }) {
  const stage = stageOf(bulk, new Map());
  return (
    <p className="sm">
      <span className="t2">
        {stage.kind === 'planned'
          ? `Planned ${formatWhen(bulk.plannedAt)}: moves to ${bulk.moveTo}. Nothing was written.`
          : `Last move, planned ${formatWhen(bulk.plannedAt)}: ${headlineOf(stage, bulk)}.`}
      </span>{' '}
      <button type="button" className="link" onClick={() => changeMoves(bulk.connectionId, { shown: bulk.id })}>
        Open it
      </button>
    </p>
  );
}
