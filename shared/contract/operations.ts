import { z } from 'zod';
import { callRecordSchema } from '../domain/activity.ts';
import { protocols, secretRoles } from '../domain/connection.ts';
import { shownPriceSchema } from '../domain/credits/credits.ts';
import { provenanceSchema } from '../domain/lookup/lookup.ts';
import { byConnection, cacheMode, channel, id, line, nothing, savedFile, typedChannel } from './parts.ts';

const operationName = z.string().min(1).max(200);
/** What one field can send in one call. */
export const fieldLimits = { values: 2000, characters: 20_000 } as const;
const text = z.string().max(fieldLimits.characters);

/** Values by field. Several only if the field takes a list. Credentials are never among them: main fills those in. */
const givenFieldSchema = z.strictObject({ name: operationName, values: z.array(text).max(fieldLimits.values) });
export type GivenField = z.infer<typeof givenFieldSchema>;

/** One operation with its input: `dataset` asks its data-set twin. */
const askedSchema = z.strictObject({
  connectionId: id,
  operation: operationName,
  dataset: z.boolean().default(false),
  fields: z.array(givenFieldSchema).max(100),
});

/** A field a person fills in. */
const formFieldSchema = z.object({
  name: z.string(),
  type: z.enum(['string', 'integer', 'boolean', 'number']),
  label: z.string(),
  help: z.string(),
  required: z.boolean(),
  /** separator: several values are joined by it into one text. elements: each is sent as a separate element. null: one value. */
  list: z.enum(['separator', 'elements']).nullable(),
  initial: z.string(),
});
export type FormField = z.infer<typeof formFieldSchema>;

/** A field the connection fills in: its whole setting or, for a key, the last four. */
const filledFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  from: z.enum(['keychain', 'connection']),
  /** Empty: not set; then `missing` says whether the call can go without it. */
  shown: z.string(),
  missing: z.boolean(),
  /** The key that fills it; null: a setting of the connection does. */
  role: z.enum(secretRoles).nullable(),
});

const operationFormSchema = z.object({
  name: z.string(),
  interface: z.enum(protocols),
  group: z.string(),
  help: z.string(),
  /** Name of the result's record, or what it is in words. */
  result: z.string(),
  /** published: in the catalogue. described: only the service's description knows it. guide: only the integration guide shows it. */
  known: z.enum(['published', 'described', 'guide']),
  /** Its data-set twin's name; null: it has none. */
  twin: z.string().nullable(),
  writes: z.boolean(),
  /** Why it cannot be called; null: it can. */
  blocked: z.string().nullable(),
  fields: z.array(formFieldSchema),
  filled: z.array(filledFieldSchema),
  price: shownPriceSchema,
});
export type OperationForm = z.infer<typeof operationFormSchema>;

const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int() });

/** Milliseconds of each part of a call (`Timings` in shared/domain/call.ts); absent if it did not happen. */
const timingsSchema = z.object({
  queued: z.number().optional(),
  name: z.number().optional(),
  tcp: z.number().optional(),
  tls: z.number().optional(),
  sent: z.number().optional(),
  waiting: z.number().optional(),
  received: z.number().optional(),
  decoded: z.number().optional(),
  total: z.number(),
  reusedConnection: z.boolean(),
});
export type ShownTimings = z.infer<typeof timingsSchema>;

/** An answer without its bulk: rows and raw text are requested page by page. */
const operationAnswerSchema = z.object({
  answerId: z.string(),
  provenance: provenanceSchema,
  status: z.number().int(),
  bytes: z.number(),
  found: z.enum(['something', 'nothing']),
  returnCode: z.string().nullable(),
  returnMeaning: z.string().nullable(),
  errorMessage: z.string().nullable(),
  truncated: z.boolean(),
  tables: z.array(tableSchema),
  /** Paths and values of everything in it, cut after the first of them. */
  fields: z.array(z.object({ path: z.string(), value: z.string() })),
  fieldCount: z.number().int(),
  /** null: cached by an older version, which did not keep them. */
  timings: timingsSchema.nullable(),
});
export type OperationAnswer = z.infer<typeof operationAnswerSchema>;

const rawSide = z.enum(['request', 'answer']);
const lineNumber = z.number().int().min(0).max(100_000_000);

const rawLinesSchema = z.object({
  total: z.number().int(),
  /** Lines before the body: status or request line, headers, an empty one. */
  head: z.number().int(),
  /** Lines from the requested one on. `end`: number of the line that closes what this one opens; null: it opens nothing. */
  lines: z.array(z.object({ text: z.string(), end: z.number().int().nullable() })),
  masked: z.number().int(),
});

const snippetLanguages = ['curl', 'powershell', 'csharp', 'python'] as const;

const savedSchema = z.object({
  id: z.string(),
  name: z.string(),
  folder: z.string(),
  operation: z.string(),
  dataset: z.boolean(),
  fields: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  createdAt: z.string(),
});
export type SavedLookup = z.infer<typeof savedSchema>;

const savedName = z.string().trim().min(1).max(80);
const folderName = z.string().trim().max(80);

