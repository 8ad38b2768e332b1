import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { renderLicenceClaims } from '../../../../shared/claims/licence-claims.ts';
import { readDay } from '../../../../shared/claims/moment.ts';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { type LicenceChange, nameLicence } from '../../../../shared/domain/licences/licence-change.ts';
import { isSameLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import { Breadcrumbs } from '../../../components/breadcrumbs.tsx';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Dot } from '../../../components/marks.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ScreenTitle } from '../../../components/screen-title.tsx';
import { Tick } from '../../../components/steps.tsx';
import { formatPrice } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { announce } from '../../../lib/window/announce.ts';
import { closeByEscape } from '../../../lib/window/close-by-escape.ts';
import { isNarrow } from '../../../lib/window/width.ts';
import { type At, type Flow, stopChange } from '../flow.ts';
import { kindText } from '../licence-facts.ts';
import { stepsPrice } from '../prices.ts';
import { lastSeenQuery } from '../queries.ts';
import { changeHeadline, countCalls, describeProgress, describeRunning } from './change-messages.ts';
import { ChangeSteps } from './change-steps.tsx';
import { ConfirmPane } from './confirm-pane.tsx';
import { HalfWayPane } from './half-way-pane.tsx';
import { MachineBoxes } from './machine-boxes.tsx';
import { PlannedFacts } from './planned-facts.tsx';
import { ReceiptPane } from './receipt-pane.tsx';
import { WhatWasSeen } from './what-was-seen.tsx';

interface ChangeViewProps {
  at: At;
  connection: Connection;
  flow: Flow;
  change: LicenceChange;
  /** Back to the list. */
  onLeave: () => void;
  /** To the licence itself, beside the list. */
  onLicence: () => void;
}

/** Whether writes are under way, here or, after the window was loaded anew, in the main process alone. */
const isRunning = (change: LicenceChange, flow: Flow): boolean =>
  change.state === 'running' ||
  ((flow.busy?.doing === 'run' || flow.busy?.doing === 'finish') && flow.change?.id === change.id);

/** A change in one layout: its rows are the plan, then the progress, then the proof; beside them confirm, working, receipt. */
export function ChangeView({ at, connection, flow, change, onLeave, onLicence }: ChangeViewProps) {
  const running = isRunning(change, flow);
  const { data } = useQuery(lastSeenQuery(change.connectionId));
  const licences = data?.list.licences ?? [];
  const isListed =
    change.connectionId === connection.id &&
    licences.some(({ licenceNumber }) => isSameLicence(licenceNumber, change.licenceNumber));
  const box = useRef<HTMLDivElement>(null);
  const headline = changeHeadline(change, running);
  const stage = running ? 'running' : change.state;
  const placed = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each stage brings another pane, which takes the focus the old one held
  useEffect(() => {
    if (placed.current === stage) return;
    // In a narrow window the plan is above the pane and is read first.
    const field = isNarrow()
      ? null
      : (box.current?.querySelector<HTMLElement>('aside input') ?? box.current?.querySelector<HTMLElement>('aside'));
    // Still disabled while the call ends: the focus is set at the next render.
    if (field?.matches(':disabled')) return;
    placed.current = stage;
    (field ?? box.current?.querySelector<HTMLElement>('h1'))?.focus();
  }, [stage, flow.busy]);
  useEffect(() => announce(headline), [headline]);

  const pane = () => {
    if (running) return <WorkingPane at={at} flow={flow} change={change} />;
    if (change.state === 'planned') return <ConfirmPane at={at} flow={flow} change={change} onLeave={onLeave} />;
    if (change.state === 'interrupted') return <HalfWayPane at={at} flow={flow} change={change} />;
    return <ReceiptPane at={at} flow={flow} change={change} />;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is listened for on behalf of whatever holds the focus in it
    <div className="licence-change" ref={box} onKeyDown={closeByEscape(onLeave)}>
      <div className="pagebar">
        <Breadcrumbs
          places={[
            { name: 'Licences', label: 'Back to the licences', onOpen: onLeave },
            {
              name: nameLicence(change),
              label: `To ${nameLicence(change)}`,
              onOpen: isListed ? onLicence : undefined,
            },
          ]}
        />
        <ScreenTitle>
          {kindText[change.kind]}
          <span className="spoken"> {legible(nameLicence(change))}</span>
        </ScreenTitle>
        <span className="grow" />
        <Stages change={change} running={running} />
      </div>
      <div className="change-body">
        <div className="change-plan">
          <div>
            <h2 className="headline sel">{legible(headline)}</h2>
            <p className="t2 sel">{legible(describe(change, running))}</p>
            {change.connectionId !== connection.id && (
              <p className="sm warn">This change belongs to the connection {legible(change.connectionName)}.</p>
            )}
          </div>
          {change.state === 'planned' && !running && <PlannedFacts change={change} />}
          <MachineBoxes change={change} licences={licences} running={running} />
          {change.state === 'planned' && change.warnings.length > 0 && (
            <div className="col g6">
              {change.warnings
                .filter(({ tick }) => tick === undefined)
                .map((warning) => (
                  <Notice
                    key={warning.text}
                    {...(warning.blocks
                      ? { tone: 'danger' as const }
                      : warning.code === 'not-this-machine'
                        ? {}
                        : { tone: 'warn' as const })}
                  >
                    {warning.text}
                  </Notice>
                ))}
            </div>
          )}
          <section className="col change-list" aria-label="Steps">
            <div className="row between wrap">
              <h3 className="h">
                {running
                  ? 'What is being done'
                  : change.state === 'planned'
                    ? 'What will be done'
                    : change.state === 'interrupted'
                      ? 'What was done so far'
                      : 'What was done'}
              </h3>
              <span className="sm t3">
                {countCalls(change)}
                {change.state === 'planned' && `, ${formatPrice(stepsPrice(change.steps))}`}
              </span>
            </div>
            <ChangeSteps change={change} running={running} />
          </section>
          {!running && change.reads.length > 0 && <WhatWasSeen change={change} />}
        </div>
        <aside className="change-pane insetbg" aria-label="Change" tabIndex={-1}>
          {pane()}
        </aside>
      </div>
    </div>
  );
}

