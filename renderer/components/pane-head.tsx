import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { legible } from '../lib/text/legible.ts';
import { PaneBack } from './split-pane.tsx';

interface PaneHeadProps {
  title: ReactNode;
  /** Of a pane that takes the focus when it comes. */
  titleRef?: Ref<HTMLHeadingElement>;
  /** What the cross says it closes. */
  closeLabel: string;
  onClose: () => void;
  /** Marks beside the title. */
  children?: ReactNode;
}

/** The head of what stands beside a list: the way back in a narrow window, the title, the way to close it. */
export function PaneHead({ title, titleRef, closeLabel, onClose, children }: PaneHeadProps) {
  return (
    <div className="subbar tall">
      <PaneBack />
      <h2 className="title trunc" {...(titleRef ? { tabIndex: -1, ref: titleRef } : {})}>
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
