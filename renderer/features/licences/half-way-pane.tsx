import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { LicenceChange } from '../../../shared/domain/licence-change.ts';
import { useDraft } from '../../app/drafts.ts';
import { ConfirmName, confirmsName } from '../../components/confirm-name.tsx';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { PriceButton } from '../../components/price-button.tsx';
import { changeLicence, undoWords } from './change-words.ts';
import { type At, resumeChange } from './flow.ts';
import type { Flow } from './flow-store.ts';
import { checkPrice, planPrice, stepsPrice } from './prices.ts';
import { UnderWayLine } from './under-way-line.tsx';
import { VerdictTag } from './verdict-tag.tsx';

/** A change that stopped before it was proved: read again, go on, take back, or let it be. */
export function HalfWayPane({ at, flow, change }: { at: At; flow: Flow; change: LicenceChange }) {
  const [asking, setAsking] = useState<'finish' | 'dismiss' | null>(null);
  const busy = flow.busy !== null;
  const offers = (offer: LicenceChange['offers'][number]) => change.offers.includes(offer);
  if (asking === 'finish') return <FinishForm at={at} flow={flow} change={change} onBack={() => setAsking(null)} />;
  return (
    <>
      <div className="row between">
        <h3 className="h pane-title">Stopped half way</h3>
        <VerdictTag change={change} />
      </div>
      <p className="sm t2">
        Nothing more is sent until you say so. Checking reads the machines again and settles what can be settled.
      </p>
      {offers('check') && (
        <PriceButton
          main
          className="wide"
          price={checkPrice(change.kind)}
          disabled={busy}
          onClick={() => void resumeChange(at, change, 'check')}
        >
          Check
        </PriceButton>
      )}
      <UnderWayLine at={at} flow={flow} />
      {offers('finish') && (
        <Choice text={`Reads first, then does what is left of it. A write that took effect is not sent again.`}>
          <Button className="wide" disabled={busy} onClick={() => setAsking('finish')}>
            Finish…
          </Button>
        </Choice>
      )}
      {offers('undo') && (
        <Choice text={`${undoWords(change).what} Planned and confirmed like any change.`}>
          <PriceButton
            className="wide"
            price={planPrice(change.kind)}
            disabled={busy}
            onClick={() => void resumeChange(at, change, 'undo')}
          >
            Plan the undoing
          </PriceButton>
        </Choice>
      )}
      {offers('dismiss') &&
        (asking === 'dismiss' ? (
          <Notice tone="warn">
            {changeLicence(change)} stays where it is, proved or not, and the journal says so.
            <div className="row wrap">
              <Button size="xs" disabled={busy} onClick={() => void resumeChange(at, change, 'dismiss')}>
                Let it be · free
              </Button>
              <Button variant="subtle" color="gray" onClick={() => setAsking(null)}>
                Keep it open
              </Button>
            </div>
          </Notice>
        ) : (
          <Choice text="Closes it without a proof. Nothing is sent.">
            <Button className="wide" disabled={busy} onClick={() => setAsking('dismiss')}>
              Let it be…
            </Button>
          </Choice>
        ))}
      {flow.failure && <Failure error={flow.failure.error} />}
    </>
  );
}

function Choice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="col g4">
      {children}
      <p className="xs t3">{text}</p>
    </div>
  );
}

/** Finishing writes again, so the machine is named again. */
function FinishForm({ at, flow, change, onBack }: { at: At; flow: Flow; change: LicenceChange; onBack: () => void }) {
  const [typed, setTyped] = useDraft(`licences/finish-${change.id}`);
  const confirmed = confirmsName(typed, change.machine);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirmed && !flow.busy) void resumeChange(at, change, 'finish');
  };
  return (
    <form className="col g12" onSubmit={submit}>
      <h3 className="h pane-title">Finish</h3>
      <p className="sm t2">
        The machines are read first. Only the writes that are still needed to{' '}
        {change.kind === 'unregister' ? 'take' : 'put'} {changeLicence(change)}{' '}
        {change.kind === 'unregister' ? 'off' : 'on'} {change.machine} are sent, each once, and read back.
      </p>
      <ConfirmName
        name={change.machine}
        value={typed}
        onChange={setTyped}
        label="Type the machine’s name"
        disabled={flow.busy !== null}
      />
      <div className="col g8">
        <PriceButton
          type="submit"
          main
          className="wide"
          price={stepsPrice(change.steps)}
          disabled={!confirmed || flow.busy !== null}
        >
          Finish
        </PriceButton>
        <Button className="wide" onClick={onBack}>
          Back
        </Button>
      </div>
      {flow.failure && <Failure error={flow.failure.error} />}
    </form>
  );
}
