import { ok, type Result } from '../../shared/result.ts';
import { createSecrets } from '../core/connections/secrets.ts';
import { findTypedKey } from '../core/connections/typed-keys.ts';
import { openHandlesRepository } from '../core/storage/connections-repository.ts';
import { type Database, openDatabase } from '../core/storage/database/database.ts';
import { openFingerprints } from '../core/storage/fingerprints.ts';
import { systemClock } from '../platform/clock.ts';
import { environmentSecrets } from './connection-secrets.ts';
import { findSpendFolder } from './data-folder.ts';
import type { Session } from './session.ts';

/** The window's data for commands that write a file for others, and what is needed to keep keys out of that file. It makes no call. */
export interface HandingDesk {
  db: Database;
  findTyped: ReturnType<typeof createSecrets>['findTyped'];
  /** Reads every key of the keychain and the environment. `unread` is the number of keys that the keychain did not hand over. */
  readEvery(): Promise<Result<{ values: string[]; unread: number }>>;
  close(): void;
}

/** Errors: `policy-forbids`, `storage-failed`. */
export async function openHandingDesk({
  env,
  folderName,
  findKeychain,
  policy,
}: Session): Promise<Result<HandingDesk>> {
  const found = findSpendFolder({ env, folderName }, policy);
  if (!found.ok) return found;
  const opened = openDatabase({ folder: found.value, clock: systemClock, recovers: false });
  if (!opened.ok) return opened;
  const db = opened.value;
  const { keychain } = await findKeychain();
  const secrets = createSecrets({ db, keychain, clock: systemClock, demoSecrets: () => undefined });
  const ofEnvironment = environmentSecrets(env);
  return ok({
    db,
    findTyped: (texts) =>
      secrets.findTyped(texts) ??
      findTypedKey(texts, {
        values: ofEnvironment,
        traces: openHandlesRepository(db.sql).traces,
        fingerprints: openFingerprints(db.sql).ofSpellings,
      }),
    async readEvery() {
      const read = await secrets.readEvery();
      if (!read.ok) return read;
      const values = new Set([...read.value.values, ...ofEnvironment.map(({ value }) => value)]);
      return ok({ values: [...values], unread: read.value.unread });
    },
    close: () => db.close(),
  });
}
