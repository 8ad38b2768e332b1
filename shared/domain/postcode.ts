import { fix, isValid, toNormalised, validOutcode } from 'postcode';

export interface PostcodeCheck {
  /**
   * unusual: fits no rule of current postcodes, or one of the exceptions, and may exist all the same. malformed: meant as a
   * postcode and not one. Whether a well-formed postcode exists only the service knows.
   */
  state: 'well-formed' | 'unusual' | 'malformed' | 'not-a-postcode';
  /** Upper case, one space. */
  normalised?: string;
  /** What may be wrong, in words. */
  hint?: string;
}

/** Of the United Kingdom's orbit without the mainland's format. */
const exceptional = /^(GIR0AA|(?:ASCN|STHL|TDCU|BBND|BIQQ|FIQQ|PCRN|SIQQ|TKCA)1ZZ|GX111AA)$/;

/** Looks meant as a postcode: area, a digit or what is mistyped for one, an end that starts with one as well. */
const attempt = /^[A-Z]{1,2}[\dOI][A-Z\d]?\s?[\dOI][A-Z\d]{0,3}$/;

/** Letters that no current postcode has in that place. */
function findUnusedLetters(normalised: string): string | null {
  const [outward = '', inward = ''] = normalised.split(' ');
  if (/^[QVX]/.test(outward)) return `No postcode area starts with ${outward[0]}.`;
  if (/^[A-Z][IJZ]/.test(outward)) return `No postcode area has ${outward[1]} as its second letter.`;
  const unused = /[CIKMOV]/.exec(inward.slice(1))?.[0];
  return unused === undefined ? null : `${unused} is not used in the second half of postcodes.`;
}

/** Judges a text by the format alone (library: postcode). Asks nobody, costs nothing. */
export function checkPostcode(text: string): PostcodeCheck {
  const typed = text.trim().toUpperCase().replace(/\s+/g, ' ');
  const compact = typed.replaceAll(' ', '');
  if (exceptional.test(compact)) {
    return { state: 'unusual', normalised: `${compact.slice(0, -3)} ${compact.slice(-3)}` };
  }
  if (isValid(typed)) {
    const normalised = toNormalised(typed) ?? typed;
    const unused = findUnusedLetters(normalised);
    return unused === null ? { state: 'well-formed', normalised } : { state: 'unusual', normalised, hint: unused };
  }
  const repaired = fix(typed);
  if (isValid(repaired)) {
    const normalised = toNormalised(repaired) ?? repaired;
    return { state: 'malformed', normalised, hint: `Did you mean ${normalised}? ${nameMixUp(compact, normalised)}` };
  }
  const unpunctuated = typed.replace(/[.,_-]/g, '');
  if (unpunctuated !== typed && isValid(unpunctuated)) {
    const normalised = toNormalised(unpunctuated) ?? unpunctuated;
    return { state: 'malformed', normalised, hint: `Did you mean ${normalised}?` };
  }
  if (validOutcode(typed)) {
    return { state: 'not-a-postcode', hint: `${typed} is the first half of a postcode; the second looks like 1AA.` };
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
