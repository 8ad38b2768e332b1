import type { Connection } from '../../../shared/domain/connection.ts';
import type { CacheKey } from '../answers/cache-key.ts';
import { askPremise, askRest, askSearch } from '../lookup/questions.ts';
import type { Given } from './given.ts';
import type { Callable } from './resolve.ts';

export interface PreparedQuestion {
  /** If the lookup screen asks exactly the same, its question first; last the explorer's own. */
  questions: readonly [CacheKey, ...CacheKey[]];
  /** Under which the answer is cached. */
  subject: string;
  /** The same question as one of the search or of an opened premise: cached for both. */
  shared: 'search' | 'premise' | null;
}

const only = (input: Given['input'], ...names: string[]): boolean =>
  Object.keys(input).every((name) => names.includes(name));
const textOf = (input: Given['input'], name: string): string => {
  const value = input[name];
  return typeof value === 'string' ? value : '';
};

/** Whether what a form sends is what the lookup screen would send, but for blanks and letter case. */
const isAsTyped = (typed: string, sent: string | number | undefined): boolean =>
  typed.replace(/\s+/g, '').toLowerCase() === String(sent).replace(/\s+/g, '').toLowerCase();

type Shared = Pick<PreparedQuestion, 'subject' | 'shared'> & { question: CacheKey };

/**
 * If the lookup screen asks exactly the same, its question is used, so that neither pays for what the other has. It leaves out punctuation
 * that a form sends, such as the star of a wildcard: that is another question.
 */
function sharedQuestion(connection: Connection, { name }: Callable, { input }: Given): Shared | null {
  if (name === 'SearchPremise_ByPostcode' || name === 'SearchPremise_ByWordMatchOnAll') {
    const field = name === 'SearchPremise_ByPostcode' ? 'sPostcode' : 'sSearch';
    const typed = textOf(input, field);
    const asked = askSearch(connection, { text: typed, maxResults: null, interface: 'soap' });
    return asked.operation === name && isAsTyped(typed, asked.fields[field])
      ? { question: asked.question, subject: asked.subject, shared: 'search' }
      : null;
  }
  if (name === 'Search' && connection.searchForm === 'query' && only(input, 'query', 'maxresults')) {
    const most = textOf(input, 'maxresults');
    if (most !== '' && !/^\d{1,6}$/.test(most)) return null;
    const typed = textOf(input, 'query');
    const asked = askSearch(connection, {
      text: typed,
      maxResults: most === '' ? null : Number(most),
      interface: 'rest',
    });
    if (!isAsTyped(typed, asked.fields.query)) return null;
    return { question: asked.question, subject: asked.subject, shared: 'search' };
  }
  const premise = (id: string, asked: { question: CacheKey }): Shared => ({
    question: asked.question,
    subject: id,
    shared: 'premise',
  });
  if (name === 'GetPremiseAddress') {
    const id = textOf(input, 'sUniqueDeliveryPointID');
    return premise(id, askPremise(connection.id, id, 'soap'));
  }
  if (name === 'GetPremise' || name === 'GetPremiseGeoData') {
    const id = textOf(input, 'id');
    return premise(id, askRest(connection.id, id, name, textOf(input, 'uprn').toLowerCase() === 'true'));
  }
  return null;
}

/**
 * Between several values another separator makes another text, and another answer. Undefined: there are not several, or it is the comma, which
 * answers saved by earlier versions do not name.
 */
const separatorOf = ({ listSeparator }: Connection, { input }: Given): string | undefined =>
  listSeparator !== ',' && Object.values(input).some((value) => typeof value === 'object' && value.length > 1)
    ? listSeparator
    : undefined;

/** The question that a call asks, as cached answers know it. */
export function questionOf(connection: Connection, callable: Callable, given: Given): PreparedQuestion {
  const options =
    callable.interface === 'rest'
      ? { interface: 'rest', explorer: true, searchForm: connection.searchForm }
      : { interface: 'soap', explorer: true, listSeparator: separatorOf(connection, given) };
  const own: CacheKey = { connectionId: connection.id, operation: callable.name, input: given.input, options };
  const found = sharedQuestion(connection, callable, given);
  if (!found) return { questions: [own], subject: given.subject || callable.name, shared: null };
  const { question, subject, shared } = found;
  return { questions: [question, own], subject, shared };
}
