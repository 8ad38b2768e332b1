import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useEffect, useRef } from 'react';
import { type Licence, nameOf } from '../../../../shared/domain/licences/licence.ts';
import type { ChangeKind, ChangeRequest } from '../../../../shared/domain/licences/licence-change.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Mono } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { StopWaiting } from '../../../components/waiting.tsx';
import { useDraft } from '../../../lib/session/drafts.ts';
import { legible } from '../../../lib/text/legible.ts';
import { closeByEscape } from '../../../lib/window/close-by-escape.ts';
import { type At, type Flow, planChange, requestDrafts, stopWaiting } from '../flow.ts';
import { kindText } from '../licence-facts.ts';
import { planPrice } from '../prices.ts';

interface RequestFormProps {
  at: At;
  flow: Flow;
  licence: Licence;
  kind: ChangeKind;
  /** The initial text of the field. */
  machine: string;
  holders: readonly MachineHoldings[];
  thisMachine: string | null;
  onCancel: () => void;
}

const targets: Record<ChangeKind, string> = {
  register: 'Machine that is to hold it',
  unregister: 'Machine that holds it',
  move: 'To the machine',
};

/** Which machines a change is about. Its button reads and plans; nothing is changed before the plan is confirmed. */
export function RequestForm(props: RequestFormProps) {
  const { at, flow, licence, kind, holders, thisMachine, onCancel } = props;
  const only = holders.length === 1 ? (holders[0]?.machine ?? '') : '';
  const start = props.machine || (kind === 'unregister' ? only : '');
  const drafts = requestDrafts(at.connectionId, kind, licence.licenceNumber);
  const [machine, setMachine] = useDraft(props.machine ? drafts.here : drafts.machine, start);
  const [from, setFrom] = useDraft(drafts.from, only);
  const field = useRef<HTMLInputElement>(null);
  const fromField = useRef<HTMLInputElement>(null);
  // The first field that is to be filled in.
  useEffect(() => (fromField.current?.value === '' ? fromField : field).current?.focus(), []);

  const to = machine.trim();
  const source = from.trim();
  const problem = findProblem(kind, to, source, licence.licenceNumber);
  const planning = flow.busy?.doing === 'plan' ? flow.busy : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== null || flow.busy) return;
    const request: ChangeRequest = {
      connectionId: at.connectionId,
      kind,
      licenceNumber: licence.licenceNumber.trim(),
      machine: to,
      ...(kind === 'move' ? { fromMachine: source } : {}),
    };
    void planChange(at, request);
  };
  const offerHere = kind !== 'unregister' && thisMachine !== null && to !== thisMachine && source !== thisMachine;
  return (
    <form
      className="change-request"
      aria-label={`${kindText[kind]} ${nameOf(licence)}`}
      onSubmit={submit}
      onKeyDown={closeByEscape(onCancel, () => !planning)}
    >
      <h3 className="h">
        {kindText[kind]} {legible(nameOf(licence))}
      </h3>
      {kind === 'move' && (
        <MachineField
          label="From the machine"
          value={from}
          onChange={setFrom}
          known={holders}
          disabled={planning !== null}
          field={fromField}
        />
      )}
      <MachineField
        label={targets[kind]}
        value={machine}
        onChange={setMachine}
        known={kind === 'unregister' ? holders : []}
        disabled={planning !== null}
        field={field}
      />
      {offerHere && (
        <button type="button" className="link sm" onClick={() => setMachine(thisMachine)}>
          This machine: <Mono>{thisMachine}</Mono>
        </button>
      )}
      <div className="row wrap">
        <PriceButton
          type="submit"
          main
          price={planPrice(kind)}
          disabled={problem !== null || flow.busy !== null}
          title={problem ?? undefined}
        >
          Read and plan
        </PriceButton>
        <Button onClick={onCancel} disabled={planning !== null}>
          Close
        </Button>
      </div>
      {planning ? (
        <div className="row sm" role="status">
          <span>Reading the machine</span>
          <Elapsed since={planning.since} />
          <StopWaiting onStop={() => stopWaiting(at.connectionId)} />
        </div>
      ) : (
        <p className="xs t3">
          Reads only: the list and {kind === 'move' ? 'both machines' : 'the machine'}. Nothing is changed before you
          confirm the plan. Names are sent as typed, without spaces before and after them.
        </p>
      )}
      {flow.failure?.doing === 'plan' && flow.view === 'list' && <Failure error={flow.failure.error} />}
    </form>
  );
}

function findProblem(kind: ChangeKind, machine: string, from: string, licenceNumber: string): string | null {
  if (!/^\d{1,10}$/.test(licenceNumber.trim())) return 'The licence came without a usable LicenseID.';
  if (machine === '') return 'Type the machine’s name.';
  if (kind !== 'move') return null;
  if (from === '') return 'Type the name of the machine that holds it now.';
  return from === machine ? 'It is the same machine.' : null;
}

interface MachineFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Machines read with the licence: they are offered, and any other name may be typed. */
  known: readonly MachineHoldings[];
  disabled: boolean;
  field: RefObject<HTMLInputElement | null>;
}

function MachineField({ label, value, onChange, known, disabled, field }: MachineFieldProps) {
  return (
    <div className="machine-field">
      <TextInput
        ref={field}
        className="codes grow"
        label={label}
        value={value}
        readOnly={disabled}
        maxLength={255}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      {known.length > 1 && (
        <Select
          aria-label={`${label}, found on`}
          placeholder="Found on"
          value={known.some((one) => one.machine === value) ? value : null}
          onChange={(next) => next !== null && onChange(next)}
          data={known.map((one) => one.machine)}
          disabled={disabled}
        />
      )}
    </div>
  );
}
