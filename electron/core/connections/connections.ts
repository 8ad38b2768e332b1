import type { z } from 'zod';
import { type Connection, type ConnectionDraft, connectionDraftSchema } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import { badInput } from '../bad-input.ts';
import { createMutex } from '../concurrency/mutex.ts';
import { openConnectionsRepository } from '../storage/connections-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { checkServiceAddress } from './check-service-address.ts';
import type { MovedEntries } from './move-entries.ts';
import type { Secrets } from './secrets.ts';

function checkDraft(draft: ConnectionDraft): Result<ConnectionDraft> {
  const checked = connectionDraftSchema.safeParse(draft);
  if (!checked.success) {
    const issue: z.core.$ZodIssue | undefined = checked.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    return badInput(field, `The setting “${field}” is not usable: ${issue?.message ?? 'it does not fit'}.`);
  }
  // The name becomes part of a keychain entry's name, which people read in a list.
  if (/\p{Cc}/u.test(checked.data.name))
    return badInput('name', 'The name contains a line break or a control character.');
  for (const field of ['restBaseUrl', 'soapUrl'] as const) {
    const usable = checkServiceAddress(checked.data[field]);
    if (!usable.ok) return fail({ ...usable.error, field, charge: 'not-applicable', money: 'No call was made.' });
  }
  return ok(checked.data);
}

export interface UpdatedConnection {
  connection: Connection;
  /** What a new name moved in the keychain; null: the name is the same. */
  secrets: MovedEntries | null;
}

export type Connections = ReturnType<typeof createConnections>;

/**
 * Connections as the user sets them up. Errors: `bad-input` and, for an address, `wrong-origin` and `insecure-address`, all with the field;
 * `no-connection`, `storage-failed`, `keychain-…`.
 */
export function createConnections(parts: { db: Database; secrets: Secrets; clock: Clock }) {
  const { db, secrets, clock } = parts;
  const rows = openConnectionsRepository(db.sql);

  function find(id: string): Result<Connection> {
    const found = attempt(() => rows.find(id));
    if (!found.ok) return found;
    return found.value ? ok(found.value) : fail(appError('no-connection', { charge: 'not-applicable' }));
  }

  function checkName(draft: ConnectionDraft, ownId: string | null): Result<void> {
    const other = attempt(() => rows.findAlike(draft.name));
    if (!other.ok) return other;
    if (!other.value || other.value.id === ownId) return ok(undefined);
    return badInput('name', `There is already a connection called “${other.value.name}”.`);
  }

  /** By name. */
  const list = (): Result<Connection[]> => attempt(() => rows.list());

  function add(input: ConnectionDraft): Result<Connection> {
    const draft = checkDraft(input);
    if (!draft.ok) return draft;
    const free = checkName(draft.value, null);
    if (!free.ok) return free;
    return attempt(() => {
      const connection = { ...draft.value, id: crypto.randomUUID() };
      rows.insert(connection.id, draft.value, isoNow(clock));
      return connection;
    });
  }

  /** Stores the settings. A new name first moves the connection's secrets; if that fails, nothing has changed. */
  async function update(id: string, input: ConnectionDraft): Promise<Result<UpdatedConnection>> {
    const before = find(id);
    if (!before.ok) return before;
    const draft = checkDraft(input);
    if (!draft.ok) return draft;
    const free = checkName(draft.value, id);
    if (!free.ok) return free;
    if ((before.value.kind === 'demo') !== (draft.value.kind === 'demo')) {
      return badInput('kind', 'A demo connection stays one, and others do not become one: their credentials differ.');
    }
    const save = () => attempt(() => rows.update(id, draft.value, isoNow(clock)));
    const connection = { ...draft.value, id };
    if (before.value.name === draft.value.name) {
      const saved = save();
      return saved.ok ? ok({ connection, secrets: null }) : saved;
    }
    const moved = await secrets.rename(before.value, draft.value.name, save);
    return moved.ok ? ok({ connection, secrets: moved.value }) : moved;
  }

  /**
   * Removes the secrets, then the connection together with what `forget` removes of it, which may throw. Calls, ledger and readings stay:
   * they say what was spent.
   */
  async function remove(id: string, forget: () => void): Promise<Result<{ secretsRemoved: number }>> {
    const found = find(id);
    if (!found.ok) return found;
    const removed = await secrets.removeAll(id);
    if (!removed.ok) return removed;
    const gone = db.transaction(() => {
      forget();
      rows.remove(id);
      return ok(undefined);
    });
    return gone.ok ? ok({ secretsRemoved: removed.value }) : gone;
  }

  // One at a time: what is changed is read first, and renaming waits for the keychain.
  const mutex = createMutex();
  return { list, find, add, update: mutex(update), remove: mutex(remove) };
}
