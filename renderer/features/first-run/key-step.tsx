import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { IconArrowRight, IconShieldLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Connection, SecretHandle, SecretStore } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { CallError, call } from '../../lib/calls/bridge.ts';
import { secretRoleNames } from '../../lib/connection/secret-roles.ts';

export interface KeyStepProps {
  connection: Connection;
  store: SecretStore | null;
  onKept: (handle: SecretHandle) => void;
  onBack: () => void;
}

/** Step 2: a key goes from its field straight to the keychain. It is never part of a draft and never comes back. */
export function KeyStep({ connection, store, onKept, onBack }: KeyStepProps) {
  const roles =
    connection.restBaseUrl === '' ? (['licence-id', 'account-guid'] as const) : (['lookup-key', 'master-key'] as const);
  const [role, setRole] = useState<string>(roles[0]);
  const [label, setLabel] = useState('Contact centre');
  const [value, setValue] = useState('');
  const [shown, setShown] = useState(false);
  const chosen = roles.find((one) => one === role) ?? roles[0];

  const keep = useMutation({
    mutationFn: () =>
      call('secrets.put', { connectionId: connection.id, role: chosen, label: label.trim(), value: value.trim() }),
    onSuccess: (handle) => {
      setValue('');
      onKept(handle);
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    if (label.trim() !== '' && value.trim() !== '') keep.mutate();
  }

  return (
    <form onSubmit={submit} noValidate>
      <div className="two-columns">
        <TextInput
          label="Label"
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          error={shown && label.trim() === '' && 'Give the key a label of your own.'}
          maxLength={80}
        />
        <Select
          label="Role"
          data={roles.map((one) => ({ value: one, label: secretRoleNames[one] }))}
          value={role}
          onChange={(next) => next !== null && setRole(next)}
          description="A master key is for balances and licences only."
          inputWrapperOrder={['label', 'input', 'description']}
        />
        <PasswordInput
          className="wide"
          label="Key"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={shown && value.trim() === '' && 'Paste the key from the provider’s portal.'}
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
        />
      </div>
      <KeptWhere store={store} connection={connection.name} label={label.trim()} />
      {keep.error instanceof CallError && <Failure error={keep.error.error} />}
      <div className="row">
        <Button
          type="submit"
          className="free"
          loading={keep.isPending}
          rightSection={<IconArrowRight size={15} className="ti" aria-hidden="true" />}
        >
          Keep it and test · free
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}

/** Where a key goes, said before it is given. */
export function KeptWhere({
  store,
  connection,
  label,
}: {
  store: SecretStore | null;
  connection: string;
  label: string;
}) {
  if (!store) return null;
  if (store.kind === 'memory')
    return (
      <Notice tone="warn">
        This computer has no keychain, so the key is kept in memory and is gone when the program ends. It is never
        written to a file.
      </Notice>
    );
  return (
    <p className="row sm t2 g6 kept-where">
      <IconShieldLock size={15} className="ti held" aria-hidden="true" />
      Kept in the {store.name} as “Address Console, {connection}, {label === '' ? 'label' : label}”.
    </p>
  );
}
