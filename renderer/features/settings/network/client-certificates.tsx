import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NetworkState } from '../../../../shared/domain/network.ts';
import { Failure } from '../../../components/failure.tsx';
import { Mono, Tag } from '../../../components/marks.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { useConnection } from '../../../lib/connection/use-connection.ts';
import { formatWhen } from '../../../lib/text/format.ts';
import { announce } from '../../../lib/window/announce.ts';
import { Setting } from '../setting.tsx';
import { ClientCertificateForm } from './client-certificate-form.tsx';
import { ageOf, httpsOriginOf } from './network-messages.ts';
import { keepNetwork } from './network-queries.ts';

type Forgotten = Pick<NetworkState['clientCertificates'][number], 'id' | 'origin'>;

/** For servers that ask for a client certificate: the file with the certificate and its key. The key stays in the file. */
export function ClientCertificates({ state }: { state: NetworkState }) {
  const client = useQueryClient();
  const { restBaseUrl = '', soapUrl = '' } = useConnection()?.connection ?? {};
  const [choosing, setChoosing] = useState<string | null>(null);
  const isLocked = (at: string) =>
    state.clientCertificates.some((one) => one.origin === at && one.standing === 'policy');
  const forget = useMutation({
    mutationFn: ({ id }: Forgotten) => call('network.forget-client-certificate', { certificateId: id }),
    meta: { subject: ({ origin }: Forgotten) => `Removing the client certificate for ${origin}` },
    onSuccess: (saved) => {
      keepNetwork(client, saved);
      announce('The client certificate is removed here. Its file stays where it is.');
    },
  });
  return (
    <Setting
      title="Client certificates"
      about="For a service that asks this computer for a certificate. It is shown only to the server named with it, never to a proxy or the update server. Its key stays in the file, which is read for each connection. Certificates from the system’s store or a smart card cannot be used."
    >
      {state.clientCertificates.length > 0 && (
        <ul className="own-list" aria-label="Client certificates">
          {state.clientCertificates.map(({ id, origin, file, certificate, createdAt, standing }) => {
            const age = certificate === null ? null : ageOf(certificate);
            return (
              <li key={id}>
                <span className="grow">
                  <Mono>{origin}</Mono>{' '}
                  <span className="sm t2 any-break">
                    {certificate !== null && `${certificate.subject}, until ${certificate.validUntil.slice(0, 10)}, `}
                    from {file}
                    {createdAt !== null && `, read ${formatWhen(createdAt)}`}
                  </span>{' '}
                  {standing !== 'own' && (
                    <Tag tone={standing === 'policy' ? 'line' : 'warn'}>
                      {standing === 'policy' ? 'by policy' : 'not used: a policy names another'}
                    </Tag>
                  )}
                  {age !== null && <Tag tone="warn">{age}</Tag>}
                </span>
                {standing !== 'unused' && (
                  <Button size="compact-xs" variant="subtle" onClick={() => setChoosing(origin)}>
                    {standing === 'policy' ? 'Passphrase' : 'Change'}
                    <span className="spoken">
                      {standing === 'policy' ? ' of' : ''} the client certificate for {origin}
                    </span>
                  </Button>
                )}
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  disabled={forget.isPending || createdAt === null}
                  onClick={() => forget.mutate({ id, origin })}
                >
                  Remove<span className="spoken"> the client certificate for {origin}</span>
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {forget.error && <Failure error={errorOf(forget.error)} />}
      <Button
        leftSection={<IconPlus size={14} className="ti" aria-hidden="true" />}
        onClick={() => setChoosing(httpsOriginOf(restBaseUrl) || httpsOriginOf(soapUrl))}
      >
        Add a client certificate
      </Button>
      {choosing !== null && (
        <ClientCertificateForm
          address={choosing}
          fileLocked={isLocked}
          store={state.store}
          onKept={(saved) => {
            keepNetwork(client, saved);
            setChoosing(null);
            announce('The client certificate is set. The next call uses it.');
          }}
          onClose={() => setChoosing(null)}
        />
      )}
    </Setting>
  );
}
