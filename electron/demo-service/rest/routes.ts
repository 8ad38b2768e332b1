import type { Context, Hono } from 'hono';
import { type RestEndpointName, restEndpoints } from '../../../shared/catalogue/rest-endpoints.ts';
import type { ApiKey } from '../account/keys.ts';
import type { DemoContext } from '../context.ts';
import { splitPostcode } from '../gazetteer/postcodes.ts';
import type { Premise } from '../gazetteer/types.ts';
import type { Meter } from '../meter.ts';
import { restPrice } from '../prices.ts';
import { type Caller, createKeyCheck, type RestRefusal } from './key-check.ts';
import { isRefusal, type Parameters, readBoolean, readMaxResults, readParameters, readRequired } from './parameters.ts';
import { creditsAnswer, geoDataAnswer, keyedItems, premiseAnswer, searchItem } from './shapes.ts';

/** An answer that has not been charged for yet. */
interface Ready {
  readonly credits: number;
  readonly json: () => Record<string, unknown>;
}
type Endpoint = (values: Parameters, context: DemoContext, key: ApiKey) => Ready | RestRefusal;

/** Adds the four endpoints below `base`. `callerOf` returns the origin of a request, for keys with restrictions. */
export function addRestRoutes(
  app: Hono,
  base: string,
  context: DemoContext,
  meter: Meter,
  callerOf: (request: Context) => Caller,
): void {
  const { check } = createKeyCheck(context);
  for (const definition of restEndpoints) {
    const { name } = definition;
    app.get(base + definition.path, (request) => {
      const refuse = (refusal: RestRefusal, payer = ''): Response => {
        meter.record({ name, payer, outcome: 'refused', credits: 0 });
        return writeRefusal(refusal, context);
      };
      const values = readParameters(new URL(request.req.url), definition, context.settings);
      if (isRefusal(values)) return refuse(values);
      const keyValue = readRequired(values, 'key');
      if (isRefusal(keyValue)) return refuse(keyValue);
      const key = check(keyValue, definition, callerOf(request));
      if (isRefusal(key)) return refuse(key);
      const ready = endpoints[name](values, context, key);
      if (isRefusal(ready)) return refuse(ready, key.label);
      if (!context.account.chargeKey(key, ready.credits))
        return refuse({ status: 402, code: 'no-credits', message: 'Not enough credits.' }, key.label);
      meter.record({ name, payer: key.label, outcome: 'answered', credits: ready.credits });
      return writeJson(200, ready.json());
    });
  }
}

/** A missing one does not compile. */
const endpoints: Readonly<Record<RestEndpointName, Endpoint>> = {
  Search: search,
  GetPremise: (values, context) => {
    const uprn = readBoolean(values, 'uprn', false);
    if (isRefusal(uprn)) return uprn;
    return withPremise(values, context, (premise) => ({
      credits: restPrice('GetPremise', uprn, context.settings),
      json: () => premiseAnswer(premise, uprn, context.settings.shape),
    }));
  },
  GetPremiseGeoData: (values, context) =>
    withPremise(values, context, (premise) => ({
      credits: restPrice('GetPremiseGeoData', false, context.settings),
      json: () => geoDataAnswer(premise, context.settings.shape),
    })),
  GetCredits: (_values, context, key) => ({
    credits: restPrice('GetCredits', false, context.settings),
    json: () => {
      const { remaining, used, expires } = context.account.balance();
      const own = key.credits === undefined ? { remaining, used } : { remaining: key.credits, used: key.used };
      return creditsAnswer(own.remaining, own.used, expires, context.settings.shape);
    },
  }),
};

function withPremise(
  values: Parameters,
  { gazetteer }: DemoContext,
  answer: (premise: Premise) => Ready,
): Ready | RestRefusal {
  const id = readRequired(values, 'id');
  if (isRefusal(id)) return id;
  const premise = gazetteer.premiseById(id);
  return premise ? answer(premise) : { status: 404, code: 'unknown-id', message: 'There is no premise with this id.' };
}

/** Both request forms: query with maxresults, and phrase with opensearch (field notes, REST). */
function search(values: Parameters, context: DemoContext): Ready | RestRefusal {
  const { settings, gazetteer } = context;
  const byPhrase = values.phrase !== undefined && (settings.searchForm === 'phrase' || values.query === undefined);
  if (settings.searchForm !== 'both' && byPhrase !== (settings.searchForm === 'phrase'))
    return { status: 400, code: 'bad-parameter', message: `The parameter ${settings.searchForm} is missing.` };
  const words = readRequired(values, byPhrase ? 'phrase' : 'query');
  if (isRefusal(words)) return words;
  const most = readMaxResults(values, settings);
  if (isRefusal(most)) return most;
  const open = readBoolean(values, 'opensearch', true);
  if (isRefusal(open)) return open;
  const keyed = settings.searchAnswer === 'items' || (settings.searchAnswer === 'auto' && byPhrase);
  if (byPhrase && !open && !splitPostcode(words))
    return { status: 400, code: 'bad-parameter', message: 'With opensearch=false the phrase is a whole postcode.' };
  const exact = byPhrase && !open ? gazetteer.premisesAtPostcode(words) : undefined;
  const outcome = exact
    ? { found: keyed ? exact : exact.slice(0, most), total: exact.length }
    : readOutcome(gazetteer.searchFreeText(words, keyed ? settings.maxResults : most));
  if (isRefusal(outcome)) return outcome;
  return {
    credits: restPrice('Search', false, settings),
    json: () =>
      keyed
        ? keyedItems(outcome.found, outcome.total, exact ? outcome.total : most)
        : { results: outcome.found.map(searchItem), totalResults: outcome.total },
  };
}

function readOutcome<T extends { readonly refusal: string | null }>(outcome: T): T | RestRefusal {
  if (outcome.refusal === null) return outcome;
  return {
    status: 400,
    code: 'too-vague',
    message: 'The search is too vague: noise words only, or nothing to look for.',
  };
}

function writeRefusal({ status, code, message, retryAfter }: RestRefusal, { settings }: DemoContext): Response {
  const response = writeJson(settings.errorStyle === 'status' ? status : 200, { error: { code, message } });
  if (retryAfter !== undefined) response.headers.set('retry-after', String(retryAfter));
  return response;
}

function writeJson(status: number, value: unknown): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });
}
