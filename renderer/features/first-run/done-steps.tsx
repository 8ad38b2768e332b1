import { IconShieldLock } from '@tabler/icons-react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import {
  type Connection,
  connectionKindNames,
  roleNames,
  type SecretHandle,
  type SecretStore,
} from '../../../shared/domain/connection.ts';
import { Mono } from '../../components/marks.tsx';
import { Step } from '../../components/steps.tsx';

function Change({ onClick, what }: { onClick: () => void; what: string }) {
  return (
    <button type="button" className="link" onClick={onClick}>
      Change<span className="spoken"> {what}</span>
    </button>
  );
}

/** Step 1 when it is done: one line, and the button that opens it again. */
export function DoneService({ view, onChange }: { view: ConnectionView; onChange: () => void }) {
  const { name, kind, restBaseUrl, soapUrl } = view.connection;
  return (
    <Step
      state="done"
      title={<h2 className="done">{kind === 'demo' ? name : `${name}, ${connectionKindNames[kind]}`}</h2>}
      side={<Change onClick={onChange} what="the service" />}
      under={
        <p className="sm t2">
          <Mono>{restBaseUrl || soapUrl}</Mono>
        </p>
      }
    />
  );
}

interface DoneKeyProps {
  /** null: the demo service, which comes with its own credentials. */
  handle: SecretHandle | null;
  connection: Connection | null;
  store: SecretStore | null;
  onChange: () => void;
}

/** Step 2 when it is done: which key, and where it is stored. */
export function DoneKey({ handle, connection, store, onChange }: DoneKeyProps) {
  if (!handle)
    return (
      <Step
        state="done"
        title={<h2 className="done">No key needed</h2>}
        under={<p className="sm t2">The demo service brings credentials of its own; they open nothing else.</p>}
      />
    );
  return (
    <Step
      state="done"
      title={
        <h2 className="done">
          {handle.label}, {roleNames[handle.role]}
          {handle.lastFour !== '' && ` ending ${handle.lastFour}`}
        </h2>
      }
      side={<Change onClick={onChange} what="the key" />}
      under={
        <p className="sm t2 row g6">
          <IconShieldLock size={15} className="ti good" aria-hidden="true" />
          {store?.kind === 'memory'
            ? 'Kept in memory until the program ends'
            : `Kept in the ${store?.name ?? 'keychain'} with “Address Console, ${connection?.name ?? ''}” in its name`}
        </p>
      }
    />
  );
}
