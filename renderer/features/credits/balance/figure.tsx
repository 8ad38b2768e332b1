import type { ReactNode } from 'react';

interface FigureProps {
  label: ReactNode;
  /** The figure as text, already formatted; unknown is a word. */
  value: ReactNode;
  unit?: ReactNode;
  /** Source and age, or the reason beside the number. */
  note?: ReactNode;
}

/** One figure of a row of figures: label, number with its unit, and its source. */
export function Figure({ label, value, unit, note }: FigureProps) {
  return (
    <div className="figure">
      <div className="sm t2">{label}</div>
      <div className="row baseline g6">
        <span className="fig">{value}</span>
        {unit && <span className="sm t2 nowrap">{unit}</span>}
      </div>
      <div className="xs t3">{note}</div>
    </div>
  );
}
