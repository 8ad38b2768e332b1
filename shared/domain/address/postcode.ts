export interface PostcodeCheck {
  /**
   * unusual: of the form, with a letter that no current postcode has in that position, or one of the exceptions; it may exist all the same.
   * malformed: meant as a postcode and not one. Only the service knows whether a well-formed postcode exists.
   */
  state: 'well-formed' | 'unusual' | 'malformed' | 'not-a-postcode';
  /** Upper case, one space. For a malformed one: what may be meant, which is well-formed. */
  normalised?: string;
  /** What may be wrong, in words. */
  hint?: string;
}

/** Used in territories around the United Kingdom, not in the mainland's format. */
const exceptional = /^(GIR0AA|(?:ASCN|STHL|TDCU|BBND|BIQQ|FIQQ|PCRN|SIQQ|TKCA)1ZZ|GX111AA)$/;

/** Area, district of one or two digits or a digit and a letter, sector and unit: the six forms of Royal Mail's PAF and BS 7666. */
const outwardForm = /^([A-Z]{1,2})(\d\d?|\d[A-Z])$/;
const form = /^([A-Z]{1,2}(?:\d\d?|\d[A-Z]))(\d[A-Z]{2})$/;

/** Looks meant as a postcode: area, a digit or what is mistyped for one, and an end that also begins with one. */
const attempt = /^[A-Z]{1,2}[\dOI][A-Z\d]?\s?[\dOI][A-Z\d]{0,3}$/;

/** Why the first half of a postcode cannot exist, by the letters in use (PAF Programmers' Guide, BS 7666); null: nothing against it. */
function findOutwardFault(outward: string): string | null {
  const [, area = '', district = ''] = outwardForm.exec(outward) ?? [];
  if (/^[QVX]/.test(area)) return `No postcode area starts with ${area[0]}.`;
  if (/^.[IJZ]/.test(area)) return `No postcode area has ${area[1]} as its second letter.`;
  if (/^0\d/.test(district)) return 'No district of a postcode has a 0 in front.';
  const last = /[A-Z]$/.exec(district)?.[0];
  if (last !== undefined && !(area.length === 1 ? 'ABCDEFGHJKPSTUW' : 'ABEHMNPRVWXY').includes(last))
    return `${last} is not used after ${area}${district[0]} in postcodes.`;
  return null;
}

function findFault(outward: string, inward: string): string | null {
  const unused = /[CIKMOV]/.exec(inward.slice(1))?.[0];
  const second = unused === undefined ? null : `${unused} is not used in the second half of postcodes.`;
  return findOutwardFault(outward) ?? second;
}

const spaced = (compact: string): string => `${compact.slice(0, -3)} ${compact.slice(-3)}`;

function isWellFormed(compact: string): boolean {
  const parts = form.exec(compact);
  return parts !== null && findFault(parts[1] ?? '', parts[2] ?? '') === null;
}

const asDigits = (text: string): string => text.replaceAll('O', '0').replaceAll('I', '1');
const asLetters = (text: string): string => text.replaceAll('0', 'O').replaceAll('1', 'I');

/** The well-formed postcode that a text becomes when O and 0, I and 1 are corrected and extra characters removed; null: none. */
function repair(typed: string): string | null {
  const compact = typed.replace(/[\s.,_-]/g, '');
  if (!/^[A-Z\d]{5,8}$/.test(compact)) return null;
  const inward = `${asDigits(compact.slice(-3, -2))}${asLetters(compact.slice(-2))}`;
  const outward = compact.slice(0, -3);
  const candidates = [1, 2].flatMap((letters) => {
    const area = asLetters(outward.slice(0, letters));
    const district = outward.slice(letters);
    const digits = asDigits(district);
    return [digits, `${digits.slice(0, 1)}${district.slice(1)}`, digits.replace(/^0(?=\d$)/, '')].map(
      (one) => area + one,
    );
  });
  // A leading 0 in a district that is otherwise a number is simply dropped; else the fewest changes are assumed.
  const changes = (text: string): number =>
    text.length === compact.length
      ? [...text].filter((letter, index) => letter !== compact[index]).length
      : form.test(compact)
        ? 0
        : 9;
  return (
    candidates
      .map((candidate) => candidate + inward)
      .filter(isWellFormed)
      .sort((one, other) => changes(one) - changes(other))[0] ?? null
  );
}

/** Whether a whole postcode can begin like this; at least its area and a digit. `compact`: in capitals, without blanks. */
export function isBeginningOfPostcode(compact: string): boolean {
  if (compact.length > 6) return false;
  return [2, 3, 4].some((length) => {
    const [outward, rest] = [compact.slice(0, length), compact.slice(length)];
    return outwardForm.test(outward) && findOutwardFault(outward) === null && /^(?:\d[ABD-HJLNP-UW-Z]?)?$/.test(rest);
  });
}

/** Judges a text by the form and the letters alone. Makes no network call. */
export function checkPostcode(text: string): PostcodeCheck {
  const typed = text.trim().toUpperCase().replace(/\s+/g, ' ');
  if (!/\d/.test(typed)) return { state: 'not-a-postcode' };
  const compact = typed.replaceAll(' ', '');
  if (exceptional.test(compact)) return { state: 'unusual', normalised: spaced(compact) };
  const isWritten = typed === compact || typed === spaced(compact);
  if (isWritten && isWellFormed(compact)) return { state: 'well-formed', normalised: spaced(compact) };
  const repaired = repair(typed);
  if (repaired !== null) {
    const normalised = spaced(repaired);
    const why = nameMixUp(compact, normalised);
    return { state: 'malformed', normalised, hint: `Did you mean ${normalised}?${why === '' ? '' : ` ${why}`}` };
  }
  const [, outward, inward] = form.exec(compact) ?? [];
  if (isWritten && outward !== undefined && inward !== undefined) {
    const fault = findFault(outward, inward);
    return { state: 'unusual', normalised: spaced(compact), ...(fault === null ? {} : { hint: fault }) };
  }
  if (outwardForm.test(typed)) {
    const hint = findOutwardFault(typed) ?? `${typed} is the first half of a postcode; the second looks like 1AA.`;
    return { state: 'not-a-postcode', hint };
  }
  if (attempt.test(typed)) {
    const hint =
      compact.length < 5 || /\d[A-Z]?$/.test(compact)
        ? 'It is cut short: a postcode ends in a digit and two letters.'
        : 'A postcode ends in a digit and two letters.';
    return { state: 'malformed', hint };
  }
  return { state: 'not-a-postcode' };
}

/** A postcode to compare by: as it is written, in capitals without blanks. */
export const plainPostcode = (text: string): string => text.replace(/\s+/g, '').toUpperCase();

/** Whether a text is a whole postcode and nothing else. */
export function isWholePostcode(text: string): boolean {
  const { state } = checkPostcode(text);
  return state === 'well-formed' || state === 'unusual';
}

function nameMixUp(typed: string, normalised: string): string {
  const meant = normalised.replace(' ', '');
  const pairs = new Set<string>();
  for (let index = 0; index < meant.length; index++) {
    const pair = [typed[index], meant[index]].sort().join('');
    if (pair === '0O') pairs.add('the letter O and the digit 0');
    if (pair === '1I') pairs.add('the letter I and the digit 1');
  }
  return pairs.size === 0 ? '' : `Check ${[...pairs].join(' and ')}.`;
}
