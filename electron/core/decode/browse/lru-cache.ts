interface Weight<T> {
  of(value: T): number;
  /** Of all values together; the one used last stays whatever it weighs. */
  most: number;
}

/** Values by id; beyond a number or a weight, the least recently used one goes. */
export function createLruCache<T>(most: number, weight: Weight<T> = { of: () => 0, most: 0 }) {
  const values = new Map<string, T>();
  let total = 0;
  function remove(id: string): void {
    const value = values.get(id);
    if (value === undefined) return;
    values.delete(id);
    total -= weight.of(value);
  }
  return {
    get(id: string): T | undefined {
      const value = values.get(id);
      if (value !== undefined) {
        values.delete(id);
        values.set(id, value);
      }
      return value;
    },
    set(id: string, value: T): void {
      remove(id);
      values.set(id, value);
      total += weight.of(value);
      for (const oldest of values.keys()) {
        if (values.size <= 1 || (values.size <= most && total <= weight.most)) break;
        remove(oldest);
      }
    },
    remove,
    ids: (): string[] => [...values.keys()],
  };
}
