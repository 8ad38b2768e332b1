import { IconChevronDown } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { type ConnectionKind, connectionKindNames } from '../../../shared/domain/connection.ts';
import { Tag } from '../../components/marks.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';

export interface ChipConnection {
  id: string;
  name: string;
  kind: ConnectionKind;
  /** CSS hex colour. */
  colour: string;
}

/** The connection in use, as the button of its menu. */
export function ConnectionChip({ current, ...button }: { current: ChipConnection | null } & ComponentProps<'button'>) {
  return (
    <button {...button} type="button" className="chip">
      <span className="spoken">Connection: </span>
      <ColourDot colour={current?.colour ?? null} />
      {current ? (
        <span className="m chip-name">
          <MiddleCut text={current.name} />
        </span>
      ) : (
        <span className="trunc">No connection yet</span>
      )}
      {current && (
        <Tag {...(current.kind === 'production' ? { tone: 'prod' } : {})}>{connectionKindNames[current.kind]}</Tag>
      )}
      <IconChevronDown size={14} className="ti t3" aria-hidden="true" />
    </button>
  );
}

export function ColourDot({ colour }: { colour: string | null }) {
  return colour === null ? (
    <span className="dot hollow" aria-hidden="true" />
  ) : (
    <span className="dot" style={{ background: colour }} aria-hidden="true" />
  );
}
