import type { GivenField, SavedLookup } from '../../../shared/contract/operations.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isSecretField } from '../../../shared/secret-fields.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { openOperationsRepository } from '../storage/operations-repository.ts';

const day = 24 * 60 * 60 * 1000;

export interface NewLookup {
  name: string;
  folder: string;
  operation: string;
  dataset: boolean;
  fields: readonly GivenField[];
}

const refuse = (message: string, field?: string) =>
  fail(appError('bad-input', { message, field, charge: 'not-applicable' }));
const gone = () => refuse('This lookup is no longer saved.');

/**
 * Named lookups, in folders; they belong to this console and not to one connection. They hold no secret. Errors: 'bad-input',
 * 'storage-failed'.
 */
export function createSavedLookups(db: Database, clock: Clock) {
  const rows = openOperationsRepository(db.sql);

  const checkName = (name: string, folder: string, id: string): Result<void> =>
    rows.isTaken(name, folder, id)
      ? refuse(
          folder === ''
            ? `There is a saved lookup “${name}” already.`
            : `There is a saved lookup “${name}” in “${folder}” already.`,
          'name',
        )
      : ok(undefined);

  function found(id: string): Result<SavedLookup> {
    const lookup = rows.findSaved(id);
    return lookup ? ok(lookup) : gone();
  }

  return {
    list: (): Result<SavedLookup[]> => attempt(() => rows.listSaved()),

    save(lookup: NewLookup): Result<SavedLookup> {
      if (lookup.fields.some(({ name }) => isSecretField(name)))
        return refuse('A key is not saved with a lookup: it comes from the connection.');
      return db.transaction(() => {
        const free = checkName(lookup.name, lookup.folder, '');
        if (!free.ok) return free;
        const made: SavedLookup = {
          ...lookup,
          id: crypto.randomUUID(),
          fields: lookup.fields.map(({ name, values }) => ({ name, values: [...values] })),
          createdAt: isoNow(clock),
        };
        rows.insertSaved(made);
        return ok(made);
      });
    },

    rename: (id: string, name: string, folder: string): Result<SavedLookup> =>
      db.transaction(() => {
        const free = checkName(name, folder, id);
        if (!free.ok) return free;
        return rows.rename(id, name, folder) ? found(id) : gone();
      }),

    /** It can be restored with `restore` until another one is removed a day later. */
    remove: (id: string): Result<void> =>
      db.transaction(() => {
        rows.forgetRemoved(new Date(clock.now() - day).toISOString());
        return rows.remove(id, isoNow(clock)) ? ok(undefined) : gone();
      }),

    restore: (id: string): Result<SavedLookup> =>
      db.transaction(() => {
        const lookup = found(id);
        if (!lookup.ok) return lookup;
        const free = checkName(lookup.value.name, lookup.value.folder, id);
        if (!free.ok) return free;
        return rows.restore(id) ? lookup : gone();
      }),
  };
}
