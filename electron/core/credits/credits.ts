import type { EventName, EventPayload } from '../../../shared/contract.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { BalanceSample, LicenceCredits } from '../../../shared/domain/credits/credits.ts';
import type { AlertNotice } from '../../../shared/domain/credits/credits-history.ts';
import type { LicenceList } from '../../../shared/domain/licences/licence.ts';
import { mergeRecords } from '../../../shared/domain/licences/licence-filter.ts';
import { plainId } from '../../../shared/domain/licences/licence-ids.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../ports.ts';
import { type CallContext, type Caller, sourceOf } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Ledger } from '../spend/ledger.ts';
import { originsIn } from '../spend/origins.ts';
import type { SubjectsOf } from '../storage/call-words.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import type { Servers } from '../storage/servers.ts';
import { createAlerts } from './alerts.ts';
import { createBalanceReader } from './balance-reader.ts';
import type { Balances } from './balances.ts';
import { makeDemoHistory } from './demo-history.ts';
import { type ExportRequest, prepareExport } from './export.ts';
import { createForecaster } from './forecaster.ts';
import { createCreditHistory } from './history.ts';
import { measurePrice } from './measure-price.ts';
import { measurePrices } from './measured.ts';
import { createPoller } from './poller.ts';
import { createReconciler } from './reconcile.ts';

export interface CreditParts {
  db: Database;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
  /** Where a connection leads now; nowhere: there is no such connection. */
  serversFor(connectionId: string): Servers;
  clients: Clients;
  caller: Caller;
  balances: Balances;
  ledger: Ledger;
  /** Labels of a connection's lookup keys, the preferred one first. */
  lookupKeys(of: Connection | string): string[];
  /** The label of the master key that is used; undefined: there is none. */
  masterKey(connectionId: string): string | undefined;
  lastLicences(connectionId: string): Result<{ list: LicenceList }>;
  /** The connection in use; null: none. */
  selected(): string | null;
  isShown(): boolean;
  /** True: the system has shown it. */
  showNotice(title: string, body: string): Promise<boolean>;
  emit<E extends EventName>(event: E, payload: EventPayload<E>): void;
  /** See ReaderParts. */
  readDelayMs?: number | undefined;
  /** How long a history a demo connection is given. */
  demoDays?: number | undefined;
}

/** How often the poller looks at the clock. */
const pollMs = 5000;

/**
 * Everything built on the ledger and the readings: what is read, what it proves, what it means, and who is notified. Reads balances by
 * itself until `close`.
 */
