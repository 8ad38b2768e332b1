import type { UIEvent } from 'react';

/** How near the end of what is read a table is scrolled before more is read (CSS pixels). */
const nearEnd = 800;

interface Pages<Page> {
  data: { pages: readonly Page[] } | undefined;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: (options: { cancelRefetch: false }) => Promise<Pages<Page>>;
}

/** Reads the next page. If those before are being read again, as after each call of a batch, it comes after them: neither is dropped. */
export async function readNextPage<Page>(list: Pages<Page>): Promise<Pages<Page>['data']> {
  const had = list.data?.pages.length;
  let now = list;
  do now = await now.fetchNextPage({ cancelRefetch: false });
  while (now.hasNextPage && !now.error && now.data?.pages.length === had);
  return now.data;
}

/** Reads the next page when the table inside is scrolled near its end: an `onScrollCapture`. */
export const readNearEnd =
  (list: Pages<unknown>) =>
  ({ target }: UIEvent): void => {
    if (!list.hasNextPage || list.isFetchingNextPage) return;
    if (!(target instanceof HTMLElement) || !target.classList.contains('table-scroll')) return;
    if (target.scrollHeight - target.scrollTop - target.clientHeight < nearEnd) void readNextPage(list);
  };
