import type { KeyboardEvent } from 'react';

/** For what Escape closes unless something inside has taken the key. `may` is asked at the key. */
export const closeByEscape =
  (close: () => void, may: () => boolean = () => true) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !may()) return;
    event.preventDefault();
    close();
  };
