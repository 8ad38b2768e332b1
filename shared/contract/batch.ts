import { z } from 'zod';
import {
  batchKinds,
  batchRowSchema,
  batchSchema,
  batchWants,
  boundsSchema,
  choiceSchema,
  columnRoles,
  openTableSchema,
  resultColumns,
  rowProgresses,
  rowResults,
  severalSchema,
  tableFormatSchema,
} from '../domain/batch.ts';
import { mostColumns, mostRows } from '../domain/text/table.ts';
import { byConnection, channel, id, line, nothing, savedFile, typedChannel } from './parts.ts';

/** Of a batch or an open table, whose files have it in their names: another text could lead out of their folder. */
const fileId = z.uuid();
const byBatch = z.strictObject({ batchId: fileId });
const row = z.number().int().min(1).max(mostRows);
const fileName = z.string().max(255);
const table = z.object({ table: openTableSchema.nullable() });

/** A dropped file crosses in parts of this many bytes at most, as base64. */
export const bytesOfPart = 750_000;
/** Rows of a page at most. */
const mostRowsOfPage = 500;
/** What a person changes in how a table is read; the rest stays as recognised. */
const formatChange = z.strictObject({
  tableId: fileId,
  encoding: tableFormatSchema.shape.encoding.optional(),
  separator: z.string().min(1).max(1).optional(),
  header: z.boolean().optional(),
  kind: z.enum(batchKinds).optional(),
  /** By the column's index. */
  roles: z
    .array(
      z.strictObject({
        index: z
          .number()
          .int()
          .min(0)
          .max(mostColumns - 1),
        role: z.enum(columnRoles),
      }),
    )
    .max(mostColumns)
    .optional(),
});

/** Which rows: all, by progress or result, or those a batch has not done. */
const filter = z.strictObject({
  progress: z.array(z.enum(rowProgresses)).max(10).optional(),
  result: z.array(z.enum(rowResults)).max(10).optional(),
  /** Searched in what was given and in what the service knows. */
  search: line.optional(),
});

/** Credits. More than a limit may be today, since earlier command lines took eight digits: such a batch is resumed with what it has. */
const storedCredits = z.number().int().min(0).max(99_999_999);

/** What a person sets before it runs, and may change whenever it is not running. */
const terms = {
  limit: storedCredits,
  minimumBalance: storedCredits.nullable(),
  /** Calls a second. */
  rate: z.number().min(0.1).max(50),
  /** The lookup key that this batch uses; null: the preferred one. */
  keyLabel: z.string().max(80).nullable(),
  /** ISO 8601: resumes by itself after a start until then. */
  goOnUntil: z.string().max(40).nullable(),
};

/** Which rows are run again, besides those waiting or stopped. */
const again = {
  /** With an unknown outcome: those that a person ticked, and those that say the same. They may be charged twice. */
  unknown: z.array(row).max(100_000),
  /** That failed: all but these, or none but these. */
  failed: z.strictObject({ all: z.boolean(), but: z.array(row).max(100_000) }),
};

export const rowsReadSchema = z.object({ requestId: z.string(), rows: z.number().int() });

export const batchChannels = {
  /**
   * At most 200 of a connection, of those planned or ended the newest: those that wait for a person, running, paused, planned, then ended
   * ones; the newest first in each. Without claims.
   */
  'batch.list': channel(byConnection, z.object({ batches: z.array(batchSchema) })),
  'batch.get': channel(byBatch, batchSchema),
  /** Opens a table by the system's dialog; null: none was chosen. */
  'batch.open': channel(byConnection, table),
  /** The sample table, to be tried. */
  'batch.open-sample': channel(byConnection, table),
  /** A table that was pasted. */
  'batch.paste': typedChannel(z.strictObject({ connectionId: id, text: z.string().max(5_000_000) }), table),
  /** A dropped file, part by part; `table` comes with the last one. `transfer` null begins one. */
  'batch.drop': channel(
    z.strictObject({
      connectionId: id,
      transfer: id.nullable(),
      name: fileName,
      bytes: z.number().int().min(0).max(2_000_000_000),
      from: z.number().int().min(0).max(2_000_000_000),
      part: z.base64().max(Math.ceil(bytesOfPart / 3) * 4),
    }),
    z.object({ transfer: z.string(), table: openTableSchema.nullable() }),
  ),
  /** Reads an open table again differently: encoding, separator, header, columns, kind of rows. Free. */
  'batch.read-as': channel(formatChange, openTableSchema),
  'batch.close-table': channel(z.strictObject({ tableId: fileId }), z.object({})),
  /** Makes the batch and its plan. Sends nothing. */
  'batch.plan': channel(
    z.strictObject({ tableId: fileId, wants: z.array(z.enum(batchWants)).min(1).max(8) }),
    batchSchema,
  ),
  /** Starts or resumes a batch, which runs in main and reports its progress by events. */
  'batch.run': channel(z.strictObject({ batchId: fileId, ...terms }), batchSchema),
  /** Finishes calls under way; nothing more is sent until the batch is run again. */
  'batch.pause': channel(byBatch, batchSchema),
  /** Ends the batch: waiting rows become “stopped”. They can be run later as rows that are not done. */
  'batch.stop': channel(byBatch, batchSchema),
  /**
   * What running the rows that are not done would take. `unknown`: how many of them have an unknown outcome; `isUnknownFree`: by published
   * prices, asking any such row again costs nothing.
   */
  'batch.not-done': channel(
    z.strictObject({ batchId: fileId, ...again }),
    z.object({
      rows: z.number().int(),
      credits: boundsSchema.nullable(),
      unknown: z.number().int(),
      isUnknownFree: z.boolean(),
    }),
  ),
  'batch.run-not-done': channel(z.strictObject({ batchId: fileId, ...again, ...terms }), batchSchema),
  'batch.rows': channel(
    z.strictObject({
      batchId: fileId,
      filter,
      from: z.number().int().min(0).max(mostRows),
      limit: z.number().int().min(1).max(mostRowsOfPage),
    }),
    z.object({ rows: z.array(batchRowSchema), total: z.number().int() }),
  ),
  'batch.several': channel(z.strictObject({ batchId: fileId, row }), severalSchema),
  /** Chooses among several; null: none of these. Free. */
  'batch.choose': channel(
    z.strictObject({ batchId: fileId, row, choice: choiceSchema.nullable() }),
    z.object({ row: batchRowSchema, batch: batchSchema }),
  ),
  /** What a row would look like in the result file, for the dialog. */
  'batch.result-sample': channel(
    z.strictObject({ batchId: fileId, row: row.nullable() }),
    z.object({
      row: z.number().int(),
      columns: z.array(z.object({ column: z.enum(resultColumns), value: z.string() })),
      name: z.string(),
      bytes: z.number(),
      cameAsWorkbook: z.boolean(),
    }),
  ),
  'batch.save': channel(
    z.strictObject({
      batchId: fileId,
      filter,
      format: z.enum(['as-it-came', 'csv', 'xlsx']),
      /** As the input was, UTF-8 with a byte order mark for spreadsheets, or without. */
      encoding: z.enum(['utf-8-bom', 'utf-8', 'as-it-came']),
      columns: z.array(z.enum(resultColumns)).max(30),
      acknowledgement: z.string().max(500),
    }),
    savedFile,
  ),
  /** Deletes the texts of its rows now; counts stay. */
  'batch.forget': channel(byBatch, batchSchema),
  /** Removes one that was planned and never run. */
  'batch.discard': channel(byBatch, z.object({})),
  'batch.sample': channel(nothing, savedFile),
} as const;
