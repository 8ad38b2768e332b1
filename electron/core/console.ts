import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventName, EventPayload } from '../../shared/contract.ts';

import type { Connection } from '../../shared/domain/connection.ts';
import type { JournalCheck } from '../../shared/domain/licence.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { createDemoLauncher } from '../platform/demo-service.ts';
import type { DetectedKeychain } from '../platform/keychain.ts';
import type { Logger } from '../platform/logger.ts';
import { detectKeychain } from '../platform/system-keychain.ts';
import { createActivityLog } from './activity/activity-log.ts';
import { createCaller } from './calls/caller.ts';
import { createClients } from './calls/clients.ts';
import { createDescriptions } from './calls/descriptions.ts';
import { createConnections } from './connections/connections.ts';
import { createDemo } from './connections/demo.ts';
import { createProfiles } from './connections/profiles.ts';
import { createSecrets } from './connections/secrets.ts';
import { createBalances } from './credits/balances.ts';
import { createCapsStore } from './credits/caps-store.ts';
import { createCredits } from './credits/credits.ts';
import { createLedger } from './credits/ledger.ts';
import { createLicences } from './licences/licences.ts';
import { createAnswers, type KnownAnswer } from './lookup/answers.ts';
import { createAskOnce } from './lookup/ask-once.ts';
import { createLookup } from './lookup/lookup.ts';
import { createShapeWatch } from './lookup/shape-watch.ts';
import type { CheckAddressParts } from './network/check-address.ts';
import { createNetwork } from './network/network.ts';
import { createOperations } from './operations/operations.ts';
import { checkAddress, checkConnection, checkExport } from './policy/apply-policy.ts';
import {
  holdCaller,
  holdCaps,
  holdConnections,
  holdLicences,
  holdSettings,
  holdTransport,
  removeOutdated,
} from './policy/hold-to-policy.ts';
import { heldNames, type MachinePolicy } from './policy/read-policy.ts';
import { createSettings } from './settings/settings.ts';
import { createDecoder } from './soap/decoder.ts';
import { openDatabase } from './storage/database.ts';
import { openHeldAnswers } from './storage/held-answers.ts';
import { openServiceDescriptions } from './storage/service-descriptions.ts';
import { createHttpTransport } from './transport/http-transport.ts';
import { createConsoleUpdates, noUpdates, type UpdateHost } from './updates/console-updates.ts';

export interface ConsoleOptions {
  folder: string;
  emit<E extends EventName>(event: E, payload: EventPayload<E>): void;
  logger: Logger;
  /** The system's answer about its proxy in PAC form ("PROXY host:port; DIRECT"); null: it has none. */
  proxyFor(url: URL): Promise<string | null>;
  /** What an administrator has set for this computer (platform/policy-file). */
  policy: MachinePolicy;
  machineName: string;
  userName: string;
  /** Somebody can see a window now. */
  isShown?(): boolean;
  /** Shows a notice of the system; false: there are none here. */
  showNotice?(title: string, body: string): boolean;
  /** The program and its place, for updates; left out: a run for development, which has none. */
  updates?: UpdateHost;
  /** Time; the system's unless given, so that days can pass in a test. */
  clock?: Clock;
  /** Quiet time after a spend before its balance is read by itself (core/credits/balance-reader). */
  settleDelayMs?: number;
  /** Where secrets are kept; the system's keychain unless given. */
  keychain?: DetectedKeychain;
  /** Entry files of the workers; the build puts them beside main. */
  demoWorker: string;
  decodeWorker: string;
}

export type Console = Extract<Awaited<ReturnType<typeof createConsole>>, { ok: true }>['value'];

