/** Of the keys of one role the one that is used where none is chosen; undefined: there is none. */
export const firstKey = <K extends { preferred: boolean }>(keys: readonly K[]): K | undefined =>
  keys.find(({ preferred }) => preferred) ?? keys[0];
