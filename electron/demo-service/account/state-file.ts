import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Licence } from './licence-seed.ts';

/** The part of the account's state that survives a restart. */
export interface AccountState {
  seed: number;
  credits: number;
  used: number;
  /** Days since 1970. */
  expires: number;
  /** `credits` null: the key uses the account's. */
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

/**
 * The saved state, or undefined if none has been saved yet. Throws an Error for a file that is unreadable or of another seed: starting afresh
 * would overwrite it.
 */
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

/** Writes a whole new file and renames it over the old one, so that a kill leaves either the old or the new state. */
export function writeState(path: string, state: AccountState): void {
  if (path === '') return;
  const next = `${path}.next`;
  writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
  renameSync(next, path);
}
