import { Button } from '@mantine/core';
import { IconArrowRight, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { type Licence, nameOf } from '../../../../shared/domain/licences/licence.ts';
import type { ChangeKind } from '../../../../shared/domain/licences/licence-change.ts';
import { isSameLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { Tag } from '../../../components/marks.tsx';
import { PaneHead } from '../../../components/pane-head.tsx';
import { formatWhen } from '../../../lib/text/format.ts';
import { useArrivalFocus } from '../../../lib/window/pane-focus.ts';
import { useShortcut } from '../../../lib/window/shortcuts.ts';
import { useCopy } from '../../../lib/window/use-copy.ts';
import type { At, Flow } from '../flow.ts';
import { machinesHolding, seatsOf } from '../licence-facts.ts';
import type { OpenRequest } from '../use-chosen-licence.ts';
import { AnnotationsPart } from './annotations-part.tsx';
import { FoundOn } from './found-on.tsx';
import { fieldsText, LicenceFields } from './licence-fields.tsx';
import { RequestForm } from './request-form.tsx';

interface LicenceDetailProps {
  at: At;
  flow: Flow;
  licence: Licence;
  licences: readonly Licence[];
  machines: readonly MachineHoldings[];
  /** null: not known yet. */
  thisMachine: string | null;
  today: string;
  /** Whether it was written to since the list was read. */
  isOlder: boolean;
  /** When the list was read. */
  readAt: string;
  now: Date;
  openRequest: OpenRequest | null;
  onClose: () => void;
}

/** `here`: for this machine, whose name is filled in. */
type Form = { kind: ChangeKind; here: boolean };

/** One licence: what can be done with it, its fields, and where it was found. */
export function LicenceDetail(props: LicenceDetailProps) {
  const { at, flow, licence, licences, machines, thisMachine, today, now, openRequest, onClose } = props;
  const [form, setForm] = useState<Form | null>(null);
  const { copied, copy } = useCopy();
  const holders = machinesHolding(licence.licenceNumber, machines);
  const here = thisMachine !== null && holders.some((holder) => holder.machine === thisMachine);

  // Neither in an effect: when the screen is shown again all of them run, and another form may be open by then.
  const [takenRequest, setTakenRequest] = useState<OpenRequest | null>(null);
  if (openRequest !== takenRequest) {
    setTakenRequest(openRequest);
    if (openRequest?.form) setForm({ kind: openRequest.form, here: openRequest.form === 'register' });
  }
  // A form that led to a finished change is closed; one that was only left for another licence stays.
  const finished = flow.change?.state === 'finished' && isSameLicence(flow.change.licenceNumber, licence.licenceNumber);
  const [wasFinished, setWasFinished] = useState(finished);
  if (finished !== wasFinished) {
    setWasFinished(finished);
    if (finished) setForm(null);
  }
  const title = useArrivalFocus();
  useShortcut('move-licence', () => setForm({ kind: 'move', here: false }), flow.view === 'list');

  const blocked = flow.busy !== null;
  const seats = seatsOf(licence, today);
  return (
    <section className="licence-detail" aria-label={nameOf(licence)}>
      <PaneHead title={nameOf(licence)} titleRef={title} closeLabel="Close the licence" onClose={onClose}>
        {props.isOlder ? (
          <span title={`Seats as read ${formatWhen(props.readAt)}, before its change`}>
            <Tag tone="line">read before its change</Tag>
          </span>
        ) : (
          <SeatTag seats={seats} />
        )}
      </PaneHead>
      <div className="licence-body">
        {form ? (
          <RequestForm
            key={`${form.kind} ${form.here}`}
            at={at}
            flow={flow}
            licence={licence}
            kind={form.kind}
            machine={form.here ? (thisMachine ?? '') : ''}
            holders={holders}
            thisMachine={thisMachine}
            onCancel={() => {
              setForm(null);
              title.current?.focus();
            }}
          />
        ) : (
          <Verbs
            isBound={holders.length > 0}
            hasSeat={seats.unknown || seats.free > 0}
            here={here}
            disabled={blocked}
            onChoose={setForm}
          />
        )}
        <LicenceFields licence={licence} connectionId={at.connectionId} now={now} onCopy={copy} />
        <div className="row between">
          <CopiedNote copied={copied} />
          <button
            type="button"
            className="link sm"
            onClick={() => copy(fieldsText(licence), `the fields of ${nameOf(licence)}`)}
          >
            <IconCopy size={14} className="ti" aria-hidden="true" />
            Copy the fields
          </button>
        </div>
        <AnnotationsPart connectionId={at.connectionId} licence={licence} />
        <FoundOn
          at={at}
          flow={flow}
          holders={holders}
          machines={machines}
          licences={licences}
          thisMachine={thisMachine}
        />
      </div>
    </section>
  );
}

function SeatTag({ seats: { used, free, lost, unknown } }: { seats: ReturnType<typeof seatsOf> }) {
  if (unknown) return <Tag tone="line">seats unknown</Tag>;
  if (lost > 0) return <Tag tone="danger">expired</Tag>;
  if (free > 0) return <Tag tone="good">{free === 1 ? 'one seat free' : `${free} seats free`}</Tag>;
  return <Tag>{used === 0 ? 'no seats' : used === 1 ? 'seat in use' : 'all seats in use'}</Tag>;
}

interface VerbsProps {
  /** Whether a machine was read with it: then moving comes first, else registering. */
  isBound: boolean;
  /** Whether it may have a free seat by the list; if not, registering is not offered as the next thing to do. */
  hasSeat: boolean;
  /** Whether this computer was read with it. */
  here: boolean;
  disabled: boolean;
  onChoose: (form: Form) => void;
}

/** What can be done with a licence; each button opens a form and sends nothing. */
function Verbs({ isBound, hasSeat, here, disabled, onChoose }: VerbsProps) {
  const move = (
    <Button
      key="move"
      variant={isBound ? 'filled' : 'default'}
      disabled={disabled}
      rightSection={<IconArrowRight size={15} className="ti" aria-hidden="true" />}
      onClick={() => onChoose({ kind: 'move', here: false })}
    >
      Move…
    </Button>
  );
  const unregister = (
    <Button key="unregister" disabled={disabled} onClick={() => onChoose({ kind: 'unregister', here: false })}>
      Unregister…
    </Button>
  );
  const registerHere = !here && (
    <Button
      key="here"
      variant={isBound || !hasSeat ? 'default' : 'filled'}
      disabled={disabled}
      onClick={() => onChoose({ kind: 'register', here: true })}
    >
      Register to this machine…
    </Button>
  );
  const registerThere = (
    <Button key="there" disabled={disabled} onClick={() => onChoose({ kind: 'register', here: false })}>
      Register to another machine…
    </Button>
  );
  return (
    <div className="row wrap">
      {isBound ? [move, unregister, registerHere, registerThere] : [registerHere, registerThere, move, unregister]}
    </div>
  );
}
