import { useSyncExternalStore } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { createListeners } from '../listeners.ts';
import { announce } from './announce.ts';

type Words = Pick<AppError, 'message' | 'next'>;

/** What was told; `at` is ISO time. */
interface Told extends Words {
  at: string;
}

const mostShown = 3;

let told: readonly Told[] = [];
const { subscribe, notify } = createListeners();
const show = (next: readonly Told[]): void => {
  told = next;
  notify();
};

/** Shows a failure above every screen until it is closed, and has it read aloud: for what no place beside its button shows. */
export function tell({ message, next }: Words): void {
  announce(`${message} ${next}`, true);
  const others = told.filter((one) => one.message !== message);
  show([{ message, next, at: new Date().toISOString() }, ...others].slice(0, mostShown));
}

/** Closes what was told. */
export const closeTold = (closed: Told): void => show(told.filter((one) => one !== closed));

/** Closes what was told about a subject, which has succeeded since. */
export const closeToldAbout = (subject: string): void =>
  show(told.filter(({ message }) => !message.startsWith(`${subject}: `)));

/** What was told and is not closed, the newest first. */
export const useTold = (): readonly Told[] => useSyncExternalStore(subscribe, () => told);
