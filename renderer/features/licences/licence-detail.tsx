import { ActionIcon, Button } from '@mantine/core';
import { IconArrowRight, IconCopy, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Licence, MachineHoldings } from '../../../shared/domain/licence.ts';
import { useShortcut } from '../../app/shortcuts.ts';
import { Tag } from '../../components/marks.tsx';
import { PaneBack } from '../../components/split-pane.tsx';
import type { At } from './flow.ts';
import type { Flow } from './flow-store.ts';
import { FoundOn } from './found-on.tsx';
import { machinesHolding, nameOf, seatsOf } from './licence-facts.ts';
import { fieldsText, LicenceFields } from './licence-fields.tsx';
import type { Wish, WishForm } from './licences-screen.tsx';
import { useCopy } from './use-copy.ts';
import { WishFormPart } from './wish-form.tsx';

interface LicenceDetailProps {
  at: At;
  flow: Flow;
  licence: Licence;
  licences: readonly Licence[];
  machines: readonly MachineHoldings[];
  /** null: not known yet. */
  thisMachine: string | null;
  today: string;
  now: Date;
  wish: Wish | null;
  onClose: () => void;
}

type Form = { kind: WishForm; machine: string };

/** One licence: what can be done with it, its thirteen fields, and where it was found. */
export function LicenceDetail(props: LicenceDetailProps) {
  const { at, flow, licence, licences, machines, thisMachine, today, now, wish, onClose } = props;
  const [form, setForm] = useState<Form | null>(null);
  const { copied, copy } = useCopy();
  const holders = machinesHolding(licence.licenceNumber, machines);
  const here = thisMachine !== null && holders.some((holder) => holder.machine === thisMachine);

  useEffect(() => {
    if (wish?.form) setForm({ kind: wish.form, machine: wish.form === 'register' ? (thisMachine ?? '') : '' });
  }, [wish, thisMachine]);
  // A form that led to a finished change has done its work; one that was only looked away from stays.
  const finished = flow.change?.state === 'finished' && flow.change.licenceNumber === licence.licenceNumber.trim();
  useEffect(() => {
    if (finished) setForm(null);
  }, [finished]);
  useShortcut('move-licence', () => setForm({ kind: 'move', machine: '' }), flow.view === 'list');

  const blocked = flow.busy !== null;
  const mainIsMove = holders.length > 0;
  return (
    <section className="licence-detail" aria-label={nameOf(licence)}>
      <div className="subbar tall">
        <PaneBack />
        <h2 className="title trunc">{nameOf(licence)}</h2>
        <SeatTag licence={licence} today={today} />
        <span className="grow" />
        <ActionIcon className="pane-close" aria-label="Close the licence" onClick={onClose}>
          <IconX size={16} className="ti" aria-hidden="true" />
        </ActionIcon>
      </div>
      <div className="licence-body">
        {form ? (
          <WishFormPart
            key={`${form.kind} ${form.machine}`}
            at={at}
            flow={flow}
            licence={licence}
            kind={form.kind}
            machine={form.machine}
            holders={holders}
            machines={machines}
            thisMachine={thisMachine}
            onCancel={() => setForm(null)}
          />
        ) : (
          <div className="row wrap">
            {!here && thisMachine !== null && (
              <Button
                variant={mainIsMove ? 'default' : 'filled'}
                disabled={blocked}
                onClick={() => setForm({ kind: 'register', machine: thisMachine })}
              >
                Register to this machine…
              </Button>
            )}
            <Button
              variant={mainIsMove ? 'filled' : 'default'}
              disabled={blocked}
              rightSection={<IconArrowRight size={15} className="ti" aria-hidden="true" />}
              onClick={() => setForm({ kind: 'move', machine: '' })}
            >
              Move…
            </Button>
            <Button disabled={blocked} onClick={() => setForm({ kind: 'unregister', machine: '' })}>
              Unregister…
            </Button>
            <Button disabled={blocked} onClick={() => setForm({ kind: 'register', machine: '' })}>
              Register to another machine…
            </Button>
          </div>
        )}
        <LicenceFields licence={licence} now={now} onCopy={copy} />
        <div className="row between">
          <span className={`xs ${copied?.failed ? 'danger' : 'held'}`} aria-hidden={!copied?.failed}>
            {copied?.text}
          </span>
          <button
            type="button"
            className="link sm"
            onClick={() => copy(fieldsText(licence), `the fields of ${nameOf(licence)}`)}
          >
            <IconCopy size={14} className="ti" aria-hidden="true" />
            Copy the fields
          </button>
        </div>
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

function SeatTag({ licence, today }: { licence: Licence; today: string }) {
  const { used, free, lost, unknown } = seatsOf(licence, today);
  if (unknown) return <Tag tone="line">seats unknown</Tag>;
  if (lost > 0) return <Tag tone="danger">expired</Tag>;
  if (free > 0) return <Tag tone="held">{free === 1 ? 'one seat free' : `${free} seats free`}</Tag>;
  return <Tag>{used === 0 ? 'no seats' : used === 1 ? 'seat in use' : 'all seats in use'}</Tag>;
}
