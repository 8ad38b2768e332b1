import { type AppError, appError } from '../../../shared/errors.ts';
import { lastFour } from '../../../shared/secret-fields.ts';
import type { StoredTrace } from '../storage/connections-repository.ts';

/** Shorter secrets are not looked for: a licence's number, a postcode or a short word may be typed anywhere. */
const shortest = 12;

const guid = /^\{?[0-9a-f]{8}(-?)[0-9a-f]{4}(?:\1[0-9a-f]{4}){2}\1[0-9a-f]{12}\}?$/i;
const guidInside = /(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/i;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text and its words: a key may be pasted alone, in a sentence, as `key=…` or in an address. */
function wordsOf(text: string): Set<string> {
  const whole = [text, decode(text)].map((one) => one.trim());
  const words = whole.flatMap((one) => [...one.split(/[\s,;"'<>()[\]&?]+/), ...one.split(/[\s,;"'<>()[\]&?=:/]+/)]);
  const bare = [...whole, ...words].flatMap((word) => [word, word.replace(/[.!:]+$/, '')]);
  return new Set(bare.filter((word) => word.length >= shortest));
}

/**
 * Whether a text typed by a person holds a secret, as the question to be asked before it is sent or stored; null: none. `values` are those
 * known in this run, found anywhere in the text ignoring case; for the other stored ones a word is compared by its fingerprint, computed
 * only where its last four characters match. Besides, anything in the form of a GUID, as this service's credentials are. The error,
 * `looks-like-key`, never repeats the text.
 */
export function findTypedKey(
  texts: readonly string[],
  known: {
    values: readonly { name: string; value: string }[];
    traces(): readonly StoredTrace[];
    fingerprint(secret: string): string;
  },
): AppError | null {
  const long = texts.filter((text) => text.trim().length >= shortest);
  if (long.length === 0) return null;
  const values = known.values.filter(({ value }) => value.length >= shortest);
  const traces = Map.groupBy(known.traces(), (trace) => trace.lastFour.toLowerCase());
  for (const text of long) {
    const lower = `${text}\n${decode(text)}`.toLowerCase();
    const value = values.find((one) => lower.includes(one.value.toLowerCase()));
    if (value) return question(value.name);
    for (const word of wordsOf(text)) {
      const fits = traces.get(lastFour(word).toLowerCase()) ?? [];
      if (fits.length === 0) continue;
      const prints = new Set([word, word.toLowerCase(), word.toUpperCase()].map(known.fingerprint));
      const stored = fits.find((trace) => trace.fingerprint !== null && prints.has(trace.fingerprint));
      if (stored) return question(stored.name);
    }
    if (guid.test(text.trim()) || guidInside.test(decode(text)))
      return appError('looks-like-key', {
        message: 'What was typed has the form of a GUID, as the credentials of this service have.',
      });
  }
  return null;
}

const question = (name: string): AppError =>
  appError('looks-like-key', { message: `What was typed contains one of your keys: ${name}.` });
