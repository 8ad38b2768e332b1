import { part } from '../../lib/window/part.tsx';
import type { FrameButtonProps } from './frame-button.tsx';

const Plain = ({ filled: _filled, ...button }: FrameButtonProps) => (
  <button type="button" className="link" {...button} />
);

/**
 * A button for failures in the frame. Its script is not the first one; if it cannot be loaded, a plain button takes its place. Until
 * then its place is empty: a button replaced under the finger or the focus would lose the key that is pressed on it.
 */
export const LateButton = part(
  () =>
    import('./frame-button.tsx').then(
      ({ FrameButton }) => FrameButton,
      () => Plain,
    ),
  () => null,
);
