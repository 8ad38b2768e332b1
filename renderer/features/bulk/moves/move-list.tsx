import { Checkbox } from '@mantine/core';
import type { Bulk, BulkRow } from '../../../../shared/domain/licences/licence-bulk.ts';
import { isSameLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineView } from '../../../../shared/domain/licences/licence-machines.ts';
import { Mono } from '../../../components/marks.tsx';
import { formatWhen } from '../../../lib/text/format.ts';
import { useGo } from '../../../lib/window/routes.tsx';
import { StateCell } from '../bulk-columns.tsx';
import { describeCredits, describeExpiry, describeSeats, describeStatus } from '../planned-licence.ts';
import { type MovesStage, nameOfRow } from './moves-stage.ts';

interface MoveListProps {
  bulk: Bulk;
  stage: MovesStage;
  machines: readonly MachineView[];
  /** null: nothing can be chosen now. */
  onToggle: ((row: BulkRow) => void) | null;
  /** Of a row that waits; null: a call is under way that decides it. */
  onLeaveOut: ((row: BulkRow, out: boolean) => void) | null;
}

type RowProps = Omit<MoveListProps, 'bulk'> & { row: BulkRow; fromSeveral: boolean };

/** Before anything is sent each licence is shown with its facts; afterwards with what was seen. */
const plannedHeads = ['Licence', 'Status', 'Seats', 'Expires', 'Credits', 'From', 'Plan'] as const;
const begunHeads = ['Licence', 'State', 'What was seen'] as const;

/** If all leave one machine, the box above names it; several are named row by row. */
const isFromSeveral = ({ rows }: Bulk): boolean => new Set(rows.map(({ from }) => from)).size > 1;

/** The moves in their order: the plan, then what was seen of each. */
export function MoveList({ bulk, ...of }: MoveListProps) {
  const { stage } = of;
  const fromSeveral = isFromSeveral(bulk);
  const heads = stage.kind === 'planned' ? plannedHeads.filter((head) => head !== 'From' || fromSeveral) : begunHeads;
  return (
    <section className="col g6" aria-label="The moves, one after another">
      <h3 className="h">The moves, one after another</h3>
      <div className="table-sideways">
        <table className="tbl tight moves-table" aria-label="The moves">
          <thead>
            <tr>
              <th scope="col">
                <span className="spoken">Move</span>
              </th>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bulk.rows.map((row) => (
              <Row key={row.row} row={row} fromSeveral={fromSeveral} {...of} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ row, stage, machines, fromSeveral, onToggle, onLeaveOut }: RowProps) {
  const go = useGo();
  const isUnseen = stage.open.some((one) => one.row === row.row);
  const { licence } = row;
  const isLeftOut = row.state === 'planned' && stage.kind !== 'planned' && !stage.chosen.has(row.row);
  // Confirmed, and nothing of it has been sent yet.
  const waits =
    stage.kind !== 'planned' && row.state === 'planned' && (stage.leftOut.has(row.row) || stage.waiting.includes(row));
  return (
    <tr className={isUnseen ? 'warn-row' : undefined}>
      <td>
        {row.state === 'planned' && stage.kind === 'planned' && (
          <Checkbox
            size="xs"
            aria-label={`Move ${nameOfRow(row)}`}
            checked={stage.chosen.has(row.row)}
            disabled={onToggle === null}
            onChange={() => onToggle?.(row)}
          />
        )}
      </td>
      <td className="nowrap">
        <span className="m" title={`LicenseID ${row.licenceNumber}`}>
          {nameOfRow(row)}
        </span>
      </td>
      {stage.kind === 'planned' ? (
        <>
          <td className={row.tick ? 'warn' : ''}>{describeStatus(licence)}</td>
          <td className="nowrap">{describeSeats(licence)}</td>
          <td className="nowrap">{describeExpiry(licence)}</td>
          <td className="nowrap">{describeCredits(licence)}</td>
          {fromSeveral && <td>{row.from !== null && <Mono>{row.from}</Mono>}</td>}
        </>
      ) : (
        <td className="nowrap">{isLeftOut ? 'left out' : <StateCell state={row.state} />}</td>
      )}
      <td className="sm t2 sel">
        {row.state !== 'planned' && stage.kind === 'planned' && <span className="warn">Left out: </span>}
        {describeRow(row, stage, isLeftOut ? lastSeen(row, machines) : null)}
        {isUnseen && row.changeId !== null && (
          <>
            {' '}
            <button type="button" className="link" onClick={() => go('licences', { change: row.changeId ?? '' })}>
              What was seen<span className="spoken"> of {nameOfRow(row)}</span>
            </button>
          </>
        )}
        {waits && (
          <>
            {' '}
            <button
              type="button"
              className="link"
              disabled={onLeaveOut === null}
              onClick={() => onLeaveOut?.(row, !stage.leftOut.has(row.row))}
            >
              {stage.leftOut.has(row.row) ? 'Include again' : 'Leave out'}
              <span className="spoken">: {nameOfRow(row)}</span>
            </button>
          </>
        )}
        {stage.kind !== 'planned' && fromSeveral && row.from !== null && (
          <span className="xs t3 moves-from">
            from <Mono>{row.from}</Mono>
          </span>
        )}
      </td>
    </tr>
  );
}

/** When the machine's last answer named it: a licence that stays is said to have been seen, not to be there. */
function lastSeen(row: BulkRow, machines: readonly MachineView[]): string {
  const { askedAt = null, holds = [] } = machines.find(({ name }) => name === row.from) ?? {};
  const isNamed = holds.some(({ licenceNumber }) => isSameLicence(licenceNumber, row.licenceNumber));
  return askedAt !== null && isNamed ? ` It was seen on ${row.from}, read ${formatWhen(askedAt)}.` : '';
}

/** `leftOut`: what was last seen of a row that is left out; null: it is not. */
function describeRow(row: BulkRow, { kind }: MovesStage, leftOut: string | null): string {
  if (row.state !== 'planned' || kind === 'planned') return row.text;
  return leftOut === null ? 'Nothing was written for it yet.' : `Nothing was written for it.${leftOut}`;
}
