import type { ReactNode } from 'react';

/** Shown in place of a filter's sums until they are counted, or if that failed: the previous filter's sums are of other rows. */
export const CountingLine = ({ failed, children }: { failed: boolean; children?: ReactNode }) => (
  <div className="filter-sums" aria-busy={!failed}>
    <div className="filter-figures">
      {failed ? <span>Not counted</span> : <span className="part-waits">Counting …</span>}
    </div>
    <span className="grow" />
    {children}
  </div>
);
