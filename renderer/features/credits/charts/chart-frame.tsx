import { Button, SegmentedControl } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { writeTabbed } from '../../../../shared/domain/text/csv.ts';
import { CopiedNote } from '../../../components/copied-note.tsx';
import { useCopy } from '../../../lib/window/use-copy.ts';

export interface TableData {
  head: readonly string[];
  /** Cells as text; the first of a row is its name. */
  rows: readonly (readonly string[])[];
}

interface ChartFrameProps {
  title: string;
  /** What the chart shows, in a sentence, for screen readers. */
  summary: string;
  /** The same as rows: made only when they are shown. */
  table: () => TableData;
  legend: ReactNode;
  tools?: ReactNode;
  /** Handles moved by keys. Beside the chart, since nothing inside an image can take the focus. */
  handles?: ReactNode;
  children: ReactNode;
}

/** A chart with its legend and with the same data as a table, which can be copied. */
export function ChartFrame({ title, summary, table, legend, tools, handles, children }: ChartFrameProps) {
  const id = useId();
  const [as, setAs] = useState<'chart' | 'table'>('chart');
  const rows = as === 'table' ? table() : null;
  const { copied, copy } = useCopy();
  return (
    <section className="credits-chart" aria-labelledby={id}>
      <div className="row between wrap credits-chart-head">
        <h2 className="h" id={id}>
          {title}
        </h2>
        <div className="row wrap g12">
          {as === 'chart' && legend && <div className="row wrap g12 xs t2">{legend}</div>}
          {tools}
          {rows && copied && <CopiedNote copied={copied} />}
          {rows && (
            <Button className="small" onClick={() => copy(writeTabbed([rows.head, ...rows.rows]), 'the table')}>
              Copy table
            </Button>
          )}
          <SegmentedControl
            className="mini"
            aria-label={`${title} as`}
            value={as}
            onChange={(value) => setAs(value as 'chart' | 'table')}
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
          />
        </div>
      </div>
      {rows === null ? (
        <div className="credits-plot">
          <div role="img" aria-label={summary}>
            {children}
          </div>
          {handles}
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <section className="credits-table" tabIndex={0} aria-label={`${title}, table`}>
          <table className="tbl tight sticky-head" aria-labelledby={id}>
            <thead>
              <tr>
                {rows.head.map((name, index) => (
                  <th key={name} scope="col" className={index === 0 ? undefined : 'num'}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.rows.map((row) => (
                <tr key={row.join(' ')}>
                  {row.map((cell, index) => (
                    <td key={rows.head[index]} className={index === 0 ? 'tn' : 'num'}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {rows.rows.length === 0 && <p className="pad sm t3">Nothing in this range.</p>}
        </section>
      )}
    </section>
  );
}

/** One line of a legend: a drop of colour, a stroke, or hatching, with its word. */
export function Legend({ mark, children }: { mark: string; children: ReactNode }) {
  return (
    <span className="row g6 nowrap">
      <span className={`swatch ${mark}`} aria-hidden="true" />
      {children}
    </span>
  );
}
