import type { Connection, SecretStore } from '../../../shared/domain/connection.ts';
import { Tag } from '../../components/marks.tsx';
import { countOf } from '../../lib/text/format.ts';

const never = ['the window', 'any file', 'the database', 'logs and errors', 'exports', 'command lines'];

export interface WhereProps {
  connection: Connection;
  store: SecretStore;
  count: number;
}

/** An auditor's question, answered in one place. */
export function WhereAreMyKeys({ connection, store, count }: WhereProps) {
  const entries = `${countOf(count, 'entry', 'entries')}`;
  const atRest =
    connection.kind === 'demo'
      ? 'Nowhere: the demo service makes them up when it starts, and they are only in memory.'
      : store.kind === 'memory'
        ? 'Nowhere: this computer has no keychain, so they are only in memory until the program ends.'
        : `${store.name} of this user, ${entries} named “Address Console, ${connection.name}, …”.`;
  return (
    <section className="where-box" aria-labelledby="where-are-my-keys">
      <h3 className="h pad pane-b" id="where-are-my-keys">
        Where are my keys?
      </h3>
      <div className="col sm pad g8">
        <div className="where">
          <span className="t2">At rest</span>
          <span>
            {atRest}{' '}
            {store.kind === 'keychain' && connection.kind !== 'demo' && (
              <span className={store.state === 'unlocked' ? 'held' : 'warn'}>
                {{ unlocked: 'Unlocked.', locked: 'Locked.', unreadable: 'Does not answer.' }[store.state]}
              </span>
            )}
          </span>
        </div>
        <div className="where">
          <span className="t2">In use</span>
          <span>The main process only, for the length of one call, to the two addresses above.</span>
        </div>
        <div className="where">
          <span className="t2">Never in</span>
          <span className="row wrap g4">
            {never.map((place) => (
              <Tag key={place}>{place}</Tag>
            ))}
          </span>
        </div>
        <div className="where">
          <span className="t2">On removal</span>
          <span>Removing this connection also removes its {entries} from the keychain.</span>
        </div>
      </div>
    </section>
  );
}
