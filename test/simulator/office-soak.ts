import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../helpers/folders.ts';
import { type OfficeDay, runOffice } from './office.ts';

/**
 * Runs N office days through the program: `npm run soak -- --days N --seed S`. Prints the figures of each look, and returns false if
 * something grows that should not.
 */
export async function soakOffice(days: number, seed: number): Promise<boolean> {
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'address-console-soak-'));
  const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  const stops = new Map<string, number>();
  const show = ({ day, heap, disk, screens, stop }: OfficeDay): void =>
    print(
      `day ${day}: heap ${megabytes(heap)}, database ${megabytes(disk)}, longest stop ${stop.ms.toFixed(0)} ms (${stop.cause}); ` +
        Object.entries(screens)
          .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
          .join(', '),
    );
  try {
    const end = await runOffice({
      folder,
      days,
      lookups: 200,
      polls: 480,
      batchRows: 200,
      seed,
      lookEach: 5,
      onLook: (day) => {
        stops.set(day.stop.cause, Math.max(stops.get(day.stop.cause) ?? 0, day.stop.ms));
        show(day);
      },
    });
    const known = end.looks;
    // Starts after the first days, in which caches with a limit fill up.
    const early = known[Math.min(known.length - 1, Math.floor(days / 5))];
    const last = known.at(-1);
    const faults = [
      ...end.faults.slice(0, 5),
      ...(end.taken === end.counted
        ? []
        : [`The service took ${end.taken} credits, the ledger counts ${end.counted}.`]),
      ...(Object.keys(end.left).length === 0 ? [] : [`Left open: ${JSON.stringify(end.left)}.`]),
      ...(early && last && last.heap > early.heap * 1.1
        ? [`The heap went from ${megabytes(early.heap)} on day ${early.day} to ${megabytes(last.heap)}.`]
        : []),
    ];
    print(
      `${days} days: ${end.calls} calls, ${end.taken} credits taken, ${end.counted} counted, ${end.changesEnded} licence changes, ` +
        `${end.batchRowsDone} rows of batches, ${end.alertsTold} alerts told.`,
    );
    print(
      `Rows: ${JSON.stringify(end.rows)}; ${((last?.disk ?? 0) / end.calls).toFixed(0)} bytes of database for a call.`,
    );
    for (const { part, bytes, rows } of end.stored?.parts ?? [])
      print(`${part}: ${megabytes(bytes)}${rows === null ? '' : `, ${rows} rows`}`);
    print(`${end.stored?.readingsRemoved ?? 0} readings removed since one beside them says the same.`);
    print(`Longest stops of main: ${[...stops].map(([cause, ms]) => `${cause} ${ms.toFixed(0)} ms`).join(', ')}.`);
    for (const fault of faults) console.error(fault);
    return faults.length === 0;
  } finally {
    removeFolder(folder);
  }
}
