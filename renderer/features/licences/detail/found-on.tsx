import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Licence } from '../../../../shared/domain/licences/licence.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { Elapsed } from '../../../components/elapsed.tsx';
import { Failure } from '../../../components/failure.tsx';
import { Mono, Tag } from '../../../components/marks.tsx';
import { PriceButton } from '../../../components/money/price-button.tsx';
import { StopWaiting } from '../../../components/waiting.tsx';
import { countOf, formatWhen } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { type At, askMachine, type Flow, stopWaiting } from '../flow.ts';
import { nameHoldings } from '../licence-facts.ts';
import { machinePrice } from '../prices.ts';

interface FoundOnProps {
  at: At;
  flow: Flow;
  holders: readonly MachineHoldings[];
  /** Every machine that has answered. */
  machines: readonly MachineHoldings[];
  licences: readonly Licence[];
  thisMachine: string | null;
}

/** The machines whose last answer named the licence, and a way to read one more. */
export function FoundOn({ at, flow, holders, machines, licences, thisMachine }: FoundOnProps) {
  const last = machines
    .map((machine) => machine.askedAt)
    .sort()
    .at(-1);
  return (
    <section aria-label="Found on">
      <div className="row between wrap">
        <h3 className="h">Found on</h3>
        <span className="xs t3">
          {last === undefined
            ? 'no machine has answered yet'
            : `${countOf(machines.length, 'machine')} answered, last asked ${formatWhen(last)}`}
        </span>
      </div>
      {holders.length === 0 ? (
        <p className="sm t2 found-row">
          {machines.length === 0
            ? 'Not known: no machine has answered.'
            : `It was not named for ${machines.length === 1 ? 'the one machine' : 'any of the machines'} that answered.`}
        </p>
      ) : (
        <ul className="plain">
          {holders.map((holder) => (
            <li key={holder.machine} className="row wrap found-row">
              <Tag tone="line">
                <Mono>{holder.machine}</Mono>
              </Tag>
              <span className="xs t3">
                {holder.machine === thisMachine ? 'this machine, ' : ''}asked {formatWhen(holder.askedAt)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <AskForm at={at} flow={flow} machines={machines} licences={licences} thisMachine={thisMachine} />
      <p className="xs t3">A licence record names no machine. It is found by asking machines what they hold.</p>
    </section>
  );
}

type AskFormProps = Omit<FoundOnProps, 'holders'>;

function AskForm({ at, flow, machines, licences, thisMachine }: AskFormProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const name = (typed ?? thisMachine ?? '').trim();
  const asking = flow.busy?.doing === 'ask' ? flow.busy : null;
  const answer = asked === null ? undefined : machines.find((machine) => machine.machine === asked);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (name === '' || flow.busy) return;
    setAsked(null);
    if (await askMachine(at, name)) setAsked(name);
  };
  return (
    <form className="ask-machine" onSubmit={(event) => void onSubmit(event)}>
      <div className="row wrap">
        <TextInput
          className="codes grow"
          miw={120}
          aria-label="Machine to ask"
          value={typed ?? thisMachine ?? ''}
          maxLength={255}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <PriceButton type="submit" price={machinePrice()} disabled={name === '' || flow.busy !== null}>
          Ask
        </PriceButton>
      </div>
      {asking && (
        <div className="row sm">
          <span>
            Asking about <Mono>{asking.subject}</Mono>
          </span>
          <Elapsed since={asking.since} />
          <StopWaiting onStop={() => stopWaiting(at.connectionId)} />
        </div>
      )}
      {answer && (
        <p className="sm">
          {answer.licenceNumbers.length === 0 ? (
            <>
              The service named no licence for <Mono>{answer.machine}</Mono>.
            </>
          ) : (
            <>
              Seen on <Mono>{answer.machine}</Mono>: {legible(nameHoldings(answer.licenceNumbers, licences))}.
            </>
          )}
        </p>
      )}
      {flow.failure?.doing === 'ask' && <Failure error={flow.failure.error} />}
    </form>
  );
}
