import { Button, Checkbox } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isNameWarning, type LicenceChange, nameLicence } from '../../../../shared/domain/licences/licence-change.ts';
import { ConfirmName, confirmsName } from '../../../components/confirm-name.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Mono } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useDraft } from '../../../lib/session/drafts.ts';
import { formatTime } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { type At, type Flow, planChange, resumeChange, runChange } from '../flow.ts';
import { kindText } from '../licence-facts.ts';
import { planPrice, stepsPrice } from '../prices.ts';

interface ConfirmPaneProps {
  at: At;
  flow: Flow;
  change: LicenceChange;
  onLeave: () => void;
}

/** Confirms a plan before anything is sent: what happens to which machine, its name to be typed, and what the plan is based on. */
export function ConfirmPane({ at, flow, change, onLeave }: ConfirmPaneProps) {
  const [typed, setTyped] = useDraft(`licences/confirm-${change.id}`);
  const [ticked, setTicked] = useState(false);
  const tick = change.warnings.find((warning) => warning.tick !== undefined);
  const needsTick = tick !== undefined && !ticked;
  const failure =
    flow.failure?.doing === 'run' || flow.failure?.doing === 'plan' || flow.failure?.doing === 'undo'
      ? flow.failure
      : null;
  const blocked = change.warnings.some((warning) => warning.blocks);
  const outdated = failure?.error.code === 'plan-outdated';
  const busy = flow.busy !== null;
  const planAgain = () => {
    // An undo is planned from the change it undoes, which may be unfinished: as a plan of its own it would be refused.
    if (change.undoOf !== null) void resumeChange(at, { ...change, id: change.undoOf }, 'undo');
    else {
      const { connectionId, kind, licenceNumber, machine, fromMachine } = change;
      void planChange(at, {
        connectionId,
        kind,
        licenceNumber,
        machine,
        ...(fromMachine === null ? {} : { fromMachine }),
      });
    }
  };
  const again = (
    <PriceButton className="wide" price={planPrice(change.kind)} disabled={busy} onClick={planAgain}>
      Plan again
    </PriceButton>
  );
  if (blocked) {
    return (
      <>
        <h3 className="h pane-title">This change cannot be made</h3>
        <p className="sm t2">
          What was read rules this change out, so it cannot be sent. The reasons are marked in the plan.
        </p>
        {failure && <Failure error={failure.error} />}
        <div className="col g8">
          {again}
          <Button className="wide" onClick={onLeave}>
            Leave it as it is
          </Button>
        </div>
        <RestsOn change={change} />
      </>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || outdated || needsTick || !confirmsName(typed, change.machine)) return;
    void runChange(at, change, change.machine, ticked);
  };
  return (
    <>
      <h3 className="h pane-title">Confirm</h3>
      <p className="sm t2 meaning">{meaningOf(change)}</p>
      {tick && !outdated && (
        <Notice tone="warn">
          {tick.text}
          <Checkbox
            className="tick"
            size="xs"
            label={tick.tick}
            checked={ticked}
            disabled={busy}
            onChange={(event) => setTicked(event.currentTarget.checked)}
          />
        </Notice>
      )}
      {failure && <Failure error={failure.error} />}
      {outdated ? (
        <div className="col g8">
          {again}
          <Button className="wide" onClick={onLeave}>
            Leave it as it is
          </Button>
        </div>
      ) : (
        <form className="col g12" onSubmit={submit}>
          <ConfirmName
            name={change.machine}
            value={typed}
            onChange={setTyped}
            label={change.kind === 'move' ? 'Type the new machine’s name' : 'Type the machine’s name'}
            disabled={busy}
          />
          <div className="col g8">
            <PriceButton
              type="submit"
              main
              className="wide"
              price={stepsPrice(change.steps)}
              disabled={busy || needsTick || !confirmsName(typed, change.machine)}
            >
              {kindText[change.kind]}
            </PriceButton>
            {needsTick && <p className="xs t3">Needs the tick above.</p>}
            <Button className="wide" onClick={onLeave} disabled={busy}>
              Leave it as it is
            </Button>
          </div>
        </form>
      )}
      <hr />
      <div className="col sm halfway-note">
        <h3 className="h">If it stops half way</h3>
        <p className="t2">
          {change.kind === 'move'
            ? 'At least half a minute passes between steps 2 and 4, because the removal is read twice. '
            : 'If the write gets no answer, the machine is still read back. '}
          The change is in the journal first, so the next start shows it and offers to check it, finish it or undo it.
        </p>
      </div>
      <RestsOn change={change} />
    </>
  );
}

function meaningOf(change: LicenceChange): ReactNode {
  const name = <span className="m strong">{legible(nameLicence(change))}</span>;
  if (change.kind === 'register') {
    return (
      <>
        Licence {name} goes to <Mono>{change.machine}</Mono>
        {change.licence?.seatsFree === 0 ? '. Its “Available” is 0, taken for no free seat.' : '.'}
      </>
    );
  }
  if (change.kind === 'unregister') {
    return (
      <>
        Licence {name} leaves <Mono>{change.machine}</Mono>. Programs on that machine may then be without one.
      </>
    );
  }
  return (
    <>
      Licence {name} leaves <Mono>{change.fromMachine}</Mono> and goes to <Mono>{change.machine}</Mono>. Programs on the
      old machine may then be without one.
    </>
  );
}

function RestsOn({ change }: { change: LicenceChange }) {
  const suspect = change.warnings.some(({ code }) => isNameWarning(code));
  return (
    <section className="col sm rests" aria-label="What this rests on">
      <h3 className="h">What this rests on</h3>
      <dl className="facts">
        {change.before.map((holding) => (
          <Pair key={holding.machine} label={<>{holding.machine} asked</>}>
            {formatTime(holding.askedAt)}
          </Pair>
        ))}
        <Pair label="Names checked">
          {suspect ? <span className="warn">see the warning</span> : <span className="good">none almost the same</span>}
        </Pair>
        <Pair label="Connection">{change.connectionName}</Pair>
        {change.accountName !== '' && <Pair label="Account">{change.accountName}</Pair>}
      </dl>
    </section>
  );
}

/** One fact of the pane: its name at the left, the value at the right, never cut off. */
export function Pair({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="fact-pair">
      <dt className="t2">{legible(label)}</dt>
      <dd className="sel">{legible(children)}</dd>
    </div>
  );
}
