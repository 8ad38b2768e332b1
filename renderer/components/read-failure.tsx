import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { about, errorOf } from '../lib/calls/errors.ts';
import { Failure } from './failure.tsx';
import { Notice } from './notice.tsx';

// Apart from failure.tsx, which is in the window's first script: that one has no Mantine.

/** What is needed of a query of TanStack Query. */
export interface Read {
  error: unknown;
  refetch(): unknown;
}

/** A list that is read page by page: trying again reads the page that failed, not those before it. */
export const readOfPages = (list: {
  error: unknown;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
  refetch(): unknown;
}): Read => ({ error: list.error, refetch: list.isFetchNextPageError ? list.fetchNextPage : list.refetch });

interface ReadFailureProps {
  of: Read | readonly Read[];
  /** What was to be read, named before the failure. */
  subject?: string;
}

/** The first failure among reads that ask main only, and a button that makes those that failed again; nothing while none has failed. */
export function ReadFailure({ of, subject }: ReadFailureProps) {
  const failed = [of].flat().filter(({ error }) => error);
  const [first] = failed;
  if (!first) return null;
  const said = errorOf(first.error);
  // Main's own words are for any call: what it says of one in Activity would be no help, and false where Activity itself is unread.
  const error =
    said.charge === 'not-applicable' ? { ...said, money: 'This is read on this computer and sends nothing.' } : said;
  const again = () => {
    for (const read of failed) void read.refetch();
  };
  return (
    <Failure
      error={subject === undefined ? error : about(subject, error)}
      actions={<Button onClick={again}>Try again</Button>}
    />
  );
}

/** The same in a line, where the rest can be used without it; `children`: the sentence that says what could not be read. */
export function ReadNotice({ of, children }: { of: Read; children: ReactNode }) {
  if (!of.error) return null;
  return (
    <Notice
      tone="danger"
      action={
        <button type="button" className="link" onClick={() => void of.refetch()}>
          Try again
        </button>
      }
    >
      {children} {errorOf(of.error).message}
    </Notice>
  );
}
