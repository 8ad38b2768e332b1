import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps {
  title: string;
  /** Pixels. */
  size: number;
  className?: string;
  /** The name of the cross for a screen reader; by default "Close". */
  closeLabel?: string;
  /** false if closing is one of two answers, each with its own button. */
  withCross?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog over the screen: its title, a cross, and what is below them. Escape and a click beside it close it. */
export const Dialog = ({ title, size, className = 'g12', closeLabel, withCross = true, ...props }: DialogProps) => (
  <Modal.Root opened onClose={props.onClose} size={size}>
    <Modal.Overlay />
    <Modal.Content>
      <Modal.Body className={`dialog col ${className}`}>
        <div className="row between">
          <Modal.Title className="title trunc">{title}</Modal.Title>
          {withCross && <Modal.CloseButton aria-label={closeLabel} />}
        </div>
        {props.children}
      </Modal.Body>
    </Modal.Content>
  </Modal.Root>
);

interface LargeDialogProps {
  opened: boolean;
  title: ReactNode;
  /** Pixels. */
  size: number;
  /** Of the body, which takes the remaining height. */
  className: string;
  onClose: () => void;
  /** Drawn only while it is open. */
  children: ReactNode;
}

/** A dialog as high as the window allows, whose body scrolls by itself under the title. */
export const LargeDialog = ({ opened, title, size, className, onClose, children }: LargeDialogProps) => (
  <Modal.Root opened={opened} onClose={onClose} size={size} centered classNames={{ content: 'large-dialog' }}>
    <Modal.Overlay />
    <Modal.Content>
      <div className="row between large-dialog-head">
        <Modal.Title>{title}</Modal.Title>
        <Modal.CloseButton />
      </div>
      <Modal.Body className={`large-dialog-body ${className}`}>{opened && children}</Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
