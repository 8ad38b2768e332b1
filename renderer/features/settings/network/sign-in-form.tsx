import { Modal, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NetworkState } from '../../../../shared/domain/network.ts';
import { SecretFormEnd } from '../../../components/secret-form-end.tsx';
import { call } from '../../../lib/calls/bridge.ts';
import { errorOf } from '../../../lib/calls/errors.ts';

interface SignInFormProps {
  proxy: string;
  user: string;
  store: NetworkState['store'];
  onKept: (state: NetworkState) => void;
  onClose: () => void;
}

/** A form for a proxy's user and password. The password goes from its field straight to the keychain. */
export function SignInForm({ proxy: firstProxy, user: firstUser, store, onKept, onClose }: SignInFormProps) {
  const [proxy, setProxy] = useState(firstProxy);
  const [user, setUser] = useState(firstUser);
  const [value, setValue] = useState('');
  const [shown, setShown] = useState(false);
  const keep = useMutation({
    mutationFn: () => call('network.sign-in', { proxy: proxy.trim(), user, value }),
    // What is typed before an @ may be a password.
    meta: { subject: `Saving the sign-in to ${proxy.trim().replace(/^.*@/, '')}` },
    onSuccess: onKept,
  });
  const refused = keep.error ? errorOf(keep.error) : null;
  const problemOf = (field: string, text: string, empty: string): string | null => {
    if (refused?.field === field) return refused.message;
    return shown && text.trim() === '' ? empty : null;
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    if (proxy.trim() !== '' && user.trim() !== '' && value !== '') keep.mutate();
  }

  return (
    <Modal opened onClose={onClose} title="Sign-in to a proxy">
      <form onSubmit={submit} noValidate className="col g12">
        <TextInput
          label="Proxy"
          description="Name and port, as the network check shows it. For a proxy spoken to over TLS begin with https://."
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          data-autofocus={firstProxy === '' || undefined}
          value={proxy}
          onChange={(event) => setProxy(event.currentTarget.value)}
          error={problemOf('proxy', proxy, 'Give the proxy’s name and port.')}
          spellCheck={false}
          maxLength={300}
        />
        <TextInput
          label="User name"
          data-autofocus={firstProxy !== '' || undefined}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          error={problemOf('user', user, 'Give the user name.')}
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
        />
        <PasswordInput
          label="Password"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={problemOf('value', value, 'Give the password.')}
          autoComplete="off"
          spellCheck={false}
          maxLength={1024}
        />
        <SecretFormEnd
          store={store}
          error={refused && !['proxy', 'user', 'value'].includes(refused.field ?? '') ? refused : null}
          pending={keep.isPending}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
