import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBulks } from '../../../electron/core/licences/bulk/bulk.ts';
import { verifyJournal } from '../../../electron/core/licences/journal/journal-verify.ts';
import { openInventoryStore } from '../../../electron/core/licences/machines/inventory-store.ts';
import { inTransaction } from '../../../electron/core/storage/in-transaction.ts';
import { readTable } from '../../../electron/core/tables/read-table.ts';
import { createHttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { Fault, FaultKind } from '../../../electron/demo-service/faults.ts';
import { bulkRowStates, guessMapping, mapRows } from '../../../shared/domain/licences/licence-bulk.ts';
import { ok } from '../../../shared/result.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionId, openLicenceConsole } from '../../helpers/licence-console.ts';
import { licenceCallsTo } from '../../helpers/licence-http.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// Rows over real HTTP and SOAP with a service that fails at every ninth of them, each kind of fault at least twice, and counts what arrived. A
// thousand rows, with as many faults, are tested with a service in memory (bulk.test.ts), because each row without a fault is four calls
// more.

const rows = 100;
const every = 9;
/** Faults: done and the answer lost, done and the answer unusable, not done. Each row must end in the state that reading the machine shows. */
const kinds: readonly FaultKind[] = ['cut', 'empty', 'reset', 'truncate', 'status'];

test('100 rows over HTTP with 11 faults: each in one state, none sent twice, as counted at the service', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-bulk-http-'));
  const demo = await startTestService({ premises: 2000 });
  const transport = createHttpTransport();
  const site = demo.account.licences.find(({ type }) => type === 'Site');
  if (!site) throw new Error('the demo account has no site licence');
  Object.assign(site, { seats: 2 * rows });
  const console = await openLicenceConsole(folder, licenceCallsTo(demo, transport.send));
  try {
    const bulks = createBulks({
      store: console.deps.store,
      inventory: openInventoryStore(console.database.sql),
      journal: console.deps.ctx.journal,
      inTransaction: (work) => inTransaction(console.database.sql, work),
      onProgress: () => {},
    });
    const text = [
      'Licence,To',
      ...Array.from({ length: rows }, (_, index) => `${site.number},PC-${String(index + 1).padStart(4, '0')}`),
    ];
    const [head = [], ...body] = unwrap(await readTable(text.join('\n'), 5001));
    const mapping = guessMapping(head);
    if (!mapping) throw new Error('no head');
    const asked = { connectionId, source: 'a hundred.csv', kind: 'register' as const, rows: mapRows(body, mapping) };
    let bulk = unwrap(await bulks.plan(asked, console.deps));
    expect(demo.meter.hits('RegisterLicense')).toBe(0);

    const faults: Fault[] = Array.from({ length: Math.floor((rows - 1) / every) }, (_, index) => ({
      kind: kinds[index % kinds.length] ?? 'cut',
      on: 'RegisterLicense',
      // Faults apply in order: each lets this many requests pass after the one before it.
      after: every - 1,
      ...(kinds[index % kinds.length] === 'status' ? { status: 503, execute: index % 2 === 0 } : {}),
    }));
    demo.faults.set(...faults);
    for (let runs = 0; bulk.state !== 'done' && runs < 80; runs += 1) {
      const left = bulk.rows.filter(({ state }) => state === 'planned').map(({ row }) => row);
      bulk = unwrap(await bulks.run(bulk.id, left, String(left.length), () => ok(console.deps)));
    }

    expect(bulk.state).toBe('done');
    expect(bulk.rows).toHaveLength(rows);
    for (const { state } of bulk.rows) expect(bulkRowStates).toContain(state);
    expect(bulk.rows.filter(({ state }) => state === 'planned' || state === 'sent')).toEqual([]);
    // One request for each row, whatever its outcome, and no machine is bound twice.
    expect(demo.meter.hits('RegisterLicense')).toBe(rows);
    expect(new Set(site.machines).size).toBe(site.machines.length);
    const bound = new Set(site.machines);
    for (const row of bulk.rows) {
      if (row.state === 'seen') expect(bound.has(row.to ?? ''), `row ${row.row}`).toBe(true);
      if (row.state === 'on-its-way') expect(bound.has(row.to ?? ''), `row ${row.row}`).toBe(false);
    }
    expect(bulk.rows.filter(({ state }) => state === 'seen').length).toBeGreaterThan(rows * 0.95);
    expect(bulk.rows.filter(({ state }) => state === 'on-its-way').length).toBeGreaterThan(2);
    expect(verifyJournal(console.database.sql, console.anchorFile)).toMatchObject({ intact: true });
  } finally {
    console.database.close();
    await transport.close();
    await demo.stop();
    removeFolder(folder);
  }
});
