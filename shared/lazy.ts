/** Makes a value when it is first asked for, and returns the same one from then on. If `make` throws, the next call tries again. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
