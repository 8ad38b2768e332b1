import { IconKey } from '@tabler/icons-react';
import type { SecretStore } from '../../../shared/domain/connection.ts';
import { countOf } from '../../lib/text/format.ts';
import type { RunningTask } from '../../lib/window/long-tasks.ts';
import { part } from '../../lib/window/part.tsx';

const Running = part(
  async () => (await import('./running.tsx')).Running,
  ({ running: [first] }) => <span>{first ? first.label : 'Nothing running here'}</span>,
);

export interface StatusBarProps {
  /** null: not known yet. */
  running: readonly RunningTask[] | null;
  onCancel: (taskId: string) => void;
  /** null: not known, or something is under way that may be writing. */
  unfinished: number | null;
  onShowUnfinished: () => void;
  /** null: not known yet. */
  store: SecretStore | null;
}

const isBarred = ({ state }: SecretStore): boolean => state === 'locked' || state === 'unreadable';

/** Where the keys are, in words. */
function describeStore(store: SecretStore): string {
  const keys = countOf(store.entries, 'key');
  if (store.kind === 'memory') {
    const here = store.entries === 0 ? '' : `${keys} in memory, until the program ends`;
    const elsewhere = store.elsewhere === 0 ? '' : `${countOf(store.elsewhere, 'key')} entered earlier, not here now`;
    if (here !== '' && elsewhere !== '') return `${here}; ${elsewhere}`;
    return here || (elsewhere && `No keychain: ${elsewhere}`) || 'No keychain: keys would last until the program ends';
  }
  if (isBarred(store)) return `${store.name} ${store.state === 'locked' ? 'locked' : 'cannot be read'}`;
  if (store.entries === 0) return 'No keys saved yet';
  return `${keys} in the ${store.name}${store.state === 'unlocked' ? ', unlocked' : ''}`;
}

/** What runs, with a way to stop waiting; changes left half way; where the keys are. */
export function StatusBar({ running, onCancel, unfinished, onShowUnfinished, store }: StatusBarProps) {
  return (
    <footer className="status">
      {running && <Running running={running} onCancel={onCancel} />}
      <span className="grow" />
      {unfinished !== null && unfinished > 0 && (
        <button type="button" className="act warn" onClick={onShowUnfinished}>
          {countOf(unfinished, 'unfinished change')}
        </button>
      )}
      {unfinished === 0 && <span>No unfinished changes</span>}
      {unfinished !== null && <span className="sep" />}
      <span className="row g4">
        <IconKey size={13} className="ti" aria-hidden="true" />
        <span className={store && (store.kind === 'memory' || isBarred(store)) ? 'warn m trunc' : 'trunc'}>
          {store ? describeStore(store) : 'Keys: not known yet'}
        </span>
      </span>
    </footer>
  );
}
