import type { ReactNode } from 'react';

/** Shown in place of a filter's sums until they are counted: the previous filter's sums are of other rows. */
export const CountingLine = ({ children }: { children?: ReactNode }) => (
  <div className="filter-sums" aria-busy="true">
    <span className="part-waits">Counting …</span>
    <span className="grow" />
    {children}
  </div>
);
