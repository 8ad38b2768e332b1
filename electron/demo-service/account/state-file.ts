import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Licence } from './licence-seed.ts';

/** What of the account outlives a restart. */
export interface AccountState {
  seed: number;
  credits: number;
  used: number;
  expires: number;
  keys: { label: string; credits: number | null; used: number }[];
  licences: Pick<Licence, 'number' | 'expires' | 'credits' | 'used' | 'suspended' | 'machines'>[];
}

const stateSchema = z.strictObject({
  seed: z.int(),
  credits: z.int(),
  used: z.int(),
  expires: z.int(),
  keys: z.array(z.strictObject({ label: z.string(), credits: z.int().nullable(), used: z.int() })),
  licences: z.array(
    z.strictObject({
      number: z.int(),
      expires: z.union([z.int(), z.string()]),
      credits: z.union([z.int(), z.literal(''), z.literal('Unlimited')]),
      used: z.int(),
      suspended: z.boolean(),
      machines: z.array(z.string()),
    }),
  ),
});

/** The kept state, or undefined where none is kept yet. A file that is unreadable or of another seed is an Error, not a fresh start. */
export function readState(path: string, seed: number): AccountState | undefined {
  if (path === '' || !existsSync(path)) return undefined;
  let state: AccountState;
  try {
    state = stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new Error('The state file is not one of this service; remove it or name another.');
  }
  if (state.seed !== seed)
    throw new Error(`The state file belongs to seed ${state.seed}; name another or use that seed.`);
  return state;
}

/** Written whole beside the file and moved over it, so that a kill leaves the old or the new state. */
export function writeState(path: string, state: AccountState): void {
  if (path === '') return;
  const next = `${path}.next`;
  writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
  renameSync(next, path);
}
