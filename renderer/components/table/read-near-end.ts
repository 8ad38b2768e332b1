import type { UIEvent } from 'react';

/** How near the end of what is read a table is scrolled before more is read (CSS pixels). */
const nearEnd = 800;

interface Pages {
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage: () => unknown;
}

/** Reads the next page when the table inside is scrolled near its end: an `onScrollCapture`. */
export const readNearEnd =
  ({ hasNextPage, isFetching, fetchNextPage }: Pages) =>
  ({ target }: UIEvent): void => {
    if (!hasNextPage || isFetching) return;
    if (!(target instanceof HTMLElement) || !target.classList.contains('table-scroll')) return;
    if (target.scrollHeight - target.scrollTop - target.clientHeight < nearEnd) fetchNextPage();
  };
