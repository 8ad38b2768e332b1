import type { ReactNode, Ref } from 'react';

interface ScreenTitleProps {
  children: ReactNode;
  className?: string;
  /** For a screen made of successive steps: each step moves the focus here, as a screen does. */
  ref?: Ref<HTMLHeadingElement>;
}

/** The heading of a screen; it takes the focus when the screen is shown. */
export function ScreenTitle({ children, className, ref }: ScreenTitleProps) {
  return (
    <h1 ref={ref} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
