import { plainPremiseId } from '../../../shared/domain/address/address.ts';
import { isWholePostcode, plainPostcode } from '../../../shared/domain/address/postcode.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from './transport.ts';

/** same: what came names what was asked for. other: it names something else. unknown: it names nothing that could be compared. */
export type Compared = { verdict: 'same' } | { verdict: 'unknown' } | { verdict: 'other'; error: AppError };

export const unknown: Compared = { verdict: 'unknown' };

const mostQuoted = 3;

const quote = (texts: readonly string[]): string => {
  const each = [...new Set(texts)];
  return `${each.slice(0, mostQuoted).join(', ')}${each.length > mostQuoted ? ' …' : ''}`;
};

function compare(
  asked: readonly string[],
  came: readonly string[],
  plain: (text: string) => string,
  what: string,
  advise?: (asked: string, came: string) => string,
): Compared {
  if (asked.length === 0 || came.length === 0) return unknown;
  const wanted = new Set(asked.map(plain));
  if (came.some((one) => wanted.has(plain(one)))) return { verdict: 'same' };
  const detail = `${what} ${quote(asked)} was asked for; the answer is about ${quote(came)}.`;
  return {
    verdict: 'other',
    error: appError('answered-other', { detail, ...(advise ? { next: advise(quote(asked), quote(came)) } : {}) }),
  };
}

/** Blank and masked texts name nothing. */
const named = (texts: readonly string[]): string[] => texts.filter((text) => text.trim() !== '' && !text.includes('•'));

/** What is asked about, written as it is compared; undefined: nothing that can be. */
export const subjectOf = (asked: readonly string[]): string | undefined =>
  named(asked)
    .map((text) => (isWholePostcode(text) ? plainPostcode(text) : plainPremiseId(text)))
    .join() || undefined;

/** Premises by identifier. */
export const compareIds = (asked: readonly string[], came: readonly string[]): Compared =>
  compare(named(asked), named(came), plainPremiseId, 'premise');

/**
 * Postcodes are withdrawn and replaced, and a service may answer an old one with its successor: nothing is published about that, and such
 * an answer looks like another question's. So it is not shown as this one's; the error says which postcode to ask for instead.
 */
const adviseSuccessor = (asked: string, came: string): string =>
  `If ${asked} was withdrawn and ${came} took its place, search for ${came}. If not, this is another question’s answer: it was put aside and the connection was cut, so ask again if you still need it.`;

/** Postcodes, as far as both sides are whole ones: half a postcode, or a name, may stand for many. */
export function comparePostcodes(asked: readonly string[], came: readonly string[]): Compared {
  if (!asked.every(isWholePostcode)) return unknown;
  const wanted = new Set(asked.map(plainPostcode));
  // The requested one is looked for first: testing each text of a long list for being a whole postcode takes long.
  if (came.some((one) => wanted.has(plainPostcode(one)) && isWholePostcode(one))) return { verdict: 'same' };
  const others: string[] = [];
  for (const one of new Set(came)) {
    if (others.length > mostQuoted) break;
    if (isWholePostcode(one)) others.push(one);
  }
  return compare(asked, others, plainPostcode, 'postcode', adviseSuccessor);
}

/**
 * Sends a request and decodes its answer. `compare`: if an answer can name what was asked for, it is decoded while the connection is
 * reserved, which serves another question only if what came is the same. null: nothing can be compared, and the connection serves one
 * question.
 */
export async function askAndRead<T>(
  transport: Transport,
  request: Omit<OutgoingRequest, 'matches'>,
  read: (answer: IncomingAnswer) => T | Promise<T>,
  compare: ((value: T) => Compared) | null,
): Promise<Result<{ answer: IncomingAnswer; value: T; compared: Compared }>> {
  let reserved: { value: T; compared: Compared } | undefined;
  const readOnce = async (answer: IncomingAnswer): Promise<{ value: T; compared: Compared }> => {
    const value = await read(answer);
    return { value, compared: compare?.(value) ?? unknown };
  };
  const sent = await transport({
    ...request,
    ...(compare === null
      ? {}
      : {
          matches: async (answer) => {
            reserved = await readOnce(answer);
            return reserved.compared.verdict === 'same';
          },
        }),
  });
  // A kept-alive connection holds on to its last request, and that to what it compared: megabytes of an answer.
  const done = reserved;
  reserved = undefined;
  if (!sent.ok) return sent;
  return ok({ answer: sent.value, ...(done ?? (await readOnce(sent.value))) });
}
