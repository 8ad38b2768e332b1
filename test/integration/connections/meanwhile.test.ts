import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createDemoLauncher } from '../../../electron/platform/demo-service.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { editConnection, type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** What is chosen or saved while an earlier change waits for the keychain, or for the demo service to start. */

let program: Program;
afterEach(() => program.close());

/** A program whose keychain holds back the calls of one kind until `release`. */
async function startHeld(kind: 'delete' | 'set') {
  const vault = createMemoryVault();
  let hold = false;
  let release = () => {};
  let held = new Promise<void>(() => {});
  const waiting = Promise.withResolvers<void>();
  program = unwrap(
    await startProgram({
      keychain: {
        keychain: {
          ...vault,
          [kind]: async (...input: never[]) => {
            if (hold) {
              waiting.resolve();
              await held;
            }
            return (vault[kind] as (...input: never[]) => Promise<never>)(...input);
          },
        },
        missing: null,
      },
    }),
  );
  return {
    holdBack() {
      hold = true;
      held = new Promise((done) => {
        release = () => {
          hold = false;
          done();
        };
      });
    },
    waiting: waiting.promise,
    release: () => release(),
  };
}

const view = async (id: string) => {
  const { connections } = unwrap(await program.call('connections.list', {}));
  const found = connections.find(({ connection }) => connection.id === id);
  if (!found) throw new Error('no such connection');
  return found;
};

test('removing a key does not undo a choice made meanwhile of the key that pays first', async () => {
  const keychain = await startHeld('delete');
  const connectionId = await program.connect({ restBaseUrl: 'https://lookup.example/v1' });
  const put = async (label: string) =>
    unwrap(await program.call('secrets.put', { connectionId, role: 'lookup-key', label, value: `LK-${label}-4711` }));
  for (const label of ['A', 'B', 'C']) await put(label);
  const idOf = async (label: string) =>
    (await view(connectionId)).secrets.find((secret) => secret.label === label)?.id ?? '';
  expect((await view(connectionId)).secrets.find(({ preferred }) => preferred)?.label).toBe('A');
  keychain.holdBack();
  const removed = program.call('secrets.remove', { secretId: await idOf('A') });
  await keychain.waiting;
  unwrap(await program.call('secrets.prefer', { secretId: await idOf('C') }));
  keychain.release();
  unwrap(await removed);
  const left = (await view(connectionId)).secrets;
  expect(left.filter(({ preferred }) => preferred).map(({ label }) => label)).toEqual(['C']);
});

test('of two renamings at once the second begins from the first, and no key is lost', async () => {
  const keychain = await startHeld('set');
  const connectionId = await program.connect({ restBaseUrl: 'https://lookup.example/v1' }, { 'lookup-key': 'LK-4711' });
  const { connection } = await view(connectionId);
  const { id, ...draft } = connection;
  const save = (more: Partial<ConnectionDraft>) =>
    program.call('connections.save', { id, draft: { ...draft, ...more } as ConnectionDraft });
  keychain.holdBack();
  const both = [save({ name: 'Yarpole' }), save({ name: 'Zeal' })];
  await keychain.waiting;
  keychain.release();
  for (const one of both) unwrap(await one);
  expect((await view(connectionId)).connection.name).toBe('Zeal');
  const found = await program.core.connections.find(connectionId);
  const key = unwrap(await program.core.secrets.read(unwrap(found), 'lookup-key'));
  expect(key?.secret).toBe('LK-4711');
});

test('what is changed on the demo’s connection while its service starts stays, and two first starts at once are one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-demo-'));
  const go = join(folder, 'go');
  const worker = join(folder, 'worker.mjs');
  const demo = { lookupKey: '', masterKey: '', accountName: 'DEMO', guid: '', licenceId: '', licenceKey: '' };
  const ready = {
    type: 'ready',
    restBaseUrl: 'http://127.0.0.1:9/v1',
    soapUrl: 'http://127.0.0.1:9/soap',
    soapNamespace: 'urn:demo',
    utilitiesNamespace: 'urn:demo',
    demo: { ...demo, yourReference: '', webMapKey: '', sample: { postcode: '', words: '' } },
  };
  writeFileSync(
    worker,
    `import { existsSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(go)})) return;
      clearInterval(timer);
      parentPort.postMessage(${JSON.stringify(ready)});
    }, 5);
    parentPort.on('message', () => process.exit());`,
  );
  const start = async () => {
    const launcher = createDemoLauncher({ worker, folder: join(folder, 'demo') });
    program = unwrap(await startProgram({ folder, firstStart: true, demo: launcher }));
  };
  try {
    await start();
    const both = [program.call('connections.start-demo', {}), program.call('connections.start-demo', {})];
    writeFileSync(go, '');
    const [first, second] = (await Promise.all(both)).map(unwrap);
    expect(second?.connection).toEqual(first?.connection);
    await program.close();
    rmSync(go);
    await start();
    const starting = program.call('connections.start-demo', {});
    const id = first?.connection.id ?? '';
    await editConnection(program, id, { name: 'Training', colour: '#2f6fed' });
    writeFileSync(go, '');
    unwrap(await starting);
    expect((await view(id)).connection).toMatchObject({ name: 'Training', colour: '#2f6fed' });
  } finally {
    await program.close();
    removeFolder(folder);
  }
});
