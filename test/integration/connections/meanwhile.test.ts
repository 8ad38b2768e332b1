import { afterEach, expect, test } from 'vitest';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** What is chosen or saved while an earlier change waits for the keychain. */

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
