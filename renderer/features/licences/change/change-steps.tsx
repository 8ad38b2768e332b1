import type { ChangeStep, LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import { Mono, Tag } from '../../../components/marks.tsx';
import { type BeadState, Step, Steps } from '../../../components/steps.tsx';
import { formatClock, formatDuration, formatElapsed, formatPrice, formatTime } from '../../../lib/text/format.ts';
import { isTwice } from '../prices.ts';

/** The rows of a change: the plan with prices, then the result of each step, with time and duration. */
export function ChangeSteps({ change, running }: { change: LicenceChange; running: boolean }) {
  return (
    <Steps label="Steps of the change">
      {change.steps.map((step) => (
        <Step
          key={step.number}
          state={beadOf(step, change, running)}
          number={step.number}
          title={step.text}
          side={<Side step={step} />}
        >
          <div className="row wrap sm g6 t2">
            <Mono>{step.operation}</Mono>
            {step.effect === 'writes' ? <Tag tone="accent">writes</Tag> : <Tag>reads</Tag>}
            <span className="sel">{resultOf(step)}</span>
          </div>
        </Step>
      ))}
    </Steps>
  );
}

function beadOf(step: ChangeStep, change: LicenceChange, running: boolean): BeadState {
  // The first step is read again when the change is run, before main reports any step.
  if (running && change.state === 'planned' && step.number === 1) return 'running';
  switch (step.state) {
    case 'done':
      return 'done';
    case 'running':
      return 'running';
    case 'unknown':
      return 'warn';
    case 'failed':
      // A read that answered has not failed: what it is to show may still be on its way.
      return step.effect === 'reads' ? 'warn' : 'failed';
    default:
      return 'waiting';
  }
}

function resultOf(step: ChangeStep): string {
  if (step.state === 'running') {
    if (step.startedAt === null) return 'waiting for the answer';
    const at = formatTime(step.startedAt);
    // Between its two reads nothing is under way.
    return isTwice(step) ? `first asked ${at}` : `begun ${at}, waiting for the answer`;
  }
  if (step.state === 'skipped') return step.result ?? (step.effect === 'writes' ? 'not sent' : 'not read');
  return step.result ?? '';
}

/** The time of a step that has been taken, else its price. */
function Side({ step }: { step: ChangeStep }) {
  const taken = step.state === 'done' || step.state === 'failed' || step.state === 'unknown';
  if (!taken || step.startedAt === null) {
    const price = formatPrice(step.price);
    return step.state === 'skipped' ? null : price.startsWith('price') ? price : `price ${price}`;
  }
  return (
    <>
      {formatClock(step.startedAt)}
      <span className="took">{step.durationMs === null ? '' : formatTaken(step.durationMs)}</span>
    </>
  );
}

/** A step is one call, or the two reads of a removal with half a minute between them. */
function formatTaken(milliseconds: number): string {
  return milliseconds < 1000 ? formatDuration(milliseconds) : formatElapsed(milliseconds);
}
