import type { KeyboardEvent } from 'react';

/** A menu, a dialog, or a field whose list is open: they close themselves and let the key through. */
const closesItself = '[role="menu"], [role="dialog"], [role="combobox"][aria-expanded="true"]';

/** For what Escape closes unless something inside has taken the key. `may` is asked at the key. */
export const closeByEscape =
  (close: () => void, may: () => boolean = () => true) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !may()) return;
    if ((event.target as Element).closest(closesItself)) return;
    event.preventDefault();
    close();
  };
