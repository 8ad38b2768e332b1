import type { Connection } from '../../shared/domain/connection.ts';
import { fail, ok } from '../../shared/result.ts';
import { buildBatches } from './app-core/batches.ts';
import { buildCalls } from './app-core/calls.ts';
import { buildConnections } from './app-core/connections.ts';
import { buildLicences } from './app-core/licences.ts';
import { buildLookup } from './app-core/lookup.ts';
import type { BaseParts, CoreOptions } from './app-core/options.ts';
import { listStartNotices } from './app-core/start-notices.ts';
import { buildWayOut } from './app-core/way-out.ts';
import { createClipboardMark } from './licences/clipboard-mark.ts';
import { savedSubjects } from './lookup/saved-subjects.ts';
import { checkConnection, checkExport } from './policy/apply-policy.ts';
import { settingsWithPolicy } from './policy/enforce-policy.ts';
import { lockedNames } from './policy/read-policy.ts';
import { createSettings, readOrDefault } from './settings/settings.ts';
import { createSetup } from './setup/setup.ts';
import { openDatabase } from './storage/database/database.ts';
import { attempt } from './storage/database/errors.ts';
import { watchOtherWriters } from './storage/database/other-writers.ts';
import { createSupport } from './support/support.ts';
import { createProgramUpdates, noUpdates } from './updates/program-updates.ts';
import type { HandedOver } from './updates/update-engine.ts';
import { createMeasure } from './upkeep/measure.ts';
import { createUpkeep } from './upkeep/upkeep.ts';

/** How often main looks for what a command has written. A batch run by a command writes ten times a second. */
const otherWriterMs = 2000;

export type AppCore = Extract<Awaited<ReturnType<typeof createCore>>, { ok: true }>['value'];

/** Puts the parts together, from the outside in: storage, keychain, network, the caller, then what uses it. */
export async function createCore(options: CoreOptions) {
  const { folder, clock, emit, machineName, userName } = options;
  const { policy } = options.policy;
  const opened = openDatabase({ folder, clock });
  if (!opened.ok) return opened;
  const db = opened.value;
  const settings = settingsWithPolicy(createSettings(db), policy);
  const { keychain, missing } = options.keychain;
  const base: BaseParts = { options, db, clock, settings, keychain };

  const connecting = buildConnections(base);
  const wayOut = buildWayOut(base, connecting);
  const calls = buildCalls(base, connecting, wayOut, (connectionId) => licences.lastSeen(connectionId));
  const asking = buildLookup(base, connecting, wayOut, calls);
  const batches = buildBatches(base, connecting, calls, asking.lookup);
  const licensing = buildLicences(base, connecting, calls);

  const upkeep = createUpkeep({
    db,
    clock,
    logger: options.logger,
    removeAnswers: asking.lookup.answers.removeSome,
    removeBatches: batches.purge,
    measure: createMeasure(options.sizesWorker, folder),
    onRemoved: () => emit('storage.changed', {}),
  });

  const { connections, secrets, demo } = connecting;
  // Not awaited: a keychain that shows its prompt must not hold the start.
  void secrets.clearOrphans();
  const { network, checkParts, descriptions } = wayOut;
  const { log, ledger, caps, balances, callerWithoutPolicy, credits, exchanges } = calls;
  const { lookup, operations } = asking;
  const { licences } = licensing;
  const support = createSupport({
    db,
    clock,
    log,
    ledger,
    balances,
    exchanges,
    descriptions,
    connections,
    machineName,
    userName,
  });
  const setup = createSetup({ db, clock, settings, policy, userName, findTyped: secrets.findTyped });
  const { reader } = credits;

  const unfinished = licences.unfinished();
  if (!unfinished.ok) return fail(unfinished.error);
  const updates = createProgramUpdates({
    host: options.updates ?? noUpdates,
    policy,
    settings,
    clock,
    connect: wayOut.connect,
    isBusy: () => {
      const changes = licences.unfinished();
      return (
        callerWithoutPolicy.running().length > 0 ||
        batches.isAnyRunning() ||
        !changes.ok ||
        changes.value.some(({ state }) => state === 'running')
      );
    },
    isCommandAlive: () => {
      const alive = attempt(() => db.isAnotherRunAlive());
      return !alive.ok || alive.value;
    },
    onChange: (state) => emit('updates.changed', state),
  });
  const startNotices = listStartNotices({
    policyNotices: options.policy.notices,
    recovery: db.recovery,
    copyFailure: db.copyFailure,
    checkJournal: () => licences.checkJournal(),
    keychainMissing: missing !== null,
  });

  /**
   * The balance chip should not be empty: one free reading of the connection in use, shown nowhere. Errors are ignored: the chip then stays
   * empty.
   */
  async function readFirstBalance(connectionId: string): Promise<void> {
    const started = await demo.findRunning(connectionId);
    if (!started.ok) return;
    if (started.value.kind === 'demo') emit('connections.changed', {});
    if (started.value.restBaseUrl !== '') await reader.read(connectionId, 'rest-key');
  }
  const selected = readOrDefault(settings, 'selectedConnectionId');
  void licensing.remind();
  licensing.readAtStart();
  void batches.purge();
  upkeep.start();
  batches.goOn();
  const stopWatching = watchOtherWriters(db.sql, otherWriterMs, () => {
    licensing.lookElsewhere();
    emit('storage.changed', {});
  });
  if (selected !== null) void readFirstBalance(selected);

  return ok({
    settings,
    secrets,
    connections,
    demo,
    descriptions,
    network,
    checkParts,
    policy: {
      source: options.policy.source,
      locked: lockedNames(options.policy),
      checkConnection: (connection: Connection) => checkConnection(policy, connection),
      checkExport: (way?: 'file' | 'print') => checkExport(policy, way),
    },
    log,
    ledger,
    caps,
    balances,
    reader,
    credits,
    lookup,
    operations,
    batches,
    licences,
    setup,
    support,
    upkeep,
    updates,
    clipboardMark: createClipboardMark(db.sql, settings),
    startNotices,
    /** A window has them: what was recovered is not said again at the next start. */
    startNoticesShown: db.recoveryShown,
    runningCalls: callerWithoutPolicy.running,
    savedSubjects: (connectionId: string | null) => {
      const all = connections.list();
      const ids = connectionId !== null ? [connectionId] : all.ok ? all.value.map(({ id }) => id) : [];
      return savedSubjects(lookup.answers, ids);
    },
    readFirstBalance,
    machineName,
    userName,
    emit,
    /** Returns what is left to do when everything else has ended: handing over to a newer version's installer; null: nothing. */
    async close(): Promise<((startedAgain: boolean) => HandedOver) | null> {
      const handOver = updates.close();
      stopWatching();
      credits.close();
      await upkeep.close();
      asking.close();
      licensing.close();
      await batches.close();
      await Promise.allSettled([wayOut.close(), connecting.close(), callerWithoutPolicy.ended()]);
      callerWithoutPolicy.writeEnds();
      db.close();
      return handOver;
    },
  });
}
