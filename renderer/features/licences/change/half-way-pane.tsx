import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isWriteUnread, type LicenceChange, nameLicence } from '../../../../shared/domain/licences/licence-change.ts';
import { ConfirmName, confirmsName } from '../../../components/confirm-name.tsx';
import { Failure } from '../../../components/failure.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useDraft } from '../../../lib/session/drafts.ts';
import { formatClock } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { closeByEscape } from '../../../lib/window/close-by-escape.ts';
import { useNow } from '../../../lib/window/use-now.ts';
import { type At, type Flow, resumeChange } from '../flow.ts';
import { checkPrice, planPrice, stepsPrice } from '../prices.ts';
import { undoText } from './change-messages.ts';
import { UnderWayLine } from './under-way-line.tsx';
import { VerdictTag } from './verdict-tag.tsx';

/** A change that is on its way or half done: read again, continue once its wait is over, undo, or leave it as it is. */
export function HalfWayPane({ at, flow, change }: { at: At; flow: Flow; change: LicenceChange }) {
  const [asking, setAsking] = useState<'finish' | 'dismiss' | null>(null);
  const buttons = { finish: useRef<HTMLButtonElement>(null), dismiss: useRef<HTMLButtonElement>(null) };
  const asked = useRef<'finish' | 'dismiss' | null>(null);
  // A form that was closed gives the focus back to the button that opened it.
  useEffect(() => {
    if (asking === null && asked.current !== null) buttons[asked.current].current?.focus();
    asked.current = asking;
  });
  const now = useNow(1000);
  const busy = flow.busy !== null;
  const offers = (offer: LicenceChange['offers'][number]) => change.offers.includes(offer);
  const isTooSoon = change.writeAfter !== null && Date.parse(change.writeAfter) > now.getTime();
  const later =
    change.writeAfter === null
      ? ''
      : `Not before ${formatClock(change.writeAfter)}: what was sent may still take effect. `;
  const isUnread = isWriteUnread(change);
  if (asking === 'finish') return <FinishForm at={at} flow={flow} change={change} onBack={() => setAsking(null)} />;
  return (
    <>
      <div className="row between">
        <h3 className="h pane-title">What you can do</h3>
        <VerdictTag change={change} />
      </div>
      {offers('check') && (
        <Choice text={describeNext(change)}>
          <PriceButton
            main
            className="wide"
            price={checkPrice(change.kind)}
            disabled={busy}
            onClick={() => void resumeChange(at, change, 'check')}
          >
            {change.kind === 'move' ? 'Read both now' : 'Read now'}
          </PriceButton>
        </Choice>
      )}
      <UnderWayLine at={at} flow={flow} />
      {offers('finish') && (
        <Choice
          text={`${isTooSoon ? later : ''}${isUnread ? 'Read it first. ' : ''}Reads once more, then does what is left of it. A write whose effect was seen is not sent again.`}
        >
          <Button
            className="wide"
            ref={buttons.finish}
            disabled={busy || isTooSoon || isUnread}
            onClick={() => setAsking('finish')}
          >
            Finish…
          </Button>
        </Choice>
      )}
      {offers('undo') && (
        <Choice text={`${isTooSoon ? later : ''}${undoText(change).what} Planned, and typed by you, like any change.`}>
          <PriceButton
            className="wide"
            price={planPrice(change.kind)}
            disabled={busy || isTooSoon}
            onClick={() => void resumeChange(at, change, 'undo')}
          >
            Plan to undo
          </PriceButton>
        </Choice>
      )}
      {offers('dismiss') &&
        (asking === 'dismiss' ? (
          <DismissForm at={at} flow={flow} change={change} onBack={() => setAsking(null)} />
        ) : (
          <Choice text="Ends this change as it was read last, with your reason in the journal. Nothing is sent.">
            <Button className="wide" ref={buttons.dismiss} disabled={busy} onClick={() => setAsking('dismiss')}>
              Keep it as it is…
            </Button>
          </Choice>
        ))}
      {flow.failure && <Failure error={flow.failure.error} />}
    </>
  );
}

function describeNext({ nextRead }: LicenceChange): string {
  if (nextRead === null) return 'It is not read again automatically.';
  const when = nextRead === 'next-start' ? 'when the program next starts' : `at ${formatClock(nextRead)}`;
  return `A read may lag behind a write. The next automatic one is ${when}. Nothing is written again automatically.`;
}

function Choice({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="col g4">
      {children}
      <p className="xs t3">{legible(text)}</p>
    </div>
  );
}

interface FormProps {
  at: At;
  flow: Flow;
  change: LicenceChange;
  onBack: () => void;
}

/** Closing a change as it was read last, with a reason. */
function DismissForm({ at, flow, change, onBack }: FormProps) {
  const [reason, setReason] = useState('');
  const busy = flow.busy !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void resumeChange(at, change, 'dismiss', reason.trim());
  };
  return (
    <form onSubmit={submit} onKeyDown={closeByEscape(onBack)}>
      <Notice tone="warn">
        This change is closed as it was read last, and the journal says so.
        <TextInput
          label="Reason, for the journal"
          value={reason}
          maxLength={500}
          autoFocus
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div className="row wrap">
          <Button type="submit" size="xs" disabled={busy}>
            Keep it as it is · free
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack}>
            Leave it open
          </Button>
        </div>
      </Notice>
    </form>
  );
}

/** Finishing writes again, so the machine's name is typed again. */
function FinishForm({ at, flow, change, onBack }: FormProps) {
  const [typed, setTyped] = useDraft(`licences/finish-${change.id}`);
  const confirmed = confirmsName(typed, change.machine);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirmed && !flow.busy) void resumeChange(at, change, 'finish');
  };
  return (
    <form className="col g12" onSubmit={submit} onKeyDown={closeByEscape(onBack)}>
      <h3 className="h pane-title">Finish</h3>
      <p className="sm t2">
        The machines are read first. Only the writes that are still needed to{' '}
        {change.kind === 'unregister' ? 'take' : 'put'} {legible(nameLicence(change))}{' '}
        {change.kind === 'unregister' ? 'off' : 'on'} {legible(change.machine)} are sent, each once, and read back. You
        go on from what was read last.
      </p>
      <ConfirmName
        name={change.machine}
        value={typed}
        onChange={setTyped}
        label="Type the machine’s name"
        disabled={flow.busy !== null}
        autoFocus
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
