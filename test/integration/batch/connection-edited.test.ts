import { existsSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { type BatchScene, openScene, openTestGazetteer } from '../../helpers/batch-scene.ts';
import { type DemoService, startDemo } from '../../helpers/demo-process.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { editConnection } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { goodCertificate, testKey } from '../transport/certificates.ts';

/** A connection is edited, loses its key or is removed while a batch that runs over it is not done. */

const scenes: BatchScene[] = [];
const services: DemoService[] = [];
const open = async (...options: Parameters<typeof openScene>) => {
  const scene = await openScene(...options);
  scenes.push(scene);
  return scene;
};
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close();
  for (const service of services.splice(0)) await service.stop();
});

const gazetteer = openTestGazetteer();
const ids = gazetteer.sample(6).map(({ id }) => id);
gazetteer.close();
const tableOf = (some: readonly string[]) => `Premise id\n${some.join('\n')}\n`;

const connectionOf = async (scene: BatchScene) => {
  const { connections } = unwrap(await scene.program.call('connections.list', {}));
  const view = connections.find(({ connection }) => connection.id === scene.connectionId);
  if (!view) throw new Error('The connection is gone.');
  return view;
};

const edit = (scene: BatchScene, changes: Partial<ConnectionDraft>) =>
  editConnection(scene.program, scene.connectionId, changes);

test('another server is not asked about what the first one named, and its saved answers are not used for it', async () => {
  const scene = await open();
  const other = await startDemo('--seed', '7', '--premises', '4000');
  services.push(other);
  const batch = await scene.plan(tableOf(ids), 'coordinates');
  const limit = Math.ceil((batch.plan.credits?.most ?? 0) / 3);
  const stopped = await scene.run(batch.id, { limit, rate: 0.4 });
  expect(stopped).toMatchObject({ state: 'waiting', wait: { kind: 'limit' } });
  const { done } = stopped.progress;
  expect(done).toBeGreaterThan(0);

  await edit(scene, { restBaseUrl: other.restBaseUrl });
  const moved = await scene.run(batch.id);
  expect(moved).toMatchObject({ state: 'waiting', wait: { code: 'wrong-origin' }, progress: { done } });
  expect(moved.wait?.what).toContain(new URL(scene.service.restBaseUrl).origin);
  expect(moved.wait?.what).toContain(new URL(other.restBaseUrl).origin);
  expect((await other.meter()).credits).toBe(0);

  // One server may have live and test data at two paths.
  await edit(scene, { restBaseUrl: `${scene.service.restBaseUrl}/live` });
  expect((await scene.run(batch.id)).wait?.what).toContain(`would go to ${scene.service.restBaseUrl}/live.`);
  // A gateway may tell tenants by the query.
  await edit(scene, { restBaseUrl: `${scene.service.restBaseUrl}?tenant=b` });
  expect(await scene.run(batch.id)).toMatchObject({ wait: { code: 'wrong-origin' }, progress: { done } });

  await edit(scene, { restBaseUrl: scene.service.restBaseUrl });
  expect(await scene.run(batch.id)).toMatchObject({ state: 'done', progress: { done: 6 } });
});

test('rows keep the search that they were planned with, and so does the price of those that are left', async () => {
  const scene = await open();
  const batch = await scene.plan('Postcode\nHR10 1AA\nHR10 2DU\nHR10 2DW\n', 'exists');
  const { soapUrl, soapNamespace, demo } = scene.service;
  await edit(scene, { soapUrl, soapNamespace, accountName: demo.accountName });
  const { connectionId } = scene;
  const licence = { connectionId, role: 'licence-id', label: 'main', value: demo.licenceId } as const;
  unwrap(await scene.program.call('secrets.put', licence));
  // By now the connection can search over SOAP, which is free.
  const stopped = await scene.run(batch.id, { limit: 1, rate: 0.4 });
  expect(stopped).toMatchObject({ wait: { kind: 'limit' }, left: { rows: 2, credits: { least: 2, most: 2 } } });
  expect(await scene.run(batch.id)).toMatchObject({ state: 'done', credits: { counted: 3 } });
});

