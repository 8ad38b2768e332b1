import { homedir } from 'node:os';
import { join } from 'node:path';
import { ok, type Result } from '../../shared/result.ts';
import { checkDataFolder } from '../core/policy/apply-policy.ts';
import type { Policy } from '../core/policy/policy-schema.ts';
import { ownDataFolder, programsData } from '../platform/data-folder.ts';
import type { Surroundings } from './surroundings.ts';

type Place = Pick<Surroundings, 'env' | 'folderName'>;

/** The folder of the window's database and journal, which the command line shares: ADDRESS_CONSOLE_DATA_FOLDER if set, otherwise the program's default. */
export function findDataFolder({ env, folderName }: Place): string {
  const own = env.ADDRESS_CONSOLE_DATA_FOLDER;
  if (own !== undefined && own !== '') return own;
  return join(programsData(process.platform, env, homedir()), folderName);
}

/** The folder in which calls are entered. Under a policy with caps it must be the program's default, or another folder would avoid them. Errors: `policy-forbids`. */
export function findSpendFolder(place: Place, policy: Policy): Result<string> {
  const folder = findDataFolder(place);
  const allowed = checkDataFolder(policy, folder, ownDataFolder(place.folderName));
  return allowed.ok ? ok(folder) : allowed;
}
