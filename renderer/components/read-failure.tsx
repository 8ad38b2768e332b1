import { Button } from '@mantine/core';
import { about, errorOf } from '../lib/calls/errors.ts';
import { Failure } from './failure.tsx';

// Apart from failure.tsx, which is in the window's first script: that one has no Mantine.

/** What is needed of a query of TanStack Query. */
interface Read {
  error: unknown;
  refetch(): unknown;
}

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
  const error = errorOf(first.error);
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
