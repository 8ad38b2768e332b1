import { Button, Loader, Radio, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo } from 'react';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { priceOfCalls } from '../../../../shared/domain/credits/published-price.ts';
import type { MachineView } from '../../../../shared/domain/licences/licence-machines.ts';
import type { LicenceSeen } from '../../../../shared/domain/licences/licence-seen.ts';
import { compareMachineNames } from '../../../../shared/domain/licences/similar-names.ts';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Mono, Tag } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { useCompletion } from '../../../lib/connection/connection-dialogs.ts';
import { missingForLicences } from '../../../lib/connection/missing-for-licences.ts';
import { useConnection } from '../../../lib/connection/use-connection.ts';
import { machineReads } from '../../../lib/licences/machines.ts';
import { countOf, formatWhen } from '../../../lib/text/format.ts';
import { planMoves } from '../bulk-run.ts';
import { bulkCalls, movesPlace, useBulkFlow } from '../bulk-store.ts';
import { changeMoves, useMoves } from '../moves-store.ts';

/** Whether a licence is ticked at first: it was in a machine's last answer, and nothing says that the service may not give it back. */
export const startsTicked = ({ mayStayOff, seen, licence }: LicenceSeen): boolean =>
  licence !== null && mayStayOff === null && seen.some(({ last }) => last);

interface TargetPaneProps {
  connection: Connection;
  machines: readonly MachineView[];
  sources: readonly string[];
  /** null: what the sources were seen with is not known. */
  licences: readonly LicenceSeen[] | null;
  /** What was typed to find the machine. */
  text: string;
}

/** Where the ticked licences are to go; its button plans from reads alone. */
export function TargetPane({ connection, machines, sources, licences, text }: TargetPaneProps) {
  const client = useQueryClient();
  const connectionId = connection.id;
  const { target } = useMoves(connectionId);
  const flow = useBulkFlow(movesPlace(connectionId));
  const view = useConnection();
  const missing = missingForLicences(view);
  const completion = useCompletion(view, missing);
  const offered = useMemo(() => offerTargets(machines, sources), [machines, sources]);
  const name = target.trim();
  const problem = licences && findProblem(name, sources, licences.length);
  const near = sources.find((source) => compareMachineNames(source, name).length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (licences === null || problem !== null || missing !== null || flow.busy) return;
    const from = licences.map(({ licenceNumber, seen }) => ({ licenceNumber, from: seen[0]?.machine ?? '' }));
    void planMoves(client, connectionId, `Everything on ${sources.join(' and ')}`, name, from);
  };
  if (sources.length === 0)
    return (
      <aside className="moves-pane change-pane" aria-label="Where to">
        <p className="sm t2">
          {text.trim() === '' ? 'Find the machine first.' : 'Tick the machine, and every spelling of its name.'}
        </p>
      </aside>
    );
  return (
    <aside className="moves-pane change-pane" aria-label="Where to">
      <form className="col g12" onSubmit={submit}>
        <h2 className="h pane-title">Move {licences && countOf(licences.length, 'licence')} to</h2>
        <Radio.Group
          value={target}
          onChange={(next) => changeMoves(connectionId, { target: next })}
          aria-label="Machine"
        >
          <div className="col g8">
            {offered.map((machine) => (
              <Radio.Card key={machine.name} value={machine.name} className="moves-target">
                <span className="row g6">
                  <Mono>{machine.name}</Mono>
                  {machine.thisMachine && <Tag>this machine</Tag>}
                </span>
                {machine.nickname !== '' && <span className="xs t2">{machine.nickname}</span>}
                <span className="xs t2">{describeHolds(machine)}</span>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
        <TextInput
          className="codes"
          label="Machine that takes them, exactly as it is sent"
          value={target}
          maxLength={255}
          onChange={(event) => changeMoves(connectionId, { target: event.currentTarget.value })}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        {near !== undefined && (
          <p className="sm warn">
            It differs from {near} only in {compareMachineNames(near, name).join(' and ')}.
          </p>
        )}
        {missing === null ? (
          <PriceButton
            type="submit"
            main
            className="wide"
            price={priceOfCalls(['GetLicenseList', ...machineReads(sources.length + 1)])}
            disabled={licences === null || problem !== null || flow.busy !== null}
          >
            Plan {licences ? countOf(licences.length, 'move') : 'the moves'}
          </PriceButton>
        ) : (
          <Button className="wide" title={`Licences need ${missing.words}`} onClick={completion.open}>
            {completion.label}
          </Button>
        )}
        {problem !== null && <p className="xs t3">{problem}</p>}
        {flow.busy?.request === 'plan' && (
          <div className="row sm" role="status">
            <Loader size={12} aria-hidden="true" /> <span>Planning</span> <Elapsed since={flow.busy.since} />
            <button type="button" className="link" onClick={() => bulkCalls.stop(movesPlace(connectionId))}>
              Stop planning
            </button>
          </div>
        )}
        {flow.failure && <Failure error={flow.failure} />}
      </form>
      <p className="xs t3">
        Reads only: the list and each machine. The plan shows each licence’s Status, seats and expiry and asks once for
        the machine’s name. The moves run one after another; after one that was sent and is not seen the rest wait.
      </p>
    </aside>
  );
}

function findProblem(name: string, sources: readonly string[], licences: number): string | null {
  if (licences === 0) return 'Tick a licence.';
  if (name === '') return 'Choose a machine or type its name.';
  return sources.includes(name) ? 'It is one of the machines they were seen on.' : null;
}

const describeHolds = ({ askedAt, holds }: MachineView): string =>
  askedAt === null
    ? 'never answered'
    : holds.length === 0
      ? `named no licence ${formatWhen(askedAt)}`
      : `${holds
          .slice(0, 2)
          .map(({ name }) => name)
          .join(', ')}${holds.length > 2 ? ` and ${holds.length - 2} more` : ''} seen ${formatWhen(askedAt)}`;

/** This machine, and those whose nickname, owner or place is most like that of the sources. */
function offerTargets(machines: readonly MachineView[], sources: readonly string[]): MachineView[] {
  const wordsOf = ({ nickname, owner, site }: MachineView): string[] =>
    `${nickname} ${owner} ${site}`.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const wanted = new Set(machines.filter(({ name }) => sources.includes(name)).flatMap(wordsOf));
  return machines
    .filter(({ name }) => !sources.includes(name))
    .map((machine) => ({
      machine,
      alike: (machine.thisMachine ? 1000 : 0) + new Set(wordsOf(machine).filter((word) => wanted.has(word))).size,
    }))
    .filter(({ alike }) => alike > 0)
    .sort((a, b) => b.alike - a.alike)
    .slice(0, 3)
    .map(({ machine }) => machine);
}
