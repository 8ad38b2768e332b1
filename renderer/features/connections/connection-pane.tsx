import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { SecretStore } from '../../../shared/domain/connection.ts';
import { Failure } from '../../components/failure.tsx';
import { Fields } from '../../components/fields.tsx';
import { Mono, Tag } from '../../components/marks.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
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
  /** The way to the others where the list has no room. */
  others: ReactNode;
  replacing: string | null;
  onReplace: (secretId: string | null) => void;
  onReplaced: () => void;
  onEdit: () => void;
  onRemoved: () => void;
}

/** One connection: where it is, its keys, and where they are kept. */
export function ConnectionPane(props: ConnectionPaneProps) {
  const { view, store, selected, others, onEdit, onRemoved } = props;
  const { connection, secrets, lastShape } = view;
  const [removing, setRemoving] = useState(false);
  const use = useMutation({ mutationFn: () => call('connections.select', { connectionId: connection.id }) });
  const demo = connection.kind === 'demo';

  return (
    <section className="col pane-r" aria-label={connection.name}>
      <div className="subbar tall">
        <h2 className="title row">
          <MiddleCut text={connection.name} />
        </h2>
        <Tag {...(connection.kind === 'production' ? { tone: 'prod' as const } : {})}>{kinds[connection.kind]}</Tag>
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
      <div className="scroll grow">
        {use.error instanceof CallError && <Failure error={use.error.error} />}
        <div className="pad">
          <Fields
            labelWidth={96}
            rows={[
              {
                label: 'REST',
                value: connection.restBaseUrl && <Mono>{connection.restBaseUrl}</Mono>,
                from: connection.restBaseUrl && (lastShape === null ? 'shape not seen yet' : `shape ${lastShape}`),
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
                label: 'Searches by',
                value: connection.preferredInterface === 'rest' ? 'REST' : 'SOAP',
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
      </div>
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
