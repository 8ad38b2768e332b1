import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { drawable } from '../../shared/domain/text/visible-text.ts';
import { legible } from '../lib/text/legible.ts';
import { PaneBack } from './split-pane.tsx';

interface PaneHeadProps {
  title: ReactNode;
  /** For a pane that takes the focus when it opens. */
  titleRef?: Ref<HTMLHeadingElement>;
  /** The cross's name for a screen reader. */
  closeLabel: string;
  onClose: () => void;
  /** Marks beside the title. */
  children?: ReactNode;
}

/** The head of a pane beside a list: the way back in a narrow window, the title, the way to close it. */
export function PaneHead({ title, titleRef, closeLabel, onClose, children }: PaneHeadProps) {
  return (
    <div className="subbar tall">
      <PaneBack />
      <h2
        className="title trunc"
        title={typeof title === 'string' ? drawable(title) : undefined}
        {...(titleRef ? { tabIndex: -1, ref: titleRef } : {})}
      >
        {legible(title)}
      </h2>
      {children}
      <span className="grow" />
      <ActionIcon className="pane-close" aria-label={closeLabel} onClick={onClose}>
        <IconX size={16} className="ti" aria-hidden="true" />
      </ActionIcon>
    </div>
  );
}
