import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import type { Bounds } from '../../../shared/domain/batch.ts';
import { Failure } from '../../components/failure.tsx';
import { Dot } from '../../components/marks.tsx';
import { formatNumber } from '../../lib/text/format.ts';
import { batchCalls } from './batch-store.ts';
import { formatCreditBounds } from './messages.ts';

/** A part of a bar: a count and its colour. `name` is its class. */
export interface BarPart {
  name: string;
  count: number;
}

/** Counts as a bar; hidden from screen readers, since the text beside it says the same. */
export function CountBar({ parts }: { parts: readonly BarPart[] }) {
  return (
    <span className="batch-parts" aria-hidden="true">
      {parts
        .filter(({ count }) => count > 0)
        .map(({ name, count }) => (
          <i key={name} className={name} style={{ flexGrow: count }} />
        ))}
    </span>
  );
}

interface Facet<Id extends string> {
  id: Id;
  label: string;
  count: number;
}

/** Filters with their counts, one pressed. */
export function Facets<Id extends string>({
  label,
  facets,
  value,
  onChange,
}: {
  label: string;
  facets: readonly Facet<Id>[];
  value: Id;
  onChange: (id: Id) => void;
}) {
  return (
    <fieldset className="batch-facets" aria-label={label}>
      {facets.map(({ id, label: word, count }) => (
        <button key={id} type="button" className="batch-facet" aria-pressed={id === value} onClick={() => onChange(id)}>
          {word} <b>{formatNumber(count)}</b>
        </button>
      ))}
    </fieldset>
  );
}

const steps = ['Table', 'Plan', 'Run', 'Result'] as const;
export type BatchStep = 0 | 1 | 2 | 3;

/** The four steps of a batch, the present one marked. */
export function BatchSteps({ now }: { now: BatchStep }) {
  return (
    <ol className="batch-steps sm plain" aria-label="Steps of the batch">
      {steps.map((name, index) => (
        <li
          key={name}
          className={`row g6 ${now === index ? 'm' : now > index ? 'good' : 't3'}`}
          aria-current={now === index ? 'step' : undefined}
        >
          {now > index ? (
            <IconCheck size={14} className="ti" aria-label="done" />
          ) : (
            <Dot tone={now === index ? 'accent' : 'hollow'} />
          )}
          <span className="name">{name}</span>
        </li>
      ))}
    </ol>
  );
}

interface BoundsButtonProps
  extends Omit<ButtonProps, 'children' | 'variant' | 'color' | 'size'>,
    Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'children' | 'color'> {
  children: ReactNode;
  /** null: unknown, as while the connection has no key to make its calls with. */
  credits: Bounds | null;
  /** Instead of the bounds: "up to 150 credits". */
  says?: string;
  main?: boolean;
  wide?: boolean;
}

/** A verb with its price, which may be a range. Quiet green if it is known to cost nothing. */
export function BoundsButton({ children, credits, says, main = false, wide = false, ...rest }: BoundsButtonProps) {
  const free = credits?.most === 0;
  const classes = [main && free ? 'free' : '', wide ? 'wide' : ''].filter(Boolean).join(' ');
  return (
    <Button {...rest} variant={main && !free ? 'filled' : 'default'} className={classes}>
      {children} · {says ?? formatCreditBounds(credits)}
    </Button>
  );
}

/** Why the last request about a batch, or about a connection's next one, failed, until it is dismissed; `of`: the id of either. */
export function BatchFailure({ of }: { of: string }) {
  const { failure } = batchCalls.use(of);
  if (!failure) return null;
  return (
    <div className="pad pane-b">
      <Failure error={failure.error} actions={<Button onClick={() => batchCalls.dismiss(of)}>Close</Button>} />
    </div>
  );
}
