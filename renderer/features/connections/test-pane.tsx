import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { TestStep } from '../../../shared/contract/connections.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { type BeadState, Step, Steps } from '../../components/steps.tsx';
import { stepName, useConnectionTest } from '../../lib/connection/test-steps.ts';
import { formatDuration, formatTime } from '../../lib/text/format.ts';
import { DriftReport } from './drift-report.tsx';

const beads: Readonly<Record<TestStep['state'], BeadState>> = {
  running: 'running',
  passed: 'done',
  warning: 'warn',
  failed: 'failed',
  skipped: 'waiting',
};

/** The connection test, each step green or with its reason, and what the service's own description says. */
export function TestPane({ connection }: { connection: Connection }) {
  const test = useConnectionTest(connection.id);
  const failed = test.steps.find((step) => step.error !== null);
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
      <div className="pad">
        {test.steps.length === 0 ? (
          <p className="sm t2">
            Name, connection, certificate, proxy, description and balance, one after the other. It calls nothing that
            has a price.
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
        {(failed?.error ?? test.error) && (
          <Failure error={(failed?.error ?? test.error) as NonNullable<typeof test.error>} />
        )}
      </div>
      {connection.soapUrl !== '' && <DriftReport connectionId={connection.id} />}
    </aside>
  );
}
