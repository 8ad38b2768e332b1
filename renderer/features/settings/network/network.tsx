import { useQuery } from '@tanstack/react-query';
import { ClientCertificates } from './client-certificates.tsx';
import { NetworkCheckPart } from './network-check.tsx';
import { NetworkFacts } from './network-facts.tsx';
import { NetworkFiles } from './network-files.tsx';
import { ProxyPart } from './network-proxy.tsx';
import { networkQuery } from './network-queries.ts';
import { SignIns } from './network-sign-ins.tsx';
import './network.css';

/** How calls reach the network: the proxy and its sign-in, what is shown to a server that asks, the authorities trusted, and a look at the way. */
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
            <NetworkFiles state={state} />
            <NetworkFacts state={state} />
          </>
        )}
      </section>
      <NetworkCheckPart state={state} />
    </>
  );
}
