import { createHmac } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Fingerprints of secrets, keyed with a random key of the data folder: the same secret has the same fingerprint in every process on the
 * folder, and nothing of the secret can be read from it. 32 hexadecimal digits. Throws where SQLite does.
 */
export function openFingerprints(sql: DatabaseSync): (secret: string) => string {
  const key = sql.prepare('SELECT key FROM fingerprint_key').get()?.key as Uint8Array;
  return (secret) => createHmac('sha256', key).update(secret).digest('hex').slice(0, 32);
}
