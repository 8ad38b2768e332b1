import { Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Connection, type SecretRole, type SecretStore, secretRoles } from '../../../shared/domain/connection.ts';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { SecretFormEnd } from '../../components/secret-form-end.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { describeKey, secretRoleNames } from '../../lib/connection/secret-roles.ts';

const helps: Readonly<Record<SecretRole, string>> = {
  'lookup-key': 'Searches and opens addresses over REST, and reads its balance.',
  'master-key': 'Reads balances only. It is never sent to a lookup.',
  'licence-id': 'LicenceID of the SOAP operations: a GUID.',
  'account-guid': 'sGUID of the licence and balance operations, and of the few others that name the account.',
  'licence-key': 'LicenceKey of the postcode-address operations.',
  'web-map-key': 'The key of the map operation.',
};

/** A form for a new key, which goes from its field straight to the keychain; its label, role and last four come back. */
export function KeyForm({
  connection,
  store,
  wanted,
  onClose,
}: {
  connection: Connection;
  store: SecretStore;
  /** The missing role, if the form is opened over a screen that needs it. */
  wanted?: SecretRole;
  onClose: () => void;
}) {
  const [role, setRole] = useState<SecretRole>(wanted ?? (connection.restBaseUrl === '' ? 'licence-id' : 'lookup-key'));
  const [label, setLabel] = useState(wanted ? secretRoleNames[wanted] : '');
  const [value, setValue] = useState('');
  const [shown, setShown] = useState(false);
  const keep = useMutation({
    mutationFn: () =>
      call('secrets.put', { connectionId: connection.id, role, label: label.trim(), value: value.trim() }),
    meta: { subject: `Adding ${describeKey({ label: label.trim(), role })}`, connectionId: connection.id },
    onSuccess: onClose,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setShown(true);
    if (label.trim() !== '' && value.trim() !== '') keep.mutate();
  }

  return (
    <Modal opened onClose={onClose} title={wanted ? `Add a key to ${drawable(connection.name)}` : 'Add a key'}>
      <form onSubmit={submit} noValidate className="col g12">
        <Select
          label="Role"
          data={secretRoles.map((one) => ({ value: one, label: secretRoleNames[one] }))}
          value={role}
          onChange={(next) => setRole(secretRoles.find((one) => one === next) ?? role)}
          description={helps[role]}
          inputWrapperOrder={['label', 'input', 'description']}
        />
        <TextInput
          label="Label"
          data-autofocus={wanted === undefined || undefined}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          error={shown && label.trim() === '' && 'Give it a label of your own.'}
          maxLength={80}
        />
        <PasswordInput
          label="Value"
          data-autofocus={wanted !== undefined || undefined}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={shown && value.trim() === '' && 'Paste the value that your provider gave you.'}
          autoComplete="off"
          spellCheck={false}
          maxLength={4096}
        />
        <SecretFormEnd
          store={store}
          error={keep.error ? errorOf(keep.error) : null}
          pending={keep.isPending}
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
