import { ActionIcon, Button, Menu, Modal } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type Dispatch, type ReactNode, type SetStateAction, useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import {
  type Connection,
  connectionKindNames,
  protocolNames,
  type SecretStore,
} from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Fields } from '../../components/fields.tsx';
import { Mono, Tag } from '../../components/marks.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { changingConnection } from '../../lib/connection/select-connection.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { KeysTable, removedLater } from './keys-table.tsx';

interface ConnectionPaneProps {
  view: ConnectionView;
  store: SecretStore;
  /** Whether it is the one in use. */
  selected: boolean;
  /** The way to the other connections in a window too narrow for the list. */
  others: ReactNode;
  replacing: string | null;
  onReplace: Dispatch<SetStateAction<string | null>>;
  onReplaced: () => void;
  onEdit: () => void;
  onRemoved: () => void;
}

/** One connection: where it is, its keys, and where they are kept. */
export function ConnectionPane(props: ConnectionPaneProps) {
  const { view, store, selected, others, onEdit, onRemoved } = props;
  const { connection, secrets, lastShape } = view;
  const [removing, setRemoving] = useState(false);
  const use = useMutation({
    mutationFn: () => call('connections.select', { connectionId: connection.id }),
    meta: { subject: changingConnection },
  });
  const demo = connection.kind === 'demo';

  return (
    <section className="col pane-r" aria-label={connection.name}>
      <div className="subbar tall">
        <h2 className="title row">
          <MiddleCut text={connection.name} />
        </h2>
        <Tag {...(connection.kind === 'production' ? { tone: 'prod' as const } : {})}>
          {connectionKindNames[connection.kind]}
        </Tag>
        {others}
        <span className="grow" />
        {!selected && (
          <Button onClick={() => use.mutate()} loading={use.isPending}>
            Use it
          </Button>
        )}
        {!demo && (
          <Button variant="subtle" color="gray" onClick={onEdit}>
            Edit
          </Button>
        )}
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon aria-label={`More for ${connection.name}`}>
              <IconDots size={16} className="ti" aria-hidden="true" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setRemoving(true)}>Remove the connection…</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is */}
      <section className="scroll grow" aria-label="Addresses and keys" tabIndex={0}>
        {use.error && <Failure error={errorOf(use.error)} />}
        <div className="pad">
          <Fields
            labelWidth={96}
            rows={[
              {
                label: 'REST',
                value: connection.restBaseUrl && <Mono>{connection.restBaseUrl}</Mono>,
                from:
                  connection.restBaseUrl && (lastShape === null ? 'answer shape not seen yet' : `shape ${lastShape}`),
              },
              {
                label: 'SOAP',
                value: connection.soapUrl && <Mono>{connection.soapUrl}</Mono>,
                from: connection.soapUrl && connection.soapVersion,
              },
              {
                label: 'Namespace',
                value: connection.soapNamespace ? <Mono>{connection.soapNamespace}</Mono> : 'read from the description',
              },
              { label: 'Account name', value: connection.accountName, from: connection.accountName && 'for SOAP' },
              { label: 'Machine ID', value: connection.machineId },
              {
                label: 'Preferred',
                value: `${protocolNames[connection.preferredInterface]}, where prices are equal`,
                from: `${connection.searchForm} form`,
              },
            ]}
          />
        </div>
        <KeysTable
          connection={connection}
          secrets={secrets}
          store={store}
          replacing={props.replacing}
          onReplace={props.onReplace}
          onReplaced={props.onReplaced}
        />
        <WhereAreMyKeys connection={connection} store={store} count={secrets.length} />
      </section>
      {removing && (
        <RemoveConnection
          connection={connection}
          count={secrets.length}
          store={store}
          onClose={() => setRemoving(false)}
          onRemoved={onRemoved}
        />
      )}
    </section>
  );
}

interface RemoveConnectionProps {
  connection: Connection;
  count: number;
  store: SecretStore;
  onClose: () => void;
  onRemoved: () => void;
}

