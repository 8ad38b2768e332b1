import type { Socket } from 'node:net';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { reasonOf } from './opening-errors.ts';
import type { SecureFacts } from './read-certificates.ts';

/** The steps of opening a connection, in order; a proxy's steps only if there is one. */
export type OpeningStep = 'name' | 'tcp' | 'proxy-tls' | 'tunnel' | 'tls';

/** What each step found. */
export interface OpeningFacts {
  /** In the order in which they are tried; an address typed as such is the only one. */
  name: { host: string; addresses: string[] };
  tcp: { host: string; address: string; port: number };
  'proxy-tls': SecureFacts;
  /** `signedIn`: with user and password, in the end; `asked`: how many CONNECTs were sent. A SOCKS proxy has none of this. */
  tunnel: { target: string; status: number; statusText: string; signedIn: boolean; asked: number };
  tls: SecureFacts;
}

/** Receives each step as it goes. A failed step ends the opening; a refused handshake still says what it showed. */
export interface OpeningObserver {
  began(step: OpeningStep): void;
  ended<S extends OpeningStep>(step: S, facts: OpeningFacts[S] | null): void;
  failed<S extends OpeningStep>(step: S, error: AppError, facts: OpeningFacts[S] | null): void;
}

/** How a step's work reports what it found; the last report counts. */
export type Note<S extends OpeningStep> = (facts: OpeningFacts[S]) => void;

/** Does the work of one step and reports it. */
export type RunStep = <S extends OpeningStep, T>(
  name: S,
  work: (note: Note<S>) => Promise<Result<T>>,
) => Promise<Result<T>>;

/** Steps of one opening: none begins its work after an abort, and none that was aborted counts as done. */
export function runSteps(
  signal: AbortSignal,
  observer: OpeningObserver | undefined,
): { step: RunStep; current(): OpeningStep | null } {
  let current: OpeningStep | null = null;
  const step = async <S extends OpeningStep, T>(
    name: S,
    work: (note: Note<S>) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    current = name;
    observer?.began(name);
    let facts: OpeningFacts[S] | null = null;
    const result = signal.aborted
      ? fail(appError('cancelled'))
      : await endWith(
          signal,
          work((found) => {
            facts = found;
          }),
        );
    if (result.ok && !signal.aborted) {
      observer?.ended(name, facts);
      return result;
    }
    const error = result.ok || signal.aborted ? reasonOf(signal) : result.error;
    observer?.failed(name, error, facts);
    return fail(error);
  };
  return { step, current: () => current };
}

/** What is waited for (a keychain, a name, a proxy script) may ignore the signal; the wait ends with it all the same. */
export function endWith<T>(signal: AbortSignal, work: Promise<Result<T>>): Promise<Result<T>> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(fail(reasonOf(signal)));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Whether the other side has ended a connection while a keychain or the system's certificates were waited for: what is begun over it then
 * hears of no end, and waits for its limit.
 */
export const hasEnded = ({ destroyed, readableEnded }: Socket): boolean => destroyed || readableEnded;
