import { z } from 'zod';
import { moneyClaimSchema } from '../../claims/money-claims.ts';
import { protocols } from '../connection.ts';
import { shownPriceSchema } from '../credits/credits.ts';

/** Where an answer came from, when, and what it cost. Shown at the foot of every answer. */
export const provenanceSchema = z.object({
  answerId: z.string(),
  callId: z.string(),
  interface: z.enum(protocols),
  operation: z.string(),
  /** Answer shape of REST answers: A or B; query or phrase form for searches; null for SOAP. */
  shape: z.string().nullable(),
  at: z.string(),
  durationMs: z.number(),
  keyLastFour: z.string(),
  paidBy: z.string(),
  /** null: not published. */
  expectedCredits: z.number().nullable(),
  observedCredits: z.number().nullable(),
  claims: z.array(moneyClaimSchema),
  /** True if this view was answered from the store, without a call. */
  cached: z.boolean(),
  /** Whether it will be returned again for nothing: not, until the program ends, or until a time. */
  cachedFor: z.enum(['no', 'run', 'time']),
  /** null unless cached for a time. */
  expiresAt: z.string().nullable(),
  /** Of a SOAP answer that holds something although its Return_Code is not that of success; else absent. */
  returnCode: z.string().optional(),
  /** Why what it does not name may be there all the same, by what stands beside its records; absent: nothing suggests that. */
  doubt: z.string().optional(),
});
export type Provenance = z.infer<typeof provenanceSchema>;

/** One row of a search answer. */
const searchResultSchema = z.object({
  premiseId: z.string(),
  /** The organisation if it could be distinguished; drawn in a quieter colour. */
  organisation: z.string(),
  line: z.string(),
  /** The second search form also answers groups, and SOAP knows streets; `premiseId` is then the street's identifier. */
  kind: z.enum(['premise', 'group', 'street']),
  cached: z.boolean(),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

/** What a search looks for: premises by a text, streets by a text, or the premises on one street. */
export const searchOfSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text') }),
  z.strictObject({ kind: z.literal('streets') }),
  z.strictObject({ kind: z.literal('on-street'), id: z.string().trim().min(1).max(100) }),
]);
export type SearchOf = z.infer<typeof searchOfSchema>;

/** One way to the answer of a search, with what it costs now. */
export const searchWaySchema = z.object({
  interface: z.enum(protocols),
  operation: z.string(),
  price: shownPriceSchema,
  /** null unless cached for a time. */
  expiresAt: z.string().nullable(),
});
export type SearchWay = z.infer<typeof searchWaySchema>;

/** A saved answer that fits what is typed. Opening it is free. */
export const suggestionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('search'),
    answerId: z.string(),
    label: z.string(),
    at: z.string(),
    interface: z.string(),
  }),
  z.object({
    kind: z.literal('premise'),
    premiseId: z.string(),
    label: z.string(),
    at: z.string(),
    /** The identifier that was typed; empty: it was found by its words. */
    found: z.enum(['', 'Premise', 'UPRN or UDPRN']),
  }),
  z.object({
    kind: z.literal('near'),
    premiseId: z.string(),
    label: z.string(),
    at: z.string(),
    /** From the typed place, along the grid. */
    metres: z.number(),
  }),
]);
export type Suggestion = z.infer<typeof suggestionSchema>;

export const searchAnswerSchema = z.object({
  text: z.string(),
  of: searchOfSchema,
  /** In their order along the street. */
  results: z.array(searchResultSchema),
  /** The end that all lines share, from a comma on; empty: none. */
  sharedEnd: z.string(),
  /** How many the service says there are; null: it did not say. */
  total: z.number().nullable(),
  maxResults: z.number().nullable(),
  /** Whether there are more than it returned. */
  truncated: z.boolean(),
  /** Rows that the answer named and that cannot be opened. */
  leftOut: z.number().int(),
  /** The limit with which the service may return more; null: all came, or no limit is sent for this search. */
  limitForAll: z.number().int().nullable(),
  provenance: provenanceSchema,
});
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;

const sourcedSchema = z.object({ value: z.string(), source: z.string() });

/** What may return the UPRN of a premise. */
export const uprnOperations = ['GetPremise', 'GetPremiseGeoData'] as const;
export type UprnOperation = (typeof uprnOperations)[number];

