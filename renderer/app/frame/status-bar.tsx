import { Loader, Menu } from '@mantine/core';
import { IconChevronUp, IconKey } from '@tabler/icons-react';
import type { SecretStore } from '../../../shared/domain/connection.ts';
import { Elapsed } from '../../components/state.tsx';
import { countOf } from '../../lib/text/format.ts';
import type { RunningTask } from '../../lib/window/long-tasks.ts';

interface StatusBarProps {
  running: readonly RunningTask[];
  onCancel: (taskId: string) => void;
  unfinished: number;
  onShowUnfinished: () => void;
  store: SecretStore | null;
}

/** Where the keys are, in words. */
function describeStore(store: SecretStore): string {
  const keys = countOf(store.entries, 'key');
  if (store.kind === 'memory')
    return store.entries === 0
      ? 'No keychain: keys would last until the program ends'
      : `${keys} in memory, until the program ends`;
  if (store.state === 'unlocked')
    return store.entries === 0 ? 'No keys kept yet' : `${keys} in the ${store.name}, unlocked`;
  return `${store.name} ${store.state === 'locked' ? 'locked' : 'cannot be read'}`;
}

/** What runs, with a way to stop waiting; changes left half way; where the keys are. */
export function StatusBar({ running, onCancel, unfinished, onShowUnfinished, store }: StatusBarProps) {
  return (
    <footer className="status">
      <Running running={running} onCancel={onCancel} />
      <span className="grow" />
      {unfinished > 0 ? (
        <button type="button" className="act warn" onClick={onShowUnfinished}>
          {countOf(unfinished, 'unfinished change')}
        </button>
      ) : (
        <span>No unfinished changes</span>
      )}
      <span className="sep" />
      <span className="row g4">
        <IconKey size={13} className="ti" aria-hidden="true" />
        <span className={store && (store.kind === 'memory' || store.state !== 'unlocked') ? 'warn m trunc' : 'trunc'}>
          {store ? describeStore(store) : 'Keys: not known yet'}
        </span>
      </span>
    </footer>
  );
}

function Running({ running, onCancel }: Pick<StatusBarProps, 'running' | 'onCancel'>) {
  const [first, ...rest] = running;
  if (!first) return <span>Nothing running</span>;
  return (
    <span className="row g6">
      {first.waits ? (
        <span className="trunc warn m">{first.label}</span>
      ) : (
        <>
          <Loader size={11} aria-hidden="true" />
          <span className="trunc">
            {first.label} <Elapsed since={first.since} />
          </span>
        </>
      )}
      <button
        type="button"
        className="act"
        onClick={() => onCancel(first.id)}
        aria-label={`${first.cancelLabel ?? 'Stop waiting'}: ${first.label}`}
      >
        {first.cancelLabel ?? 'Stop waiting'}
      </button>
      {rest.length > 0 && (
        <Menu position="top-start" width={320}>
          <Menu.Target>
            <button type="button" className="act">
              and {rest.length} more
              <IconChevronUp size={12} className="ti" aria-hidden="true" />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Running</Menu.Label>
            {rest.map((task) => (
              <Menu.Item key={task.id} onClick={() => onCancel(task.id)}>
                {task.cancelLabel ?? 'Stop waiting'}: {task.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  );
}
