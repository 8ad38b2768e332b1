/** Longer ones are searched for by their beginning. */
const longestNeedle = 64;
/** Characters that are looked at together. */
const together = 3;

/** Treats upper and lower case as one, and the characters that the two alphabets of base64 write differently. */
const fold = (code: number): number => {
  if (code >= 0x41 && code <= 0x5a) return code | 0x20;
  if (code === 0x2d) return 0x2b;
  return code === 0x5f ? 0x2f : code;
};

/** Characters in 32 classes, so that three together are few enough for a table in the fastest cache: letters, digits by two, all others. */
const classes = Uint8Array.from({ length: 256 }, (_, code) => {
  const folded = fold(code);
  if (folded >= 0x61 && folded <= 0x7a) return folded - 0x61;
  return folded >= 0x30 && folded <= 0x39 ? 26 + ((folded - 0x30) >> 1) : 31;
});

const hash = (codes: ArrayLike<number>, last: number): number =>
  ((classes[codes[last - 2] as number] as number) << 10) |
  ((classes[codes[last - 1] as number] as number) << 5) |
  (classes[codes[last] as number] as number);

/**
 * Searches a long text for any of several words at once: letters in either case, and `-` as `+`, `_` as `/`. By Wu and Manber: for each
 * three characters it is known how far from them the nearest end of a word can be, so most of a text is skipped. The words are of ASCII
 * characters. It may find more than the words, never less.
 */
export function createNeedleSearch(words: readonly string[]): (text: string) => boolean {
  if (words.length === 0) return () => false;
  const shortest = Math.min(longestNeedle, ...words.map((word) => word.length));
  if (shortest < together) return () => true;
  const needles = words.map((word) => Buffer.from(word.slice(0, shortest), 'latin1').map(fold));
  const shifts = new Uint8Array(2 ** 15).fill(shortest - together + 1);
  for (const needle of needles)
    for (let last = together - 1; last < shortest; last += 1) {
      const key = hash(needle, last);
      shifts[key] = Math.min(shifts[key] as number, shortest - 1 - last);
    }

  return (text) => {
    // Characters beyond Latin-1 lose their upper half here and may look like others.
    const codes = Buffer.from(text, 'latin1');
    // A text of one letter may end a word at each of its places: looked at without a function a place.
    const isNeedle = (from: number): boolean => {
      for (const needle of needles) {
        let same = 0;
        while (same < shortest && fold(codes[from + same] as number) === needle[same]) same += 1;
        if (same === shortest) return true;
      }
      return false;
    };
    for (let at = shortest - 1; at < codes.length; ) {
      const shift = shifts[hash(codes, at)] as number;
      if (shift === 0 && isNeedle(at - shortest + 1)) return true;
      at += shift === 0 ? 1 : shift;
    }
    return false;
  };
}
