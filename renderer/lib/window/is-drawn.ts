import { useEffect, useRef } from 'react';

/** Whether this component is still drawn, for what ends later: it then closes nothing, and its failure has no place of its own. */
export function useIsDrawn(): () => boolean {
  const drawn = useRef(false);
  useEffect(() => {
    drawn.current = true;
    return () => {
      drawn.current = false;
    };
  }, []);
  return () => drawn.current;
}
