import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { TestStep } from '../../../shared/contract/connections.ts';
import type { Connection, SecretHandle } from '../../../shared/domain/connection.ts';
import type { AppError } from '../../../shared/errors.ts';
import { describeError, Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { type BeadState, Step, Steps } from '../../components/steps.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { stepName, useConnectionTest } from '../../lib/connection/test-steps.ts';
import { formatDuration, formatTime } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { announce } from '../../lib/window/announce.ts';
import { DriftReport } from './drift-report.tsx';

const beads: Readonly<Record<TestStep['state'], BeadState>> = {
  running: 'running',
  passed: 'done',
  warning: 'warn',
  failed: 'failed',
  skipped: 'skipped',
};

interface TestPaneProps {
  connection: Connection;
  secrets: readonly SecretHandle[];
  /** Counts the tests requested from outside this pane, after a key was replaced. */
  asked: number;
  onReplace: (secretId: string) => void;
}

/** The connection test, each step green or with its reason, and what the service's own description says. */
export function TestPane({ connection, secrets, asked, onReplace }: TestPaneProps) {
  const test = useConnectionTest(connection.id);
  const seen = useRef(asked);
  useEffect(() => {
    if (seen.current === asked) return;
    seen.current = asked;
    test.start();
  }, [asked, test]);
  const failed = test.steps.find((step) => step.error !== null);
  const error = (failed?.error ?? test.error) as AppError | null;
  return (
    <aside className="col pane-r insetbg" aria-label="Test and description">
      <div className="subbar tall">
        <h2 className="h">Test</h2>
        {test.testedAt !== null && <span className="t3">{formatTime(test.testedAt)}</span>}
        <span className="grow" />
        {test.running ? (
          <Button onClick={test.stop}>Stop</Button>
        ) : (
          <Button leftSection={<IconPlayerPlay size={14} className="ti" aria-hidden="true" />} onClick={test.start}>
            Test · free
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is */}
      <section className="scroll grow" aria-label="Findings" tabIndex={0}>
        <div className="pad">
          {test.steps.length === 0 ? (
            <p className="sm t2">
              Checks the name, connection, certificate, proxy, balance and description, one after the other. It only
              makes free calls.
            </p>
          ) : (
            <Steps size="tight" label="Test steps">
              {test.steps.map((step) => (
                <Step
                  key={step.id + step.side}
                  state={beads[step.state]}
                  title={stepName(step)}
                  side={step.durationMs === null ? null : formatDuration(step.durationMs)}
                >
                  <span className="sm t2">{step.text}</span>
                </Step>
              ))}
            </Steps>
          )}
          {error?.code === 'credentials-refused' && failed?.side === 'rest' ? (
            <Refused
              error={error}
              isListed={secrets.some(({ id }) => id === error.sentWith?.id)}
              onReplace={onReplace}
            />
          ) : (
            error && <Failure error={error} />
          )}
        </div>
        {connection.soapUrl !== '' && <DriftReport connectionId={connection.id} />}
      </section>
    </aside>
  );
}

interface RefusedProps {
  error: AppError;
  /** Whether the key is still one of the connection's. */
  isListed: boolean;
  onReplace: (secretId: string) => void;
}

/** Which key was refused, the service's words, and the next step. */
function Refused({ error, isListed, onReplace }: RefusedProps) {
  const { sentWith: key } = error;
  return (
    <Notice tone="danger" announce>
      <div className="m">The service refused {key ? `${key.label} (••${key.lastFour})` : 'the key'}</div>
      {error.detail && <div>“{legible(error.detail)}”</div>}
      <div className="t2">{error.money}</div>
      <div className="row wrap refused-actions">
        {key && isListed && <Button onClick={() => onReplace(key.id)}>Replace the key</Button>}
        <Button
          variant="subtle"
          color="gray"
          onClick={() =>
            void call('app.copy-text', { text: describeError(error) }).then(() =>
              announce('Details copied without the key'),
            )
          }
        >
          Copy details
        </Button>
      </div>
    </Notice>
  );
}
