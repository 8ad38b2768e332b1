import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { SecretStore } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Fields } from '../../components/fields.tsx';
import { Mono, Tag } from '../../components/marks.tsx';
import { CallError, call } from '../../lib/calls/bridge.ts';
import { KeysTable } from './keys-table.tsx';
import { RemoveConnection } from './remove-connection.tsx';
import { WhereAreMyKeys } from './where-are-my-keys.tsx';

const kinds = { production: 'Production', test: 'Test', demo: 'Demo' } as const;

export interface ConnectionPaneProps {
  view: ConnectionView;
  store: SecretStore;
  /** It is the one in use. */
  selected: boolean;
  onEdit: () => void;
  onRemoved: () => void;
}

/** One connection: where it is, its keys, and where they are kept. */
export function ConnectionPane({ view, store, selected, onEdit, onRemoved }: ConnectionPaneProps) {
  const { connection, secrets, lastShape } = view;
  const [removing, setRemoving] = useState(false);
  const use = useMutation({ mutationFn: () => call('connections.select', { connectionId: connection.id }) });
  const demo = connection.kind === 'demo';

  return (
    <section className="col pane-r" aria-label={connection.name}>
      <div className="subbar tall">
        <h2 className="title">{connection.name}</h2>
        <Tag {...(connection.kind === 'production' ? { tone: 'prod' as const } : {})}>{kinds[connection.kind]}</Tag>
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
        <Button variant="subtle" color="gray" onClick={() => setRemoving(true)}>
          Remove…
        </Button>
      </div>
      {use.error instanceof CallError && <Failure error={use.error.error} />}
      <div className="pad">
        <Fields
          labelWidth={116}
          rows={[
            {
              label: 'REST',
              value: connection.restBaseUrl && <Mono>{connection.restBaseUrl}</Mono>,
              from: `${lastShape === null ? 'shape not seen yet' : `shape ${lastShape}`}, ${connection.searchForm} form`,
            },
            {
              label: 'SOAP',
              value: connection.soapUrl && <Mono>{connection.soapUrl}</Mono>,
              from: `SOAP ${connection.soapVersion}`,
            },
            {
              label: 'Namespace',
              value: connection.soapNamespace && <Mono>{connection.soapNamespace}</Mono>,
              from: connection.soapNamespace === '' ? 'read from the description' : 'as set',
            },
            { label: 'Account name', value: connection.accountName },
            { label: 'Machine ID', value: connection.machineId, from: 'blank unless the licence is bound' },
            { label: 'Searches by', value: connection.preferredInterface === 'rest' ? 'REST' : 'SOAP' },
          ]}
        />
      </div>
      <KeysTable connection={connection} secrets={secrets} store={store} />
      <WhereAreMyKeys connection={connection} store={store} count={secrets.length} />
      {removing && (
        <RemoveConnection
          connection={connection}
          count={secrets.length}
          onClose={() => setRemoving(false)}
          onRemoved={onRemoved}
        />
      )}
    </section>
  );
}
