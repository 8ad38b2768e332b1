import { createHmac } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isGuid, plainForm, spellingsOf } from '../transport/redact/secret-patterns.ts';

/**
 * Fingerprints of secrets, keyed with a random key of the data folder: the same secret has the same fingerprint in every process on the
 * folder, and nothing of the secret can be read from it. 32 hexadecimal digits. Throws where SQLite does.
 */
export function openFingerprints(sql: DatabaseSync) {
  const key = sql.prepare('SELECT key FROM fingerprint_key').get()?.key as Uint8Array;
  const hash = (text: string): string => createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
  const known = `known AS (
    SELECT connection_id, fingerprint FROM secret_handles WHERE fingerprint IN (SELECT value FROM json_each(:prints))
    UNION SELECT connection_id, fingerprint FROM key_uses WHERE fingerprint IN (SELECT value FROM json_each(:prints)))`;
  const findKnown = sql.prepare(`WITH ${known} SELECT DISTINCT fingerprint FROM known`);
  const shareUses = sql.prepare(
    `WITH ${known} INSERT OR IGNORE INTO key_uses SELECT one.connection_id, other.fingerprint
     FROM known one JOIN known other ON other.fingerprint <> one.fingerprint`,
  );
  /** Of each spelling of a key, the typed one first: any of them may be stored. */
  const ofSpellings = (secret: string): string[] => spellingsOf(secret).map(hash);

  return {
    ofSpellings,
    /**
     * The one under which a key is stored. A GUID is one key in every spelling: it has that of its plain form in lower case. Earlier versions
     * took it as typed, each spelling by itself: it keeps what the folder knows it by, and a connection that has one of several has them
     * all, so that caps count the calls of each.
     */
    of(secret: string): string {
      if (!isGuid(secret)) return hash(secret);
      const spellings = ofSpellings(secret);
      const prints = JSON.stringify(spellings);
      const stored = findKnown.all({ prints }).map(({ fingerprint }) => String(fingerprint));
      if (stored.length > 1) shareUses.run({ prints });
      return spellings.find((one) => stored.includes(one)) ?? hash(plainForm(secret).toLowerCase());
    },
  };
}
