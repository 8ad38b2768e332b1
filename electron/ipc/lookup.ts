import type { lookupChannels } from '../../shared/contract/lookup.ts';
import type { SearchAnswer } from '../../shared/domain/lookup/lookup.ts';
import { mapResult, ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { outsideMapAddress } from '../core/lookup/outside-map.ts';
import { convertPlace } from '../core/lookup/position.ts';
import { createRecentPremises } from '../core/lookup/recent-premises.ts';
import type { HandlersOf } from './dispatcher.ts';
import type { Shell } from './shell.ts';

const megabyte = 1_000_000;
/** Results that cross to the window in one message. */
const inOnePart = 4000;

function readStore({ lookup, settings }: AppCore) {
  const size = lookup.answers.size();
  const limit = settings.read('cacheMegabytes');
  if (!size.ok) return size;
  return limit.ok ? ok({ ...size.value, limitBytes: limit.value * megabyte }) : limit;
}

/** The first part of a search's answer; it is kept in main as long as the window shows it. */
function inFirstPart(
  { lookup, operations }: Pick<AppCore, 'lookup' | 'operations'>,
  window: number,
  answer: Result<SearchAnswer>,
): Result<SearchAnswer & { count: number }> {
  if (!answer.ok) return answer;
  const { results, ...rest } = answer.value;
  operations.showIn(window, rest.provenance.answerId);
  if (results.length <= inOnePart) lookup.forgetResults(rest.provenance.answerId);
  return ok({ ...rest, results: results.slice(0, inOnePart), count: results.length });
}

export function lookupHandlers(core: AppCore, shell: Shell): HandlersOf<typeof lookupChannels> {
  const { connections, lookup } = core;
  const recent = createRecentPremises(core.settings);
  return {
    'lookup.search': async (input, context) => inFirstPart(core, context.window, await lookup.search(input, context)),
    'lookup.open-search': async (input, { window }) => inFirstPart(core, window, await lookup.openSearch(input)),
    'lookup.more-results': async ({ from, ...input }) => {
      const results = await lookup.results(input);
      if (!results.ok) return results;
      if (results.value.length <= from + inOnePart) lookup.forgetResults(input.answerId);
      return ok({ results: results.value.slice(from, from + inOnePart) });
    },
    'lookup.search-ways': async (input) => mapResult(await lookup.searchWays(input), (ways) => ({ ways })),
    'lookup.suggest': async ({ connectionId, text }) =>
      mapResult(await lookup.suggest(connectionId, text), (saved) => ({ saved })),
    'lookup.open': async (input, context) => {
      const opened = await lookup.open(input, context);
      if (opened.ok) recent.note(input.connectionId, input.premiseId);
      return opened;
    },
    'lookup.uprn': (input, context) => lookup.uprn(input, context),
    'lookup.uprn-plan': (input) => mapResult(lookup.uprnPlan(input), (plan) => ({ plan })),
    'lookup.cached': ({ connectionId, after }) => lookup.cachedPremises(connectionId, after),
    'lookup.recent': ({ connectionId }) => mapResult(recent.list(connectionId), (premiseIds) => ({ premiseIds })),
    'lookup.provenance': ({ answerIds }) => lookup.provenance(answerIds),
    'lookup.shape': ({ connectionId }) => {
      const { shapes } = lookup;
      const connection = connections.find(connectionId);
      if (!connection.ok) return connection;
      return ok({ last: shapes.last(connection.value), change: shapes.change(connection.value) });
    },
    'lookup.dismiss-shape-change': ({ connectionId }) => {
      const connection = connections.find(connectionId);
      return connection.ok ? mapResult(lookup.shapes.dismiss(connection.value), () => ({})) : connection;
    },
    'lookup.convert-place': ({ text }) => convertPlace(text),
    'lookup.distances': (input, context) => lookup.distances(input, context),
    'lookup.distances-price': (input) => lookup.distancesPrice(input),
    'lookup.outside-map': async (place) => mapResult(await shell.openOutside(outsideMapAddress(place)), () => ({})),
    'lookup.cached-answers': ({ connectionId, search, limit }) => lookup.listCached(connectionId, search, limit),
    'lookup.premise-answers': ({ connectionId, premiseId }) => lookup.premiseAnswers(connectionId, premiseId),
    'lookup.compare': ({ leftId, rightId, from }) => lookup.compare(leftId, rightId, from),
    'lookup.store': () => readStore(core),
    'lookup.purge': ({ what }) => {
      const removed = lookup.answers.remove(what);
      if (!removed.ok) return removed;
      const store = readStore(core);
      return store.ok ? ok({ ...store.value, removed: removed.value }) : store;
    },
  };
}
