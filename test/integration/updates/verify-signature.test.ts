import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifySignature } from '../../../electron/core/updates/verify-signature.ts';
import { removeFolder } from '../../helpers/folders.ts';

// Elsewhere than on Windows there is no PowerShell, as where an administrator does not allow it.
test.skipIf(process.platform === 'win32')('a newer version whose signature cannot be read is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-signature-'));
  const file = join(folder, 'setup.exe');
  writeFileSync(file, 'a newer program');
  // It runs a command of Windows, which the shell here takes for one that makes a file named NUL.
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect(await verifySignature(['Wyebank Software'], file)).toMatch(/Ignoring signature validation/);
  } finally {
    process.chdir(before);
    removeFolder(folder);
  }
});
