import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface PaneHeadProps {
  title: string;
  onBack: () => void;
  children?: ReactNode;
}

/** The head of the premise's pane; the way back is there only if one pane is shown at a time. */
export function PaneHead({ title, onBack, children }: PaneHeadProps) {
  return (
    <div className="subbar tall lookup-head">
      <Button
        className="pane-back"
        variant="subtle"
        color="gray"
        leftSection={<IconArrowLeft size={15} className="ti" aria-hidden="true" />}
        onClick={onBack}
      >
        List
      </Button>
      <h2 className="title trunc" title={title} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </div>
  );
}
