import type { Copied } from './use-copy.ts';

/** What was just copied, or why it was not, beside the thing that copies. Read aloud by the announcement, not from here. */
export function CopiedNote({ copied }: { copied: Copied | null }) {
  if (!copied) return <span aria-hidden="true" />;
  return (
    <span className={`xs nowrap ${copied.failed ? 'danger' : 'held'}`} aria-hidden={!copied.failed}>
      {copied.text}
    </span>
  );
}
