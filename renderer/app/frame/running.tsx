import { Loader, Menu } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { Elapsed } from '../../components/elapsed.tsx';
import type { RunningTask } from '../../lib/window/long-tasks.ts';

interface RunningProps {
  running: readonly RunningTask[];
  onCancel: (taskId: string) => void;
}

/** What runs, in the status bar. */
export function Running({ running, onCancel }: RunningProps) {
  const [first, ...rest] = running;
  if (!first) return <span>Nothing running here</span>;
  return (
    <span className="row g6">
      {first.waits ? (
        <span className="trunc warn m">{drawable(first.label)}</span>
      ) : (
        <>
          <Loader size={11} aria-hidden="true" />
          <span className="trunc">
            {drawable(first.label)} <Elapsed since={first.since} />
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
      {rest.length > 0 && <MoreTasks rest={rest} onCancel={onCancel} />}
    </span>
  );
}

/** What runs beside the task that the status bar names. */
function MoreTasks({ rest, onCancel }: { rest: readonly RunningTask[]; onCancel: (taskId: string) => void }) {
  return (
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
            {task.cancelLabel ?? 'Stop waiting'}: {drawable(task.label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
