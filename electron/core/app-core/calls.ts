import {
  addressOf,
  type Connection,
  type Protocol,
  protocolNames,
  type SecretRole,
} from '../../../shared/domain/connection.ts';
import type { LicenceList } from '../../../shared/domain/licences/licence.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { createActivityLog } from '../activity/activity-log.ts';
import { createCaller } from '../calls/caller.ts';
import { createClients } from '../calls/clients.ts';
import { createBalances } from '../credits/balances.ts';
import { createCredits } from '../credits/credits.ts';
import { capsWithPolicy, withPolicy } from '../policy/enforce-policy.ts';
import { readOrDefault } from '../settings/settings.ts';
import { createCapsStore } from '../spend/caps-store.ts';
import { createLedger } from '../spend/ledger.ts';
import { serversOf } from '../spend/origins.ts';
import { openFingerprints } from '../storage/fingerprints.ts';
import type { Servers } from '../storage/servers.ts';
import { createExchanges } from '../support/exchanges.ts';
import type { ConnectionParts } from './connections.ts';
import type { BaseParts } from './options.ts';
import type { WayOut } from './way-out.ts';

export type CallParts = ReturnType<typeof buildCalls>;

/**
 * The caller with the books it writes, and the credits read from them: a call tells the credits what it has spent, and the credits
 * read a balance with a call. `callerWithoutPolicy` only says what runs; calls go through `clients`.
 */
export function buildCalls(
  { options, db, clock, settings }: BaseParts,
  { connections, secrets, profileFor, demo }: ConnectionParts,
  { send, decoder, timeoutMs, descriptions }: WayOut,
  lastLicences: (connectionId: string) => Result<{ list: LicenceList }>,
) {
  const { emit } = options;
  const { policy } = options.policy;
  const log = createActivityLog(db, clock, { person: options.userName, source: 'window' });
  const ledger = createLedger(db, clock);
  const caps = capsWithPolicy(createCapsStore(db, { person: options.userName, clock }), policy);
  const serversFor = (connectionId: string): Servers => {
    const connection = connections.find(connectionId);
    return connection.ok ? serversOf(connection.value) : { rest: '', soap: '' };
  };
  const balances = createBalances(db, clock, ledger, serversFor);
  const callerWithoutPolicy = createCaller({
    // A demo connection chosen in an earlier run starts its service at the first call.
    profileFor: async (connection, roles, keyLabel, protocol) => {
      const ready = await demo.ensureRunning(connection);
      if (!ready.ok) return ready;
      const profile = await profileFor(ready.value, roles, keyLabel);
      if (!profile.ok || profile.value.keys?.length === 0) return profile;
      const moved = findMoved(ready.value, connections.find(connection.id), protocol);
      return moved ? fail(moved) : profile;
    },
    log,
    ledger,
    caps,
    fingerprint: openFingerprints(db.sql).of,
    clock,
    beforeSpend: (connectionId) => credits.reader.cutRun(connectionId),
    onRunning: (calls) => emit('calls.running', calls),
    onSpent: (connection, paidBy) => {
      emit('credits.spent', { connectionId: connection.id });
      credits.reader.readAfterSpend(connection, paidBy);
    },
  });
  const caller = withPolicy(callerWithoutPolicy, policy);
  const exchanges = createExchanges();
  const clients = createClients({
    caller,
    descriptions,
    transport: send,
    decoder,
    timeoutMs,
    onExchange: exchanges.note,
  });
  /** Of the keys of a role, the preferred one first. */
  const labelsOf = (connection: Connection | string, role: SecretRole): string[] => {
    const handles = secrets.list(connection);
    const keys = handles.ok ? handles.value.filter((one) => one.role === role) : [];
    return keys.sort((a, b) => Number(b.preferred) - Number(a.preferred)).map(({ label }) => label);
  };
  const credits = createCredits({
    db,
    clock,
    connections,
    serversFor,
    clients,
    caller,
    balances,
    ledger,
    lookupKeys: (connection) => labelsOf(connection, 'lookup-key'),
    masterKey: (connectionId) => labelsOf(connectionId, 'master-key')[0],
    lastLicences,
    selected: () => readOrDefault(settings, 'selectedConnectionId'),
    isShown: options.isShown ?? (() => true),
    showNotice: options.showNotice ?? (async () => false),
    emit,
    readDelayMs: options.readDelayMs,
    demoDays: options.demoDays,
  });
  return { log, ledger, caps, balances, callerWithoutPolicy, clients, credits, exchanges };
}

/**
 * Why keys that were just read may not go where a call leads: the connection was given another address, and perhaps that one's keys, after
 * the call, or the work that it is part of, had taken its settings. Errors: `wrong-origin`, and those of `now`.
 */
function findMoved(then: Connection, now: Result<Connection>, protocol: Protocol): AppError | null {
  if (!now.ok) return now.error;
  const [before, after] = [then, now.value].map((one) => addressOf(one, protocol) || 'none');
  if (then.kind === 'demo' || before === after) return null;
  return appError('wrong-origin', {
    message: `The connection’s ${protocolNames[protocol]} address was changed meanwhile: this would have gone to ${before}, and the connection now has ${after}.`,
    next: 'Begin again, or first set the address back under Connections.',
  });
}
