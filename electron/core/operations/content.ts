import type { Address } from '../../../shared/domain/address/address.ts';
import { fromSoapAddressPremise } from '../../../shared/domain/address/address-from-soap.ts';
import type { AnswerContent } from '../answers/stored-answer.ts';
import { mapInTurns } from '../concurrency/map-in-turns.ts';
import { fieldsOf } from '../decode/browse/tables.ts';
import { fromRestItem, fromSoapList } from '../lookup/found-premises.ts';
import type { RestAnswer } from '../rest/rest-answer.ts';
import type { SoapAnswer, SoapValue } from '../soap/client.ts';
import type { PreparedQuestion } from './question.ts';

/** Enough to compare two answers; the raw text has the rest. */
const mostFields = 500;

const contentOf = (title: string, value: unknown, isEmpty = false): AnswerContent => ({
  kind: 'operation',
  title,
  fields: fieldsOf(value, mostFields).fields,
  ...(isEmpty ? { empty: true } : {}),
});

/** What is cached of an answer besides its raw text: where the lookup screen asks the same question, in the form it reads. */
export async function contentOfRest(
  asked: PreparedQuestion,
  title: string,
  answer: RestAnswer,
  maxResults: number | null,
): Promise<AnswerContent> {
  if (asked.shared === 'search' && answer.search) {
    const results = await mapInTurns(answer.search.items, fromRestItem);
    return { kind: 'search', results, total: answer.search.total, maxResults, text: asked.subject };
  }
  if (asked.shared === 'premise' && answer.address) return { kind: 'premise', address: answer.address };
  return contentOf(title, answer.value, answer.search?.items.length === 0);
}

/** The same of SOAP. */
export async function contentOfSoap(
  asked: PreparedQuestion,
  title: string,
  answer: SoapAnswer,
): Promise<AnswerContent> {
  if (asked.shared === 'search') {
    const listed = await fromSoapList((answer.value as SoapValue<'SearchPremise_ByPostcode'>).List);
    return { kind: 'search', ...listed, maxResults: null, text: asked.subject };
  }
  if (asked.shared === 'premise' && answer.found === 'something') {
    const [record] = (answer.value as SoapValue<'GetPremiseAddress'>).List;
    const address: Address | undefined = record && fromSoapAddressPremise(record, 'GetPremiseAddress');
    if (address) return { kind: 'premise', address };
  }
  return contentOf(title, answer.value, answer.found === 'nothing');
}
