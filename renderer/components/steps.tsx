import { Loader } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { legible } from '../lib/text/legible.ts';

/** How far a step is; `warn` is done with something to look at. */
export type BeadState = 'waiting' | 'skipped' | 'on' | 'running' | 'done' | 'warn' | 'failed';

const appearances: Record<BeadState, { className: string; word: string }> = {
  waiting: { className: 'bead', word: 'waiting' },
  skipped: { className: 'bead', word: 'left out' },
  on: { className: 'bead on', word: 'current' },
  running: { className: 'bead run', word: 'under way' },
  done: { className: 'bead ok', word: 'done' },
  warn: { className: 'bead warn', word: 'needs a look' },
  failed: { className: 'bead bad', word: 'failed' },
};

/** The mark of a step that is done. */
export function Tick() {
  return <IconCheck size={13} stroke={2.4} aria-hidden="true" />;
}

/** The round mark of a step: its number while it waits, a spinner while it runs, then a tick or a sign. */
function Bead({ state, children }: { state: BeadState; children: ReactNode }) {
  const sign = {
    waiting: children,
    skipped: null,
    on: children,
    running: null,
    done: <Tick />,
    warn: '!',
    failed: '×',
  }[state];
  return (
    <span className={appearances[state].className}>
      {state === 'running' ? <Loader size={18} aria-hidden="true" /> : <span aria-hidden="true">{sign}</span>}
      <span className="spoken">{appearances[state].word}</span>
    </span>
  );
}

/** An ordered list of steps, joined by a line. `big`: the steps of a page; `tight`: a report. */
export function Steps({ children, size, label }: { children: ReactNode; size?: 'big' | 'tight'; label: string }) {
  return (
    <ol className={size ? `steps ${size}` : 'steps'} aria-label={label}>
      {children}
    </ol>
  );
}

interface StepProps {
  state: BeadState;
  /** Shown in the bead until the step runs. */
  number?: number;
  title: ReactNode;
  /** Price before, then time and duration. */
  side?: ReactNode;
  children?: ReactNode;
  /** Under the title over the whole width, for the steps of a page. */
  under?: ReactNode;
}

/** One step: what it does, its result, and beside it what it costs or took. */
export function Step({ state, number, title, side, children, under }: StepProps) {
  return (
    <li className="step" aria-current={state === 'on' || state === 'running' ? 'step' : undefined}>
      <Bead state={state}>{number}</Bead>
      <div className="col">
        <div className="m">{legible(title)}</div>
        {legible(children)}
      </div>
      <div className="sm t3 num nowrap">{side}</div>
      {under && <div className="under">{under}</div>}
    </li>
  );
}
