import { useSyncExternalStore } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { createListeners } from '../listeners.ts';
import { announce } from './announce.ts';

type Message = Pick<AppError, 'message' | 'next'>;

/** `at` is ISO time. */
interface FailureNotice extends Message {
  at: string;
}

const mostShown = 3;

let notices: readonly FailureNotice[] = [];
const { subscribe, notify } = createListeners();
const show = (next: readonly FailureNotice[]): void => {
  notices = next;
  notify();
};

/** Shows a failure above every screen until it is closed, and has it read aloud: for what no place beside its button shows. */
export function showFailure({ message, next }: Message): void {
  announce(`${message} ${next}`, true);
  const others = notices.filter((one) => one.message !== message);
  show([{ message, next, at: new Date().toISOString() }, ...others].slice(0, mostShown));
}

/** Closes one of them. */
export const closeFailure = (closed: FailureNotice): void => show(notices.filter((one) => one !== closed));

/** Closes those about a subject that has succeeded since. */
export const closeFailuresAbout = (subject: string): void =>
  show(notices.filter(({ message }) => !message.startsWith(`${subject}: `)));

/** Those that are not closed, the newest first. */
export const useFailureNotices = (): readonly FailureNotice[] => useSyncExternalStore(subscribe, () => notices);