/** Says before removing what is lost and what stays: the keys are deleted, the history stays. */
function RemoveConnection({ connection, count, store, onClose, onRemoved }: RemoveConnectionProps) {
  const remove = useMutation({
    mutationFn: () => call('connections.remove', { connectionId: connection.id }),
    meta: { subject: `Removing ${connection.name}` },
    onSuccess: ({ removedSecrets }) => {
      announce(`${connection.name} is removed, and ${countOf(removedSecrets, 'key')} with it.`);
      onClose();
      onRemoved();
    },
  });
  const keys = countOf(count, 'key');
  return (
    <Modal opened onClose={onClose} title={`Remove ${connection.name}`}>
      <div className="col g12">
        <p>
          {connection.kind === 'demo'
            ? 'The demo service stops. You can start it again at any time.'
            : `${count === 0 ? 'It has no saved keys.' : `Its ${keys} ${count === 1 ? 'is' : 'are'} removed${store.kind === 'memory' ? ` here. ${removedLater}` : ' for good.'}`} Nothing changes at the service.`}{' '}
          Its batches end, with rows left over where they are not done, and can no longer be opened: save the results
          you need first. A licence change that is not finished can then only be closed. The activity log, the ledger
          and the licence journal stay.
        </p>
        <p>
          Its caps, minimum balance, alerts, prices, cost centres, machines, labels and views go too, with the notes and
          reminders of its licences and what was read of its licences and machines.{' '}
          {connection.kind === 'demo'
            ? 'A set-up file does not have those of the demo service.'
            : 'A set-up file saved first (Settings, Set-up file) brings them back, except alerts that are switched off, what was read, and what it says it leaves out.'}
        </p>
        {remove.error && <Failure error={errorOf(remove.error)} />}
        <div className="row">
          <Button color="red" variant="filled" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove {connection.kind === 'demo' || count === 0 ? 'it' : `it and ${keys}`}
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose} data-autofocus>
            Keep it
          </Button>
        </div>
      </div>
    </Modal>
  );
}

const never = ['the window once saved', 'any file', 'the database', 'logs and errors', 'exports', 'command lines'];

interface WhereProps {
  connection: Connection;
  store: SecretStore;
  count: number;
}

/** Where the keys are stored and where they are sent, on one page for an auditor. */
function WhereAreMyKeys({ connection, store, count }: WhereProps) {
  const entries = `${countOf(count, 'entry', 'entries')}`;
  const atRest =
    connection.kind === 'demo'
      ? 'Nowhere: the demo service makes them up when it starts, and they are only in memory.'
      : store.kind === 'memory'
        ? 'Nowhere now: this run has no keychain, so keys entered in it are only in memory until the program ends. Keys entered earlier are not here; if a keychain has them, they are still in it.'
        : `${store.name} of this user, ${entries} with “Address Console, ${connection.name}” in ${count === 1 ? 'its name' : 'their names'}.`;
  return (
    <section className="where-box" aria-labelledby="where-are-my-keys">
      <h3 className="h pad pane-b" id="where-are-my-keys">
        Where are my keys?
      </h3>
      <dl className="col sm pad">
        <div className="where">
          <dt className="t2">At rest</dt>
          <dd>
            {atRest}{' '}
            {store.kind === 'keychain' && store.state !== 'not-read' && connection.kind !== 'demo' && (
              <span className={store.state === 'unlocked' ? 'good' : 'warn'}>
                {{ unlocked: 'Unlocked.', locked: 'Locked.', unreadable: 'Does not answer.' }[store.state]}
              </span>
            )}
          </dd>
        </div>
        <div className="where">
          <dt className="t2">In use</dt>
          <dd>The main process only, until it ends, and sent only to the addresses above.</dd>
        </div>
        <div className="where">
          <dt className="t2">Never in</dt>
          <dd className="row wrap g4">
            {never.map((place) => (
              <Tag key={place}>{place}</Tag>
            ))}
          </dd>
        </div>
        <div className="where">
          <dt className="t2">If removed</dt>
          <dd>
            {count === 0
              ? 'No key of this connection is saved.'
              : `Removing this connection also removes its ${countOf(count, 'key')}.${store.kind === 'memory' ? ` ${removedLater}` : ''}`}
          </dd>
        </div>
      </dl>
    </section>
  );
}
