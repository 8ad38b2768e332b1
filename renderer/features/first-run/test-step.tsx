import { Button, Loader } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { TestStep as TestStepRow } from '../../../shared/contract/connections.ts';
import { Failure } from '../../components/failure.tsx';
import { Dot } from '../../components/marks.tsx';
import { Step, Tick } from '../../components/steps.tsx';
import { stepName, useConnectionTest } from '../../lib/connection/test-steps.ts';
import { formatDuration } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';

/** Step 3: starts by itself, because it is free and what the user has just asked for. */
export function TestStep({ connectionId, onOpen }: { connectionId: string; onOpen: () => void }) {
  const test = useConnectionTest(connectionId);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    test.start();
  }, [test]);
  const failed = test.steps.find((step) => step.state === 'failed');
  const done = !test.running && test.steps.length > 0;
  useEffect(() => {
    if (done) announce(failed ? `The test failed at ${stepName(failed)}.` : 'The test passed.');
  }, [done, failed]);

  return (
    <Step
      state="on"
      number={3}
      title={<h2 className="title">Test it with the free call</h2>}
      side={test.totalMs === null ? null : `${formatDuration(test.totalMs)} in all, 0 credits`}
      under={
        <>
          <ul className="checks" aria-label="Test steps">
            {test.steps.map((step) => (
              <Check key={step.id + step.side} step={step} />
            ))}
          </ul>
          {(failed?.error ?? test.error) && (
            <Failure error={(failed?.error ?? test.error) as NonNullable<typeof test.error>} />
          )}
          <div className="row">
            <Button
              variant="filled"
              disabled={!done}
              onClick={onOpen}
              rightSection={<IconArrowRight size={15} className="ti" aria-hidden="true" />}
            >
              Open Lookup
            </Button>
            {test.running ? (
              <Button onClick={test.stop}>Stop</Button>
            ) : (
              <Button onClick={test.start}>Test again · free</Button>
            )}
          </div>
        </>
      }
    />
  );
}

const words = {
  running: 'under way',
  passed: 'passed',
  warning: 'needs a look',
  failed: 'failed',
  skipped: 'left out',
} as const;

function Check({ step }: { step: TestStepRow }) {
  const mark = {
    running: <Loader size={12} aria-hidden="true" />,
    passed: (
      <span className="held">
        <Tick />
      </span>
    ),
    warning: <Dot tone="warn" />,
    failed: <Dot tone="danger" />,
    skipped: <Dot tone="hollow" />,
  }[step.state];
  return (
    <li>
      <span>
        {mark}
        <span className="spoken">{words[step.state]}</span>
      </span>
      <span className="m">{stepName(step)}</span>
      <span className="t2 found">{step.text}</span>
      <span className="sm t3 num">{step.durationMs === null ? '' : formatDuration(step.durationMs)}</span>
    </li>
  );
}
