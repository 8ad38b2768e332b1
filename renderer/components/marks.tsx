import type { ReactNode } from 'react';
import { legible } from '../lib/text/legible.ts';

/** What a colour may say: good (saved, free, nothing sent), warn (open), danger (wrong or lost), accent (spends, writes, selected). */
export type Tone = 'good' | 'warn' | 'danger' | 'accent';

/** One or two words in a small box. `line`: outlined, for a value as it came; `prod`: the production connection. */
export function Tag({ tone, children }: { tone?: Tone | 'line' | 'prod'; children: ReactNode }) {
  return <span className={tone ? `tag ${tone}` : 'tag'}>{legible(children)}</span>;
}

/** A coloured point. Never the only sign: its word is beside it. */
export function Dot({ tone }: { tone?: Tone | 'hollow' }) {
  return <span className={tone ? `dot s ${tone}` : 'dot s'} aria-hidden="true" />;
}

/** Marks what can be opened from a saved answer, for nothing. */
export function Cached({ children = 'saved' }: { children?: ReactNode }) {
  return (
    <span className="mark xs good">
      <Dot tone="good" />
      {children}
    </span>
  );
}

/** A code, machine name or raw text, never truncated. */
export function Mono({ children }: { children: ReactNode }) {
  return <span className="mono">{legible(children)}</span>;
}

/** A key of the keyboard, in a box. */
export function Kbd({ children }: { children: ReactNode }) {
  return <span className="kbd-box">{children}</span>;
}
