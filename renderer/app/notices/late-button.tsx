import { part } from '../../lib/window/part.tsx';
import type { FrameButtonProps } from './frame-button.tsx';

const Plain = ({ filled: _filled, ...button }: FrameButtonProps) => (
  <button type="button" className="link" {...button} />
);

/** A button for failures in the frame. Its script is not the first one; if it cannot be loaded, a plain button replaces it. */
export const LateButton = part(
  () =>
    import('./frame-button.tsx').then(
      ({ FrameButton }) => FrameButton,
      () => Plain,
    ),
  Plain,
);
