import { z } from 'zod';
import { protocols } from '../domain/connection.ts';
import { shownPriceSchema } from '../domain/credits/credits.ts';
import { comparedRowSchema } from '../domain/lookup/compare-answers.ts';
import {
  cachedPremiseSchema,
  cachedSummarySchema,
  convertedPlaceSchema,
  distanceAnswerSchema,
  premiseViewSchema,
  provenanceSchema,
  searchAnswerSchema,
  searchOfSchema,
  searchWaySchema,
  shapeChangeSchema,
  suggestionSchema,
  uprnOperations,
  uprnPlanSchema,
} from '../domain/lookup/lookup.ts';
import { byConnection, cacheMode, channel, id, line, nothing, typedChannel } from './parts.ts';

const premiseId = z.string().trim().min(1).max(100);
/** The largest limit of results. */
export const mostResults = 100_000;
/** null: the service's default of 100. */
const maxResults = z.number().int().min(1).max(mostResults).nullable().default(null);
const searchOf = searchOfSchema.default({ kind: 'text' });
const postcode = z.string().trim().min(1).max(20);
const distances = z.strictObject({ connectionId: id, from: postcode, to: z.array(postcode).min(1).max(100) });
const storeSchema = z.object({
  answers: z.number().int(),
  bytes: z.number(),
  limitBytes: z.number(),
  /** Older than the policy now allows: no longer returned, and removed at the next purge. */
  outdated: z.number().int(),
});

/** The results of a search cross in parts: one message with tens of thousands would block main and window. `count`: of all parts. */
const firstResults = searchAnswerSchema.extend({ count: z.number().int() });

export const lookupChannels = {
  'lookup.search': typedChannel(
    z.strictObject({
      connectionId: id,
      text: z.string().trim().min(1).max(500),
      maxResults,
      /** null: the one that the connection prefers. */
      interface: z.enum(protocols).nullable().default(null),
      of: searchOf,
      cache: cacheMode,
    }),
    firstResults,
  ),
  /** A saved search by its id. Free: nothing is sent. */
  'lookup.open-search': channel(z.strictObject({ connectionId: id, answerId: id }), firstResults),
  /** Results of a search that was answered, from one on. Free. */
  'lookup.more-results': channel(
    z.strictObject({ connectionId: id, answerId: id, from: z.number().int().min(0) }),
    searchAnswerSchema.pick({ results: true }),
  ),
  /** The ways to search and what each would cost now, the cheapest first. Makes no network call. */
  'lookup.search-ways': channel(
    z.strictObject({ connectionId: id, text: line, maxResults, of: searchOf }),
    z.object({ ways: z.array(searchWaySchema) }),
  ),
  /** Saved answers that fit what is typed, the best first. Makes no network call. */
  'lookup.suggest': channel(
    z.strictObject({ connectionId: id, text: line }),
    z.object({ saved: z.array(suggestionSchema) }),
  ),
  'lookup.open': typedChannel(
    z.strictObject({
      connectionId: id,
      premiseId,
      interface: z.enum(protocols),
      cache: cacheMode,
    }),
    premiseViewSchema,
  ),
  /** `operation`: the planned one, whose price was shown. */
  'lookup.uprn': typedChannel(
    z.strictObject({ connectionId: id, premiseId, operation: z.enum(uprnOperations), cache: cacheMode }),
    premiseViewSchema,
  ),
  /** Premises with an answer in the cache, by id, starting behind `after`; `next`: where to continue; null: that was all. */
  'lookup.cached': channel(
    z.strictObject({ connectionId: id, after: z.string().max(255).default('') }),
    z.object({ premises: z.array(cachedPremiseSchema), next: z.string().nullable() }),
  ),
  /** Premises that a person opened last, the newest first, with a cached answer or without one by now. */
  'lookup.recent': channel(byConnection, z.object({ premiseIds: z.array(z.string()) })),
  /**
   * What is known now of answers shown earlier: the claims about their cost change with each reading of the balance. Unknown ids are
   * left out.
   */
  'lookup.provenance': channel(
    z.strictObject({ answerIds: z.array(id).max(200) }),
    z.object({ answers: z.array(provenanceSchema) }),
  ),
  /** The way to a premise's UPRN as it is now; null: none. Makes no network call. */
  'lookup.uprn-plan': channel(
    z.strictObject({ connectionId: id, premiseId }),
    z.object({ plan: uprnPlanSchema.nullable() }),
  ),
  /** Which answer shape the connection's service uses, and a change nobody has dismissed yet. */
  'lookup.shape': channel(
    byConnection,
    z.object({ last: z.enum(['A', 'B']).nullable(), change: shapeChangeSchema.nullable() }),
  ),
  'lookup.dismiss-shape-change': channel(byConnection, z.object({})),
  /** Converts coordinates or a grid reference in any notation into all of them. Makes no network call. */
  'lookup.convert-place': channel(z.strictObject({ text: z.string().trim().min(1).max(100) }), convertedPlaceSchema),
  'lookup.distances': typedChannel(distances.extend({ cache: cacheMode }), distanceAnswerSchema),
  /** What measuring these distances would cost now. Makes no network call. */
  'lookup.distances-price': channel(distances, z.object({ price: shownPriceSchema, operation: z.string() })),
  /** Opens the listed map service in the system's browser at this place; main builds the address. */
  'lookup.outside-map': channel(
    z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
    z.object({}),
  ),
  /** Cached answers to choose from, newest first. */
  'lookup.cached-answers': channel(
    z.strictObject({ connectionId: id, search: line, limit: z.number().int().min(1).max(500) }),
    z.object({ answers: z.array(cachedSummarySchema) }),
  ),
  /** The newest 100 cached answers of one premise and those shown last that are not cached, newest first, for comparing. Free. */
  'lookup.premise-answers': channel(
    z.strictObject({ connectionId: id, premiseId }),
    z.object({ title: z.string(), subtitle: z.string(), answers: z.array(provenanceSchema) }),
  ),
  /**
   * Two answers field by field: some of the rows, from one on, and how many there are. `comparable`: false if they are about different
   * kinds of thing.
   */
  'lookup.compare': channel(
    z.strictObject({ leftId: id, rightId: id, from: z.number().int().min(0).max(1_000_000) }),
    z.object({
      left: provenanceSchema.extend({ title: z.string() }),
      right: provenanceSchema.extend({ title: z.string() }),
      comparable: z.boolean(),
      firstOnly: z.number().int().nullable(),
      rows: z.array(comparedRowSchema),
      total: z.number().int(),
    }),
  ),
  'lookup.store': channel(nothing, storeSchema),
  /** Removes what has expired, or everything cached. */
  'lookup.purge': channel(
    z.strictObject({ what: z.enum(['outdated', 'all']) }),
    storeSchema.extend({ removed: z.number().int() }),
  ),
} as const;
