import type { lookupChannels } from '../../shared/contract/lookup.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok } from '../../shared/result.ts';
import type { Console } from '../core/console.ts';
import type { HandlersOf } from './dispatcher.ts';

const recentPremises = 30;

export function lookupHandlers({ lookup }: Console): HandlersOf<typeof lookupChannels> {
  return {
    'lookup.search': (input, context) => lookup.search(input, context),
    'lookup.search-price': ({ connectionId, text }) => lookup.searchPrice(connectionId, text),
    'lookup.open': (input, context) => lookup.open(input, context),
    'lookup.uprn': (input, context) => lookup.uprn(input, context),
    'lookup.held': ({ connectionId }) => {
      const premises = lookup.heldPremises(connectionId, recentPremises);
      return premises.ok ? ok({ premises: premises.value }) : premises;
    },
    'lookup.raw': ({ answerId }) => {
      const answer = lookup.raw(answerId);
      if (!answer.ok) return answer;
      if (!answer.value)
        return fail(appError('bad-input', { message: 'This answer is no longer held.', next: 'Ask again to see it.' }));
      return ok({ request: answer.value.request, answer: answer.value.raw });
    },
  };
}
