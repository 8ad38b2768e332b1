import { useSyncExternalStore } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { createListeners } from '../listeners.ts';

interface KeyQuestion {
  error: AppError;
  answer: (sendAnyway: boolean) => void;
}

// A queue: two calls may ask at the same time, and each waits for its own answer.
let waiting: readonly KeyQuestion[] = [];
const { subscribe, notify } = createListeners();
const change = (next: readonly KeyQuestion[]) => {
  waiting = next;
  notify();
};

/** Asks whether a text that looks like a key is to be sent anyway. */
export const askAboutKey = (error: AppError): Promise<boolean> =>
  new Promise((resolve) => {
    const question: KeyQuestion = {
      error,
      answer: (sendAnyway) => {
        change(waiting.filter((one) => one !== question));
        resolve(sendAnyway);
      },
    };
    change([...waiting, question]);
  });

/** The question to be answered now; null: none. */
export const useKeyQuestion = (): KeyQuestion | null => useSyncExternalStore(subscribe, () => waiting[0] ?? null);
