import { hash } from 'node:crypto';
import type { BatchKind, BatchWant } from '../../../../shared/domain/batch.ts';
import { stairFlat } from '../match/address-parts.ts';
import { type RowPlan, searchKeyOf } from '../plan/plan.ts';
import { type GivenRow, judgeSearch } from '../run/judge.ts';
import type { Content } from '../run/questions.ts';
import type { SavedAnswers } from './saved-answers.ts';

/** A row as it is entered in the file of a batch. */
export interface PlannedRow {
  /** What it says: rows with the same key are asked once. */
  said: string;
  /** What is searched for; null: it has an identifier. */
  search: string | null;
  flat: boolean;
}

/** Words before the number of part of a building. Wide on purpose: a row that may name a flat counts its extra credit. */
const flatPattern = new RegExp(
  `\\b(flats?|apartments?|apts?|units?|suites?|studios?|rooms?|floors?|maisonettes?|annexe?|fflat|${stairFlat})\\b|/`,
  'i',
);

/** What a row asks. Pure. */
export function readQuestion(given: GivenRow): PlannedRow {
  if ('id' in given) return { said: given.id, search: null, flat: false };
  const { organisation, premise, town, postcode } = given.given;
  const words = given.kind === 'postcodes' ? [postcode] : [organisation, premise, town, postcode];
  return {
    // No word has a line break left in it, while any other separator may be in a cell.
    said: words.map((word) => word.toLowerCase().replace(/\s+/g, ' ').trim()).join('\n'),
    search: postcode === '' ? [organisation, town].filter(Boolean).join(' ') : postcode,
    flat: given.kind === 'addresses' && flatPattern.test(premise),
  };
}

/** What a row says, as the file of a batch has it. */
export const keyOf = ({ said, search }: PlannedRow): string =>
  search === null ? said : hash('sha1', said, 'base64url');

/** Contents of saved searches kept in memory: rows of one postcode are often adjacent. */
const mostContents = 200;

/** Plans the rows of one table one after the other, by what is saved. Free. */
export function createRowPlanner(saved: SavedAnswers, kind: BatchKind): RowPlanner {
  const contents = new Map<string, Content | null>();

  async function read(text: string): Promise<Content | null> {
    const known = contents.get(text);
    if (known !== undefined) return known;
    const content = await saved.content(text);
    if (contents.size >= mostContents) contents.delete(contents.keys().next().value ?? '');
    contents.set(text, content);
    return content;
  }

  async function knownOf(premiseId: string, needsAddress: boolean): Promise<RowPlan & { is: 'asked' }> {
    const fields = saved.premises.has(premiseId) ? await saved.fields(premiseId) : [];
    return { is: 'asked', search: 'none', premise: { is: 'known', saved: fields, needsAddress } };
  }

  async function bySaved(given: GivenRow, text: string, flat: boolean, isNew: boolean): Promise<RowPlan> {
    const content = await read(text);
    if (content === null) return { is: 'asked', search: isNew ? 'ask' : 'counted', premise: { is: 'later', flat } };
    const search = isNew ? 'saved' : 'counted';
    const judged = judgeSearch(given, content, noWants);
    if (judged.premiseId === null || kind === 'postcodes') return { is: 'asked', search, premise: { is: 'none' } };
    return { ...(await knownOf(judged.premiseId, judged.needsAddress && flat)), search };
  }

  return {
    plan(given, { search, flat }, isNewSearch) {
      // Most rows find nothing saved: they are planned without waiting.
      if (search === null) {
        const id = 'id' in given ? given.id : '';
        return saved.premises.has(id) ? knownOf(id, false) : nothingSaved;
      }
      const key = searchKeyOf(search);
      const isNew = isNewSearch(key);
      if (saved.searches.has(key)) return bySaved(given, search, flat, isNew);
      return { is: 'asked', search: isNew ? 'ask' : 'counted', premise: { is: 'later', flat } };
    },
  };
}

const nothingSaved: RowPlan = {
  is: 'asked',
  search: 'none',
  premise: { is: 'known', saved: [], needsAddress: false },
};

const noWants: readonly BatchWant[] = [];

export interface RowPlanner {
  /** A promise if something saved has to be read for it. */
  plan(given: GivenRow, row: PlannedRow, isNewSearch: (key: string) => boolean): RowPlan | Promise<RowPlan>;
}
