import type { CheckedAddress, CheckStep } from '../../../../shared/contract/network.ts';
import { rootSourceText } from '../../../../shared/domain/network.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { Failure } from '../../../components/failure.tsx';
import { Mono, Tag } from '../../../components/marks.tsx';
import { type BeadState, Step, Steps } from '../../../components/steps.tsx';
import { formatDuration } from '../../../lib/text/format.ts';
import { Certificates } from './certificates.tsx';
import { checkText, nameStep } from './network-messages.ts';

const beads: Readonly<Record<CheckStep['state'], BeadState>> = {
  running: 'running',
  passed: 'done',
  failed: 'failed',
  skipped: 'waiting',
};

/** One address: its steps, and for a failed one what it means and whom to contact. */
export function CheckedAddressPart({ address: { uses, origin, steps } }: { address: CheckedAddress }) {
  const failed = steps.find(({ error }) => error !== null);
  return (
    <section className="checked" aria-label={`The way to ${origin}`}>
      <h3 className="row wrap g6">
        {uses.map((use) => (
          <Tag key={use}>{use}</Tag>
        ))}
        <Mono>{origin}</Mono>
      </h3>
      <Steps size="tight" label={`Steps to ${origin}`}>
        {steps.map((step) => (
          <Step
            key={step.id}
            state={beads[step.state]}
            title={nameStep(step)}
            side={step.durationMs === null ? null : formatDuration(step.durationMs)}
          >
            <span className="sm any-break">{step.text}</span>
            {step.notes.map((note) => (
              <span key={note} className="sm t2 any-break">
                {note}
              </span>
            ))}
            {step.handshake && <Handshake of={step.handshake} open={step.state === 'failed'} />}
          </Step>
        ))}
      </Steps>
      {failed?.error && <Failure error={failed.error as AppError} />}
    </section>
  );
}

function Handshake({ of, open }: { of: NonNullable<CheckStep['handshake']>; open: boolean }) {
  const { cipher, chain, root, checks } = of;
  return (
    <>
      <ul className="handshake" aria-label="Checks of the certificate">
        {checks.map(({ what, passed, text }) => (
          <li key={what} className="sm any-break">
            <Tag tone={passed ? 'good' : 'danger'}>
              {checkText[what]} {passed ? 'passed' : 'failed'}
            </Tag>{' '}
            {text}
          </li>
        ))}
      </ul>
      <details open={open}>
        <summary className="sm">
          {chain.length === 1 ? '1 certificate' : `${chain.length} certificates`}
          {root && root.sources.length > 0 && (
            <>, trusted root from {root.sources.map((source) => rootSourceText[source]).join(' and ')}</>
          )}
        </summary>
        <p className="sm t2">
          {of.protocol}, {cipher}
        </p>
        <Certificates list={chain} label="Certificates, the server’s own first" />
      </details>
    </>
  );
}
