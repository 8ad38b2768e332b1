import { type Mutation, type MutationMeta, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { drawable } from '../../shared/domain/text/visible-text.ts';
import { errorOf, isUnknownOutcome } from '../lib/calls/errors.ts';
import { connectionsQuery } from '../lib/calls/queries.ts';
import { flushSession, readSessionValue, saveSessionText } from '../lib/session/session-state.ts';
import { closeFailuresAbout, showFailure } from '../lib/window/failure-notices.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /**
       * What is done, for the notice of its failure if nothing else shows that: "Changing the cap for today". What is done to another thing
       * has another name, since the notice is closed once the same has succeeded.
       */
      subject: string | ((variables: never) => string);
      /** The connection that it is of, if `subject` does not say so. */
      connectionId?: string;
    };
  }
}

/** What is under way, for the window that takes this one's place if it is reloaded or its process ends. */
const underWay = 'begun';

/**
 * Shows above every screen the failure of what was begun in a place that has been left meanwhile, such as a form that was closed: that place
 * would have shown it. Also what was under way when the window before this one ended, whose end no window has seen. Called once.
 */
export function useUnseenFailures(): void {
  const client = useQueryClient();
  useEffect(() => {
    const unseen = new WeakSet<Mutation>();
    /** As it was begun: by its end its form may have another text, and its connection another name or none. */
    const subjects = new WeakMap<Mutation, string>();
    const begun = new Set<Mutation>();
    for (const subject of readSessionValue<string[]>(underWay) ?? [])
      showFailure(
        {
          message: 'This was under way when the window was reloaded or closed. How it ended, if it has, was not seen.',
          next: 'Look whether it was done before you do it again.',
        },
        subject,
      );
    /** At once: of what has ended the next window would say that nobody saw how. */
    const keepBegun = () => {
      saveSessionText(underWay, begun.size === 0 ? null : JSON.stringify([...begun].map((one) => subjects.get(one))));
      void flushSession();
    };
    keepBegun();
    const subjectOf = ({ subject, connectionId }: MutationMeta, variables: unknown): string => {
      const what = typeof subject === 'string' ? subject : subject(variables as never);
      const list = client.getQueryData(connectionsQuery().queryKey)?.connections;
      const name = list?.find(({ connection }) => connection.id === connectionId)?.connection.name;
      return drawable(name === undefined ? what : `${what} under ${name}`);
    };
    return client.getMutationCache().subscribe((event) => {
      const { type, mutation } = event;
      const meta = mutation?.meta;
      if (!meta) return;
      // It is left by closing, hiding or keying its component anew, by a reset, and for the next one of the same place.
      if (type === 'observerRemoved') unseen.add(mutation);
      // A place that has been left may begin another, such as the trial of a key once it is stored: it takes that up when it is in sight again.
      if (type === 'observerAdded' && !event.observer.hasListeners()) mutation.removeObserver(event.observer);
      else if (type === 'observerAdded') {
        unseen.delete(mutation);
        // On a screen that is in sight again its own place shows it.
        if (mutation.state.status === 'error') closeFailuresAbout(subjects.get(mutation));
      }
      if (type !== 'updated') return;
      const { action } = event;
      if (action.type === 'pending') {
        subjects.set(mutation, subjectOf(meta, action.variables));
        begun.add(mutation);
        keepBegun();
      }
      if (action.type === 'success' || action.type === 'error') {
        begun.delete(mutation);
        keepBegun();
      }
      const subject = subjects.get(mutation);
      if (action.type === 'success') closeFailuresAbout(subject);
      if (action.type !== 'error') return;
      const error = errorOf(action.error);
      // Somebody stopped it.
      if (error.code === 'cancelled') return;
      const next = isUnknownOutcome(error) ? `${error.money} ${error.next}` : error.next;
      if (unseen.has(mutation)) showFailure({ ...error, next }, subject);
      // Its own place shows that it failed again.
      else closeFailuresAbout(subject);
    });
  }, [client]);
}
