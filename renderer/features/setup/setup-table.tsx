import { Checkbox } from '@mantine/core';
import { Fragment } from 'react';
import type { SetupRow } from '../../../shared/domain/setup-file.ts';
import { Dot, Tag } from '../../components/marks.tsx';
import { legible } from '../../lib/text/legible.ts';
import { groupNames, groupsOf, stateNames, sumText } from './setup-rows.ts';

interface SetupTableProps {
  label: string;
  rows: readonly SetupRow[];
  /** Lines that are ticked. */
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], wanted: boolean) => void;
  /** Lines that cannot be ticked now. */
  locked: ReadonlySet<string>;
  /** Compared with what is here; otherwise only what is in the file is shown. */
  compared: boolean;
}

/** The lines of a set-up in their groups, each with its tick. */
export function SetupTable({ label, rows, chosen, onChoose, locked, compared }: SetupTableProps) {
  const columns = compared ? 6 : 3;
  return (
    <table className="tbl sticky-head setup-table" aria-label={label}>
      <colgroup>
        <col className="tick" />
        <col className="what" />
        <col />
        {compared && (
          <>
            <col />
            <col className="standing" />
            <col className="take" />
          </>
        )}
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <span className="spoken">{compared ? 'Take from the file' : 'In the file'}</span>
          </th>
          <th scope="col">What</th>
          <th scope="col">In the file</th>
          {compared && (
            <>
              <th scope="col">Here now</th>
              <th scope="col">
                <span className="spoken">State</span>
              </th>
              <th scope="col">Take</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {groupsOf(rows).map(({ group, rows: inGroup }) => {
          const open = inGroup.filter((row) => row.open && !locked.has(row.id)).map(({ id }) => id);
          const ticked = open.filter((id) => chosen.has(id)).length;
          return (
            <Fragment key={group}>
              <tr className="setup-group">
                <td>
                  {open.length > 0 && (
                    <Checkbox
                      aria-label={groupNames[group]}
                      checked={ticked === open.length}
                      indeterminate={ticked > 0 && ticked < open.length}
                      onChange={(event) => onChoose(open, event.currentTarget.checked)}
                    />
                  )}
                </td>
                <td colSpan={2}>
                  <span className="h">{groupNames[group]}</span>
                </td>
                {compared && (
                  <td colSpan={3} className="num t2 sm">
                    {sumText(inGroup)}
                  </td>
                )}
              </tr>
              {inGroup.map((row) => (
                <Row
                  key={row.id}
                  row={row}
                  compared={compared}
                  columns={columns}
                  isTaken={chosen.has(row.id) && !locked.has(row.id)}
                  isOpen={row.open && !locked.has(row.id)}
                  isLocked={locked.has(row.id)}
                  onTake={(wanted) => onChoose([row.id], wanted)}
                />
              ))}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

interface RowProps {
  row: SetupRow;
  compared: boolean;
  columns: number;
  isTaken: boolean;
  isOpen: boolean;
  /** Whether it cannot be ticked because its connection is not. */
  isLocked: boolean;
  onTake: (wanted: boolean) => void;
}

function Row({ row, compared, columns, isTaken, isOpen, isLocked, onTake }: RowProps) {
  const quiet = !row.open;
  const name = row.group === 'connections' || row.connection === '' ? row.what : `${row.what}, ${row.connection}`;
  // When a file is saved, what importing the line would do is irrelevant.
  const note = isLocked ? `${row.connection} itself is not ticked.` : compared ? row.note : '';
  return (
    <>
      <tr className={note === '' ? undefined : 'open'}>
        <td>
          {row.open && (
            <Checkbox
              aria-label={name}
              checked={isTaken}
              disabled={!isOpen}
              onChange={(event) => onTake(event.currentTarget.checked)}
            />
          )}
        </td>
        <td className={quiet ? 't2' : 'm'} title={name}>
          {legible(row.what)}
          {name !== row.what && <span className="t3"> {legible(row.connection)}</span>}
        </td>
        <Cell row={row} side="file" />
        {compared && (
          <>
            <Cell row={row} side="here" />
            <td>
              <State state={row.state} />
            </td>
            <td className={isTaken ? 'm' : 't3'}>
              {isTaken ? 'file' : row.state === 'differs' ? 'here' : takeText(row)}
            </td>
          </>
        )}
      </tr>
      {note !== '' && (
        <tr className="detail">
          <td />
          <td colSpan={columns - 1} className={row.state === 'refused' || isLocked ? 't2 sm' : 'warn sm'}>
            {legible(note)}
          </td>
        </tr>
      )}
    </>
  );
}

const takeText = ({ state }: SetupRow): string => (state === 'new' || state === 'refused' ? 'nothing' : 'kept');

/** The value on one side, with the parts that differ from the other side highlighted. */
function Cell({ row, side }: { row: SetupRow; side: 'file' | 'here' }) {
  const { state, differences } = row;
  if (state === 'differs' && differences.length > 0) {
    const parts = differences.map((one) => ({ label: one.label, text: one[side] }));
    return (
      <td title={parts.map(({ label, text }) => `${label} ${text}`.trim()).join(', ')}>
        {parts.map(({ label, text }, index) => (
          <Fragment key={label}>
            {index > 0 && ', '}
            {label !== '' && `${label} `}
            <mark>{legible(text)}</mark>
          </Fragment>
        ))}
      </td>
    );
  }
  const text = row[side];
  const absent = side === 'file' ? 'not in the file' : 'not here';
  return (
    <td className={text === '' || !row.open ? 't3' : undefined} title={text}>
      {text === '' ? absent : state === 'same' && side === 'file' ? 'as here' : legible(text)}
    </td>
  );
}

function State({ state }: { state: SetupRow['state'] }) {
  if (state === 'new')
    return (
      <span className="mark good m">
        <Dot tone="good" />
        new
      </span>
    );
  if (state === 'differs' || state === 'refused') return <Tag tone="warn">{stateNames[state]}</Tag>;
  return <span className="t3">{stateNames[state]}</span>;
}
