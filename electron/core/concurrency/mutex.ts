/** Returns a wrapper under which changes wait for each other; one that fails does not stop the next. */
export function createMutex() {
  let lastChange: Promise<unknown> = Promise.resolve();
  return <A extends unknown[], T>(change: (...input: A) => Promise<T>) =>
    (...input: A): Promise<T> => {
      const turn = lastChange.then(() => change(...input));
      lastChange = turn.catch(() => undefined);
      return turn;
    };
}