test('a key that is gone is no word of the service: no row reads “no such premise” for it', async () => {
  const scene = await open();
  const batch = await scene.plan(tableOf(ids), 'coordinates');
  const { secrets } = await connectionOf(scene);
  for (const { id } of secrets) unwrap(await scene.program.call('secrets.remove', { secretId: id }));
  const stopped = await scene.run(batch.id);
  expect(stopped).toMatchObject({ state: 'waiting', wait: { kind: 'key' }, progress: { done: 0, waiting: 6 } });
  expect((await scene.rows(batch.id)).map(({ result }) => result)).not.toContain('none');
  // What the rows cost is unknown, not nothing: “Resume · free” stood on them, also once there was a key again.
  expect(stopped).toMatchObject({ plan: { credits: { most: 6 } }, left: { rows: 6, credits: null } });

  unwrap(
    await scene.program.call('secrets.put', {
      connectionId: scene.connectionId,
      role: 'lookup-key',
      label: 'main',
      value: scene.service.demo.lookupKey,
    }),
  );
  expect((await scene.get(batch.id)).left.credits).toEqual(batch.plan.credits);
  expect(await scene.run(batch.id)).toMatchObject({ state: 'done', progress: { done: 6 } });
});

test('a wait says what happened in words of its own, and quotes the service only where it answered', async () => {
  const scene = await open();
  const postcode = 'Postcode\nAB1 2DF\n';
  const waitAfter = async (changes: Partial<ConnectionDraft>) => {
    const batch = await scene.plan(postcode, 'exists');
    const { restBaseUrl } = (await connectionOf(scene)).connection;
    await edit(scene, changes);
    const { wait } = await scene.run(batch.id);
    await edit(scene, { restBaseUrl });
    return wait;
  };
  // A server whose certificate is not trusted: one failure, not five, and nobody answered.
  const server = createServer({ key: testKey, cert: goodCertificate });
  const untrusted = await waitAfter({ restBaseUrl: `https://127.0.0.1:${await listenOnLoopback(server)}/v1` });
  server.close();
  expect(untrusted).toMatchObject({ code: 'certificate-not-trusted', serviceText: '' });
  expect(untrusted?.title).toBe('Stopped at row 1: no call could be made');
  expect(untrusted?.what).toMatch(/certificate/);
  const missing = await waitAfter({ restBaseUrl: '' });
  expect(missing).toMatchObject({ code: 'not-configured', serviceText: '' });
  expect(missing?.title).not.toContain('key');

  await scene.service.setFaults({ kind: 'status', status: 403, on: 'Search', times: 1 });
  const batch = await scene.plan(postcode, 'exists');
  const { wait } = await scene.run(batch.id);
  expect(wait).toMatchObject({ kind: 'key', title: 'Stopped at row 1: the key cannot be used' });
  expect(wait?.serviceText).not.toMatch(/^HTTP/);
});

test('a wait at the limit or the minimum balance says no more of them than that they hold the call back', async () => {
  const scene = await open();
  const { id } = await scene.plan(tableOf(ids.slice(0, 1)), 'uprn');
  // The call costs more than the limit leaves.
  const { wait, credits } = await scene.run(id, { limit: 1 });
  expect(wait).toMatchObject({ kind: 'limit', title: 'Stopped at row 1: the limit holds it back' });
  expect(credits).toMatchObject({ counted: 0, limit: 1 });
  const unread = await scene.run(id, { minimumBalance: 1 });
  expect(unread.wait?.title).toBe('Stopped at row 1: the minimum balance holds it back');
  expect(unread.wait?.what).toMatch(/no figure of the balance that pays for this call has been read/);
});

