import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { call } from '../../lib/calls/bridge.ts';
import { countOf, formatMoment, formatNumber } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { cellText, headText, type TextColumn } from './table-text.ts';

/** More rows than this are for a file, not a printer: hundreds of pages. */
export const mostPrinted = 5000;

/**
 * Prints a table under its title and the time: its first `mostPrinted` rows, including those that the window has not drawn. The sheet is in
 * the document until the system's dialog, if one opens, is closed; the print style (tables.css) hides everything else. Resolves with what
 * was asked for, as a sentence; rejects with a CallError if a policy forbids exports.
 */
export async function printTable<Row>(
  title: string,
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  /** More than the length of `rows` if what is not printed was not read. */
  total = rows.length,
  /** There are more that nobody has read, however many. */
  partly = false,
): Promise<string> {
  await call('app.may-print', {});
  const sheet = document.createElement('section');
  sheet.className = 'print-sheet';
  sheet.setAttribute('aria-hidden', 'true');
  document.body.append(sheet);
  const root = createRoot(sheet);
  flushSync(() => root.render(<Sheet title={title} columns={columns} rows={rows} total={total} partly={partly} />));
  window.addEventListener(
    'afterprint',
    () => {
      root.unmount();
      sheet.remove();
    },
    { once: true },
  );
  window.print();
  // Without a printer there may have been no dialog; `window.print` does not say.
  return `Asked the system to print ${countOf(Math.min(total, mostPrinted), 'row')}`;
}

function Sheet<Row>({
  title,
  columns,
  rows,
  total,
  partly,
}: {
  title: string;
  columns: readonly TextColumn<Row>[];
  rows: readonly Row[];
  total: number;
  partly: boolean;
}) {
  return (
    <>
      <h1>{legible(title)}</h1>
      <p>
        {total > mostPrinted
          ? `The first ${formatNumber(mostPrinted)} of ${countOf(total, 'row')}${partly ? '' : '; save the table to have them all'}`
          : countOf(total, 'row')}
        {partly && ', those read so far; there are more'}, printed {formatMoment(new Date().toISOString())}
      </p>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col">
                {legible(headText(column))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostPrinted).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: drawn once and thrown away
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.id}>{legible(cellText(column, row))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
