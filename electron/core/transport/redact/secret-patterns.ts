/**
 * Regular expression sources that find one secret under every spelling in which it may be transmitted. All repetitions are bounded: an
 * answer made of backslashes must not cost quadratic time.
 */

const namedEntities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const jsonEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\\\',
  '/': '/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};
const guid = /^[{(]?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})[)}]?$/i;
const groupsOf = (secret: string): string[] => guid.exec(secret)?.slice(1) ?? [];

export const isGuid = (secret: string): boolean => guid.test(secret);

/** A GUID with its hyphens and without braces, whichever way it was entered: a service writes it in its own way. */
export const plainForm = (secret: string): string => groupsOf(secret).join('-') || secret;

/** The ways in which the same key may have been entered: in either case, and a GUID also with or without hyphens and braces. */
export function spellingsOf(secret: string): string[] {
  const groups = groupsOf(secret);
  const bare = groups.length === 0 ? [] : [groups.join('-'), groups.join('')];
  const forms = [secret, ...bare.flatMap((one) => [one, `{${one}}`, `(${one})`])];
  return [...new Set(forms.flatMap((one) => [one, one.toLowerCase(), one.toUpperCase()]))];
}

/** Without characters that draw nothing, between which a key is read all the same. NULs are what is left of an encoding taken for another. */
export const withoutUnseen = (text: string): string => text.replace(/[\0\p{Cf}]+/gu, '');

/** Everything except letters and digits by code point: a malformed pattern would carry the secret into an error's message. */
const escapeSource = (character: string): string =>
  /^[a-z0-9]$/i.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
const hex = (value: number, width = 2): string => value.toString(16).padStart(width, '0');

/** A number as an XML character reference, decimal or hex, leading zeros and repeated escaping of its `&` allowed. */
const references = (code: number): string => `&(?:amp;){0,4}#(?:0{0,8}${code}|x0{0,8}${code.toString(16)});`;

/** Spellings by character: each call builds its patterns anew, and writing them took longer than the rest of a short call. */
const spellings = new Map<string, string>();
const spellingsKept = 512;

function spellCharacter(character: string): string {
  let spelling = spellings.get(character);
  if (spelling === undefined) {
    if (spellings.size >= spellingsKept) spellings.clear();
    spelling = writeSpellings(character);
    spellings.set(character, spelling);
  }
  return spelling;
}

/** Every spelling of one character. A letter's references in the other case count as well: keys are compared ignoring case. */
function writeSpellings(character: string): string {
  const options = new Set<string>([escapeSource(character)]);
  for (const variant of new Set([character, character.toLowerCase(), character.toUpperCase()])) {
    const code = variant.codePointAt(0);
    if (code === undefined || [...variant].length !== 1) continue;
    const bytes = [...new TextEncoder().encode(variant)];
    options.add(bytes.map((byte) => `%(?:25){0,4}${hex(byte)}`).join(''));
    options.add(references(code));
    options.add(
      variant
        .split('')
        .map((unit) => `\\\\{1,8}u${hex(unit.charCodeAt(0), 4)}`)
        .join(''),
    );
  }
  const named = namedEntities[character];
  if (named !== undefined) options.add(`&(?:amp;){0,4}${named};`);
  const shortEscape = jsonEscapes[character];
  if (shortEscape !== undefined) options.add(`\\\\{1,8}${shortEscape}`);
  if (character === ' ') options.add('\\+');
  return `(?:${[...options].join('|')})`;
}

/**
 * Between two characters, where it is always true: one more follows. V8 compares what is ahead when it compiles a pattern, each choice
 * with all choices behind it, and does not look past this: a quarter of the time.
 */
const endsLookingAhead = '(?=[^])';

/** The secret plain, URL-encoded, as XML references or JSON escapes, each character by itself. For use with flags `iu`. */
export function buildSpellingPattern(secret: string): string {
  const isOfGuid = isGuid(secret);
  return [...secret]
    .map((character) => (isOfGuid && character === '-' ? `${spellCharacter(character)}?` : spellCharacter(character)))
    .join(endsLookingAhead);
}

/** The same, plain alone: a fiftieth of the pattern, which is written anew for each call. */
export function buildPlainPattern(secret: string): string {
  const isOfGuid = isGuid(secret);
  return [...secret].map((character) => (isOfGuid && character === '-' ? '-?' : escapeSource(character))).join('');
}

/** What occurs in every plain spelling of the secret, in lower case: a GUID may lack its hyphens, so for one its last group. */
export const plainPart = (secret: string): string => (groupsOf(secret).at(-1) ?? secret).toLowerCase();

const alphabet = (character: string): string => (character === '+' ? '(?:[+-]|%2[Bb])' : '(?:[/_]|%2[Ff])');

/** The part of the secret's base64 that does not depend on its surroundings, for each of the three alignments. */
export function encodeBase64(secret: string): string[] {
  const spellings = new Set(
    [secret, groupsOf(secret).join('')].flatMap((one) => [one, one.toLowerCase(), one.toUpperCase()]),
  );
  const parts = new Set<string>();
  for (const spelling of spellings) {
    for (const offset of [0, 1, 2]) {
      const bytes = Buffer.from('\0'.repeat(offset) + spelling, 'utf8');
      const first = Math.ceil((offset * 8) / 6);
      const last = Math.floor((bytes.length * 8) / 6);
      if (last - first >= 4) parts.add(bytes.toString('base64').slice(first, last));
    }
  }
  return [...parts];
}

export const buildBase64Patterns = (secret: string): string[] =>
  encodeBase64(secret).map((part) => part.replace(/[+/]/g, alphabet));
