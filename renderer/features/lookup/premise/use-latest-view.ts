import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PremiseView, Provenance } from '../../../../shared/domain/lookup.ts';
import { provenanceQuery } from '../../../lib/answers/use-provenance.ts';

/** A premise with what has been learned of its answers since they came: their claims, and until when they are saved. */
export function useLatestView(view: PremiseView): PremiseView {
  const ids = useMemo(
    () => [...new Set([view.provenance.answerId, ...view.heldAnswers.map(({ answerId }) => answerId)])],
    [view],
  );
  const { data } = useQuery(provenanceQuery(ids));
  return useMemo(() => {
    if (!data) return view;
    const byId = new Map(data.answers.map((answer) => [answer.answerId, answer]));
    const latest = (answer: Provenance): Provenance => {
      const now = byId.get(answer.answerId);
      // Whether this view cost something does not change by looking at it again.
      return now ? { ...now, held: answer.held } : answer;
    };
    return { ...view, provenance: latest(view.provenance), heldAnswers: view.heldAnswers.map(latest) };
  }, [view, data]);
}
