import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder } from '../../helpers/folders.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// A search with thousands of results is ordered as one list and sent to the window in parts. The tests count the results in a message.

const count = 9500;
const most = 4000;
/** Sorted as text, as the service does: "10 Row" before "2 Row". */
const numbers = Array.from({ length: count }, (_, n) => String(n + 1)).sort();
const body = JSON.stringify({
  results: numbers.map((n) => ({ id: n, address: `${n} Tannery Row, Hereford`, postcode: 'HR10 2DW' })),
});

let folder: string;
let program: Program;
let connectionId: string;
let asked = 0;
const server = createServer((request, response) => {
  // Balance reads, which the program makes as well, are not counted.
  if (request.url?.toLowerCase().includes('search')) asked += 1;
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  });
});
beforeEach(async () => {
  asked = 0;
  await listenOnLoopback(server);
  folder = mkdtempSync(join(tmpdir(), 'address-console-long-list-'));
  program = unwrap(await startProgram({ folder }));
  connectionId = await program.connect(
    { restBaseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, searchForm: 'query' },
    { 'lookup-key': 'LK-7f3a91c2e8d04b56' },
  );
});
afterEach(async () => {
  await program.close();
  removeFolder(folder);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function readAll() {
  const first = unwrap(await program.call('lookup.search', { connectionId, text: 'HR10 2DW' }));
  expect(first.count).toBe(count);
  expect(first.results.length).toBeLessThanOrEqual(most);
  const all = [...first.results];
  while (all.length < count) {
    const which = { connectionId, answerId: first.provenance.answerId, from: all.length };
    const more = unwrap(await program.call('lookup.more-results', which));
    expect(more.results.length).toBeGreaterThan(0);
    expect(more.results.length).toBeLessThanOrEqual(most);
    all.push(...more.results);
  }
  return { all, first };
}

const inOrder = Array.from({ length: count }, (_, n) => String(n + 1));

it('is transferred in parts, in one order over all of them, with one call', async () => {
  const { all, first } = await readAll();
  expect(all.map(({ premiseId }) => premiseId)).toEqual(inOrder);
  expect(first.sharedEnd).toContain('Hereford');
  const held = await readAll();
  expect(held.first.provenance.cached).toBe(true);
  expect(held.all).toEqual(all);
  expect(asked).toBe(1);
});

it('returns later parts in any order, and none of an answer that is no longer kept', async () => {
  const { first } = await readAll();
  for (const text of ['A 1', 'A 2', 'A 3', 'A 4', 'A 5'])
    unwrap(await program.call('lookup.search', { connectionId, text }));
  const { answerId } = first.provenance;
  const more = unwrap(await program.call('lookup.more-results', { connectionId, answerId, from: most }));
  expect(more.results[0]?.premiseId).toBe(String(most + 1));
  const gone = await program.call('lookup.more-results', { connectionId, answerId: 'gone', from: 0 });
  expect(gone).toMatchObject({ ok: false, error: { code: 'not-cached' } });
});

it('is returned after a restart as it came, list and raw text, free', async () => {
  const { first, all } = await readAll();
  await program.close();
  program = unwrap(await startProgram({ folder }));
  const { answerId } = first.provenance;
  const which = { answerId, side: 'answer', indented: false } as const;
  const lines: string[] = [];
  const page = async () =>
    unwrap(await program.call('operations.raw-lines', { ...which, from: lines.length, count: 1000 }));
  for (let read = await page(); read.lines.length > 0; read = await page())
    lines.push(...read.lines.map(({ text }) => text));
  const { head } = await page();
  // The body has no line end: the lines were cut for drawing and join to the whole.
  expect(lines.slice(head).join('') === body).toBe(true);
  expect((await readAll()).all).toEqual(all);
  expect(asked).toBe(1);
});

it('is compared with another answer in parts, every row once', async () => {
  const ids: string[] = [];
  for (const cache of ['default', 'reload'] as const) {
    const { provenance } = unwrap(await program.call('lookup.search', { connectionId, text: 'HR10 2DW', cache }));
    ids.push(provenance.answerId);
  }
  const [leftId = '', rightId = ''] = ids;
  const rows: { name: string; verdict: string }[] = [];
  for (;;) {
    const part = unwrap(await program.call('lookup.compare', { leftId, rightId, from: rows.length }));
    expect(part.total).toBe(count);
    expect(part.rows.length).toBeLessThanOrEqual(2000);
    rows.push(...part.rows);
    if (part.rows.length === 0) break;
  }
  expect(rows.map(({ name }) => name)).toEqual(numbers);
  expect(rows.every(({ verdict }) => verdict === 'same')).toBe(true);
});
