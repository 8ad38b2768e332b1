import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { appError } from '../../../shared/errors.ts';
import { CallError } from '../calls/errors.ts';

/** A component whose script is loaded when it is first shown, or before that, when the window has nothing else to do. */
interface Part<P> {
  (props: P): ReactNode;
  load(): Promise<void>;
}

/** The loads of all parts known so far. A part declared in another part's script is added when that one is loaded. */
const loads: (() => Promise<void>)[] = [];

const missing = (thrown: unknown): CallError =>
  new CallError(
    appError('internal', {
      message: 'A part of the program could not be read from the disk.',
      money: 'Calls already sent go on; nothing was sent because of this.',
      next: 'Try again. If it stays so, a newer version may have replaced the files: close the program and start it again.',
      charge: 'not-applicable',
      detail: thrown instanceof Error ? thrown.message : String(thrown),
    }),
  );

/** Something that is loaded once, and again after a failure. */
function once<T>(fetch: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= fetch().catch((thrown: unknown) => {
      loading = null;
      throw missing(thrown);
    });
    return loading;
  };
}

/**
 * Not React's `lazy`: that would hold a screen back up to 300 ms behind its placeholder, and would not try a failed load again. What is
 * loaded already is drawn in the same turn, so a screen shows no placeholder the second time. A failure is thrown to the error boundary.
 */
export function part<P extends object>(
  fetch: () => Promise<ComponentType<P>>,
  placeholder: (props: P) => ReactNode = PartWaits,
): Part<P> {
  let loaded: ComponentType<P> | null = null;
  const load = once(async () => {
    loaded = await fetch();
  });
  loads.push(load);
  const Shown = (props: P) => {
    const [, setState] = useState<'loaded' | 'waits'>('waits');
    const [failure, setFailure] = useState<unknown>(null);
    useEffect(() => {
      if (loaded) return;
      let gone = false;
      load().then(
        () => gone || setState('loaded'),
        (thrown: unknown) => gone || setFailure(thrown),
      );
      return () => {
        gone = true;
      };
    }, []);
    if (failure !== null) throw failure;
    return loaded ? createElement(loaded, props) : placeholder(props);
  };
  return Object.assign(Shown, { load });
}

/** Seen only if loading takes longer than one notices (parts.css). */
function PartWaits() {
  return (
    <p className="pad t2 part-waits" aria-busy="true">
      Loading …
    </p>
  );
}

/**
 * Loads every part, one at a time, when the window has nothing else to do. What fails is left for the moment when it is needed. Returns a
 * function that stops it.
 */
export function loadPartsWhenIdle(): () => void {
  let handle = 0;
  let stopped = false;
  const next = (index: number) => {
    const load = loads[index];
    if (!load || stopped) return;
    handle = requestIdleCallback(
      () =>
        void load()
          .catch(() => undefined)
          .then(() => next(index + 1)),
      { timeout: 2000 },
    );
  };
  next(0);
  return () => {
    stopped = true;
    cancelIdleCallback(handle);
  };
}
