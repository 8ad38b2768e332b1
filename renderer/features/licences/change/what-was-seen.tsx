import {
  type ChangeRead,
  type LicenceChange,
  machinesOf,
  nameLicence,
} from '../../../../shared/domain/licences/licence-change.ts';
import { drawable } from '../../../../shared/domain/text/visible-text.ts';
import { formatClock } from '../../../lib/text/format.ts';
import { legible } from '../../../lib/text/legible.ts';
import { describeWrite } from './change-messages.ts';

interface Row {
  at: string;
  what: string;
  /** By machine. */
  reads: ReadonlyMap<string, ChangeRead>;
}

/** Every write and read of a change in order, with the licences named for each machine; then when it is read next. */
export function WhatWasSeen({ change }: { change: LicenceChange }) {
  const machines = machinesOf(change);
  const rows = rowsOf(change);
  const next =
    change.nextRead === null ? null : change.nextRead === 'next-start' ? 'next start' : formatClock(change.nextRead);
  return (
    <section className="col change-list" aria-label="What was seen">
      <h3 className="h">What was seen</h3>
      <table className="tbl tight seen-table" aria-label="What was seen">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What happened</th>
            {machines.map((machine) => (
              <th key={machine} scope="col" className="mono" title={drawable(machine)}>
                {legible(machine)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added at the end
            <tr key={index}>
              <td>{formatClock(row.at)}</td>
              <td>{legible(row.what)}</td>
              {machines.map((machine) => (
                <Cell key={machine} read={row.reads.get(machine)} name={nameLicence(change)} />
              ))}
            </tr>
          ))}
          {next !== null && (
            <tr>
              <td className="t3">{next}</td>
              <td className="t3" colSpan={machines.length + 1}>
                next read
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ read, name }: { read: ChangeRead | undefined; name: string }) {
  if (!read) return <td className="t3">not read</td>;
  if (read.found === 'named') return <td className="m">{legible(name)} seen</td>;
  if (read.found === 'unread')
    return (
      <td className="warn" title={read.why === null ? undefined : drawable(read.why)}>
        could not be read
      </td>
    );
  return <td>{read.found === 'none' ? 'named no licence' : `not among the ${read.of} named`}</td>;
}

/** Writes and reads in the order in which they were made; reads of both machines that follow each other are one row. */
function rowsOf({ writes, reads, steps }: LicenceChange): Row[] {
  const rows: Row[] = [];
  let left = 0;
  let number = 0;
  for (const read of [...reads, null]) {
    for (; left < (read?.writes ?? writes.length); left += 1) {
      const write = writes[left];
      if (!write) break;
      const answer = steps.find((step) => step.number === write.step)?.result;
      rows.push({ at: write.sentAt, what: describeWrite(write), reads: new Map() });
      if (write.endedAt !== null && write.step === writes.findLast(({ step }) => step === write.step)?.step)
        rows.push({ at: write.endedAt, what: answer ?? 'no complete answer came', reads: new Map() });
      number = 0;
    }
    if (!read) break;
    const last = rows.at(-1);
    if (last && last.reads.size > 0 && !last.reads.has(read.machine)) {
      rows[rows.length - 1] = { ...last, reads: new Map([...last.reads, [read.machine, read]]) };
      continue;
    }
    if (read.left !== false) number += 1;
    rows.push({
      at: read.at,
      what: read.left === false ? 'No request left' : `Read ${number}`,
      reads: new Map([[read.machine, read]]),
    });
  }
  return rows;
}
