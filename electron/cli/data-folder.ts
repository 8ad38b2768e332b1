import { homedir } from 'node:os';
import { join } from 'node:path';
import { ok, type Result } from '../../shared/result.ts';
import { checkDataFolder } from '../core/policy/apply-policy.ts';
import type { Policy } from '../core/policy/policy-schema.ts';
import { ownDataFolder, programsData } from '../platform/data-folder.ts';
import type { Surroundings } from './surroundings.ts';

type Place = Pick<Surroundings, 'env' | 'folderName'>;

/** The folder of the window's database and journal, so that the command line keeps the same ones: ADDRESS_CONSOLE_DATA_FOLDER, else the program's own. */
export function findDataFolder({ env, folderName }: Place): string {
  const own = env.ADDRESS_CONSOLE_DATA_FOLDER;
  if (own !== undefined && own !== '') return own;
  return join(programsData(process.platform, env, homedir()), folderName);
}

/** The folder in which calls are counted: under a policy with caps the user's own and no other. Errors: `policy-forbids`. */
export function findSpendFolder(place: Place, policy: Policy): Result<string> {
  const folder = findDataFolder(place);
  const allowed = checkDataFolder(policy, folder, ownDataFolder(place.folderName));
  return allowed.ok ? ok(folder) : allowed;
}