/**
 * `asked`: the input, if this console called it from here; null: from elsewhere. `stored`: its answer can be opened for free, since it is
 * saved, or at hand as long as this run has it in memory; null: it cannot.
 */
const historyRowSchema = z.object({
  call: callRecordSchema,
  asked: z
    .object({
      dataset: z.boolean(),
      fields: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
    })
    .nullable(),
  stored: z.enum(['saved', 'at hand']).nullable(),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

const rowViewSchema = z.strictObject({
  column: z.number().int().min(0).max(1000).nullable(),
  descending: z.boolean(),
  filter: z.string().max(200),
});

export const operationChannels = {
  /** Everything that can be called, with its form, by the catalogue and the description last seen. Makes no network call. */
  'operations.list': channel(
    byConnection,
    z.object({
      operations: z.array(operationFormSchema),
      describedAt: z.string().nullable(),
      listSeparator: z.string(),
    }),
  ),
  /** What a call would cost now: cached and free, published, measured. Makes no network call. */
  'operations.price': channel(askedSchema, z.object({ price: shownPriceSchema, expiresAt: z.string().nullable() })),
  /** Calls it once, or shows the saved answer. */
  'operations.run': typedChannel(askedSchema.extend({ cache: cacheMode }), operationAnswerSchema),
  'operations.rows': channel(
    z.strictObject({
      answerId: id,
      table: z.number().int().min(0).max(1000),
      from: lineNumber,
      count: z.number().int().min(1).max(2000),
      /** Order and filter: by a column’s position, and by what any cell contains. */
      view: rowViewSchema.default({ column: null, descending: false, filter: '' }),
    }),
    z.object({
      rows: z.array(z.array(z.string().nullable())),
      /** For each row, its position among all as they came. */
      places: z.array(z.number().int()),
      /** Rows that the filter lets through. */
      total: z.number().int(),
    }),
  ),
  /** The window no longer shows these answers: main releases them; saved ones can be opened again. */
  'operations.put-away': channel(z.strictObject({ answerIds: z.array(id).max(100) }), z.object({})),
  /** The window no longer shows a raw text of this answer or failed call: main releases it. */
  'operations.raw-close': channel(z.strictObject({ answerId: id }), z.object({})),
  /** The table as CSV, written where the answer is kept: main and window hold a part of it at a time. Names of columns as shown. */
  'operations.export-rows': channel(
    z.strictObject({
      answerId: id,
      name: z.string().min(1).max(100),
      table: z.number().int().min(0).max(1000),
      view: rowViewSchema,
      /** By their positions; null: the number of the row. */
      columns: z
        .array(z.strictObject({ at: z.number().int().min(0).max(1000).nullable(), head: z.string().max(500) }))
        .max(1000),
    }),
    savedFile,
  ),
  /** Raw text of an answer or, by the call's id, of a failed exchange; secrets masked. By lines, so that 5 MB never cross at once. */
  'operations.raw-lines': channel(
    z.strictObject({
      answerId: id,
      side: rawSide,
      indented: z.boolean(),
      from: lineNumber,
      count: z.number().int().min(1).max(1000),
    }),
    rawLinesSchema,
  ),
  'operations.raw-find': channel(
    z.strictObject({ answerId: id, side: rawSide, indented: z.boolean(), text: z.string().min(1).max(200) }),
    z.object({ lines: z.array(z.number().int()), more: z.boolean() }),
  ),
  'operations.raw-copy': channel(z.strictObject({ answerId: id, side: rawSide, indented: z.boolean() }), z.object({})),
  /** Writes the raw text into a file chosen by a person; its path stays in main. */
  'operations.raw-save': channel(z.strictObject({ answerId: id, side: rawSide, indented: z.boolean() }), savedFile),
  /** The request as code in another language, with placeholders for keys. */
  'operations.snippet': channel(
    askedSchema.extend({ language: z.enum(snippetLanguages) }),
    z.object({ text: z.string(), placeholders: z.array(z.string()) }),
  ),
  /** Newest first. `before`: `next` of the page before; null: from the newest. `next` null: that was all. */
  'operations.history': channel(
    z.strictObject({
      connectionId: id,
      operation: operationName,
      search: line,
      before: z.string().max(64).nullable(),
      limit: z.number().int().min(1).max(500),
    }),
    z.object({ rows: z.array(historyRowSchema), next: z.string().nullable() }),
  ),
  /** The stored answer of a call of the log. Free. */
  'operations.open-stored': channel(z.strictObject({ callId: id }), operationAnswerSchema),
  'operations.saved': channel(nothing, z.object({ saved: z.array(savedSchema) })),
  'operations.save': typedChannel(
    z.strictObject({
      name: savedName,
      folder: folderName,
      operation: operationName,
      dataset: z.boolean(),
      fields: z.array(givenFieldSchema).max(100),
    }),
    savedSchema,
  ),
  'operations.rename': typedChannel(z.strictObject({ savedId: id, name: savedName, folder: folderName }), savedSchema),
  'operations.remove': channel(z.strictObject({ savedId: id }), z.object({})),
  /** Restores a removed one. */
  'operations.restore': channel(z.strictObject({ savedId: id }), savedSchema),
} as const;
