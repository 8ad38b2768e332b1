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

/** The first failure among reads, and what makes those that failed again; null while none has failed. */
function failureOf(of: ReadFailureProps['of']) {
  const failed = [of].flat().filter(({ error }) => error);
  const [first] = failed;
  if (!first) return null;
  const again = () => {
    for (const read of failed) void read.refetch();
  };
  return { error: errorOf(first.error), again };
}

/** The first failure among reads that ask main only, and a button that makes those that failed again; nothing while none has failed. */
export function ReadFailure({ of, subject }: ReadFailureProps) {
  const failure = failureOf(of);
  if (!failure) return null;
  const { error: said, again } = failure;
  // Main's own words are for any call: what it says of one in Activity would be no help, and false where Activity itself is unread.
  const error =
    said.charge === 'not-applicable' ? { ...said, money: 'This is read on this computer and sends nothing.' } : said;
  return (
    <Failure
      error={subject === undefined ? error : about(subject, error)}
      actions={<Button onClick={again}>Try again</Button>}
    />
  );
}

/** The same in a line, where the rest can be used without it; `children`: the sentence that says what could not be read. */
export function ReadNotice({ of, children }: { of: ReadFailureProps['of']; children: ReactNode }) {
  const failure = failureOf(of);
  if (!failure) return null;
  return (
    <Notice
      tone="danger"
      action={
        <button type="button" className="link" onClick={failure.again}>
          Try again
        </button>
      }
    >
      {children} {failure.error.message}
    </Notice>
  );
}

/** In the place of what was not read yet: why it could not be, or `children` while it is being read. */
export function NotRead({ children, ...failure }: ReadFailureProps & { children?: ReactNode }) {
  if (!failureOf(failure.of)) return children ?? <div className="grow" aria-busy="true" />;
  return (
    <div className="state">
      <ReadFailure {...failure} />
    </div>
  );
}

/** Above what was read once and could not be read again: it stays, with what is typed, ticked and open in it. */
export function NotReadAgain({ of, subject = 'What is shown here' }: ReadFailureProps) {
  if (!failureOf(of)) return null;
  return (
    <div className="pad pane-b">
      <ReadNotice of={of}>{subject} could not be read again and may be out of date.</ReadNotice>
    </div>
  );
}
