import { lazy } from '../../../../shared/lazy.ts';
import { maskSecret } from '../../../../shared/secret-fields.ts';
import { createNeedleSearch } from './needles.ts';
import { type Direction, maskSecretFields } from './redact-fields.ts';
import {
  buildBase64Patterns,
  buildPlainPattern,
  buildSpellingPattern,
  encodeBase64,
  plainForm,
  plainPart,
  withoutUnseen,
} from './secret-patterns.ts';

export interface Redactor {
  /**
   * Masks every secret in a text by known value and by field name. `direction` says which field names count: an answer's
   * `key` is a premise identifier in one published search form, a request's is the API key. Default: both.
   */
  text(value: string, direction?: Direction): string;
  /** The same by known value alone. */
  known(text: string): string;
  /** Whether a text may contain a secret by its value, in any spelling: false is certain. Quick for long texts too. */
  mayHoldKnown(text: string): boolean;
  /** Headers, names and values; values that are credentials by their own name are masked whole. */
  headers(values: Readonly<Record<string, string>>, direction?: Direction): Record<string, string>;
}

/** Shorter values are masked by field name only: masking each "1" of a text by value would leave nothing to read. */
const shortestByValue = 4;

/** Characters. A longer text is searched once for all secrets, which needs tables that a short one does without. */
const longText = 64 * 1024;

const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]);

interface Scan {
  pattern: RegExp;
  masks: string[];
}

function buildScan(secrets: readonly string[], patternsOf: (secret: string) => string[], flags: string): Scan | null {
  const groups = secrets.flatMap((secret) => {
    const patterns = patternsOf(secret);
    return patterns.length === 0 ? [] : [{ source: `(${patterns.join('|')})`, mask: maskSecret(secret) }];
  });
  if (groups.length === 0) return null;
  return {
    pattern: new RegExp(groups.map((group) => group.source).join('|'), flags),
    masks: groups.map((group) => group.mask),
  };
}

function applyScan(text: string, scan: Scan | null): string {
  if (scan === null) return text;
  let current = text;
  // A mask ends in four characters of the secret, which together with what follows may spell a secret again: repeated until nothing is
  // found.
  for (;;) {
    const next = current.replace(scan.pattern, (...found: unknown[]) => {
      const group = found.findIndex((part, index) => index > 0 && typeof part === 'string');
      return scan.masks[group - 1] ?? '••••';
    });
    if (next === current) return current;
    current = next;
  }
}

/** A character of one of the secrets percent-encoded, or one of base64: most addresses have `%20` and nothing else. */
function percentOf(secrets: readonly string[]): RegExp {
  const spellings = secrets.flatMap((secret) => [secret, secret.toLowerCase(), secret.toUpperCase()]);
  const bytes = new Set(Buffer.from(`${spellings.join('')}+/`));
  return new RegExp(`%(?:25){0,4}(?:${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('|')})`, 'i');
}

/**
 * Masks the given values in plain, URL-encoded, XML-entity, JSON-escaped and base64 form, in any letter case (except base64), and unknown
 * values by the field names of shared/secret-fields.ts. Shown as `••••` and the last four (promises 11, 12).
 */
export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
  const known = [
    ...new Set(secrets.flatMap((secret) => (secret === undefined ? [] : [secret, secret.trim()].map(plainForm)))),
  ]
    .filter((secret) => secret.length >= shortestByValue)
    .sort((a, b) => b.length - a.length);
  // Each is built when a text needs it: compiling the spellings of three GUIDs took main 15 ms a call.
  const spelled = lazy(() => buildScan(known, (secret) => [buildSpellingPattern(secret)], 'giu'));
  const unescaped = lazy(() => buildScan(known, (secret) => [buildPlainPattern(secret)], 'giu'));
  const plain = known.map(plainPart);
  // Beside letters that only a case-insensitive pattern takes for s and k.
  const unusual = known.some((secret) => /[^!-~]/.test(secret));
  const inEntities = known.some((secret) => /[&<>"']/.test(secret));
  const percentEncoded = lazy(() => percentOf(known));
  const holdsPlain = (text: string): boolean => {
    const lower = text.toLowerCase();
    return plain.some((part) => lower.includes(part));
  };
  /** Whether the pattern of spellings, which is slow on a long answer, can find anything beyond the plain one. */
  const mayBeEscaped = (text: string): boolean =>
    unusual ||
    (text.includes('&') && (inEntities || /&(?:#|amp;#|amp;amp;)/i.test(text))) ||
    (text.includes('%') && percentEncoded().test(text)) ||
    text.includes('\\') ||
    text.includes('\u017F') ||
    text.includes('\u212A');
  const holdsNeedle = lazy(() => createNeedleSearch([...plain, ...known.flatMap(encodeBase64)]));
  const mayHoldAsWritten = (text: string): boolean => known.length > 0 && (mayBeEscaped(text) || holdsNeedle()(text));
  const mayHoldKnown = (text: string): boolean => {
    if (mayHoldAsWritten(text)) return true;
    const seen = withoutUnseen(text);
    return seen !== text && mayHoldAsWritten(seen);
  };
  const base64 = lazy(() => buildScan(known, buildBase64Patterns, 'g'));

  const maskAsWritten = (text: string): string => {
    if (text.length > longText && !mayHoldAsWritten(text)) return text;
    let result = applyScan(text, base64());
    if (!mayBeEscaped(result) && holdsPlain(result)) result = applyScan(result, unescaped());
    // Also where only a mask brought it in: the last four of a secret may be those of a spelling.
    if (mayBeEscaped(result)) result = applyScan(result, spelled());
    return result;
  };
  /** What draws nothing is left out where a secret is found only without it. */
  const maskKnown = (text: string): string => {
    const masked = maskAsWritten(text);
    const seen = withoutUnseen(masked);
    if (seen === masked) return masked;
    const maskedSeen = maskAsWritten(seen);
    return maskedSeen === seen ? masked : maskedSeen;
  };
  const text = (value: string, direction: Direction = 'both'): string => maskSecretFields(maskKnown(value), direction);
  return {
    text,
    known: maskKnown,
    mayHoldKnown,
    headers: (values, direction = 'both') =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          text(name, direction),
          credentialHeaders.has(name.toLowerCase()) ? '••••' : text(value, direction),
        ]),
      ),
  };
}
