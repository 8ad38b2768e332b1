import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { countOf } from '../../lib/text/format.ts';

const kinds = { production: 'Production', test: 'Test', demo: 'Demo' } as const;

/** What a connection offers, in a few words. */
function describe({ connection, secrets, demoPort }: ConnectionView): string {
  if (connection.kind === 'demo') return demoPort === null ? 'not running' : `on port ${demoPort}`;
  const sides = [connection.restBaseUrl && 'REST', connection.soapUrl && 'SOAP'].filter(Boolean);
  return `${sides.length === 1 ? `${sides[0]} only` : sides.join(' and ') || 'no address'}, ${countOf(secrets.length, 'key')}`;
}

export interface ConnectionListProps {
  views: readonly ConnectionView[];
  chosenId: string;
  selectedId: string | null;
  onChoose: (id: string) => void;
}

export function ConnectionList({ views, chosenId, selectedId, onChoose }: ConnectionListProps) {
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
                  <span>
                    <span className="m">{name}</span> <span className="sm t2">{kinds[kind]}</span>
                  </span>
                  <span className="sm t2">
                    {describe(view)}
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
