/** Which window shows which answers. `putAway` and `close` return those that no window shows any more. */
export function createViewers() {
  const shown = new Map<string, Set<number>>();

  function leave(window: number, answerIds: readonly string[]): string[] {
    return answerIds.filter((answerId) => {
      const windows = shown.get(answerId);
      windows?.delete(window);
      if (windows && windows.size > 0) return false;
      shown.delete(answerId);
      return true;
    });
  }

  return {
    show(window: number, answerId: string): void {
      const windows = shown.get(answerId) ?? new Set();
      shown.set(answerId, windows.add(window));
    },
    putAway: leave,
    /** The window was closed or reloaded. */
    close: (window: number): string[] =>
      leave(
        window,
        [...shown].flatMap(([answerId, windows]) => (windows.has(window) ? answerId : [])),
      ),
  };
}
