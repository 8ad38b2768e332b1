import { z } from 'zod';
import { moneyClaimSchema } from '../claims/money-claims.ts';
import { type AppError, appError } from '../errors.ts';

// A batch asks for the rows of a table, within a limit of credits, and returns a table. A row's progress, result and source are separate.

/** What the rows of a table are. */
export const batchKinds = ['addresses', 'postcodes', 'organisations', 'premise-ids', 'udprns'] as const;
export type BatchKind = (typeof batchKinds)[number];
/** Whether rows name their premises by number. */
export const isIdKind = (kind: BatchKind): kind is 'premise-ids' | 'udprns' =>
  kind === 'premise-ids' || kind === 'udprns';

/** What a person wants to know of each row. */
export const batchWants = [
  'exists',
  'full',
  'coordinates',
  'uprn',
  'udprn',
  'all-premises',
  'area',
  'distance',
] as const;
export type BatchWant = (typeof batchWants)[number];
/** Asked by operations without a published price, so no batch can have them. */
export const unpricedWants: readonly BatchWant[] = ['area', 'distance'];

/** What a column of the table says. `address`: a whole address, or one of its lines; several are read in their order. */
export const columnRoles = [
  'unused',
  'address',
  'organisation',
  'sub-building',
  'building',
  'number',
  'street',
  'locality',
  'town',
  'county',
  'postcode',
  'po-box',
  'premise-id',
  'udprn',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The state of a row: one of these at any moment, on disk before the step it describes. */
export const rowProgresses = ['waiting', 'at-work', 'done', 'stopped', 'unknown', 'failed', 'malformed'] as const;
export type RowProgress = (typeof rowProgresses)[number];

/**
 * premise-not-found: the service named something, and no premise that was looked at fits. not-asked: of every row that is not done, and of
 * one of which no answer of the service would hold what is wanted.
 */
export const rowResults = ['exact', 'differs', 'premise-not-found', 'several', 'none', 'not-asked'] as const;
export type RowResult = (typeof rowResults)[number];

const count = z.number().int();
/** Credits or calls, at least and at most. */
export const boundsSchema = z.object({ least: count, most: count });
export type Bounds = z.infer<typeof boundsSchema>;

/** How a file was read, and may be read instead. */
export const tableFormatSchema = z.object({
  format: z.enum(['csv', 'xlsx']),
  encoding: z.enum(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']),
  /** One character; empty for a spreadsheet. */
  separator: z.string(),
  header: z.boolean(),
});
export type TableFormat = z.infer<typeof tableFormatSchema>;

const tableColumnSchema = z.object({
  index: count,
  /** The head, or “Column 3” if there is none. */
  name: z.string(),
  role: z.enum(columnRoles),
  /** What the role was chosen by: name and content, content alone (please check), a person, or not at all. */
  by: z.enum(['name', 'content', 'person', 'none']),
  /** Its oddities: numbers that a spreadsheet has changed, 7 digits that may be 8. */
  notes: z.array(z.string()),
});
export type TableColumn = z.infer<typeof tableColumnSchema>;

const previewRowSchema = z.object({
  /** As a person counts: the first row under the head is 1. */
  row: count,
  cells: z.array(z.string()),
  /** One text per part that will be used; empty if it is malformed. */
  understood: z.array(z.string()),
  /** Why it cannot be asked, in words; null: it can. */
  malformed: z.string().nullable(),
});
export type PreviewRow = z.infer<typeof previewRowSchema>;

/** What can be asked of a table, with the price for just this one. */
const wantPriceSchema = z.object({
  want: z.enum(batchWants),
  /** Why it cannot be asked here; null: it can. */
  not: z.string().nullable(),
  /** What a row costs, in words: “1 a postcode, flats 1 more”. */
  each: z.string(),
  /** For this table, from published prices and what is saved. null: no price is published for a call that it needs. */
  credits: boundsSchema.nullable(),
});
export type WantPrice = z.infer<typeof wantPriceSchema>;

/** A table that was opened: read on this computer, nothing is sent. */
export const openTableSchema = z.object({
  tableId: z.string(),
  name: z.string(),
  bytes: z.number(),
  rows: count,
  read: tableFormatSchema,
  /** Why it was read so, in words: “2 bytes are not UTF-8, so it was read as Windows-1252”. */
  why: z.array(z.string()),
  columns: z.array(tableColumnSchema),
  kind: z.enum(batchKinds),
  kinds: z.array(
    z.object({
      kind: z.enum(batchKinds),
      /** Rows that can be asked for as this. */
      rows: count,
      /** Why none can; null: some can. */
      not: z.string().nullable(),
    }),
  ),
  preview: z.array(previewRowSchema),
  malformed: count,
  saved: count,
  wants: z.array(wantPriceSchema),
  /**
   * The result file of an earlier batch: its rows that are done are not asked again, those with an unknown outcome only if a person ticks
   * them. null: it is none.
   */
  earlier: z.object({ batchId: z.string(), done: count, unknown: count, notDone: count }).nullable(),
});
export type OpenTable = z.infer<typeof openTableSchema>;

/** The closed list of steps. Each call of a batch names one of them. */
const batchStages = [
  'saved',
  'search-free',
  'search',
  'premise-free-search',
  'address',
  'premise',
  'premise-uprn',
  'geo',
  'all-premises',
] as const;
export type BatchStageName = (typeof batchStages)[number];

const stageSchema = z.object({
  stage: z.enum(batchStages),
  /** What it does, in words. */
  title: z.string(),
  /** null: nothing is sent. */
  operation: z.string().nullable(),
  calls: boundsSchema,
  /** null: no price is published, and nobody has set a figure. */
  credits: boundsSchema.nullable(),
  note: z.string(),
});
export type BatchStage = z.infer<typeof stageSchema>;

/** What will be sent, before anything is: stages with bounds. Bounds only narrow. */
const batchPlanSchema = z.object({
  rows: z.object({
    total: count,
    ask: count,
    saved: count,
    /** The same as an earlier row. */
    same: count,
    malformed: count,
    /** With an unknown outcome in an earlier result file: asked only if a person ticks them. Absent: none. */
    unknown: count.optional(),
  }),
  stages: z.array(stageSchema),
  calls: boundsSchema,
  /** null: a call without a published price is among them. */
  credits: boundsSchema.nullable(),
  /** Operations without a published price, and no figure set. */
  unpriced: z.array(z.string()),
  notes: z.array(z.string()),
  /** The first rows that will not be asked. */
  malformed: z.array(z.object({ row: count, given: z.string(), reason: z.string(), code: z.string() })),
});
export type BatchPlan = z.infer<typeof batchPlanSchema>;

/** Why a batch waits for a person. */
const waitKinds = [
  'limit',
  'cap',
  'minimum-balance',
  'no-price',
  'credits',
  'key',
  'refused',
  'fell-more',
  'storage',
] as const;

const waitSchema = z.object({
  kind: z.enum(waitKinds),
  /** null: no row in particular. */
  row: count.nullable(),
  title: z.string(),
  /** What was seen of the money; the window renders the claims. */
  claims: z.array(moneyClaimSchema),
  /** What happened, in the program's own words; empty: the title says it. */
  what: z.string(),
  /** The service's own words, quoted; empty: none. */
  serviceText: z.string(),
  /** What it waits for, in words. */
  does: z.string(),
  code: z.string(),
  callId: z.string().nullable(),
});
export type BatchWait = z.infer<typeof waitSchema>;

const tally = <K extends string>(keys: readonly K[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, count])) as { [key in K]: typeof count });

