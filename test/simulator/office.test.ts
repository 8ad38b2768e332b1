import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeFolder } from '../helpers/folders.ts';
import { more, type OfficeEnd, runOffice } from './office.ts';

/** A month of office days through the whole program, with fewer calls a day; `npm run soak -- --days 250` is the year. */

const days = 21;
const lookups = 5;
const polls = 6;
const batchRows = 10;
let folder: string;
let end: OfficeEnd;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-office-'));
  end = await runOffice({ folder, days, lookups, polls, batchRows, seed: 7, lookEach: 5 });
});
afterAll(() => removeFolder(folder));

describe('a month of office days', () => {
  test('everything was done, and what the service charged is what the ledger counts', () => {
    expect(end.faults).toEqual([]);
    expect(end.taken).toBeGreaterThan(days);
    expect(end.counted).toBe(end.taken);
    expect(end.changesEnded).toBe(9);
    expect(end.batchRowsDone).toBe(4 * batchRows);
    expect(end.alertsTold).toBe(1);
  });

  test('the database grows by a row for each call and no more', () => {
    const known = end.calls + end.cached;
    expect(end.cut).toBeLessThan(3);
    expect(end.rows.calls).toBeGreaterThanOrEqual(known);
    expect(end.rows.calls).toBeLessThanOrEqual(known + end.cut);
    expect(end.cached).toBeGreaterThan(0);
    expect(end.rows.balance_readings ?? 0).toBeLessThanOrEqual(end.calls);
    expect(end.rows.ledger ?? 0).toBeLessThanOrEqual(end.calls);
    const [first, last] = [end.looks[1], end.looks.at(-1)];
    // Two pages of 4 kB for each call and its saved answer: they take one, and the word index grows before it is merged.
    expect((last?.disk ?? 0) - (first?.disk ?? 0)).toBeLessThan(end.calls * 8192);
  });

  test('there are no more timers, sockets, threads, listeners or files than after the first day, and none is left at the end', () => {
    const [first, last] = [end.looks[0], end.looks.at(-1)];
    expect(more(first?.open ?? {}, last?.open ?? {})).toEqual({});
    expect(end.left).toEqual({});
    expect(end.files.filter((name) => /-wal$|-shm$|\.tmp|draft/.test(name))).toEqual([]);
  });
});
