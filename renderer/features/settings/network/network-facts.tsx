import type { NetworkState } from '../../../../shared/domain/network.ts';
import { Mono } from '../../../components/marks.tsx';
import { sayRoots } from './network-messages.ts';

/** What is trusted, and what comes of the environment's variables: for the person who wonders why one has no effect. */
export function NetworkFacts({ state }: { state: NetworkState }) {
  const set = state.environment.filter((variable) => variable.set);
  return (
    <div className="part">
      <p className="sm">{sayRoots(state.roots)}</p>
      <details>
        <summary className="sm">
          Variables of the environment:{' '}
          {set.length === 0 ? 'none of these is set' : `${set.map(({ name }) => name).join(', ')} set`}
        </summary>
        <dl className="variables">
          {state.environment.map(({ name, set: isSet, effect }) => (
            <div key={name}>
              <dt>
                <Mono>{name}</Mono> <span className={isSet ? 'xs warn' : 'xs t3'}>{isSet ? 'set' : 'not set'}</span>
              </dt>
              <dd className="sm t2">{effect}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
