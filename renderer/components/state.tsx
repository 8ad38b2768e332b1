import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { legible } from '../lib/text/legible.ts';
import { Elapsed } from './elapsed.tsx';

type StateKind = 'nothing' | 'partial' | 'cannot-act' | 'not-asked';

const words: Record<StateKind, string> = {
  nothing: 'Nothing found',
  partial: 'Partial',
  'cannot-act': 'Cannot act',
  'not-asked': 'Nothing yet',
};

interface StateProps {
  kind: StateKind;
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** What it cost and where it comes from. */
  foot?: ReactNode;
}

/** A pane that has no rows to show: nothing found, cut off, cannot act, or not asked yet; each with what can be done now. */
export function State({ kind, icon, title, children, actions, foot }: StateProps) {
  return (
    <section className="state" aria-label={words[kind]}>
      {kind !== 'not-asked' && <div className="xs t3 m">{words[kind]}</div>}
      <div className="middle">
        {icon && (
          <div className="t3" aria-hidden="true">
            {icon}
          </div>
        )}
        <div>
          <h2 className="title">{legible(title)}</h2>
          {children && <p className="t2">{legible(children)}</p>}
        </div>
        {actions && <div className="row wrap">{actions}</div>}
      </div>
      {foot && <div className="sm t3">{foot}</div>}
    </section>
  );
}

/** A pane that is empty because nothing has been asked or added yet. */
export function EmptyState(props: Omit<StateProps, 'kind'>) {
  return <State kind="not-asked" {...props} />;
}

const ghostWidths = [62, 48, 71, 55, 44];

interface UnderWayProps {
  /** What is being done: "Searching HR10 2DW". */
  doing: ReactNode;
  /** ISO time of the start. */
  since: string;
  onStop?: () => void;
  stopLabel?: string;
  /** What stopping means for money (`formatStop`). */
  foot: ReactNode;
}

/** A call under way: what, for how long, and the way to stop waiting. Nothing moves but the seconds and the spinner. */
export function UnderWay({ doing, since, onStop, stopLabel = 'Stop waiting', foot }: UnderWayProps) {
  return (
    <section className="state" aria-label="Under way" aria-busy="true">
      <div className="xs t3 m">Under way</div>
      <div className="middle">
        <div className="row g6">
          <Loader size={14} aria-hidden="true" />
          <span className="m">{legible(doing)}</span>
          <Elapsed since={since} />
        </div>
        {ghostWidths.map((width) => (
          <div key={width} className="ghost" style={{ width: `${width}%` }} />
        ))}
        {onStop && (
          <div className="row">
            <Button onClick={onStop}>{stopLabel}</Button>
          </div>
        )}
      </div>
      {foot && <div className="sm t3">{foot}</div>}
    </section>
  );
}
