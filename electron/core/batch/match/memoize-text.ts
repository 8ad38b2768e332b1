/** Memoises a pure function of a text: up to 4000 results, then all of them are dropped. */
export function memoizeText<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    // A hostile line is read again, not kept.
    if (text.length > 500) return compute(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= 4000) known.clear();
    const result = compute(text);
    known.set(text, result);
    return result;
  };
}
