import { Loader, Modal, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecretHandle } from '../../../shared/domain/connection.ts';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { Failure } from '../../components/failure.tsx';
import { ReplaceKey } from '../../features/connections/replace-key.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import type { KeyToReplace } from '../../lib/connection/connection-dialogs.ts';
import { shortRoleNames } from '../../lib/connection/secret-roles.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';

interface ReplaceKeyDialogProps {
  wanted: KeyToReplace;
  onClose: () => void;
}

/** The key that is meant: found by its id, by its name or by its role, else the one that lookups are sent with. */
function likelyKey({ view: { secrets }, secretId, label, role }: KeyToReplace): SecretHandle | undefined {
  return (
    secrets.find(({ id }) => id === secretId) ??
    secrets.find((one) => one.role === 'lookup-key' && one.label === label) ??
    secrets.find((one) => one.preferred && one.role === role) ??
    secrets.find((one) => one.preferred && one.role === 'lookup-key') ??
    secrets[0]
  );
}

/** Takes a new value for a refused key, over the screen that says so: what was typed and asked there stays. */
export function ReplaceKeyDialog({ wanted, onClose }: ReplaceKeyDialogProps) {
  const { view, why } = wanted;
  const { connection, secrets } = view;
  const [chosen, setChosen] = useState(likelyKey(wanted)?.id ?? '');
  const handle = secrets.find(({ id }) => id === chosen);
  const close = (said: string) => {
    announce(said);
    onClose();
  };
  // Only a lookup key can be tried with a free call.
  const trial = useMutation({
    mutationFn: (saved: SecretHandle) => call('secrets.try', { connectionId: connection.id, secretId: saved.id }),
    onSuccess: ({ credits }, { label }) =>
      close(
        `${label} has a new key; GetCredits answered it${credits === null ? '' : `: ${countOf(credits, 'credit')}`}.`,
      ),
    onError: (error) => announce(errorOf(error).message, true),
  });
  return (
    <Modal opened onClose={onClose} title={`Replace a key of ${drawable(connection.name)}`}>
      <div className="col g12">
        <p className="t2">{why}</p>
        {secrets.length > 1 && (
          <Select
            label="Which key"
            data={secrets.map(({ id, label, role, lastFour }) => ({
              value: id,
              label: `${drawable(label)}, ${shortRoleNames[role]}${lastFour === '' ? '' : `, ends ${lastFour}`}`,
            }))}
            value={chosen}
            onChange={(next) => setChosen(next ?? chosen)}
            allowDeselect={false}
          />
        )}
        {handle && !trial.isPending && (
          <ReplaceKey
            key={`${handle.id} ${trial.submittedAt}`}
            handle={handle}
            submitLabel={handle.role === 'lookup-key' ? 'Replace and try · free' : 'Replace the key'}
            onCancel={onClose}
            onReplaced={() => {
              if (handle.role === 'lookup-key') trial.mutate(handle);
              else close(`${handle.label} has a new key.`);
            }}
          />
        )}
        {trial.isPending && (
          <p className="row sm" role="status">
            <Loader size={12} aria-hidden="true" /> The new key is saved. Trying it with GetCredits · free
          </p>
        )}
        {trial.error && <Failure error={errorOf(trial.error)} />}
      </div>
    </Modal>
  );
}
