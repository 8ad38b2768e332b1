import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';

/** Something under way: a call, or a change of several calls. */
export interface RunningTask {
  id: string;
  /** "Search HR10 2DW". */
  label: string;
  /** ISO time of the start. */
  since: string;
  /** What stopping is called here; "Stop waiting" unless said. */
  cancelLabel?: string;
  /** It has paused until a person acts; `stop` then goes to it. */
  waits?: true;
}

/** Something of many calls that a feature has started, and the way to end it early. */
export interface LongTask extends RunningTask {
  stop: () => void;
}

let tasks: readonly LongTask[] = [];
const { subscribe, notify } = createListeners();
const change = (next: readonly LongTask[]) => {
  tasks = next;
  notify();
};

/** Shows a task in the status bar, or what is new of it; `hideTask` takes it out again. */
export function showTask(task: LongTask): void {
  const known = tasks.some(({ id }) => id === task.id);
  change(known ? tasks.map((one) => (one.id === task.id ? task : one)) : [...tasks, task]);
}

/** Takes a task out of the status bar; does nothing if it is not there. */
export function hideTask(id: string): void {
  change(tasks.filter((task) => task.id !== id));
}

/** The tasks shown now, in the order in which they began. */
export const useLongTasks = (): readonly LongTask[] => useSyncExternalStore(subscribe, () => tasks);

/** Ends a task early; false if there is none with that id. */
export function stopLongTask(id: string): boolean {
  const task = tasks.find((one) => one.id === id);
  task?.stop();
  return task !== undefined;
}