function describe(change: LicenceChange, running: boolean): string {
  if (running) return describeRunning(change);
  if (change.state !== 'planned') return changeSeen(change);
  const type = change.licenceType === '' ? '' : `${change.licenceType}, `;
  // What an undo reverts was changed by the change before it.
  const yet =
    change.undoOf === null
      ? 'Nothing has been changed yet.'
      : 'It takes an earlier change back, and has changed nothing yet.';
  return `${type}LicenseID ${change.licenceNumber}. ${yet}`;
}

const names = ['Plan', 'Confirm', 'Write', 'Read back', 'Receipt'] as const;
type Stage = 'past' | 'here' | 'ahead' | 'unproved';

/** How far a change has come: five words, each past, here or ahead; what was not seen is never ticked. */
function Stages({ change, running }: { change: LicenceChange; running: boolean }) {
  const here = stageOf(change, running);
  const unproved =
    change.state !== 'planned' && !running && change.verdict !== 'seen' && change.verdict !== 'confirmed';
  return (
    <ol className="plain stages" aria-label="Progress">
      {names.map((name, index) => {
        const stage: Stage =
          unproved && index === Math.min(here, 3)
            ? 'unproved'
            : here > index
              ? 'past'
              : here === index
                ? 'here'
                : 'ahead';
        return (
          <li key={name} className={classes[stage]} aria-current={stage === 'here' ? 'step' : undefined}>
            {stage === 'past' ? (
              <Tick />
            ) : (
              <Dot tone={stage === 'here' ? 'accent' : stage === 'unproved' ? 'warn' : 'hollow'} />
            )}
            {name}
            <span className="spoken">, {words[stage]}</span>
          </li>
        );
      })}
    </ol>
  );
}

const classes: Record<Stage, string> = { past: 'good', here: 'm', ahead: 't3', unproved: 'warn m' };
const words: Record<Stage, string> = { past: 'done', here: 'now', ahead: 'to come', unproved: 'not seen' };

function stageOf(change: LicenceChange, running: boolean): number {
  if (running) {
    const step = change.steps.find(({ state }) => state === 'running');
    return step?.effect === 'reads' && step.number > 1 ? 3 : 2;
  }
  if (change.state === 'planned') return 1;
  if (change.state !== 'interrupted') return names.length;
  return change.steps.some((step) => step.effect === 'writes' && step.state === 'planned') ? 2 : 3;
}

/** A change under way: what is being done, that the intent is recorded, and the way to stop between two steps. */
function WorkingPane({ at, flow, change }: { at: At; flow: Flow; change: LicenceChange }) {
  const stopping = flow.stopping === change.id;
  const step = change.steps.find(({ state }) => state === 'running');
  return (
    <>
      <div className="row between">
        <h3 className="h pane-title">Working</h3>
        <span className="sm">
          <Elapsed since={step?.startedAt ?? flow.busy?.since ?? change.plannedAt} />
        </span>
      </div>
      <p className="sm t2">{legible(describeProgress(change, step !== undefined))} Each call is sent once.</p>
      {change.journal && (
        <Notice>
          Journal entry {change.journal.first} holds the intent. If the console closes now, you can carry on from here.
        </Notice>
      )}
      <Button className="wide" disabled={stopping} onClick={() => void stopChange(at.connectionId, change)}>
        {stopping ? 'Stopping after this step' : 'Stop after this step'}
      </Button>
      <p className="xs t3">Stopping after a write always reads back first.</p>
    </>
  );
}

/** What was read, as sentences of today: from the change's claims, or the text of an earlier version. How one was closed is text alone. */
const changeSeen = (change: LicenceChange): string =>
  change.claims.length > 0 && change.state !== 'dismissed' && change.undoneBy === undefined
    ? renderLicenceClaims(change.claims, readDay(Date.now()))
    : change.conclusion;
