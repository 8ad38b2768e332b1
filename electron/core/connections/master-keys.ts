import type { DatabaseSync } from 'node:sqlite';
import { ok, type Result } from '../../../shared/result.ts';
import { openHandlesRepository } from '../storage/connections-repository.ts';
import { attempt } from '../storage/database/errors.ts';
import { openFingerprints } from '../storage/fingerprints.ts';
import type { CallSecrets } from './profile.ts';

/**
 * Gives the secrets of a call their lookup key as the master key too, if it was entered as one for whichever connection, so that no lookup is
 * sent with it (promise 13, rest/choose-key.ts). Fingerprints are compared, those of each spelling: reading the master keys themselves would
 * make macOS prompt for each. Errors: `storage-failed`.
 */
export function openMasterKeys(sql: DatabaseSync): (secrets: CallSecrets) => Result<CallSecrets> {
  const handles = openHandlesRepository(sql);
  const fingerprints = openFingerprints(sql);
  return (secrets) => {
    const { lookupKey } = secrets;
    if (lookupKey === undefined) return ok(secrets);
    return attempt(() => {
      const masters = handles.masterFingerprints();
      const isMaster = fingerprints.ofSpellings(lookupKey.trim()).some((one) => masters.includes(one));
      return isMaster ? { ...secrets, masterKey: lookupKey } : secrets;
    });
  };
}
