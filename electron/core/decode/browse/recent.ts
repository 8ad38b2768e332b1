/** Values by id; beyond a number, the least recently used one goes. */
export function createRecent<T>(most: number) {
  const values = new Map<string, T>();
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
      values.delete(id);
      values.set(id, value);
      for (const oldest of values.keys()) {
        if (values.size <= most) break;
        values.delete(oldest);
      }
    },
  };
}
