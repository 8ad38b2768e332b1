import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { SecretHandle } from '../../../shared/domain/connection.ts';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { Step, Steps } from '../../components/steps.tsx';
import { connectionsQuery } from '../../lib/calls/queries.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { DoneKey, DoneService } from './done-steps.tsx';
import { KeyStep } from './key-step.tsx';
import { ServiceStep } from './service-step.tsx';
import { TestStep } from './test-step.tsx';
import './first-run.css';

type At = 'service' | 'key' | 'test' | 'refused';

/**
 * Three steps on one page: where the service is, a key, the test with the free call. Finished steps shrink to a line. A key that the
 * service refuses opens step 2 again below the findings of the test: there it is replaced, and no second key is added.
 */
export function FirstRunScreen() {
  const go = useGo();
  const { data } = useQuery(connectionsQuery());
  const [at, setAt] = useState<At>('service');
  const [chosen, setChosen] = useState<ConnectionView | null>(null);
  const [key, setKey] = useState<SecretHandle | null>(null);
  // Outlives the step, which a person may leave by Back.
  const [stored] = useState(() => new Set<string>());
  const [round, setRound] = useState(0);
  const demo = chosen?.connection.kind === 'demo';
  const openLookup = () => go('lookup', { focus: 'search' });
  const test = () => {
    setRound((now) => now + 1);
    setAt('test');
  };
  const asking = chosen !== null && (at === 'key' || at === 'refused');

  return (
    <div className="first-run">
      <div className="page">
        <ScreenTitle className="welcome">Set up in three steps</ScreenTitle>
        <p className="t2">
          Only free calls are made here. You can leave at any step and come back.{' '}
          <button type="button" className="link" onClick={() => go('setup', { do: 'import' })}>
            Import a set-up file…
          </button>
        </p>
        <Steps size="big" label="Set up">
          {at === 'service' || !chosen ? (
            <Step
              state="on"
              number={1}
              title={<h2 className="title">Where is the service?</h2>}
              under={
                <ServiceStep
                  existing={chosen}
                  onChosen={(view) => {
                    if (view.connection.id !== chosen?.connection.id) setKey(null);
                    setChosen(view);
                    if (view.connection.kind === 'demo') test();
                    else setAt('key');
                  }}
                />
              }
            />
          ) : (
            <DoneService view={chosen} onChange={() => setAt('service')} />
          )}
          {asking ? (
            <Step
              state={at === 'refused' ? 'failed' : 'on'}
              number={2}
              title={
                <h2 className="title">
                  {key === null
                    ? 'Give it a key'
                    : `${at === 'refused' ? 'Correct' : 'Change'} the key of ${key.label}`}
                </h2>
              }
              under={
                <KeyStep
                  connection={chosen.connection}
                  store={data?.store ?? null}
                  existing={key}
                  stored={stored}
                  refused={at === 'refused'}
                  onKept={(handle) => {
                    setKey(handle);
                    test();
                  }}
                  onBack={() => setAt('service')}
                  onLater={openLookup}
                />
              }
            />
          ) : at === 'test' && (key || demo) ? (
            <DoneKey
              handle={key}
              connection={chosen?.connection ?? null}
              store={data?.store ?? null}
              onChange={() => setAt('key')}
            />
          ) : (
            <Step
              state="waiting"
              number={2}
              title={<h2 className="t2">Give it a key</h2>}
              under={
                <p className="sm t3">
                  {data?.store.kind === 'memory'
                    ? 'This run has no keychain: the key is only in memory until the program ends.'
                    : 'The key is stored in this computer’s keychain and nowhere else.'}
                </p>
              }
            />
          )}
          {chosen && (at === 'test' || at === 'refused') ? (
            <TestStep
              key={round}
              connectionId={chosen.connection.id}
              corrected={at === 'refused'}
              onRefused={() => setAt('refused')}
              onWrongAddress={() => setAt('service')}
              onOpen={openLookup}
            />
          ) : (
            <Step
              state="waiting"
              number={3}
              title={<h2 className="t2">Test it with the free call</h2>}
              under={
                <p className="sm t3">
                  Name, connection, certificate, description, balance: each step says what it found.
                </p>
              }
            />
          )}
        </Steps>
      </div>
    </div>
  );
}
