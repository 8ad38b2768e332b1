import { oneLine } from '../../../shared/domain/address/address-envelope.ts';
import {
  type ComparableField,
  type ComparedRow,
  comparablePremise,
  compareFields,
} from '../../../shared/domain/lookup/compare-answers.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { provenanceOf } from '../answers/provenance.ts';
import type { SavedAnswer } from '../answers/saved-answer.ts';
import type { AnswerContent } from '../answers/stored-answer.ts';
import type { Ledger } from '../spend/ledger.ts';

export interface Comparison {
  left: Provenance & { title: string };
  right: Provenance & { title: string };
  comparable: boolean;
  rows: ComparedRow[];
}

/** What an answer says, thing by thing, under names that match over both interfaces. */
function fieldsOf(content: AnswerContent): ComparableField[] {
  switch (content.kind) {
    case 'premise':
      return comparablePremise(content.address);
    case 'search':
      return content.results.map(({ premiseId, line }) => ({
        group: 'Results',
        name: premiseId,
        label: premiseId,
        state: 'value',
        value: line,
      }));
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
        state: value === '' ? 'empty' : 'value',
        value,
      }));
  }
}

function titleOf(content: AnswerContent): string {
  if (content.kind === 'operation') return content.title;
  if (content.kind === 'premise') return oneLine(content.address) || `Premise ${content.address.premiseId}`;
  return content.kind === 'search' ? `Search for ${content.text}` : `Distances from ${content.from}`;
}

/** Sets two cached answers side by side. Makes no network call. Errors: 'bad-input' where one is no longer saved. */
export async function compareAnswers(
  { answers, ledger }: { answers: AnswerCache; ledger: Ledger },
  leftId: string,
  rightId: string,
): Promise<Result<Comparison>> {
  const sides: { known: SavedAnswer; content: AnswerContent }[] = [];
  for (const answerId of [leftId, rightId]) {
    const found = answers.byId(answerId);
    if (!found.ok) return found;
    const content = await found.value?.content();
    if (content && !content.ok) return content;
    if (!found.value || !content?.value)
      return fail(
        appError('bad-input', {
          message: 'One of these answers is no longer saved.',
          next: 'Choose another, or ask for it again.',
          charge: 'not-charged',
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
  return ok({
    left: describe(left),
    right: describe(right),
    comparable,
    rows: comparable ? compareFields(fieldsOf(left.content), fieldsOf(right.content)) : [],
  });
}
