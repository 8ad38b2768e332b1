import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconKey, IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type Dispatch, Fragment, type SetStateAction, useState } from 'react';
import type { Connection, SecretHandle, SecretRole, SecretStore } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Mono, Tag } from '../../components/marks.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { describeKey, shortRoleNames } from '../../lib/connection/secret-roles.ts';
import { formatWhen } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { useFocusOnce } from '../../lib/window/focus-once.ts';
import { KeyForm } from './key-form.tsx';
import { ReplaceAndTry, ReplaceKey } from './replace-key.tsx';

interface KeysTableProps {
  connection: Connection;
  secrets: readonly SecretHandle[];
  store: SecretStore;
  /** The key that a new value is being given for. */
  replacing: string | null;
  onReplace: Dispatch<SetStateAction<string | null>>;
  /** Called once the key that the connection's test uses has a new value, which is then tested. */
  onReplaced: () => void;
}

/** Closes the form of a key, but not that of another which was opened while this one's was being carried out. */
const closing =
  (secretId: string) =>
  (open: string | null): string | null =>
    open === secretId ? null : open;

/** Label, role and last four of each key: all that the window ever knows of one. */
export function KeysTable({ connection, secrets, store, replacing, onReplace, onReplaced }: KeysTableProps) {
  const [adding, setAdding] = useState(false);
  const prefer = useMutation({
    mutationFn: ({ id }: SecretHandle) => call('secrets.prefer', { secretId: id }),
    meta: { subject: (one: SecretHandle) => `Using ${describeKey(one)} first`, connectionId: connection.id },
  });
  const remove = useMutation({
    mutationFn: ({ id }: SecretHandle) => call('secrets.remove', { secretId: id }),
    meta: { subject: (one: SecretHandle) => `Removing ${describeKey(one)}`, connectionId: connection.id },
  });
  const [removing, setRemoving] = useState<string | null>(null);
  const demo = connection.kind === 'demo';
  const shared = (one: SecretHandle) => secrets.filter(({ role }) => role === one.role).length > 1;
  /** Keys of two roles may have one label. */
  const isAmbiguous = (one: SecretHandle) => secrets.filter(({ label }) => label === one.label).length > 1;
  const usedFirst = (role: SecretRole) => secrets.find((one) => one.role === role && one.preferred);
  /** The key that the connection's test asks for a balance with, if it does. */
  const tested = connection.restBaseUrl === '' ? undefined : (usedFirst('lookup-key') ?? usedFirst('master-key'));
  const columns = demo ? 4 : 5;

  return (
    <>
      <div className="row between pad">
        <h3 className="h">Keys and credentials</h3>
        {!demo && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={14} className="ti" aria-hidden="true" />}
            onClick={() => setAdding(true)}
          >
            Add a key
          </Button>
        )}
      </div>
      {prefer.error && <Failure error={errorOf(prefer.error)} />}
      {remove.error && <Failure error={errorOf(remove.error)} />}
      {secrets.length === 0 ? (
        <p className="pad t2">No key yet. Add one to use this connection.</p>
      ) : (
        <div className="table-sideways">
          <table className="tbl keys" aria-label="Keys and credentials">
            <colgroup>
              <col />
              <col style={{ width: 136 }} />
              <col style={{ width: 70 }} />
              <col style={{ width: 112 }} />
              {!demo && <col style={{ width: 44 }} />}
            </colgroup>
            <thead>
              <tr>
                <th scope="col">Label</th>
                <th scope="col">Role</th>
                <th scope="col">Ends</th>
                <th scope="col">Last used</th>
                {!demo && (
                  <th scope="col">
                    <span className="spoken">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {secrets.map((one) => (
                <Fragment key={one.id}>
                  <tr data-open={replacing === one.id || removing === one.id}>
                    <td className="m wraps">
                      <span className="row g6">
                        <IconKey size={14} className="ti t3" aria-hidden="true" />
                        <span className="key-label">{one.label}</span>
                      </span>
                    </td>
                    <td className="t2">
                      {one.role === 'master-key' || one.role === 'account-guid' ? (
                        <Tag tone="warn">{shortRoleNames[one.role]}</Tag>
                      ) : (
                        shortRoleNames[one.role]
                      )}
                      {shared(one) && one.preferred && <span className="xs t3"> used first</span>}
                    </td>
                    <td>
                      <Mono>{one.lastFour === '' ? '••••' : `••${one.lastFour}`}</Mono>
                    </td>
                    <td className="t2">{one.lastUsedAt === null ? 'never' : formatWhen(one.lastUsedAt)}</td>
                    {!demo && (
                      <td className="actions">
                        <Menu position="bottom-end" width={220}>
                          <Menu.Target>
                            <ActionIcon
                              aria-label={`Actions for ${one.label}${isAmbiguous(one) ? `, ${shortRoleNames[one.role]}` : ''}`}
                            >
                              <IconDots size={15} className="ti" aria-hidden="true" />
                            </ActionIcon>
                          </Menu.Target>
                          <Menu.Dropdown>
                            {shared(one) && !one.preferred && (
                              <Menu.Item onClick={() => prefer.mutate(one)}>Use this one first</Menu.Item>
                            )}
                            <Menu.Item
                              onClick={() => {
                                setRemoving(null);
                                onReplace(one.id);
                              }}
                            >
                              Replace the key…
                            </Menu.Item>
                            <Menu.Item
                              onClick={() => {
                                onReplace(null);
                                setRemoving(one.id);
                              }}
                            >
                              Remove the key…
                            </Menu.Item>
                          </Menu.Dropdown>
                        </Menu>
                      </td>
                    )}
                  </tr>
                  {replacing === one.id && (
                    <tr className="under">
                      <td colSpan={columns}>
                        {one.id === tested?.id ? (
                          <ReplaceKey
                            handle={one}
                            submitLabel="Replace and test · free"
                            onCancel={() => onReplace(null)}
                            onReplaced={() => {
                              onReplace(closing(one.id));
                              onReplaced();
                            }}
                          />
                        ) : (
                          <ReplaceAndTry
                            handle={one}
                            connection={connection}
                            onCancel={() => onReplace(null)}
                            onDone={() => onReplace(null)}
                          />
                        )}
                      </td>
                    </tr>
                  )}
                  {removing === one.id && (
                    <tr className="under">
                      <td colSpan={columns}>
                        <RemoveKey
                          handle={one}
                          store={store}
                          busy={remove.isPending}
                          onCancel={() => setRemoving(null)}
                          onRemove={() =>
                            remove.mutate(one, {
                              onSuccess: () => announce(`${one.label} is removed.`),
                              onSettled: () => setRemoving(closing(one.id)),
                            })
                          }
                        />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="xs t3 pad">
        {demo
          ? 'The demo service makes these up when it starts. They open nothing else and are not saved.'
          : 'The account GUID is for licences and their balance, and goes with the few operations that name the account. A master key reads balances and is never sent with a lookup.'}
      </p>
      {adding && <KeyForm connection={connection} store={store} onClose={() => setAdding(false)} />}
    </>
  );
}

/** What removing does to the keychain in a run without one. */
export const removedLater =
  'What a keychain has from an earlier run is removed when the program next starts with that keychain unlocked.';

interface RemoveKeyProps {
  handle: SecretHandle;
  store: SecretStore;
  busy: boolean;
  onCancel: () => void;
  onRemove: () => void;
}

function RemoveKey({ handle, store, busy, onCancel, onRemove }: RemoveKeyProps) {
  const keep = useFocusOnce<HTMLButtonElement>();
  return (
    <div className="row wrap">
      <span className="grow">
        {handle.label}
        {handle.lastFour !== '' && ` (ends ${handle.lastFour})`} is removed{' '}
        {store.kind === 'memory' ? `here. ${removedLater}` : 'for good.'} Its calls stay in the ledger.
      </span>
      <Button color="red" variant="light" loading={busy} onClick={onRemove}>
        Remove {handle.label}
      </Button>
      <Button ref={keep} variant="subtle" color="gray" onClick={onCancel}>
        Keep it
      </Button>
    </div>
  );
}
