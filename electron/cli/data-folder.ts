import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ok, type Result } from '../../shared/result.ts';
import { checkDataFolder } from '../core/policy/apply-policy.ts';
import type { Policy } from '../core/policy/policy-schema.ts';
import { ownDataFolder, programsData } from '../platform/data-folder.ts';

/**
 * The folder of the window's database and journal, so that the command line keeps the same ones: ADDRESS_CONSOLE_DATA_FOLDER, else
 * the program's own. The development host, which `npm start` takes where Electron's runtime is not there, has another.
 */
export function findDataFolder(env: NodeJS.ProcessEnv): string {
  const own = env.ADDRESS_CONSOLE_DATA_FOLDER;
  if (own !== undefined && own !== '') return own;
  return join(programsData(process.platform, env, homedir()), programName());
}

function programName(): string {
  const runtime = resolve(import.meta.dirname, '..', '..', 'node_modules', 'electron', 'path.txt');
  return existsSync(runtime) ? 'Address Console' : 'Address Console (development host)';
}

/** The folder in which calls are counted: under a policy with caps the user's own and no other. Errors: `policy-forbids`. */
export function findSpendFolder(env: NodeJS.ProcessEnv, policy: Policy): Result<string> {
  const folder = findDataFolder(env);
  const allowed = checkDataFolder(policy, folder, ownDataFolder(programName()));
  return allowed.ok ? ok(folder) : allowed;
}