export function createCredits(parts: CreditParts) {
  const { db, clock, connections, serversFor, clients, caller, balances, ledger, emit } = parts;
  const reconciler = createReconciler(db, isSeparate);

  /** A person has said that the keys of this connection's address have separate balances. */
  function isSeparate(connectionId: string): boolean {
    return ledger.isAnySeparate(originsIn(serversFor(connectionId), 'rest'));
  }

  const forecaster = createForecaster(db, clock, {
    payerOf: (id) => parts.lookupKeys(id)[0] ?? parts.masterKey(id),
    serversFor,
    isSeparate,
  });

  const nameOf = (connectionId: string): string => {
    const connection = connections.find(connectionId);
    return connection.ok ? connection.value.name : connectionId;
  };
  const alerts = createAlerts({
    db,
    clock,
    nameOf,
    forecaster,
    ledger,
    notify: (notice) => void notify(notice),
  });

  /** In the window at once, which is the copy that is kept; true: the system has shown it as well. */
  function notify(notice: AlertNotice): Promise<boolean> {
    emit('credits.alert', notice);
    return parts.showNotice(`${notice.connectionName}: ${notice.title}`, notice.text);
  }

  const reader = createBalanceReader({
    clients,
    caller,
    balances,
    ledger,
    clock,
    connections,
    lookupKeys: parts.lookupKeys,
    readDelayMs: parts.readDelayMs,
    onSample: (connectionId, sample) => {
      const made = fillDemo(connectionId, sample);
      emit('credits.sample', { connectionId, sample });
      if (made) emit('credits.spent', { connectionId });
      alerts.check(connectionId, sample);
    },
    onUnexplained: (connectionId, fall) => void alerts.checkFall(connectionId, fall),
    onConcluded: (connectionId) => emit('credits.spent', { connectionId }),
  });

  /** A demo connection without a history is given one, marked as made up. */
  function fillDemo(connectionId: string, sample: BalanceSample): boolean {
    const connection = connections.find(connectionId);
    if (!connection.ok || connection.value.kind !== 'demo' || sample.source !== 'rest-key') return false;
    const made = makeDemoHistory(db, connectionId, sample, parts.demoDays);
    return made.ok && made.value;
  }

  const poller = createPoller({
    clock,
    selected: parts.selected,
    isShown: parts.isShown,
    isQuiet: caller.isQuiet,
    lastReadAt: (connectionId) => {
      const newest = balances.newestFigure(connectionId, sourceOf.rest);
      return newest.ok ? (newest.value?.at ?? null) : null;
    },
    read: (connectionId) => reader.read(connectionId, 'rest-key'),
  });
  const timer = setInterval(() => void poller.tick(), pollMs);
  timer.unref();

  return {
    reader,
    reconciler,
    isSeparate,
    /** What a person says about the keys of a connection's address; every conclusion is drawn anew from it. */
    declareSeparate(connectionId: string, separate: boolean): Result<boolean> {
      for (const origin of originsIn(serversFor(connectionId), 'rest')) {
        const said = ledger.declareSeparate(origin, separate);
        if (!said.ok) return said;
      }
      emit('credits.spent', { connectionId });
      return ok(isSeparate(connectionId));
    },
    forecaster,
    history: createCreditHistory(db, clock, serversFor),
    alerts,
    poller,
    prices: measurePrices(db).list,
    export(request: ExportRequest, subjectsOf: SubjectsOf = () => []) {
      const asOf = attempt(() => ledger.lastFact());
      return asOf.ok ? ok(prepareExport(db, clock, request, asOf.value, subjectsOf)) : asOf;
    },
    licenceCredits(connectionId: string): Result<LicenceCredits | null> {
      const seen = parts.lastLicences(connectionId);
      return seen.ok ? ok(sumLicenceCredits(seen.value.list, localDay(clock.now()))) : seen;
    },
    measure: (
      asked: { connectionId: string; operation: string; fields: Readonly<Record<string, string>> },
      context: CallContext,
    ) => measurePrice({ connections, clients, reader }, asked, context),
    async tryAlert(connectionId: string): Promise<AlertNotice & { shownBySystem: boolean }> {
      const notice = alerts.trial(connectionId);
      return { ...notice, shownBySystem: await notify(notice) };
    },
    close(): void {
      clearInterval(timer);
      reader.close();
    },
  };
}

/**
 * What the licences last seen held together; null: never read. A sum, since a list may have fifty thousand. A licence without a number, or
 * with several that differ, has no figure, which is not a figure of 0. Pure.
 */
function sumLicenceCredits({ licences, readAt }: LicenceList, today: string): LicenceCredits | null {
  if (readAt === null) return null;
  const sum: LicenceCredits = { licences: 0, figures: 0, differing: 0, credits: 0, readAt };
  const withNumber = new Set(licences.filter((one) => one.credits !== null).map((one) => plainId(one.licenceNumber)));
  for (const { licenceNumber, credits } of mergeRecords(licences, today)) {
    if (licenceNumber === '') continue;
    sum.licences += 1;
    if (credits !== null) {
      sum.figures += 1;
      sum.credits += credits;
    } else if (withNumber.has(plainId(licenceNumber))) sum.differing += 1;
  }
  return sum.licences === 0 ? null : sum;
}
