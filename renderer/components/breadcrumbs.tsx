import { IconChevronRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import { legible } from '../lib/text/legible.ts';

export interface Breadcrumb {
  name: string;
  /** What a screen reader says in place of the name, if another button has the same one. */
  label?: string;
  /** Without it the place is named and cannot be opened. */
  onOpen?: (() => void) | undefined;
}

/** The places above a page, before its title. */
export function Breadcrumbs({ places }: { places: readonly Breadcrumb[] }) {
  return (
    <nav className="crumbs" aria-label="Where this is">
      {places.map(({ name, label, onOpen }) => (
        <Fragment key={name}>
          {onOpen ? (
            <button type="button" className="bare" aria-label={label} onClick={onOpen}>
              {legible(name)}
            </button>
          ) : (
            <span>{legible(name)}</span>
          )}
          <IconChevronRight size={15} className="ti" aria-hidden="true" />
        </Fragment>
      ))}
    </nav>
  );
}