/**
 * planned: nothing was sent yet. paused: a person paused it, or the program was restarted. waiting: for a person, see `wait`. stopped: a
 * person ended it with rows left.
 */
const batchStates = ['planned', 'running', 'paused', 'waiting', 'stopped', 'done'] as const;

export const batchSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  /** Of the file, or that it was pasted. */
  name: z.string(),
  kind: z.enum(batchKinds),
  wants: z.array(z.enum(batchWants)),
  state: z.enum(batchStates),
  wait: waitSchema.nullable(),
  /** Why nothing is sent for a while, before it resumes by itself; null: it is not waiting so. */
  backoff: z.object({ kind: z.enum(['network', 'rate-limited']), until: z.string(), text: z.string() }).nullable(),
  /** Another window or command runs it. */
  elsewhere: z.boolean(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  plan: batchPlanSchema,
  progress: tally(rowProgresses),
  results: tally(rowResults),
  credits: z.object({
    /** What an earlier result file says of its rows; no part of `counted`. Absent: nothing. */
    earlier: boundsSchema.optional(),
    /** Every call at its highest price, from before it was sent; null: the ledger could not be read. */
    counted: count.nullable(),
    /** The part of `counted` for calls without a usable answer. */
    unknown: count,
    limit: count,
  }),
  /** What is still to be asked, and its price; null: its connection cannot make the calls for it now. */
  left: z.object({ rows: count, credits: boundsSchema.nullable() }),
  /** Asked again after 429. */
  again: count,
  minimumBalance: count.nullable(),
  /** Calls a second. */
  rate: z.number(),
  keyLabel: z.string(),
  keyLastFour: z.string(),
  /** ISO 8601: resumes by itself after a start until then; null: it does not. */
  goOnUntil: z.string().nullable(),
  secondsLeft: z.number().nullable(),
  /** Claims about the balance while it ran; null: the ledger could not be read. */
  claims: z.array(moneyClaimSchema).nullable(),
  /** When the rows' texts are deleted; null: not yet known, or deleted already. */
  textsUntil: z.string().nullable(),
  /** The texts of the rows are deleted; counts stay. */
  forgotten: z.boolean(),
});
export type Batch = z.infer<typeof batchSchema>;

const rowSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('asked'), at: z.string() }),
  z.object({ kind: z.literal('saved'), at: z.string() }),
  z.object({ kind: z.literal('same'), row: count }),
  z.object({ kind: z.literal('earlier-file') }),
]);
export type RowSource = z.infer<typeof rowSourceSchema>;

export const batchRowSchema = z.object({
  row: count,
  given: z.string(),
  progress: z.enum(rowProgresses),
  result: z.enum(rowResults),
  /** What the service knows, or why there is no result. */
  text: z.string(),
  /**
   * Stable, for scripts: of the match, of what is malformed (`malformed-…`), of a refusal (`refused-` and its status), or of no usable
   * answer (`http-` and its status, or the code of the error).
   */
  reason: z.string(),
  /** Given words that the match did not use. */
  notUsed: z.array(z.string()),
  /** Of SOAP answers that hold something under a Return_Code whose meaning is not published; else absent. */
  returnCode: z.string().optional(),
  source: rowSourceSchema.nullable(),
  /** Credits that its own calls count for, with what an earlier result file says of it. */
  credits: boundsSchema,
  premiseId: z.string(),
  /** Who chose it among several; empty: nobody. */
  chosenBy: z.string(),
  /** Claims about its last call if the outcome is unknown. */
  claims: z.array(moneyClaimSchema),
  callId: z.string().nullable(),
});
export type BatchRow = z.infer<typeof batchRowSchema>;

/** An address in columns, so that the parts of candidates stand below each other. */
const partsSchema = z.object({
  organisation: z.string(),
  number: z.string(),
  street: z.string(),
  town: z.string(),
  postcode: z.string(),
});
const candidateSchema = z.object({
  premiseId: z.string(),
  line: z.string(),
  parts: partsSchema,
  /** Its words that were not given. */
  over: z.array(z.string()),
  /** Given words that it does not have. */
  notUsed: z.array(z.string()),
});
export type Candidate = z.infer<typeof candidateSchema>;
export const severalSchema = z.object({
  row: count,
  given: partsSchema,
  /** How many fit, in words: the list may have been cut, and one premise may be named by several lines. */
  text: z.string(),
  candidates: z.array(candidateSchema),
  /** The place of the chosen one among them, from 0; null: none. */
  chosen: count.nullable(),
});
export type Several = z.infer<typeof severalSchema>;

/** One of the candidates. Its place tells lines of the same premise apart; its id proves that the list is still the one that was read. */
export const choiceSchema = z.strictObject({ place: count, premiseId: z.string().max(100) });
export type Choice = z.infer<typeof choiceSchema>;

/** Columns of a result file beside the input's own. */
export const resultColumns = [
  'ac_result',
  'ac_address',
  'ac_progress',
  'ac_premise_id',
  'ac_reason',
  'ac_not_used',
  'ac_source',
  'ac_credits',
  'ac_latitude',
  'ac_longitude',
  'ac_uprn',
  'ac_udprn',
  'ac_grid_reference',
  'ac_area',
  'ac_distance_m',
  'ac_premises',
  'ac_return_code',
  'ac_batch',
  'ac_row_hash',
  'ac_acknowledgement',
] as const;
export type ResultColumn = (typeof resultColumns)[number];

/** Columns without which a result file cannot be continued, or would say of a done row what nobody found: always written. */
export const neededColumns: readonly ResultColumn[] = ['ac_result', 'ac_progress', 'ac_batch', 'ac_row_hash'];

/** The error of a table whose reading or planning a person has stopped. */
export const readingStopped = (): AppError =>
  appError('cancelled', {
    message: 'Stopped before every row was read.',
    money: 'Nothing was sent.',
    charge: 'not-applicable',
  });