/** Puts the parts together, from the outside in: storage, keychain, network, the calling desk, then what stands on it. */
export async function createConsole(options: ConsoleOptions) {
  const { folder, emit, machineName, userName } = options;
  const { policy } = options.policy;
  const clock = options.clock ?? systemClock;
  const opened = openDatabase({ folder, clock });
  if (!opened.ok) return opened;
  const db = opened.value;
  const settings = holdSettings(createSettings(db), policy);
  const { keychain, missing } = options.keychain ?? (await detectKeychain());

  const launcher = createDemoLauncher({
    worker: options.demoWorker,
    folder: join(folder, 'demo'),
    ...premisesFromEnvironment(),
  });
  const secrets = createSecrets({ db, keychain, clock, demoSecrets: () => launcher.running()?.demo });
  const connections = holdConnections(createConnections({ db, secrets, clock }), policy);
  const demo = createDemo(connections, launcher);
  const profileFor = createProfiles({ connections, secrets, demoSecrets: () => launcher.running()?.demo });

  const network = createNetwork({
    settings,
    policy: options.policy,
    keychain,
    clock,
    askSystem: options.proxyFor,
    onChange: () => transport.renew(),
  });
  const { routeFor, signInFor, trust } = network;
  const transport = createHttpTransport({ proxyFor: async (url) => (await routeFor(url)).proxy, trust, signInFor });
  const demoOrigin = (): string | null => {
    const running = launcher.running();
    return running ? new URL(running.restBaseUrl).origin : null;
  };
  const send = holdTransport(transport.send, policy, demoOrigin);
  /** What a look at the way to an address needs: what a call has, and no more. */
  const checkParts: CheckAddressParts = {
    routeFor,
    probe: transport.probe,
    checkAddress: (url) => checkAddress(policy, url, demoOrigin()),
  };
  const decoder = createDecoder({ workerPath: options.decodeWorker });
  const timeoutMs = (): number => {
    const seconds = settings.read('timeoutSeconds');
    return (seconds.ok ? seconds.value : 30) * 1000;
  };
  const descriptions = createDescriptions(openServiceDescriptions(db), send, timeoutMs);

  const log = createActivityLog(db, clock);
  const ledger = createLedger(db, clock);
  const caps = holdCaps(createCapsStore(db), policy);
  const balances = createBalances(db, clock);
  let callsRunning = 0;
  const desk = createCaller({
    connections,
    secrets,
    // A demo connection chosen in an earlier run starts its service with the first call.
    profileFor: async (connectionId, roles, keyLabel) => {
      const ready = await demo.ensureRunning(connectionId);
      return ready.ok ? profileFor(connectionId, roles, keyLabel) : ready;
    },
    log,
    ledger,
    caps,
    balances,
    clock,
    onRunning: (calls) => {
      callsRunning = calls.length;
      emit('calls.running', calls);
    },
    onSpent: (connectionId, face) => {
      emit('credits.spent', { connectionId });
      reader.readAfterSpend(connectionId, face);
    },
  });
  const caller = holdCaller(desk, connections, policy);
  const clients = createClients({
    caller,
    descriptions,
    transport: send,
    decoder,
    timeoutMs,
  });
  const credits = createCredits({
    db,
    clock,
    connections,
    clients,
    caller,
    balances,
    ledger,
    log,
    lookupKeys: (connectionId) => {
      const handles = secrets.list(connectionId);
      const keys = handles.ok ? handles.value.filter(({ role }) => role === 'lookup-key') : [];
      return keys.sort((a, b) => Number(b.preferred) - Number(a.preferred)).map(({ label }) => label);
    },
    lastLicences: (connectionId) => licences.lastSeen(connectionId),
    selected: () => {
      const chosen = settings.read('selectedConnectionId');
      return chosen.ok ? chosen.value : null;
    },
    isShown: options.isShown ?? (() => true),
    showNotice: options.showNotice ?? (() => false),
    emit,
    ...(options.settleDelayMs === undefined ? {} : { settleDelayMs: options.settleDelayMs }),
  });
  const { reader } = credits;
  const held = openHeldAnswers(db, clock, {
    totalBytes: () => {
      const megabytes = settings.read('heldMegabytes');
      return (megabytes.ok ? megabytes.value : 64) * 1_000_000;
    },
  });
  const stopRemoving = removeOutdated(held, policy, ({ code }) => options.logger.error(`held answers: ${code}`, null));
  const answers = createAnswers(held, settings);
  // What is past its time is gone at the start, not only hidden: a licence of the data may ask for it.
  answers.remove('outdated');
  const once = createAskOnce<KnownAnswer>();
  const lookup = createLookup({
    connections,
    clients,
    answers,
    shapes: createShapeWatch(settings, clock),
    ledger,
    log,
    once,
  });
  const operations = createOperations({
    db,
    clock,
    connections,
    secrets,
    profileFor,
    clients,
    descriptions,
    answers,
    once,
    lookup,
    decoder,
    ledger,
    log,
  });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ownLicences = createLicences({
    db,
    clock,
    connections,
    clients,
    machineName,
    userName,
    folder,
    onChange: (change) => emit('licences.change', change),
    onScan: (progress) => emit('machines.scan-progress', progress),
    onBulk: (progress) => emit('bulk.progress', progress),
  });
  const licences = holdLicences(ownLicences, policy);
  /** Expiries within their lead time, once each: at the start and every hour, for a program that is left open. */
  const remind = (): void => {
    const notices = licences.takeNotices();
    if (notices.ok && notices.value.length > 0)
      options.showNotice?.('Licences', `${notices.value.slice(0, 5).join('. ')}.`);
  };
  const reminding = setInterval(remind, 60 * 60 * 1000);
  const unfinished = licences.unfinished();
  if (!unfinished.ok) return fail(unfinished.error);
  const updates = createConsoleUpdates({
    host: options.updates ?? noUpdates,
    policy,
    settings,
    clock,
    openLine: transport.openLine,
    isBusy: () => {
      const changes = licences.unfinished();
      return callsRunning > 0 || !changes.ok || changes.value.some(({ state }) => state === 'running');
    },
    onChange: (state) => emit('updates.changed', state),
  });

  /** What was mended at the start, for the window to say. */
  const startNotices = [
    ...options.policy.notices,
    ...(db.recovery
      ? [
          db.recovery.backupAt === null
            ? 'The program’s database was damaged and no copy was found, so a new one was started. The damaged file is kept.'
            : `The program’s database was damaged. The copy of ${db.recovery.backupAt.slice(0, 16).replace('T', ' ')} UTC was opened; the damaged file is kept. What was done after that is in the damaged file alone.`,
          ...journalNotice(licences.checkJournal()),
        ]
      : []),
    ...(missing
      ? ['This computer has no keychain that answers, so keys are kept in memory and are gone when the program ends.']
      : []),
  ];

  /** The balance chip should not be empty: one free reading of the connection in use, unseen. Failing is no news here. */
  async function readFirstBalance(connectionId: string): Promise<void> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return;
    const started = await demo.ensureRunning(connectionId);
    if (started.ok && connection.value.kind === 'demo') emit('connections.changed', {});
    if (started.ok && connection.value.restBaseUrl !== '') await reader.read(connectionId, 'rest-key');
  }
  const selected = settings.read('selectedConnectionId');
  remind();
  if (selected.ok && selected.value !== null) void readFirstBalance(selected.value);

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
      held: heldNames(options.policy),
      checkConnection: (connection: Connection) => checkConnection(policy, connection),
      checkExport: () => checkExport(policy),
    },
    log,
    ledger,
    caps,
    balances,
    reader,
    credits,
    lookup,
    operations,
    licences,
    updates,
    startNotices,
    runningCalls: desk.running,
    /** The window's process ended, and it is started again: it then says so. */
    noteCrash(): void {
      const words =
        'The window ended unexpectedly and was started again. What was typed is here; calls went on and stand in Activity.';
      if (!startNotices.includes(words)) startNotices.push(words);
    },
    readFirstBalance,
    machineName,
    userName,
    emit,
    /** Gives what is left to do when everything else has ended: handing over to a newer version's installer; null: nothing. */
    async close(): Promise<(() => boolean) | null> {
      const handOver = updates.close();
      credits.close();
      stopRemoving();
      clearInterval(reminding);
      licences.close();
      await Promise.allSettled([transport.close(), decoder.close(), launcher.stop(), desk.ended()]);
      db.close();
      return handOver;
    },
  });
}

/** A copy may be older than the journal's own count beside it: then licences were changed that it knows nothing of. */
function journalNotice(check: Result<JournalCheck>): string[] {
  if (check.ok && check.value.intact) return [];
  return [
    'The licence journal in it is not whole: changes made after the copy are missing. Read the machines again before changing licences, and see Licences, Journal.',
  ];
}

/** Fewer premises make the tests' demo service start faster. */
function premisesFromEnvironment(): { premises?: number } {
  const premises = Number(process.env.ADDRESS_CONSOLE_DEMO_PREMISES);
  return Number.isInteger(premises) && premises > 0 ? { premises } : {};
}
