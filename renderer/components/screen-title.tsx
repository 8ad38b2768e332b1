import type { ReactNode } from 'react';

/** The heading of a screen; it takes the focus when the screen comes. */
export function ScreenTitle({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <h1 tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
