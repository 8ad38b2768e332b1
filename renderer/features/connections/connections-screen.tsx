import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { connectionKindNames } from '../../../shared/domain/connection.ts';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { EmptyState } from '../../components/state.tsx';
import { connectionsQuery } from '../../lib/calls/queries.ts';
import { useSessionState } from '../../lib/session/session-state.ts';
import { countOf } from '../../lib/text/format.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { useRefreshAfterCalls } from '../../lib/window/use-refresh-after-calls.ts';
import { ConnectionForm } from './connection-form.tsx';
import { ConnectionPane } from './connection-pane.tsx';
import { TestPane } from './test-pane.tsx';
import './connections.css';

const { queryKey: connectionsKey } = connectionsQuery();

/** All connections at the left, the chosen one in the middle, its test and its description at the right. */
export function ConnectionsScreen() {
  const go = useGo();
  // Every call changes when a key was last used.
  const { data } = useQuery({ ...connectionsQuery(), refetchOnMount: 'always' });
  useRefreshAfterCalls(connectionsKey, 5000);
  const [chosenId, setChosenId] = useSessionState<string | null>('connections/chosen', null);
  /** An id, or 'new'. */
  const [editing, setEditing] = useSessionState<string | null>('connections/editing', null);
  const [replacing, setReplacing] = useState<string | null>(null);
  /** How many tests were requested by replacing a key, by connection: another may be shown once the key is saved. */
  const [tests, setTests] = useState<Readonly<Record<string, number>>>({});
  if (!data) return <div className="col grow" aria-busy="true" />;
  const { connections, selectedId, store } = data;
  const view =
    connections.find(({ connection }) => connection.id === (chosenId ?? selectedId)) ?? connections[0] ?? null;
  const edited = connections.find(({ connection }) => connection.id === editing)?.connection ?? null;

  return (
    <>
      <div className="pagebar">
        <ScreenTitle>Connections</ScreenTitle>
        <span className="grow" />
        <Button
          leftSection={<IconPlus size={15} className="ti" aria-hidden="true" />}
          onClick={() => setEditing('new')}
        >
          Add connection
        </Button>
      </div>
      {view === null ? (
        <EmptyState
          title="No connection yet"
          actions={
            <Button variant="filled" onClick={() => go('first-run')}>
              Set one up
            </Button>
          }
        >
          A connection says where the service is and which keys to use.
        </EmptyState>
      ) : (
        <div className="connections">
          <ConnectionList
            views={connections}
            chosenId={view.connection.id}
            selectedId={selectedId}
            onChoose={setChosenId}
          />
          <ConnectionPane
            key={view.connection.id}
            view={view}
            store={store}
            selected={view.connection.id === selectedId}
            replacing={replacing}
            onReplace={setReplacing}
            onReplaced={() => setTests((now) => ({ ...now, [view.connection.id]: (now[view.connection.id] ?? 0) + 1 }))}
            others={
              connections.length > 1 && (
                <Menu position="bottom-start" width={280}>
                  <Menu.Target>
                    <button type="button" className="chip line facet connection-others">
                      {connections.indexOf(view) + 1} of {connections.length}
                      <span className="spoken"> connections, choose another</span>
                      <IconChevronDown size={13} className="ti t3" aria-hidden="true" />
                    </button>
                  </Menu.Target>
                  <Menu.Dropdown>
                    {connections.map(({ connection }) => (
                      <Menu.Item
                        key={connection.id}
                        leftSection={<span className="dot" style={{ background: connection.colour }} />}
                        onClick={() => setChosenId(connection.id)}
                      >
                        {connection.name}
                      </Menu.Item>
                    ))}
                  </Menu.Dropdown>
                </Menu>
              )
            }
            onEdit={() => setEditing(view.connection.id)}
            onRemoved={() => setChosenId(null)}
          />
          {/* What a test found belongs to the addresses that it asked. */}
          <TestPane
            key={`test ${view.connection.id} ${view.connection.restBaseUrl} ${view.connection.soapUrl}`}
            connection={view.connection}
            secrets={view.secrets}
            asked={tests[view.connection.id] ?? 0}
            onReplace={setReplacing}
          />
        </div>
      )}
      {(editing === 'new' || edited) && (
        <ConnectionForm
          key={editing}
          existing={edited}
          onClose={() => setEditing(null)}
          onSaved={(id) => {
            setChosenId(id);
            setEditing(null);
          }}
        />
      )}
    </>
  );
}

/** What a connection offers, in a few words. */
function describe({ connection, secrets, demoPort }: ConnectionView): string {
  if (connection.kind === 'demo') return demoPort === null ? 'not running' : `on port ${demoPort}`;
  const sides = [connection.restBaseUrl && 'REST', connection.soapUrl && 'SOAP'].filter(Boolean);
  return `${sides.length === 1 ? `${sides[0]} only` : sides.join(' and ') || 'no address'}, ${countOf(secrets.length, 'key')}`;
}

interface ConnectionListProps {
  views: readonly ConnectionView[];
  chosenId: string;
  selectedId: string | null;
  onChoose: (id: string) => void;
}

function ConnectionList({ views, chosenId, selectedId, onChoose }: ConnectionListProps) {
  return (
    <nav aria-label="Connections">
      <ul className="connection-list">
        {views.map((view) => {
          const { id, name, kind, colour } = view.connection;
          return (
            <li key={id}>
              <button
                type="button"
                className="conn"
                aria-current={id === chosenId ? 'true' : undefined}
                onClick={() => onChoose(id)}
              >
                <span className="dot" style={{ background: colour }} aria-hidden="true" />
                <span className="col">
                  <span className="m">{name}</span>
                  <span className="sm t2">
                    {connectionKindNames[kind]}, {describe(view)}
                    {id === selectedId && ', in use'}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
