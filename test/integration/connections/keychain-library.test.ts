import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectKeychain } from '../../../electron/platform/system-keychain.ts';
import { removeFolder } from '../../helpers/folders.ts';

test('no variable of the environment puts a file of its own in the place of the keychain’s library', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-library-'));
  const file = join(folder, 'library.cjs');
  writeFileSync(file, 'globalThis.ranInPlaceOfTheKeychain = true; module.exports = {};');
  process.env.NAPI_RS_NATIVE_LIBRARY_PATH = file;
  try {
    await detectKeychain();
    expect('ranInPlaceOfTheKeychain' in globalThis).toBe(false);
  } finally {
    removeFolder(folder);
  }
});
