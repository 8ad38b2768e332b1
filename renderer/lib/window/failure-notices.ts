import { useSyncExternalStore } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { createListeners } from '../listeners.ts';
import { announce } from './announce.ts';

type Message = Pick<AppError, 'message' | 'next'>;

/** `subject`: what failed, which has one notice at a time. `at` is ISO time. */
interface FailureNotice extends Message {
  subject: string;
  at: string;
}

let notices: readonly FailureNotice[] = [];
const { subscribe, notify } = createListeners();
const show = (next: readonly FailureNotice[]): void => {
  notices = next;
  notify();
};

/**
 * Shows a failure above every screen until it is closed, and has it read aloud: for what no place beside its button shows. It begins with
 * its subject, if that is given.
 */
export function showFailure(error: Message, subject?: string): void {
  const { next } = error;
  const message = subject === undefined ? error.message : `${subject}: ${error.message}`;
  announce(`${message} ${next}`, true);
  closeFailuresAbout(subject ?? message);
  show([{ subject: subject ?? message, message, next, at: new Date().toISOString() }, ...notices]);
}

/** Closes one of them. */
export const closeFailure = (closed: FailureNotice): void => show(notices.filter((one) => one !== closed));

/** Closes that of a subject which has succeeded since, or whose failure is shown elsewhere. */
export const closeFailuresAbout = (subject: string | undefined): void =>
  show(notices.filter((one) => one.subject !== subject));

/** Those that are not closed, the newest first. */
export const useFailureNotices = (): readonly FailureNotice[] => useSyncExternalStore(subscribe, () => notices);
