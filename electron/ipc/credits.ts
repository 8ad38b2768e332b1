import type { creditChannels, Evidence } from '../../shared/contract/credits.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { sourceOf } from '../core/calls/caller.ts';
import type { Console } from '../core/console.ts';
import { describeEvidence } from '../core/credits/evidence.ts';
import { readOverview } from '../core/credits/overview.ts';
import type { HandlersOf } from './dispatcher.ts';

/** Readings this long before a call may still be the last one before it. */
const lookBackMs = 24 * 3_600_000;

export function creditHandlers(core: Console): HandlersOf<typeof creditChannels> {
  const { balances, caps, ledger, log, reader } = core;

  function evidence(callId: string): Result<Evidence> {
    const call = log.findCall(callId);
    if (!call.ok) return call;
    if (!call.value) return fail(appError('bad-input', { message: 'The activity log has no such call.' }));
    const entry = ledger.findOfCall(callId);
    if (!entry.ok) return entry;
    const since = new Date(Date.parse(call.value.at) - lookBackMs).toISOString();
    const readings = balances.readingsSince(call.value.connectionId, since);
    if (!readings.ok) return readings;
    const source = sourceOf[call.value.interface];
    return ok(
      describeEvidence(
        call.value,
        entry.value,
        readings.value.filter((reading) => reading.source === source),
      ),
    );
  }

  return {
    'credits.overview': ({ connectionId }) => readOverview({ balances, caps, ledger }, connectionId),
    'credits.read-balances': async ({ connectionId, sources }, { signal, requestId }) =>
      ok(await reader.readAll(connectionId, sources, { signal, requestId })),
    'credits.save-caps': ({ connectionId, caps: wanted }) => {
      const saved = caps.write(connectionId, wanted);
      return saved.ok ? caps.read(connectionId) : saved;
    },
    'credits.ledger': ({ connectionId, before, limit }) => {
      const entries = ledger.listEntries({ connectionId, before: before ?? undefined, limit });
      if (!entries.ok) return entries;
      const next = entries.value.length === limit ? (entries.value.at(-1)?.id ?? null) : null;
      return ok({ entries: entries.value, next });
    },
    'credits.evidence': ({ callId }) => evidence(callId),
    'credits.settle': async ({ callId }, { signal, requestId }) => {
      const call = log.findCall(callId);
      if (!call.ok) return call;
      if (!call.value) return fail(appError('bad-input', { message: 'The activity log has no such call.' }));
      const read = await reader.read(call.value.connectionId, sourceOf[call.value.interface], { signal, requestId });
      return read.ok ? evidence(callId) : read;
    },
  };
}
