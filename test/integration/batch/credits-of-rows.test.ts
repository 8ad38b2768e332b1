import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveResult } from '../../../electron/core/batch/save-result.ts';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import { type BatchWant, type Bounds, resultColumns } from '../../../shared/domain/batch.ts';
import { type BatchScene, openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { type DemoService, startDemo } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/**
 * Batches in random worlds: answers are lost, refused and unreadable, limits are reached, the program ends, a person pauses, stops, ticks rows
 * again and asks the same in the window, and goes on with the result file on another computer. After each of these, a row's credits are those
 * of the calls that the ledger has for it, beside those that the file brought. BATCH_WORLDS sets another number of worlds, BATCH_SEED the first.
 */

const worlds = Number(process.env.BATCH_WORLDS ?? 8);
const firstSeed = Number(process.env.BATCH_SEED ?? 310);
const folder = mkdtempSync(join(tmpdir(), 'address-console-credits-of-rows-'));
const gazetteer = openTestGazetteer();
const postcodes = gazetteer.samplePostcodes(40);
let service: DemoService;
beforeAll(async () => {
  service = await startDemo('--seed', '42', '--premises', '4000', '--credits', '1000000');
});
afterAll(async () => {
  await service.stop();
  gazetteer.close();
  removeFolder(folder);
});

/** Random numbers from a seed, so that a failed world can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 7919 + 17;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

// No rate and no Retry-After is waited for.
const pauses = { uptime: () => performance.now() * 1000, wait: async () => {} };
const open = (dataFolder: string): Promise<BatchScene> => {
  const get = async () => ({ ok: true, value: service.demo.lookupKey }) as const;
  const keychain = { keychain: { ...createMemoryVault(), get }, missing: null };
  return openScene({ shared: service, program: { folder: dataFolder, keychain, pauses } });
};
const openAnew = () => open(mkdtempSync(join(folder, 'data-')));
const terms = { minimumBalance: null, rate: 50, keyLabel: null, goOnUntil: null };
/** What becomes of a request: carried out, its answer lost or unreadable, or refused with this status. */
const fates = ['delay', 'delay', 'cut', 'garbage', 500, 429, 402, 403, 404, 400] as const;

/** The calls that the ledger has for a batch. */
function callsOf({ program }: BatchScene, batchId: string) {
  const sql = new DatabaseSync(join(program.folder, 'address-console.sqlite'), { readOnly: true });
  try {
    const calls = sql.prepare(
      "SELECT subject, expected, ending FROM ledger WHERE batch = ? AND ending IS NOT 'unsent'",
    );
    return calls.all(batchId).map((call) => ({
      row: Number(/^row (\d+) of batch /.exec(String(call.subject))?.[1]),
      credits: Number(call.expected),
      isAnswered: call.ending === 'answered',
      isLost: call.ending === 'lost',
    }));
  } finally {
    sql.close();
  }
}

const sum = (calls: readonly { credits: number }[]): number => calls.reduce((all, { credits }) => all + credits, 0);

test.each(Array.from({ length: worlds }, (_, index) => firstSeed + index))('world %i', async (seed) => {
  const random = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const chosen = [pick(postcodes), pick(postcodes), pick(postcodes)];
  const premises = chosen.flatMap((postcode) => gazetteer.premisesAtPostcode(postcode).slice(0, 3));
  const cells = pick([chosen, premises.map(({ id }) => id), premises.map((one) => `"${formatOneLine(one)}"`)]);
  const wants: BatchWant[] = cells === chosen ? ['exists'] : pick([['exists'], ['full', 'uprn'], ['coordinates']]);
  const head = cells === chosen ? 'Postcode' : cells[0]?.startsWith('"') ? 'Address' : 'Premise id';
  const table = `${head}\n${Array.from({ length: 4 + random(6) }, () => pick(cells)).join('\n')}\n`;

  let scene = await openAnew();
  let batchId = (await scene.plan(table, ...wants)).id;
  /** What the result file of the computer before says of each row. */
  let before: Bounds[] = [];

  async function goOnElsewhere(): Promise<void> {
    const path = join(folder, `${batchId}.csv`);
    const form = { filter: {}, columns: resultColumns, acknowledgement: '' };
    before = (await scene.rows(batchId)).map(({ credits }) => credits);
    unwrap(await saveResult(scene.program.core.batches, { batchId, ...form }, path));
    await scene.close();
    scene = await openAnew();
    const { connectionId, program } = scene;
    const file = readFileSync(path);
    const part = { transfer: null, name: 'result.csv', bytes: file.length, from: 0, part: file.toString('base64') };
    const tableId = unwrap(await program.call('batch.drop', { connectionId, ...part })).table?.tableId ?? '';
    batchId = unwrap(await program.call('batch.plan', { tableId, wants })).id;
  }

  try {
    for (let turn = 0; turn < 6; turn += 1) {
      if (turn > 0 && random(4) === 0) await goOnElsewhere();
      const { connectionId, program } = scene;
      await service.clearFaults();
      const next = Array.from({ length: random(8) }, () => pick(fates));
      await service.setFaults(
        ...next.map((fate) =>
          typeof fate === 'number'
            ? ({ kind: 'status', status: fate } as const)
            : ({ kind: fate, milliseconds: 3 } as const),
        ),
      );
      const limit = random(3) === 0 ? 2 + random(8) : 1000;
      const cache = pick(['default', 'reload'] as const);
      const meanwhile: Promise<unknown>[] = [];
      if (random(3) === 0) meanwhile.push(program.call('lookup.search', { connectionId, text: pick(chosen), cache }));
      if (random(3) === 0) {
        const { id: premiseId } = pick(premises);
        meanwhile.push(program.call('lookup.open', { connectionId, premiseId, interface: 'rest', cache }));
      }
      if (turn === 0 || random(5) < 3) await program.call('batch.run', { batchId, ...terms, limit });
      else {
        const rows = await scene.rows(batchId);
        const some = (progress: string) =>
          rows.filter((row) => row.progress === progress && random(2) === 0).map(({ row }) => row);
        const again = { unknown: some('unknown'), failed: { all: random(2) === 0, but: some('failed') } };
        await program.call('batch.run-not-done', { batchId, ...again, ...terms, limit });
      }
      if (random(4) === 0) {
        await sleep(random(15));
        meanwhile.push(program.call(pick(['batch.pause', 'batch.stop'] as const), { batchId }));
      }
      if (random(3) === 0) {
        await sleep(random(20));
        await scene.close();
        scene = { ...(await open(program.folder)), connectionId };
      } else await program.core.batches.ended(batchId);
      await Promise.allSettled(meanwhile);
      if (random(5) === 0) await scene.program.call('lookup.purge', { what: 'all' });

      const calls = callsOf(scene, batchId);
      const { credits } = await scene.get(batchId);
      const told = `seed ${seed}, turn ${turn}`;
      expect(credits, told).toMatchObject({ counted: sum(calls), unknown: sum(calls.filter(({ isLost }) => isLost)) });
      for (const { row, credits } of await scene.rows(batchId)) {
        const own = calls.filter((call) => call.row === row);
        const { least, most } = before[row - 1] ?? { least: 0, most: 0 };
        const answered = sum(own.filter(({ isAnswered }) => isAnswered));
        expect(credits, `${told}, row ${row}`).toEqual({ least: least + answered, most: most + sum(own) });
      }
    }
  } finally {
    await service.clearFaults();
    await scene.close();
  }
});
