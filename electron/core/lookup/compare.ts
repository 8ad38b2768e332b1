import { oneLine } from '../../../shared/domain/address/address-envelope.ts';
import {
  type ComparableField,
  type ComparedRow,
  comparablePremise,
  compareField,
  compareFields,
  createPairing,
} from '../../../shared/domain/lookup/compare-answers.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { provenanceOf } from '../answers/provenance.ts';
import type { SavedAnswer } from '../answers/saved-answer.ts';
import { type AnswerContent, type FoundPremise, mostFields } from '../answers/stored-answer.ts';
import { mapInTurns } from '../concurrency/map-in-turns.ts';
import { createLruCache } from '../decode/browse/lru-cache.ts';
import { longestField } from '../decode/browse/tables.ts';
import type { Ledger } from '../spend/ledger.ts';

export interface Comparison {
  left: Provenance & { title: string };
  right: Provenance & { title: string };
  /** False: they are of different kinds, and there are no rows. */
  comparable: boolean;
  /** Only so many values of each are compared; null: all. */
  firstOnly: number | null;
  /** A part of them, or all. */
  rows: ComparedRow[];
  total: number;
}

/** Rows that cross to the window in one message. */
const inOnePart = 2000;
/** Comparisons whose rows stay in memory while the window requests one part after the other. */
const atHand = 2;

const fieldOfResult = ({ premiseId, line }: FoundPremise): ComparableField => ({
  group: 'Results',
  name: premiseId,
  label: premiseId,
  state: 'value',
  value: line,
});

/** What an answer says, thing by thing, under names that match over both interfaces. */
function fieldsOf(content: AnswerContent): ComparableField[] {
  switch (content.kind) {
    case 'premise':
      return comparablePremise(content.address);
    case 'search':
      return content.results.map(fieldOfResult);
    case 'distances':
      return content.rows.map(({ postcode, distances }) => ({
        group: `From ${content.from}`,
        name: postcode,
        label: postcode,
        state: 'value',
        value: distances.map(({ value, unit }) => `${value} ${unit}`).join(', '),
      }));
    case 'operation':
      return content.fields.map(({ path, value }) => ({
        group: 'Fields',
        name: path,
        label: path,
        state: value === '' ? 'empty' : value.length > longestField ? 'cut' : 'value',
        value,
      }));
  }
}

/** Two lists of any length, over several turns of main: what only the second one names comes last. */
async function compareLists(left: readonly FoundPremise[], right: readonly FoundPremise[]): Promise<ComparedRow[]> {
  const [ours, theirs] = [await mapInTurns(left, fieldOfResult), await mapInTurns(right, fieldOfResult)];
  const pairing = createPairing();
  await mapInTurns(theirs.toReversed(), pairing.add);
  const paired = await mapInTurns(ours, (field) => ({ field, same: pairing.takeSame(field) }));
  const matched = await mapInTurns(paired, ({ field, same }) => compareField(field, same ?? pairing.take(field)));
  const only = await mapInTurns(theirs, (field) => (pairing.isTaken(field) ? [] : compareField(undefined, field)));
  const rows: ComparedRow[] = [];
  await mapInTurns([...matched, ...only], (some) => rows.push(...some));
  return rows;
}

function titleOf(content: AnswerContent): string {
  if (content.kind === 'operation') return content.title;
  if (content.kind === 'premise') return oneLine(content.address) || `Premise ${content.address.premiseId}`;
  return content.kind === 'search' ? `Search for ${content.text}` : `Distances from ${content.from}`;
}

/** Compares two cached answers, from a row on. Makes no network call. Errors: 'not-cached' if one is no longer saved. */
export function createComparisons({ answers, ledger }: { answers: AnswerCache; ledger: Ledger }) {
  const lately = createLruCache<Omit<Comparison, 'total'>>(atHand);
  return async (leftId: string, rightId: string, from = 0): Promise<Result<Comparison>> => {
    const key = `${leftId} ${rightId}`;
    // The first part is computed anew: what is known of both may have changed.
    const known = from === 0 ? undefined : lately.get(key);
    const whole = known ? ok(known) : await compareAnswers(answers, ledger, leftId, rightId);
    if (!whole.ok) return whole;
    const { rows, ...heads } = whole.value;
    if (rows.length > inOnePart) lately.set(key, whole.value);
    return ok({ ...heads, rows: rows.slice(from, from + inOnePart), total: rows.length });
  };
}

async function compareAnswers(
  answers: AnswerCache,
  ledger: Ledger,
  leftId: string,
  rightId: string,
): Promise<Result<Omit<Comparison, 'total'>>> {
  const sides: { known: SavedAnswer; content: AnswerContent }[] = [];
  for (const answerId of [leftId, rightId]) {
    const found = answers.byId(answerId);
    if (!found.ok) return found;
    const content = await found.value?.content();
    if (content && !content.ok) return content;
    if (!found.value || !content?.value)
      return fail(
        appError('not-cached', {
          message: 'One of these answers is no longer saved.',
          next: 'Choose another, or ask for it again.',
        }),
      );
    sides.push({ known: found.value, content: content.value });
  }
  const [left, right] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const describe = ({ known, content }: (typeof sides)[0]) => ({
    ...provenanceOf(ledger, { ...known, cached: true }),
    title: titleOf(content),
  });
  const comparable = left.content.kind === right.content.kind;
  const isPart = [left, right].some(
    ({ content }) => content.kind === 'operation' && content.fields.length >= mostFields,
  );
  return ok({
    left: describe(left),
    right: describe(right),
    comparable,
    firstOnly: comparable && isPart ? mostFields : null,
    rows: !comparable
      ? []
      : left.content.kind === 'search' && right.content.kind === 'search'
        ? await compareLists(left.content.results, right.content.results)
        : compareFields(fieldsOf(left.content), fieldsOf(right.content), isPart ? mostFields : undefined),
  });
}
