import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection, SecretHandle, SecretStore } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Mono, Tag } from '../../components/marks.tsx';
import { CallError, call } from '../../lib/calls/bridge.ts';
import { secretRoleNames } from '../../lib/connection/secret-roles.ts';
import { formatWhen } from '../../lib/text/format.ts';
import { KeyForm } from './key-form.tsx';

export interface KeysTableProps {
  connection: Connection;
  secrets: readonly SecretHandle[];
  store: SecretStore;
}

/** Label, role and last four of each key: all that the window ever knows of one. */
export function KeysTable({ connection, secrets, store }: KeysTableProps) {
  const [adding, setAdding] = useState(false);
  const prefer = useMutation({ mutationFn: (secretId: string) => call('secrets.prefer', { secretId }) });
  const remove = useMutation({ mutationFn: (secretId: string) => call('secrets.remove', { secretId }) });
  const [asked, setAsked] = useState<string | null>(null);
  const error = prefer.error ?? remove.error;
  const demo = connection.kind === 'demo';
  const shared = (one: SecretHandle) => secrets.filter(({ role }) => role === one.role).length > 1;

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
      {error instanceof CallError && <Failure error={error.error} />}
      {secrets.length === 0 ? (
        <p className="pad t2">No key yet. Nothing can be asked until there is one.</p>
      ) : (
        <table className="tbl">
          <colgroup>
            <col />
            <col style={{ width: 154 }} />
            <col style={{ width: 76 }} />
            <col style={{ width: 112 }} />
            {!demo && <col style={{ width: 172 }} />}
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
              <tr key={one.id}>
                <td className="m">
                  <span className="row g6">
                    <IconKey size={14} className="ti t3" aria-hidden="true" />
                    {one.label}
                  </span>
                </td>
                <td className="t2">
                  {one.role === 'master-key' ? <Tag tone="warn">Master</Tag> : secretRoleNames[one.role]}
                  {shared(one) && one.preferred && <span className="xs t3"> used first</span>}
                </td>
                <td>
                  <Mono>{one.lastFour === '' ? '••••' : `••${one.lastFour}`}</Mono>
                </td>
                <td className="t2">{one.lastUsedAt === null ? 'never' : formatWhen(one.lastUsedAt)}</td>
                {!demo && (
                  <td>
                    <span className="row g4">
                      {shared(one) && !one.preferred && (
                        <Button size="compact-xs" variant="subtle" onClick={() => prefer.mutate(one.id)}>
                          Use first<span className="spoken"> {one.label}</span>
                        </Button>
                      )}
                      {asked === one.id ? (
                        <Button
                          size="compact-xs"
                          color="red"
                          variant="light"
                          loading={remove.isPending}
                          onClick={() => remove.mutate(one.id, { onSettled: () => setAsked(null) })}
                        >
                          Remove from keychain
                        </Button>
                      ) : (
                        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setAsked(one.id)}>
                          Remove<span className="spoken"> {one.label}</span>
                        </Button>
                      )}
                    </span>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="xs t3 pad">
        {demo
          ? 'The demo service makes these up at its start. They open nothing else and are not kept.'
          : 'The master key reads balances and manages licences. It is never sent to a lookup.'}
      </p>
      {adding && <KeyForm connection={connection} store={store} onClose={() => setAdding(false)} />}
    </>
  );
}
