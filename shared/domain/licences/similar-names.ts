/** What differs between two names that probably mean one machine. */
export type NameDifference = 'capitals' | 'blanks' | 'kind of letter' | 'kind of dash' | 'domain';

/** Capitals of the Greek and the Cyrillic alphabet that look like a Latin one. */
const lookAlikes = {
  A: '\u0391\u0410',
  B: '\u0392\u0412',
  C: '\u0421',
  E: '\u0395\u0415',
  H: '\u0397\u041d',
  I: '\u0399\u0406',
  J: '\u0408',
  K: '\u039a\u041a',
  M: '\u039c\u041c',
  N: '\u039d',
  O: '\u039f\u041e',
  P: '\u03a1\u0420',
  S: '\u0405',
  T: '\u03a4\u0422',
  X: '\u03a7\u0425',
  Y: '\u03a5\u0423',
  Z: '\u0396',
};
const latin = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    [...others].flatMap(
      (other) =>
        [
          [other, letter],
          [other.toLowerCase(), letter.toLowerCase()],
        ] as const,
    ),
  ),
);

/** Each removes one kind of difference from a name. `_` is not a dash: host names distinguish the two. */
const folds: Record<NameDifference, (name: string) => string> = {
  // Of full width, say, or of another alphabet.
  'kind of letter': (name) =>
    name.normalize('NFKC').replace(/[\p{Script=Greek}\p{Script=Cyrillic}]/gu, (letter) => latin.get(letter) ?? letter),
  blanks: (name) => name.replace(/[\s\p{Cf}\p{Cc}]+/gu, ''),
  'kind of dash': (name) => name.replace(/[\p{Pd}\u2212\u2043]/gu, '-'),
  // A first part without a letter is the start of an IP address, not a host's name.
  domain: (name) => {
    const host = name.slice(0, Math.max(0, name.indexOf('.')));
    return /\p{L}/u.test(host) ? host : name;
  },
  capitals: (name) => name.toLowerCase(),
};
const order = Object.keys(folds) as NameDifference[];
const foldAll = (name: string, left: readonly NameDifference[]): string =>
  left.reduce((folded, difference) => folds[difference](folded), name);

/** Letters in one case and of one kind, no blanks or invisible characters, one kind of dash, no domain suffix. */
export function foldMachineName(name: string): string {
  return foldAll(name, order);
}

/** How two different names that fold to the same one differ; empty if they are equal or are two machines. */
export function compareMachineNames(a: string, b: string): NameDifference[] {
  if (a === b || foldMachineName(a) !== foldMachineName(b)) return [];
  return order.filter((difference) => {
    const others = order.filter((other) => other !== difference);
    return foldAll(a, others) !== foldAll(b, others);
  });
}

export interface SimilarName {
  name: string;
  differences: NameDifference[];
}

/** Known names that are not the given one and probably mean the same machine, each once. */
export function findSimilarNames(name: string, known: Iterable<string>): SimilarName[] {
  return [...new Set(known)]
    .map((other) => ({ name: other, differences: compareMachineNames(name, other) }))
    .filter((found) => found.differences.length > 0);
}
