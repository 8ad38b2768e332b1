import { useQuery } from '@tanstack/react-query';
import type { NetworkState } from '../../../../shared/domain/network.ts';
import { Mono } from '../../../components/marks.tsx';
import { ClientCertificates } from './client-certificates.tsx';
import { NetworkCheckPart } from './network-check.tsx';
import { NetworkFiles } from './network-files.tsx';
import { formatRoots } from './network-messages.ts';
import { ProxyPart } from './network-proxy.tsx';
import { networkQuery } from './network-queries.ts';
import { SignIns } from './network-sign-ins.tsx';
import './network.css';

/** How calls reach the network: the proxy and its sign-in, client certificates, trusted authorities, and the network check. */
export function NetworkPart() {
  const { data: state } = useQuery(networkQuery());
  return (
    <>
      <section aria-labelledby="settings-network">
        <h2 className="h" id="settings-network">
          Network
        </h2>
        {state && (
          <>
            <ProxyPart state={state} />
            <SignIns state={state} />
            <ClientCertificates state={state} />
            <NetworkFiles state={state}>
              <NetworkFacts state={state} />
            </NetworkFiles>
          </>
        )}
      </section>
      <NetworkCheckPart state={state} />
    </>
  );
}

/** What is trusted, and which environment variables have an effect, for a person who wonders why one has none. */
function NetworkFacts({ state }: { state: NetworkState }) {
  const set = state.environment.filter((variable) => variable.set);
  return (
    <>
      <p className="sm">{formatRoots(state.roots)}</p>
      <details>
        <summary className="sm">
          Environment variables:{' '}
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
    </>
  );
}
