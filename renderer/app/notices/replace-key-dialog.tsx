import { Modal, Select } from '@mantine/core';
import { useState } from 'react';
import type { SecretHandle } from '../../../shared/domain/connection.ts';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { ReplaceAndTry } from '../../features/connections/replace-key.tsx';
import type { KeyToReplace } from '../../lib/connection/connection-dialogs.ts';
import { shortRoleNames } from '../../lib/connection/secret-roles.ts';

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
        {handle && (
          <ReplaceAndTry key={handle.id} handle={handle} connection={connection} onCancel={onClose} onDone={onClose} />
        )}
      </div>
    </Modal>
  );
}
