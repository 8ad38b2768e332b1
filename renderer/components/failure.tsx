import { IconClockExclamation, IconCopy, IconExclamationCircle } from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import type { AppError } from '../../shared/errors.ts';
import { legible } from '../lib/text/legible.ts';
import { FailureHelp } from './failure-help.ts';
import { Mono } from './marks.tsx';

interface FailureProps {
  error: AppError;
  /** Buttons for what can be done now, prices in them. */
  actions?: ReactNode;
  /** Copies the redacted details; the caller asks the main process. */
  onCopyDetails?: () => void;
  /** Between the sentences and the actions: evidence, for example. */
  children?: ReactNode;
}

/** Everything of an error as one text, for the clipboard. It contains no secret: `detail` is redacted where it is made. */
export function describeError(error: AppError): string {
  return [
    error.message,
    error.money,
    error.next,
    error.detail ?? '',
    `Code ${error.code}${error.callId ? `, call ${error.callId}` : ''}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** A failure, shown where it happened: what happened, what it means for money, what to do; the code last and small. */
export function Failure({ error, actions, onCopyDetails, children }: FailureProps) {
  const help = useContext(FailureHelp)?.(error) ?? null;
  const unsure = error.charge === 'may-have-been-charged';
  const Icon = unsure ? IconClockExclamation : IconExclamationCircle;
  return (
    <section className="failure" aria-label={error.message}>
      <Icon size={26} stroke={1.5} className={`sign fixed ${unsure ? 'warn' : 'danger'}`} aria-hidden="true" />
      <div className="body">
        <div role="alert" className="col g4">
          <h2 className="title">{legible(error.message)}</h2>
          <p className="t2">
            <span className={unsure ? 'warn m' : 'm'}>{error.money}</span> {error.next}
          </p>
        </div>
        {/* Without quotation marks: the service’s words, another program’s, or the program’s own. */}
        {error.detail && <p className="words">{legible(error.detail)}</p>}
        {children}
        {(actions || help) && (
          <div className="row wrap actions">
            {actions}
            {help}
          </div>
        )}
        <div className="row wrap sm t3 g12 actions">
          <span>
            Code <Mono>{error.code}</Mono>
          </span>
          {error.callId && <span>call {error.callId}</span>}
          {onCopyDetails && (
            <button type="button" className="link" onClick={onCopyDetails}>
              <IconCopy size={14} className="ti" aria-hidden="true" />
              Copy details without the key
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
