import type { ReactNode } from 'react';

/** What came of saving a file: a sentence saying it was saved, or that none was chosen. */
export const SavedNote = ({ saved, children }: { saved: boolean; children: ReactNode }) => (
  <p className={saved ? 'notice good' : 'notice'} role="status">
    {saved ? children : 'No file was chosen, so nothing was saved.'}
  </p>
);
