import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectKeychain, openSystemKeychain } from '../../../electron/platform/system-keychain.ts';
import { removeFolder } from '../../helpers/folders.ts';

test('no variable of the environment puts a file of its own in the place of the keychain’s library', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-library-'));
  const file = join(folder, 'library.cjs');
  writeFileSync(file, 'globalThis.ranInPlaceOfTheKeychain = true; module.exports = {};');
  process.env.NAPI_RS_NATIVE_LIBRARY_PATH = file;
  // Windows finds the loader's name under this one.
  process.env.napi_rs_native_library_path = file;
  try {
    await detectKeychain();
    expect('ranInPlaceOfTheKeychain' in globalThis).toBe(false);
    expect(Object.keys(process.env).filter((name) => /^napi_rs_/i.test(name))).toEqual([]);
  } finally {
    removeFolder(folder);
  }
});

/** As macOS answers: a search reads each value, which may prompt the user, and leaves out what the user refuses. */
function macLibrary() {
  const values = new Map([
    ['Desk (lookup-key)', 'desk-key-0001'],
    ['Web shop (lookup-key)', 'web-shop-key-0001'],
  ]);
  const asked = { prompts: 0, isRefused: (_account: string): boolean => false };
  const read = (account: string): string | null => {
    asked.prompts += 1;
    if (asked.isRefused(account)) throw new Error('User canceled the operation. (-128)');
    return values.get(account) ?? null;
  };
  class AsyncEntry {
    readonly account: string;
    constructor(_service: string, account: string) {
      this.account = account;
    }
    getPassword = async () => read(this.account);
  }
  const findCredentialsAsync = async () =>
    [...values.keys()].flatMap((account) => {
      try {
        return [{ account, password: read(account) }];
      } catch {
        return [];
      }
    });
  const library = { AsyncEntry, findCredentialsAsync } as unknown as Parameters<typeof openSystemKeychain>[0];
  return { library, asked };
}

test('on macOS the state is not read: a search would prompt for each key, and what an earlier request met says nothing of now', async () => {
  const { library, asked } = macLibrary();
  const system = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
  Object.defineProperty(process, 'platform', { ...system, value: 'darwin' });
  try {
    const keychain = openSystemKeychain(library);
    const service = 'Address Console, Wyebank';
    expect([await keychain.state(service), asked.prompts]).toEqual(['not-read', 0]);
    expect((await keychain.get({ service, account: 'Nobody (lookup-key)' })).ok).toBe(true);
    expect(await keychain.state(service)).toBe('not-read');
    asked.isRefused = (account) => account.startsWith('Desk');
    expect(await keychain.get({ service, account: 'Desk (lookup-key)' })).toMatchObject({
      error: { code: 'keychain-locked', message: expect.stringMatching(/locked, or its prompt was refused/) },
    });
    // The keychain itself is open.
    expect(await keychain.state(service)).toBe('not-read');
    expect((await keychain.get({ service, account: 'Web shop (lookup-key)' })).ok).toBe(true);
    // It may lock itself from now on.
    expect([await keychain.state(service), asked.prompts]).toEqual(['not-read', 3]);
  } finally {
    Object.defineProperty(process, 'platform', system);
  }
});
