import { Modal, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NetworkState } from '../../../../shared/domain/network.ts';
import { SecretFormEnd } from '../../../components/secret-form-end.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';
import { httpsOriginOf } from './network-messages.ts';

interface ClientCertificateFormProps {
  address: string;
  /** Whether a policy names the file for a server: then only its passphrase is asked for. */
  fileLocked: (origin: string) => boolean;
  store: NetworkState['store'];
  onKept: (state: NetworkState) => void;
  onClose: () => void;
}

/** The passphrase goes from its field straight to the keychain, once it has opened the file chosen in the system's dialog. */
export function ClientCertificateForm({
  address: firstAddress,
  fileLocked,
  store,
  onKept,
  onClose,
}: ClientCertificateFormProps) {
  const [address, setAddress] = useState(firstAddress);
  const [passphrase, setPassphrase] = useState('');
  const [shown, setShown] = useState(false);
  const origin = httpsOriginOf(address);
  const choose = useMutation({
    mutationFn: () => call('network.choose-client-certificate', { address: address.trim(), passphrase }),
    meta: { subject: `Setting the client certificate for ${origin || 'a service'}` },
    onSuccess: ({ state }) => {
      if (state !== null) onKept(state);
    },
  });
  const refused = choose.error ? errorOf(choose.error) : null;
  const problemOf = (field: string): string | null => (refused?.field === field ? refused.message : null);

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    if (address.trim() !== '') choose.mutate();
  }

  return (
    <Modal opened onClose={onClose} title="Client certificate">
      <form onSubmit={submit} noValidate className="col g12">
        <TextInput
          label="Address of the service"
          description="Its server and port count: the certificate is shown there and nowhere else."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          data-autofocus={firstAddress === '' || undefined}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          error={problemOf('address') ?? (shown && address.trim() === '' ? 'Give the address of the service.' : null)}
          spellCheck={false}
          maxLength={2000}
        />
        <PasswordInput
          label="Passphrase of the file"
          description="Leave it empty if the file has none."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          data-autofocus={firstAddress !== '' || undefined}
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
          error={problemOf('passphrase')}
          autoComplete="off"
          spellCheck={false}
          maxLength={1024}
        />
        <SecretFormEnd
          store={store}
          secret="The passphrase"
          error={refused && !['address', 'passphrase'].includes(refused.field ?? '') ? refused : null}
          pending={choose.isPending}
          submitLabel={fileLocked(origin) ? 'Save it' : 'Choose the file…'}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
