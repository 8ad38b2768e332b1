import { appError } from '../../../shared/errors.ts';
import { fail, type Result } from '../../../shared/result.ts';

interface UnderWay<T> {
  waiting: number;
  stop: AbortController;
  result: Promise<Result<T>>;
}

/**
 * One call per question (promise 3): whoever asks the same while it is under way waits for the same answer. The call is cancelled when
 * the last waiter stops; one that stops earlier leaves it to the others, with the error `cancelled`. One without a signal waits to the end.
 */
export function createSingleFlight<T>() {
  const underWay = new Map<string, UnderWay<T>>();

  const forget = (key: string, call: UnderWay<T>) => {
    if (underWay.get(key) === call) underWay.delete(key);
  };

  function begin(key: string, send: (signal: AbortSignal) => Promise<Result<T>>): UnderWay<T> {
    const stop = new AbortController();
    const result = send(stop.signal).finally(() => forget(key, call));
    const call: UnderWay<T> = { waiting: 0, stop, result };
    underWay.set(key, call);
    return call;
  }

  function ask(
    key: string,
    signal: AbortSignal | undefined,
    send: (signal: AbortSignal) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const call = underWay.get(key) ?? begin(key, send);
    call.waiting += 1;
    if (!signal) return call.result;
    return new Promise((done, broken) => {
      const leave = () => {
        call.waiting -= 1;
        // The last waiter gets the call's own statement of what its end means for credits.
        if (call.waiting === 0) {
          // A question asked now starts a new call: one that is ending has nothing more to give.
          forget(key, call);
          call.stop.abort();
        } else done(fail(left()));
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
      call.result.then(done, broken).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  return { ask, has: (key: string): boolean => underWay.has(key) };
}

const left = () =>
  appError('cancelled', {
    message: 'You stopped waiting. The same question was asked elsewhere too, and that one still waits.',
    money: 'It is one call for all who ask it.',
    next: 'Its answer comes to where it was asked.',
    charge: 'not-applicable',
  });
