import type { Copied } from '../lib/window/use-copy.ts';

/**
 * What was just copied, or why it was not, beside the button that copies. The announcement reads it aloud, so the note is hidden from
 * screen readers unless it is a failure, which stays.
 */
export function CopiedNote({ copied }: { copied: Copied | null }) {
  if (!copied) return <span aria-hidden="true" />;
  return (
    <span className={`xs ${copied.failed ? 'danger' : 'good nowrap'}`} aria-hidden={!copied.failed}>
      {copied.text}
    </span>
  );
}
