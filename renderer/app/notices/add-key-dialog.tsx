import { useQuery } from '@tanstack/react-query';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { SecretRole } from '../../../shared/domain/connection.ts';
import { KeyForm } from '../../features/connections/key-form.tsx';
import { connectionsQuery } from '../../lib/calls/queries.ts';

interface AddKeyDialogProps {
  view: ConnectionView;
  role: SecretRole;
  onClose: () => void;
}

/** Takes a key that a connection lacks, over the screen that needs it. */
export function AddKeyDialog({ view, role, onClose }: AddKeyDialogProps) {
  const store = useQuery(connectionsQuery()).data?.store;
  return store && <KeyForm connection={view.connection} store={store} wanted={role} onClose={onClose} />;
}
