import { ActionIcon } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext, useRef } from 'react';
import { closeByEscape } from '../lib/window/close-by-escape.ts';
import { isNarrow } from '../lib/window/width.ts';

interface Pane {
  back: () => void;
  backLabel: string;
}
const PaneContext = createContext<Pane | null>(null);

interface SplitPaneProps {
  /** The list, or whatever is chosen from. */
  first: ReactNode;
  /** What is shown of the choice. */
  second: ReactNode;
  /** Which of the two a narrow window shows. */
  pane: 'first' | 'second';
  onBack: () => void;
  /** "Back to the results". */
  backLabel: string;
}

/** Two panes side by side; in a narrow window one at a time, with PaneBack and Escape to return and the focus back in the list. */
export function SplitPane({ first, second, pane, onBack, backLabel }: SplitPaneProps) {
  const box = useRef<HTMLDivElement>(null);
  const back = () => {
    onBack();
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[role="listbox"], [role="grid"]')?.focus());
  };
  return (
    <PaneContext value={{ back, backLabel }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape is listened for on behalf of whatever holds the focus in it */}
      <div
        className="split"
        data-pane={pane}
        ref={box}
        onKeyDown={closeByEscape(back, () => pane === 'second' && isNarrow())}
      >
        {first}
        <div className="pane-main pane-r">{second}</div>
      </div>
    </PaneContext>
  );
}

/** The way back to the list, at the head of the second pane; only if one pane is shown at a time. */
export function PaneBack() {
  const pane = useContext(PaneContext);
  if (!pane) return null;
  return (
    <ActionIcon className="pane-back" aria-label={pane.backLabel} onClick={pane.back}>
      <IconArrowLeft size={16} className="ti" aria-hidden="true" />
    </ActionIcon>
  );
}
