import { type AppError, appError } from '../../../shared/errors.ts';
import type { StoredTrace } from '../storage/connections-repository.ts';
import { withoutUnseen } from '../transport/redact/secret-patterns.ts';
import { holdsGuid } from '../transport/redact/service-text.ts';

/** Shorter secrets are not looked for: a licence's number, a postcode or a short word may be typed anywhere. */
const shortest = 12;

/** Percent-encoding undone where it is one: a text may also hold a plain percent sign. */
const decode = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });

/** As it was before a word processor or a mail program changed it: full-width letters, its hyphens, characters that draw nothing. */
const normalise = (text: string): string => withoutUnseen(text.normalize('NFKC')).replace(/[\p{Pd}\u2212]/gu, '-');

/** Of the same length, so that places in one are places in the other. */
const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A key has few signs in it: beginnings further ahead of its end are not tried. */
const mostBeginnings = 16;
const isSign = (character: string | undefined): boolean => character === undefined || !/[\p{L}\p{N}]/u.test(character);

/**
 * What may be a secret with this end: the text and, since a key may be pasted in quotes, as `key=…` or in an address, each part of a word
 * from after a sign to an end before one.
 */
function partsThatEnd(text: string, lower: string, end: string): Set<string> {
  const parts = new Set(lower.trim().endsWith(end) ? [text.trim()] : []);
  for (let at = lower.indexOf(end); at !== -1; at = lower.indexOf(end, at + 1)) {
    const to = at + end.length;
    if (!isSign(text[to])) continue;
    let begun = 0;
    for (let from = at; from >= 0 && begun < mostBeginnings; from -= 1) {
      if (!isSign(text[from - 1])) continue;
      if (to - from >= shortest) {
        parts.add(text.slice(from, to));
        begun += 1;
      }
      if (/\s/.test(text[from - 1] ?? '')) break;
    }
  }
  return parts;
}

/**
 * Whether a text typed by a person holds a secret, as the question to be asked before it is sent or stored; null: none. `values` are those
 * known in this run, found anywhere in the text ignoring case; of the other stored ones the fingerprint is compared, computed only where
 * their last four characters are in the text. Besides, anything in the form of a GUID, as this service's credentials are. The error,
 * `looks-like-key`, never repeats the text.
 */
export function findTypedKey(
  texts: readonly string[],
  known: {
    values: readonly { name: string; value: string }[];
    traces(): readonly StoredTrace[];
    /** Of each spelling. */
    fingerprints(secret: string): string[];
  },
): AppError | null {
  const long = texts.filter((text) => text.trim().length >= shortest);
  if (long.length === 0) return null;
  const values = known.values.filter(({ value }) => value.length >= shortest);
  const traces = Map.groupBy(known.traces(), (trace) => lowerCase(trace.lastFour));
  for (const text of long) {
    const forms = new Set([text, decode(text)].flatMap((one) => [one, normalise(one)]));
    const together = [...forms].join('\n').toLowerCase();
    const value = values.find((one) => together.includes(one.value.toLowerCase()));
    if (value) return question(value.name);
    for (const form of forms) {
      const lower = lowerCase(form);
      for (const [end, fits] of traces) {
        // A secret under twelve characters shows no last four.
        const parts = end === '' ? [] : [...partsThatEnd(form, lower, end)];
        const prints = new Set(parts.flatMap(known.fingerprints));
        const stored = fits.find((trace) => trace.fingerprint !== null && prints.has(trace.fingerprint));
        if (stored) return question(stored.name);
      }
    }
    if (holdsGuid(together))
      return appError('looks-like-key', {
        message: 'What was typed has the form of a GUID, as the credentials of this service have.',
      });
  }
  return null;
}

const question = (name: string): AppError =>
  appError('looks-like-key', { message: `What was typed contains one of your keys: ${name}.` });
