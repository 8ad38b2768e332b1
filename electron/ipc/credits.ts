import { soapOperations } from '../../shared/catalogue/soap-operations.ts';
import type { creditChannels, Evidence } from '../../shared/contract/credits.ts';
import { noAccounting } from '../../shared/domain/credits/accounting.ts';
import { localDay } from '../../shared/domain/text/calendar-day.ts';
import { mapResult, ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { readEvidence } from '../core/credits/evidence.ts';
import { isMeasurable } from '../core/credits/measure-price.ts';
import { readOverview } from '../core/credits/overview.ts';
import { wholeDays } from '../core/spend/days.ts';
import { attempt, attemptLater } from '../core/storage/database/errors.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import { type Shell, saveAs } from './shell.ts';

const measurable = soapOperations.map(({ name }) => name).filter(isMeasurable);

export function creditHandlers(core: AppCore, shell: Pick<Shell, 'chooseSaveFile'>): HandlersOf<typeof creditChannels> {
  const { balances, caps, credits, ledger, log, reader } = core;

  function evidence(callId: string): Result<Evidence> {
    const call = log.findCall(callId);
    return call.ok ? readEvidence(call.value, { balances, ledger }) : call;
  }

  return {
    'credits.overview': async ({ connectionId }) => {
      const loaded = await core.licences.loadLastSeen(connectionId);
      if (!loaded.ok) return loaded;
      return readOverview({ balances, caps, ledger, licenceCredits: credits.licenceCredits }, connectionId);
    },
    'credits.read-balances': async ({ connectionId, sources }, { signal, requestId }) =>
      ok(await reader.readAll(connectionId, sources, { signal, requestId })),
    'credits.save-caps': ({ connectionId, caps: wanted }) => {
      const saved = caps.write(connectionId, wanted);
      return saved.ok ? caps.read(connectionId) : saved;
    },
    'credits.separate': ({ connectionId }) => ok({ separate: credits.isSeparate(connectionId) }),
    'credits.say-separate': ({ connectionId, separate }) =>
      mapResult(credits.declareSeparate(connectionId, separate), (said) => ({ separate: said })),
    'credits.set-prices': ({ connectionId }) => mapResult(caps.setPrices(connectionId), (prices) => ({ prices })),
    'credits.set-price': ({ connectionId, operation, credits: figure }) =>
      mapResult(caps.setPrice(connectionId, operation, figure), (prices) => ({ prices })),
    'credits.ledger': ({ connectionId, filter, before, limit }, { signal }) =>
      attemptLater(() =>
        ledger.search.list(connectionId, filter, { before, limit }, core.savedSubjects(connectionId), signal),
      ),
    'credits.ledger-sums': ({ connectionId, filter }, { signal }) =>
      attemptLater(() => ledger.search.sums(connectionId, filter, core.savedSubjects(connectionId), signal)),
    'credits.ledger-choices': ({ connectionId }) => attempt(() => ledger.search.choices(connectionId)),
    'credits.accounting': ({ connectionId }) =>
      mapResult(core.settings.read('accounting'), (all) => all[connectionId] ?? noAccounting),
    'credits.save-accounting': ({ connectionId, accounting }) => {
      const all = core.settings.read('accounting');
      if (!all.ok) return all;
      const saved = core.settings.write('accounting', { ...all.value, [connectionId]: accounting });
      return saved.ok ? ok(accounting) : saved;
    },
    'credits.evidence': ({ callId }) => evidence(callId),
    'credits.read-evidence': async ({ callId }, { signal, requestId }) => {
      const call = log.findCall(callId);
      if (!call.ok) return call;
      const read = await reader.readPayer(call.value, { signal, requestId });
      return read.ok ? evidence(callId) : read;
    },
    'credits.history': ({ by, ...query }) => {
      const asked = { ...query, ...wholeDays(query) };
      return by === 'person' ? credits.history.readByPerson(asked) : credits.history.read({ ...asked, by });
    },
    'credits.forecast': ({ connectionId }) => credits.forecaster.read(connectionId),
    'credits.reconcile': ({ connectionId, ...range }) => {
      const { from, to } = wholeDays(range);
      const reconciled = credits.reconciler.reconcile(connectionId, from, to);
      if (!reconciled.ok) return reconciled;
      const madeUp = credits.reconciler.madeUp(connectionId);
      return madeUp.ok ? ok({ balances: reconciled.value, madeUp: madeUp.value }) : madeUp;
    },
    'credits.annotate': ({ connectionId, entryId, note }) => ledger.annotate(connectionId, entryId, note),
    'credits.prices': ({ connectionId }) =>
      mapResult(credits.prices(connectionId), (measured) => ({ measured, measurable })),
    'credits.measure': ({ fields, ...asked }, { signal, requestId }) =>
      credits.measure(
        { ...asked, fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])) },
        { signal, requestId },
      ),
    'credits.alerts': ({ connectionId }) => mapResult(credits.alerts.list(connectionId), (alerts) => ({ alerts })),
    'credits.save-alerts': ({ connectionId, alerts: wanted }) =>
      mapResult(credits.alerts.save(connectionId, wanted), (alerts) => ({ alerts })),
    'credits.turn-alert': ({ connectionId, alert, isOn }) =>
      mapResult(credits.alerts.turn(connectionId, alert, isOn), (alerts) => ({ alerts })),
    'credits.try-alert': async ({ connectionId }) => {
      const connection = core.connections.find(connectionId);
      return connection.ok ? ok(await credits.tryAlert(connectionId)) : connection;
    },
    'credits.export': async (wanted, { signal }) => {
      const request = { ...wanted, ...wholeDays(wanted) };
      const allowed = core.policy.checkExport();
      if (!allowed.ok) return allowed;
      const file = {
        title: request.what === 'ledger' ? 'Export the ledger' : 'Export the readings',
        name: `credits-${request.what}-${localDay(request.from)}-to-${localDay(request.to)}.${request.format}`,
        extension: request.format,
      };
      return saveAs(shell, file, async (path) => {
        const made = credits.export(request, core.savedSubjects(request.connectionId));
        if (!made.ok) return made;
        const written = await writeTextFile(path, made.value.pieces, signal, made.value.begin);
        const entered = made.value.end(written.ok);
        return written.ok && !entered.ok ? entered : written;
      });
    },
  };
}
