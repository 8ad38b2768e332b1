import type { ReactNode } from 'react';
import { legible } from '../lib/text/legible.ts';

/** One line of a list of fields; a row without a value is drawn as empty. */
export interface FieldRow {
  label: ReactNode;
  /** null or empty text: shown as the word "empty". */
  value: ReactNode;
  /** Where it comes from, how old it is, or what can be done with it. */
  from?: ReactNode;
  key?: string;
}

const isEmpty = (value: ReactNode) => value === null || value === undefined || value === '';

interface FieldsProps {
  rows: readonly FieldRow[];
  /** Pixels of the label column. */
  labelWidth?: number;
}

/** Label, value and provenance, a hairline under each. Values can be selected and are never cut off. */
export function Fields({ rows, labelWidth = 132 }: FieldsProps) {
  return (
    <dl className="fields" style={{ '--key-w': `${labelWidth}px` }}>
      {rows.map((row, index) => (
        <div className="pair" key={row.key ?? (typeof row.label === 'string' ? row.label : index)}>
          <dt className="k">{legible(row.label)}</dt>
          <dd className="v">{isEmpty(row.value) ? <span className="t3">empty</span> : legible(row.value)}</dd>
          {!isEmpty(row.from) && <dd className="p">{legible(row.from)}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** A label above a value above its provenance: for a few facts beside a picture. */
export function Fact({ label, value, from }: { label: ReactNode; value: ReactNode; from?: ReactNode }) {
  return (
    <dl className="fact">
      <dt>{label}</dt>
      <dd className="sel">{legible(value)}</dd>
      {!isEmpty(from) && <dd className="p">{from}</dd>}
    </dl>
  );
}
