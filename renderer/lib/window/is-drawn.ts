import { useInsertionEffect, useRef } from 'react';

/** Whether this component is still there, if only on a screen out of sight, for what ends later: else it closes nothing. */
export function useIsDrawn(): () => boolean {
  const drawn = useRef(false);
  // Not an effect: those end when the screen is left, which hides it, and what is on it is still there.
  useInsertionEffect(() => {
    drawn.current = true;
    return () => {
      drawn.current = false;
    };
  }, []);
  return () => drawn.current;
}
