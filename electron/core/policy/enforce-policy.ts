import { capNames } from '../../../shared/domain/credits/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { mapResult, ok, type Result } from '../../../shared/result.ts';
import type { ApiCall, CallContext, Caller } from '../calls/caller.ts';
import type { Connections } from '../connections/connections.ts';
import type { Licences } from '../licences/licences.ts';
import type { CachePolicy, Setting, SettingKey, Settings } from '../settings/settings.ts';
import { type NamedCaps, noCaps } from '../spend/caps.ts';
import type { CapsStore } from '../spend/caps-store.ts';
import type { Transport } from '../transport/transport.ts';
import {
  checkAddress,
  checkCachePolicy,
  checkCaps,
  checkConnection,
  checkLicenceWrite,
  checkOperation,
  tightenCachePolicy,
  tightenCaps,
} from './apply-policy.ts';
import type { Policy } from './policy-schema.ts';

// Parts of the console with a policy in front of them: each has the part's own type, so callers cannot bypass it.

/** Reading returns what applies now; looser values are not written. */
export function settingsWithPolicy(settings: Settings, policy: Policy): Settings {
  return {
    read<K extends SettingKey>(key: K): Result<Setting<K>> {
      const read = settings.read(key);
      if (key !== 'cachePolicy' || !read.ok) return read;
      return ok(tightenCachePolicy(policy, read.value as Setting<'cachePolicy'>) as Setting<K>);
    },
    write<K extends SettingKey>(key: K, value: Setting<K>): Result<void> {
      if (key === 'cachePolicy') {
        const allowed = checkCachePolicy(policy, value as Setting<'cachePolicy'>);
        if (!allowed.ok) return allowed;
      }
      return settings.write(key, value);
    },
  };
}

const quarterOfAnHour = 15 * 60_000;

/**
 * Removes cached answers older than the policy allows: now, for those from before the policy, and every quarter of an hour, for those
 * cached "until the program ends". Returns the function that stops it. `onRemoved` is called when some were removed, which a window may
 * still show.
 */
export function removeOutdated(
  cached: { purge(policy: CachePolicy): Result<number> },
  { heldAnswerHoursMax: most }: Policy,
  { report, onRemoved }: { report(error: AppError): void; onRemoved(): void },
): () => void {
  if (most === undefined) return () => {};
  const remove = () => {
    const removed = cached.purge(most === 0 ? { mode: 'off', amount: 1 } : { mode: 'hours', amount: most });
    if (!removed.ok) report(removed.error);
    else if (removed.value > 0) onRemoved();
  };
  remove();
  const timer = setInterval(remove, quarterOfAnHour);
  timer.unref();
  return () => clearInterval(timer);
}

/** A policy's caps count every paid call of the data folder, whatever its connection is called. */
export function capsWithPolicy(caps: CapsStore, policy: Policy): CapsStore {
  const withFolder = (own: Result<NamedCaps[]>): Result<NamedCaps[]> =>
    own.ok ? ok([...own.value, { ...tightenCaps(policy, noCaps), scope: { kind: 'folder' } }]) : own;
  return {
    ...caps,
    rules: (connectionId) => withFolder(caps.rules(connectionId)),
    inForce: (connectionId, fingerprint) => withFolder(caps.inForce(connectionId, fingerprint)),
    read: (connectionId) => mapResult(caps.read(connectionId), (own) => tightenCaps(policy, own)),
    write: (connectionId, changes) => {
      const own = caps.read(connectionId);
      if (!own.ok) return own;
      const shown = tightenCaps(policy, own.value);
      // A value set by the policy and saved as it was shown does not become the person's own cap.
      const kept = Object.fromEntries(
        capNames.flatMap((name) => {
          const value = changes[name];
          return value === undefined || value === shown[name] ? [] : [[name, value]];
        }),
      );
      const allowed = checkCaps(policy, { ...shown, ...kept });
      return allowed.ok ? caps.write(connectionId, kept) : allowed;
    },
  };
}

/** Connections of which none can be saved with an address that the policy forbids. */
export function connectionsWithPolicy(connections: Connections, policy: Policy): Connections {
  return {
    ...connections,
    add: (draft) => {
      const allowed = checkConnection(policy, draft);
      return allowed.ok ? connections.add(draft) : allowed;
    },
    update: async (id, draft) => {
      const allowed = checkConnection(policy, draft);
      return allowed.ok ? connections.update(id, draft) : allowed;
    },
  };
}

/** Refused before a secret is read from the keychain, and before the call log and the ledger know of it. */
export function withPolicy(caller: Caller, policy: Policy): Caller {
  return {
    ...caller,
    async execute<T>(apiCall: ApiCall<T>, context?: CallContext) {
      const allowed = checkConnection(policy, apiCall.connection);
      if (!allowed.ok) return allowed;
      const may = checkOperation(policy, apiCall.interface, apiCall.operation);
      return may.ok ? caller.execute(apiCall, context) : may;
    },
  };
}

/** The last check: whatever asked for it, no socket is opened to an address that the policy does not allow. */
export function transportWithPolicy(send: Transport, policy: Policy, demoOrigin: () => string | null): Transport {
  return async (request) => {
    const allowed = checkAddress(policy, request.url, demoOrigin());
    return allowed.ok ? send(request) : allowed;
  };
}

/** Looking, checking the result of an unfinished change and dismissing it stay allowed: none of them writes to the service. */
export function licencesWithPolicy(licences: Licences, policy: Policy): Licences {
  const allowed = checkLicenceWrite(policy);
  if (allowed.ok) return licences;
  return {
    ...licences,
    plan: async () => allowed,
    run: async () => allowed,
    beginUnverified: () => allowed,
    planBulk: async () => allowed,
    runBulk: async () => allowed,
    resume: async (changeId, resumption, context) =>
      resumption.action === 'finish' || resumption.action === 'undo'
        ? allowed
        : licences.resume(changeId, resumption, context),
  };
}