/** A way to get the UPRN, with its price; the planner's choice is the first (field notes, "What follows"). */
export const uprnPlanSchema = z.object({
  operation: z.enum(uprnOperations),
  credits: z.number(),
  /** This call was answered, and no UPRN came. */
  cameEmpty: z.boolean(),
  explanation: z.string(),
});

/** One premise as the console knows it: every field with where it came from, over both interfaces and all cached answers. */
export const premiseViewSchema = z.object({
  premiseId: z.string(),
  title: z.string(),
  /** As on an envelope, by Royal Mail's presentation rules. */
  envelope: z.array(z.string()),
  oneLine: z.string(),
  fields: z.array(z.object({ name: z.string(), label: z.string(), value: z.string(), source: z.string() })),
  emptyFields: z.array(z.string()),
  /** Fields that the published record does not have, as they came. */
  otherFields: z.array(z.object({ name: z.string(), value: z.string(), source: z.string() })),
  uprn: sourcedSchema.nullable(),
  udprn: sourcedSchema.nullable(),
  latitude: sourcedSchema.nullable(),
  longitude: sourcedSchema.nullable(),
  easting: sourcedSchema.nullable(),
  northing: sourcedSchema.nullable(),
  gridReference: sourcedSchema.nullable(),
  /** Metres on the British grid, for the map; null: not on it, or not known to be. */
  onMap: z.object({ easting: z.number(), northing: z.number() }).nullable(),
  /** Why no coordinates were derived; null: some were, or none were given. */
  gridNote: z.string().nullable(),
  /** null: already known, or this service's answers never hold it. */
  uprnPlan: uprnPlanSchema.nullable(),
  /** The answer just opened. */
  provenance: provenanceSchema,
  cachedAnswers: z.array(provenanceSchema),
});
export type PremiseView = z.infer<typeof premiseViewSchema>;

/** A premise with a cached answer. `free`: the interfaces over which opening it costs nothing now. */
export const cachedPremiseSchema = z.object({
  premiseId: z.string(),
  line: z.string(),
  at: z.string(),
  free: z.array(z.enum(protocols)),
});

/** The operations that measure distances from one postcode. */
export const distanceOperations = ['NearestData_ForPostcode', 'DistanceBetween_Postcodes'] as const;

/** The four units of a Nearest record, with their fields. */
export const distanceUnits = [
  { unit: 'm', field: 'Distance_Metres' },
  { unit: 'km', field: 'Distance_Kilometres' },
  { unit: 'miles', field: 'Distance_Miles' },
  { unit: 'nautical miles', field: 'Distance_NauticalMiles' },
] as const;

/** One postcode of a distance answer. */
const distanceRowSchema = z.object({
  postcode: z.string(),
  description: z.string(),
  /** The service's own rank, as it came. */
  position: z.string(),
  /** Each unit as it came; empty: not given. */
  distances: z.array(z.object({ unit: z.string(), value: z.string() })),
  /** For drawing and ranking; null: the metres did not read as a number. */
  metres: z.number().nullable(),
  /** The place of a premise of that postcode by a cached answer; null: none has it, so only the distance is drawn. */
  place: z.object({ easting: z.number(), northing: z.number() }).nullable(),
});
export type DistanceRow = z.infer<typeof distanceRowSchema>;

export const distanceAnswerSchema = z.object({
  from: z.string(),
  rows: z.array(distanceRowSchema),
  provenance: provenanceSchema,
});
export type DistanceAnswer = z.infer<typeof distanceAnswerSchema>;

/** A place typed in one notation, in all of them. */
export const convertedPlaceSchema = z.object({
  given: z.enum(['degrees', 'grid-reference', 'metres']),
  latitude: z.string(),
  longitude: z.string(),
  easting: z.string(),
  northing: z.string(),
  gridReference: z.string(),
  /** How the others were derived from what was given, with the error. */
  method: z.string(),
});
export type ConvertedPlace = z.infer<typeof convertedPlaceSchema>;

/** A service that answered in one shape and now answers in the other. */
export const shapeChangeSchema = z.strictObject({
  from: z.enum(['A', 'B']),
  to: z.enum(['A', 'B']),
  at: z.string(),
});
export type ShapeChange = z.infer<typeof shapeChangeSchema>;

/** A cached answer in a list to choose from. */
export const cachedSummarySchema = z.object({
  answerId: z.string(),
  topic: z.string(),
  subject: z.string(),
  label: z.string(),
  interface: z.string(),
  operation: z.string(),
  at: z.string(),
});
export type CachedSummary = z.infer<typeof cachedSummarySchema>;
