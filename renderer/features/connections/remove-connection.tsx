import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Connection } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';

export interface RemoveConnectionProps {
  connection: Connection;
  count: number;
  onClose: () => void;
  onRemoved: () => void;
}

/** Says what goes and what stays before it is done: the keys go, the history stays. */
export function RemoveConnection({ connection, count, onClose, onRemoved }: RemoveConnectionProps) {
  const remove = useMutation({
    mutationFn: () => call('connections.remove', { connectionId: connection.id }),
    onSuccess: ({ removedSecrets }) => {
      announce(`${connection.name} is removed, and ${countOf(removedSecrets, 'key')} with it.`);
      onClose();
      onRemoved();
    },
  });
  const entries = countOf(count, 'entry', 'entries');
  return (
    <Modal opened onClose={onClose} title={`Remove ${connection.name}`}>
      <div className="col g12">
        <p>
          {connection.kind === 'demo'
            ? 'The demo service stops. You can start it again at any time.'
            : `Its ${entries} in the keychain are removed for good. Nothing changes at the service.`}{' '}
          The activity log, the ledger and the licence journal stay.
        </p>
        {remove.error && <Failure error={errorOf(remove.error)} />}
        <div className="row">
          <Button color="red" variant="filled" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove {connection.kind === 'demo' || count === 0 ? 'it' : `it and ${entries}`}
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose} data-autofocus>
            Keep it
          </Button>
        </div>
      </div>
    </Modal>
  );
}