test('an answer shape without what is wanted is no word about the premise, and a row found by its search stays found', async () => {
  const scene = await open({ service: ['--shape', 'b'] });
  const addresses = openTestGazetteer();
  const [premise] = addresses.sample(1);
  const line = premise ? formatOneLine(premise) : '';
  addresses.close();
  // Planned before the shape was seen.
  const byId = await scene.plan(tableOf(ids), 'udprn');
  const byAddress = await scene.plan(`Address\n"${line}"\n`, 'udprn');
  expect(await scene.run(byId.id, { rate: 0.4 })).toMatchObject({ state: 'done', results: { none: 0 } });
  const texts = (await scene.rows(byId.id)).map(({ text }) => text);
  expect(texts.filter((text) => text.includes('knows no such premise'))).toEqual([]);
  expect(await scene.run(byAddress.id)).toMatchObject({ state: 'done', results: { none: 0, exact: 1 } });
});

test('a premise that a paid search named stays found where the service has no coordinates of it', async () => {
  const scene = await open();
  const addresses = openTestGazetteer();
  const [premise] = addresses.sample(1);
  const line = premise ? formatOneLine(premise) : '';
  addresses.close();
  const { id: batchId } = await scene.plan(`Address\n"${line}"\n`, 'coordinates');
  await scene.service.setFaults({ kind: 'status', status: 404, on: 'GetPremise', times: 'always' });
  expect(await scene.run(batchId)).toMatchObject({ state: 'done', results: { none: 0, exact: 1 } });
  expect(await scene.rows(batchId)).toMatchObject([{ result: 'exact', text: line, reason: 'exact' }]);
});

test('removing the connection ends its batches, so that their rows are deleted like those of any other', async () => {
  let days = 0;
  const scene = await open({
    program: {
      clock: { now: () => Date.now() + days * 86_400_000, uptime: () => performance.now(), boot: '' } as never,
    },
  });
  const batch = await scene.plan(tableOf(ids), 'coordinates');
  const stopped = await scene.run(batch.id, { limit: 1 });
  expect(stopped.state).toBe('waiting');
  const file = join(scene.program.folder, 'batches', `${batch.id}.sqlite`);
  expect(existsSync(file)).toBe(true);
  unwrap(await scene.program.call('connections.remove', { connectionId: scene.connectionId }));
  expect((await scene.get(batch.id)).state).toBe('stopped');
  days = 400;
  await scene.program.core.batches.purge();
  expect(existsSync(file)).toBe(false);
});

test('a batch under way when its connection is removed asks nothing more', async () => {
  const scene = await open();
  const some = openTestGazetteer();
  const postcodes = some.samplePostcodes(12);
  some.close();
  const batch = await scene.plan(`Postcode\n${postcodes.join('\n')}\n`, 'exists');
  await scene.service.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'Search', times: 'always' });
  const terms = { limit: 100, minimumBalance: null, rate: 4, keyLabel: null, goOnUntil: null };
  unwrap(await scene.program.call('batch.run', { batchId: batch.id, ...terms }));
  const hits = async () => (await scene.service.meter()).calls.Search?.hits ?? 0;
  await expect.poll(hits).toBeGreaterThan(0);
  const removing = scene.program.call('connections.remove', { connectionId: scene.connectionId });
  await scene.service.clearFaults();
  unwrap(await removing);
  const asked = await hits();
  const end = await scene.get(batch.id);
  expect(end).toMatchObject({ state: 'stopped', progress: { 'at-work': 0, done: asked } });
  expect(await hits()).toBe(asked);
});

test('what is left has no price where the connection itself cannot be read', async () => {
  const scene = await open();
  const batch = await scene.plan(tableOf(ids), 'coordinates');
  expect(await scene.run(batch.id, { limit: 1, rate: 0.4 })).toMatchObject({ wait: { kind: 'limit' } });
  const ask = { batchId: batch.id, unknown: [], failed: { all: false, but: [] } };
  expect(unwrap(await scene.program.call('batch.not-done', ask)).credits?.most).toBeGreaterThan(0);
  const sql = new DatabaseSync(join(scene.program.folder, databaseName), { enableForeignKeyConstraints: false });
  sql.exec("UPDATE connections SET id = 'damaged'");
  sql.close();
  expect(unwrap(await scene.program.call('batch.not-done', ask)).credits).toBeNull();
});
