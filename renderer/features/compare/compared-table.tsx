import { Fragment, useState } from 'react';
import { protocolNames } from '../../../shared/domain/connection.ts';
import { type ComparedRow, type ComparedSide, hasText } from '../../../shared/domain/lookup/compare-answers.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { Tag } from '../../components/marks.tsx';
import { formatNumber } from '../../lib/text/format.ts';
import { legible } from '../../lib/text/legible.ts';
import { missingText } from './compared-rows.ts';
import { markWords, type TextPiece } from './match-texts.ts';

/** Rows drawn at once; a search of thousands of results is shown part by part. */
const part = 400;

interface ComparedTableProps {
  rows: readonly ComparedRow[];
  left: Provenance;
  right: Provenance;
}

/** Two answers field by field; if they differ, the words that do are marked. */
export function ComparedTable({ rows, left, right }: ComparedTableProps) {
  const [shown, setShown] = useState(part);
  const seen = rows.slice(0, shown);
  const sides = sideNames(left, right);
  const groups = [...new Set(seen.map(({ group }) => group))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key even if nothing in it is
    <section className="compare-scroll diff" aria-label="Fields side by side" tabIndex={0}>
      <table className="tbl tight sticky-head compare-table" aria-label="The two answers, field by field">
        <colgroup>
          <col className="compare-name" />
          <col />
          <col />
          <col className="compare-verdict" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{sides.left}</th>
            <th scope="col">{sides.right}</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group}>
              <tr>
                <th colSpan={4} scope="rowgroup" className="compare-group xs t3 m">
                  {legible(group)}
                </th>
              </tr>
              {seen
                .filter((row) => row.group === group)
                .map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: an answer may name one thing twice
                  <Row key={`${row.name}/${index}`} row={row} left={left} right={right} sides={sides} />
                ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <p className="pad sm t2">
          {formatNumber(shown)} of {formatNumber(rows.length)} are shown.{' '}
          <button type="button" className="link" onClick={() => setShown(shown + part)}>
            Show {formatNumber(Math.min(part, rows.length - shown))} more
          </button>
        </p>
      )}
    </section>
  );
}

function Row({ row, left, right, sides }: { row: ComparedRow; left: Provenance; right: Provenance; sides: Sides }) {
  const differs = row.verdict === 'differs';
  const marked = differs ? markWords(row.left.value, row.right.value) : null;
  return (
    <tr>
      <th scope="row" className="t2 compare-label">
        {legible(row.label)}
      </th>
      <td className={differs ? 'm sel' : 'sel'}>
        <Cell side={row.left} pieces={marked?.left} missing={missingText(row, row.left, left)} />
      </td>
      <td className={differs ? 'm sel' : 'sel'}>
        <Cell side={row.right} pieces={marked?.right} missing={missingText(row, row.right, right)} />
      </td>
      <td className="xs" title={row.explanation}>
        {differs ? <Tag tone="warn">differs</Tag> : <span className="t3">{verdictText(row, sides)}</span>}
      </td>
    </tr>
  );
}

interface Sides {
  left: string;
  right: string;
}

/** The sides' interfaces as their names, if those differ. */
function sideNames(left: Provenance, right: Provenance): Sides {
  const nameOf = ({ interface: protocol }: Provenance) => protocolNames[protocol];
  return left.interface === right.interface
    ? { left: 'Left', right: 'Right' }
    : { left: nameOf(left), right: nameOf(right) };
}

function verdictText({ verdict, explanation }: ComparedRow, { left, right }: Sides): string {
  const only = (side: string) => `${side === 'Left' || side === 'Right' ? side.toLowerCase() : side} only`;
  return {
    same: 'same',
    form: explanation,
    left: only(left),
    right: only(right),
    neither: 'in neither',
    'not-compared': 'not compared',
    differs: '',
  }[verdict];
}

function Cell({ side, pieces, missing }: { side: ComparedSide; pieces: TextPiece[] | undefined; missing: string }) {
  if (!hasText(side)) return <span className="t3">{missing}</span>;
  if (!pieces) return legible(side.value);
  return pieces.map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name than their place
    piece.common ? <span key={index}>{legible(piece.text)}</span> : <mark key={index}>{legible(piece.text)}</mark>,
  );
}
