import { Modal, Select } from '@mantine/core';
import { useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import type { AppError } from '../../../shared/errors.ts';
import { ReplaceKey } from '../../features/connections/replace-key.tsx';
import { shortRoleNames } from '../../lib/connection/secret-roles.ts';
import { announce } from '../../lib/window/announce.ts';

interface ReplaceKeyDialogProps {
  view: ConnectionView;
  /** Why: it may name the key, or by its field the role. */
  error: AppError;
  onClose: () => void;
}

/** A new value for a key where it was refused. What was typed and asked on the screen behind it stays. */
export function ReplaceKeyDialog({ view, error, onClose }: ReplaceKeyDialogProps) {
  const { connection, secrets } = view;
  const likely =
    secrets.find(({ id }) => id === error.sentWith?.id) ??
    secrets.find(({ role, preferred }) => preferred && role === error.field) ??
    secrets.find(({ role, preferred }) => preferred && role === 'lookup-key') ??
    secrets[0];
  const [chosen, setChosen] = useState(likely?.id ?? '');
  const handle = secrets.find(({ id }) => id === chosen);
  return (
    <Modal opened onClose={onClose} title={`Replace a key of ${drawable(connection.name)}`}>
      <div className="col g12">
        <p className="t2">{error.message}</p>
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
          <ReplaceKey
            key={handle.id}
            handle={handle}
            submitLabel="Replace the key"
            onCancel={onClose}
            onReplaced={() => {
              announce(`${handle.label} has a new key. Ask again when you like.`);
              onClose();
            }}
          />
        )}
      </div>
    </Modal>
  );
}
