import { type ReactNode, useMemo, useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { SecretRole } from '../../../shared/domain/connection.ts';
import {
  type ConnectionDialogs,
  ConnectionDialogsContext,
  type KeyToReplace,
} from '../../lib/connection/connection-dialogs.ts';
import { part } from '../../lib/window/part.tsx';
import { PartNotice } from './part-notice.tsx';

const nothing = () => null;
const ReplaceKeyDialog = part(async () => (await import('./replace-key-dialog.tsx')).ReplaceKeyDialog, nothing);
const AddKeyDialog = part(async () => (await import('./add-key-dialog.tsx')).AddKeyDialog, nothing);
const ConnectionForm = part(
  async () => (await import('../../features/connections/connection-form.tsx')).ConnectionForm,
  nothing,
);

type Open =
  | { kind: 'replace'; key: KeyToReplace }
  | { kind: 'add'; view: ConnectionView; role: SecretRole }
  | { kind: 'edit'; view: ConnectionView };

/** The dialogs for keys and settings of a connection, opened over the screen that needs them. */
export function ConnectionDialogsProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  // Not another that was opened while this one's change was being saved.
  const close = () => setOpen((now) => (now === open ? null : now));
  const dialogs = useMemo<ConnectionDialogs>(
    () => ({
      replaceKey: (key) => setOpen({ kind: 'replace', key }),
      addKey: (view, role) => setOpen({ kind: 'add', view, role }),
      edit: (view) => setOpen({ kind: 'edit', view }),
    }),
    [],
  );
  return (
    <ConnectionDialogsContext value={dialogs}>
      {children}
      {open && (
        <PartNotice>
          {open.kind === 'replace' ? (
            <ReplaceKeyDialog wanted={open.key} onClose={close} />
          ) : open.kind === 'add' ? (
            <AddKeyDialog view={open.view} role={open.role} onClose={close} />
          ) : (
            <ConnectionForm existing={open.view.connection} onClose={close} onSaved={close} />
          )}
        </PartNotice>
      )}
    </ConnectionDialogsContext>
  );
}
