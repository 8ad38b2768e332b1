import type { ReactNode } from 'react';

/** Stands where the sums of a filter do until they are counted: those of the filter before would be of other rows. */
export const CountingLine = ({ children }: { children?: ReactNode }) => (
  <div className="filter-sums" aria-busy="true">
    <span className="part-waits">Counting …</span>
    <span className="grow" />
    {children}
  </div>
);
