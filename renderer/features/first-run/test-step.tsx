import { Button, Loader } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { TestStep as TestStepRow } from '../../../shared/contract/connections.ts';
import { Failure } from '../../components/failure.tsx';
import { Dot } from '../../components/marks.tsx';
import { Notice } from '../../components/notice.tsx';
import { Step, Tick } from '../../components/steps.tsx';
import { stepName, useConnectionTest } from '../../lib/connection/test-steps.ts';
import { formatDuration } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { announce } from '../../lib/window/announce.ts';
import { useFocusOnce } from '../../lib/window/focus-once.ts';

interface TestStepProps {
  connectionId: string;
  /** The refused key is being corrected; the findings and the buttons stay visible. */
  corrected: boolean;
  /** The service did not accept the key. */
  onRefused: () => void;
  onWrongAddress: () => void;
  onOpen: () => void;
}

const addressSteps: readonly TestStepRow['id'][] = ['name', 'tcp', 'tls'];

/** Step 3: starts by itself, because it is free and what the user has just asked for. */
export function TestStep({ connectionId, corrected, onRefused, onWrongAddress, onOpen }: TestStepProps) {
  const test = useConnectionTest(connectionId);
  const started = useRef(false);
  const heading = useFocusOnce<HTMLHeadingElement>();
  const main = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    test.start();
  }, [test]);
  const failed = test.steps.find((step) => step.state === 'failed');
  const done = !test.running && (test.steps.length > 0 || test.error !== null);
  const passed = done && failed === undefined && test.error === null;
  const refused = done && failed?.error?.code === 'credentials-refused';
  const tellRefused = useEffectEvent(onRefused);
  useEffect(() => {
    if (!done) return;
    // A test that ended otherwise is read aloud as the failure that is shown.
    if (failed) announce(`The test failed at ${stepName(failed)}.`);
    else if (passed) announce('The test passed.');
    if (refused) tellRefused();
    // The focus is not taken from a user who has moved it elsewhere while the test ran.
    else if (document.activeElement === heading.current || document.activeElement === document.body)
      main.current?.focus();
  }, [done, failed, passed, refused, heading]);
  const error = failed?.error ?? test.error;
  const atAddress = failed !== undefined && addressSteps.includes(failed.id);

  return (
    <Step
      state={corrected ? 'waiting' : 'on'}
      number={3}
      title={
        <h2 className={corrected ? 't2' : 'title'} tabIndex={-1} ref={heading}>
          Test it with the free call
        </h2>
      }
      side={test.totalMs === null ? null : `${formatDuration(test.totalMs)} in all`}
      under={
        <>
          {test.steps.length > 0 && (
            <ul className="checks" aria-label="Test steps">
              {test.steps.map((step) => (
                <Check key={step.id + step.side} step={step} />
              ))}
            </ul>
          )}
          {done && error && (
            <div className="test-failure">
              {corrected ? (
                <Notice>
                  {error.detail && <>The service said: “{legible(error.detail)}” </>}
                  {error.money}
                  <div className="xs t3">
                    Code {error.code}
                    {error.callId && `, call ${error.callId}`}
                  </div>
                </Notice>
              ) : (
                <Failure error={error as NonNullable<typeof test.error>} />
              )}
            </div>
          )}
          {!corrected && (
            <div className="row wrap">
              {failed === undefined || !done ? (
                <Button
                  ref={main}
                  variant="filled"
                  disabled={!done}
                  onClick={onOpen}
                  rightSection={<IconArrowRight size={15} className="ti" aria-hidden="true" />}
                >
                  Open Lookup
                </Button>
              ) : atAddress ? (
                <Button ref={main} variant="filled" onClick={onWrongAddress}>
                  Correct the address
                </Button>
              ) : (
                <Button ref={main} className="free" onClick={test.start}>
                  Test again · free
                </Button>
              )}
              {test.running ? (
                <Button onClick={test.stop}>Stop</Button>
              ) : failed === undefined || atAddress ? (
                <Button onClick={test.start}>Test again · free</Button>
              ) : null}
              {done && failed !== undefined && (
                <Button variant="subtle" color="gray" onClick={onOpen}>
                  Open Lookup anyway
                </Button>
              )}
            </div>
          )}
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
      <span className="good">
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
