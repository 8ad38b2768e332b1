import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CacheMode } from '../../../../shared/domain/call.ts';
import type { Connection, Protocol } from '../../../../shared/domain/connection.ts';
import type { UprnOperation } from '../../../../shared/domain/lookup/lookup.ts';
import { provenanceKey } from '../../../lib/answers/use-provenance.ts';
import type { Account } from '../../../lib/calls/account-key.ts';
import { cachedPremisesQuery, recentPremisesQuery, refreshLocal } from '../../../lib/calls/queries.ts';
import { announce } from '../../../lib/window/announce.ts';
import { askPremise, premiseKey, premises } from '../asks.ts';
import { useLookupState } from '../lookup-state.ts';

/** The premises saved for a connection; none unless `isRead`. `freeIds`: those that open for nothing over its preferred interface. */
export function useCachedPremises({ id, preferredInterface }: Connection) {
  const { data, error, refetch } = useQuery(cachedPremisesQuery(id));
  const freeIds = useMemo(
    () =>
      new Set(data?.premises.filter(({ free }) => free.includes(preferredInterface)).map(({ premiseId }) => premiseId)),
    [data, preferredInterface],
  );
  return { premises: data?.premises ?? [], isRead: data !== undefined, freeIds, error, refetch };
}

async function askOver(
  client: QueryClient,
  connection: Account,
  premiseId: string,
  protocol: Protocol,
  cache: CacheMode,
): ReturnType<typeof askPremise> {
  const connectionId = connection.id;
  const opened = await askPremise(connection, { kind: 'open', connectionId, premiseId, interface: protocol, cache });
  if (opened?.ok === false && opened.error.code === 'not-cached')
    refreshLocal(client, cachedPremisesQuery(connectionId).queryKey, provenanceKey);
  if (!opened?.ok) return opened;
  announce(opened.value.oneLine);
  refreshLocal(client, recentPremisesQuery(connectionId).queryKey);
  return opened;
}

/**
 * Opens a premise that was said to be saved; nothing is sent. The list says over which interface, as it was read last: reading it again may
 * take long, and main knows what is saved now.
 */
export async function askSaved(
  client: QueryClient,
  connection: Account & Pick<Connection, 'preferredInterface'>,
  premiseId: string,
): Promise<void> {
  const listed = await client.ensureQueryData(cachedPremisesQuery(connection.id)).catch(() => null);
  const free = listed?.premises.find((premise) => premise.premiseId === premiseId)?.free ?? [];
  // What is not listed may never have been saved: an earlier call that failed stays, and it is not said that the answer is gone.
  const key = premiseKey(connection, premiseId);
  if (free.length === 0 && premises.read(key).failure) return;
  const { preferredInterface } = connection;
  const ways = free.includes(preferredInterface) || free.length === 0 ? [preferredInterface, ...free] : free;
  for (const protocol of new Set(ways)) {
    const opened = await askOver(client, connection, premiseId, protocol, 'only-if-cached');
    // One that has expired since the list was read says nothing of the other.
    if (opened?.ok !== false || opened.error.code !== 'not-cached') return;
  }
  if (free.length === 0) premises.dismiss(key);
}

interface OpenOptions {
  /** Whether the row said that the answer is saved and free. */
  cachedShown: boolean;
  /** Ask over this interface even though an answer is saved: the button that was pressed named the price. */
  again?: Protocol | undefined;
}

/** Opens premises: what is shown already is shown again, what is saved is free, anything else costs what its row says. */
export function usePremise(connection: Connection) {
  const client = useQueryClient();
  const connectionId = connection.id;
  const [, patch] = useLookupState(connectionId);

  const ask = (premiseId: string, protocol: Protocol, cache: CacheMode) =>
    askOver(client, connection, premiseId, protocol, cache);

  const askUprn = async (premiseId: string, operation: UprnOperation, cache: CacheMode) => {
    const request = { kind: 'uprn', connectionId, premiseId, operation, cache } as const;
    const asked = await askPremise(connection, request);
    if (asked?.ok) announce(asked.value.uprn ? `UPRN ${asked.value.uprn.value}` : 'No UPRN came');
  };

  const open = async (premiseId: string, line: string, { cachedShown, again }: OpenOptions) => {
    patch({ premise: { id: premiseId, line }, activeId: premiseId, pane: 'second' });
    if (again) return void (await ask(premiseId, again, 'reload'));
    const known = premises.read(premiseKey(connection, premiseId));
    // An earlier call that failed does not stand before an answer that was saved meanwhile, as by another window.
    if (known.answer || known.running || (known.failure && !cachedShown)) return;
    if (cachedShown) await askSaved(client, connection, premiseId);
    else await ask(premiseId, connection.preferredInterface, 'default');
  };

  /** Opens a premise over the chosen interface, whose price the button named. */
  const openOver = async (premiseId: string, line: string, protocol: Protocol) => {
    patch({ premise: { id: premiseId, line }, activeId: premiseId, pane: 'second' });
    await ask(premiseId, protocol, 'default');
  };

  return { open, openOver, ask, askUprn };
}
