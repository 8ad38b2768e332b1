import { ok, type Result } from '../../../../shared/result.ts';
import type { SearchCall } from '../plan/plan.ts';
import type { PremiseField } from '../plan/premise-steps.ts';
import { type Content, fieldsIn, type Questions } from '../run/questions.ts';

/** Saved answers to what a table may ask: their keys at once, an answer itself when a row needs it. */
export interface SavedAnswers {
  /** Searches, by `searchKeyOf`. */
  searches: Pick<ReadonlySet<string>, 'has'>;
  /** Identifiers of premises. */
  premises: ReadonlySet<string>;
  /** The saved answer to a search; null: it cannot be read. */
  content(text: string): Promise<Content | null>;
  /** What is saved of a premise. */
  fields(premiseId: string): Promise<PremiseField[]>;
}

/** Free. Errors: 'storage-failed'. */
export function openSavedAnswers(
  questions: Questions,
  connectionId: string,
  search: SearchCall | null,
): Result<SavedAnswers> {
  const searches = questions.savedSearches(connectionId);
  if (!searches.ok) return searches;
  const premises = questions.savedPremises(connectionId);
  if (!premises.ok) return premises;
  return ok({
    searches: searches.value,
    premises: premises.value,
    async content(text) {
      const found = search ? await questions.find(connectionId, search, text) : ok(undefined);
      return found.ok && found.value ? found.value.content : null;
    },
    async fields(premiseId) {
      const has = await questions.premise(connectionId, premiseId);
      return has.ok ? fieldsIn(has.value.map(({ address }) => address)) : [];
    },
  });
}
