import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

export interface FrameButtonProps {
  filled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A button of the frame, in a script of its own (late-button.tsx). */
export const FrameButton = ({ filled, ...button }: FrameButtonProps) => (
  <Button {...(filled ? { variant: 'filled' } : {})} {...button} />
);
