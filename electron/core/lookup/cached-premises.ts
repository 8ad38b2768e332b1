import { type Address, isGeoData } from '../../../shared/domain/address/address.ts';
import { type Connection, protocols } from '../../../shared/domain/connection.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { countOf, formatFigure } from '../../../shared/domain/text/figures.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { provenanceOf } from '../answers/provenance.ts';
import type { SavedAnswer } from '../answers/saved-answer.ts';
import type { AnswerContent, StoredAnswer } from '../answers/stored-answer.ts';
import type { Ledger } from '../spend/ledger.ts';
import { namePremise } from './premise-view.ts';

const premisesPerPage = 4000;

export interface CachedParts {
  answers: AnswerCache;
  ledger: Ledger;
}

/** What is cached, as the window lists it. Makes no network call. Errors: 'storage-failed'. */
export function createCachedPremises({ answers, ledger }: CachedParts) {
  const describe = (known: SavedAnswer): Provenance => provenanceOf(ledger, { ...known, cached: true });

  /** Ids of the premises that Enter opens for nothing: over the interface the connection prefers. */
  function freePremises(connection: Connection): ReadonlySet<string> {
    const cached = answers.cachedPremises(connection);
    if (!cached.ok) return new Set();
    return new Set(
      cached.value
        .filter(({ interfaces }) => interfaces.includes(connection.preferredInterface))
        .map(({ subject }) => subject),
    );
  }

  /**
   * Premises with a cached answer, by id, one page at a time: each page is one turn of main, however many are saved. `after`: the `next` of
   * the page before, '' for the first; `next` null: it was the last.
   */
  function cachedPremises(connectionId: string, after: string) {
    const cached = answers.cachedPremises(connectionId, { after, limit: premisesPerPage });
    if (!cached.ok) return cached;
    return ok({
      premises: cached.value.map(({ subject, label, at, interfaces }) => ({
        premiseId: subject,
        line: label,
        at,
        free: protocols.filter((protocol) => interfaces.includes(protocol)),
      })),
      next: cached.value.length < premisesPerPage ? null : (cached.value.at(-1)?.subject ?? null),
    });
  }

  /** What is cached of one premise, with its name. Makes no network call. */
  async function premiseAnswers(connectionId: string, premiseId: string) {
    const known = answers.aboutSubject(connectionId, 'premise', premiseId);
    if (!known.ok) return known;
    const contents = await contentsOf(known.value);
    if (!contents.ok) return contents;
    const [address] = addressesOf(contents.value);
    const name = address && namePremise(address);
    return ok({
      title: name?.title ?? unnamed(premiseId),
      subtitle: name?.postcode ?? '',
      answers: known.value.map(describe),
    });
  }

  /** What is known now of answers shown earlier, for verdicts decided since. Ids that are no longer known are left out. */
  function provenance(answerIds: readonly string[]): Result<{ answers: Provenance[] }> {
    const found: Provenance[] = [];
    for (const answerId of answerIds) {
      const known = answers.byId(answerId);
      if (!known.ok) return known;
      if (known.value) found.push(describe(known.value));
    }
    return ok({ answers: found });
  }

  function listCached(connectionId: string, text: string, limit: number) {
    const listed = answers.list(connectionId, text, limit);
    if (!listed.ok) return listed;
    return ok({ answers: listed.value.map(({ id, ...answer }) => ({ ...answer, answerId: id })) });
  }

  return { describe, freePremises, cachedPremises, premiseAnswers, provenance, listCached };
}

const unnamed = (premiseId: string): string => `Premise ${premiseId}`;

/** How lists name an answer: a premise by its title and postcode, a search as "HR10 2DT, 34 premises" or "…, 10 of 34 premises". */
export function labelOf(subject: string, { content }: StoredAnswer): string {
  if (content.kind === 'search') {
    const { results, total, of } = content;
    const what = of?.kind === 'streets' ? 'street' : 'premise';
    const all = Math.max(total ?? 0, results.length);
    const first = all > results.length ? `${formatFigure(results.length)} of ` : '';
    return `${subject}, ${first}${countOf(all, what)}`;
  }
  if (content.kind !== 'premise' || isGeoData(content.address)) return unnamed(subject);
  const { title, postcode } = namePremise(content.address);
  return [title, postcode].filter(Boolean).join(', ');
}

/** What was read from answers, in their order; nothing for one that was removed meanwhile. */
export async function contentsOf(known: readonly SavedAnswer[]): Promise<Result<AnswerContent[]>> {
  const contents: AnswerContent[] = [];
  for (const one of known) {
    const content = await one.content();
    if (!content.ok) return content;
    if (content.value) contents.push(content.value);
  }
  return ok(contents);
}

/** Full addresses before geo data, whichever was asked for: the first one's values win. */
export function addressesOf(contents: readonly AnswerContent[]): Address[] {
  const addresses = contents.flatMap((content) => (content.kind === 'premise' ? [content.address] : []));
  return [...addresses.filter((one) => !isGeoData(one)), ...addresses.filter(isGeoData)];
}
