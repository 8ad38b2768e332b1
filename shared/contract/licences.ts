import { z } from 'zod';
import { journalFilterSchema } from '../domain/licences/journal-filter.ts';
import {
  dueReminderSchema,
  licenceAnnotationsSchema,
  licenceLabelSchema,
  licenceListSchema,
  reminderRuleSchema,
} from '../domain/licences/licence.ts';
import { bulkRowInputSchema, bulkRowSchema, bulkSchema, mostBulkRows } from '../domain/licences/licence-bulk.ts';
import { changeKinds, changeRequestSchema, licenceChangeSchema } from '../domain/licences/licence-change.ts';
import { licenceFilterSchema } from '../domain/licences/licence-filter.ts';
import { journalCheckSchema, journalEntrySchema } from '../domain/licences/licence-journal.ts';
import {
  inventoryMachineSchema,
  machineHoldingsSchema,
  machinesOverviewSchema,
} from '../domain/licences/licence-machines.ts';
import { machinesSeenSchema } from '../domain/licences/licence-seen.ts';
import { mostTableText } from '../domain/text/text-file.ts';
import { byConnection, channel, id, nothing, savedFile, typedChannel } from './parts.ts';

const machineName = z.string().trim().min(1).max(255);
const number = z.number().int();
const byBulk = z.strictObject({ bulkId: id });
const viewName = z.string().trim().min(1).max(80);

const annotationsSchema = z.object({
  labels: z.array(licenceLabelSchema),
  views: z.array(z.object({ name: z.string(), filter: licenceFilterSchema })),
  perLicence: z.array(licenceAnnotationsSchema),
  due: z.array(dueReminderSchema),
  /** How many licences are due; `due` has the first of them. */
  dueTotal: number,
  rule: reminderRuleSchema.nullable(),
});
export type Annotations = z.infer<typeof annotationsSchema>;

/** Machines read so far (`done`) of `total`; `failed` of them did not answer. `machine`: the one that was asked last. */
export const scanProgressSchema = z.object({
  requestId: z.string(),
  connectionId: z.string(),
  done: number,
  total: number,
  machine: z.string(),
  failed: number,
  ended: z.boolean(),
});

export const bulkProgressSchema = z.object({
  bulkId: z.string(),
  connectionId: z.string(),
  state: bulkSchema.shape.state,
  pause: z.string().nullable(),
  /** The row that changed; null: only the bulk change as a whole did. */
  row: bulkRowSchema.nullable(),
  confirmed: bulkSchema.shape.confirmed,
  leftOut: bulkSchema.shape.leftOut,
});

/** Cells as they stand in the table. */
const tableRows = z.array(z.array(z.string()));

const byChange = z.strictObject({ changeId: id });

/** A list of licences crosses in parts: one message with tens of thousands would block main and window. `total`: of all parts. */
const firstLicences = licenceListSchema.extend({ total: z.number().int() });

export const licenceChannels = {
  /** The licences last seen, from the database: works offline. */
  'licences.last-seen': channel(
    byConnection,
    z.object({
      list: firstLicences,
      machines: z.array(machineHoldingsSchema),
      /** Ids of licences that were written to since the list was read: the list's seats are older than that. */
      changedSince: z.array(z.string()),
    }),
  ),
  'licences.read': channel(byConnection, firstLicences),
  /** Licences of the list read at a given time, from one on; none: it was read anew since. */
  'licences.more': channel(
    z.strictObject({ connectionId: id, readAt: z.string().max(40), from: z.number().int().min(0) }),
    z.object({ licences: licenceListSchema.shape.licences }),
  ),
  'licences.ask-machine': typedChannel(
    z.strictObject({ connectionId: id, machine: machineName }),
    machineHoldingsSchema,
  ),
  /** Reads only: what a change would do. */
  'licences.plan': typedChannel(changeRequestSchema, licenceChangeSchema),
  'licences.run': channel(
    z.strictObject({
      changeId: id,
      confirmedName: z.string().max(255),
      /** The tick needed for a licence that may not come back. */
      ticked: z.boolean().optional(),
    }),
    licenceChangeSchema,
  ),
  'licences.stop-after-step': channel(byChange, z.object({})),
  'licences.unfinished': channel(nothing, z.object({ changes: z.array(licenceChangeSchema) })),
  /** A change, also one that is over. Error `bad-input` if it is not known. */
  'licences.find-change': channel(byChange, licenceChangeSchema),
  'licences.resume': typedChannel(
    z.strictObject({
      changeId: id,
      action: z.enum(['check', 'finish', 'undo', 'dismiss']),
      /** finish: the time of the last read that was shown; null: none was. */
      seenRead: z.string().max(40).nullable().optional(),
      /** dismiss: why, for the journal. */
      reason: z.string().max(500).optional(),
    }),
    licenceChangeSchema,
    ['changeId', 'seenRead'],
  ),
  'licences.receipt': channel(byChange, z.object({ text: z.string() })),
  'journal.list': channel(
    z.strictObject({
      filter: journalFilterSchema,
      /** Entries with a lower sequence; null: from the newest. */
      before: z.number().int().nullable(),
      limit: z.number().int().min(1).max(500),
    }),
    z.object({ entries: z.array(journalEntrySchema) }),
  ),
  /** The people and licences in the journal. */
  'journal.choices': channel(
    nothing,
    z.object({
      people: z.array(z.string()),
      licences: z.array(z.object({ licenceNumber: z.string(), reference: z.string() })),
    }),
  ),
  'journal.check': channel(nothing, journalCheckSchema),
  'journal.export': channel(nothing, savedFile),
  /** Reads the list for the GUID of one licence and puts it on the clipboard; it never crosses. The reason goes into the journal. */
  'licences.copy-guid': typedChannel(
    z.strictObject({
      connectionId: id,
      licenceNumber: z.string().regex(/^\d{1,10}$/),
      reason: z.string().trim().min(1).max(500),
    }),
    z.object({ lastFour: z.string(), clearedAt: z.string() }),
  ),
  /** Labels, saved views, notes and lead times set by the administrator. */
  'licences.annotations': channel(byConnection, annotationsSchema),
  'licences.save-label': typedChannel(
    z.strictObject({ connectionId: id, label: licenceLabelSchema }),
    annotationsSchema,
  ),
  'licences.save-view': typedChannel(
    z.strictObject({ connectionId: id, name: viewName, filter: licenceFilterSchema }),
    annotationsSchema,
  ),
  'licences.remove-view': channel(z.strictObject({ connectionId: id, name: viewName }), annotationsSchema),
  'licences.annotate': typedChannel(
    z.strictObject({ connectionId: id, own: licenceAnnotationsSchema }),
    annotationsSchema,
  ),
  /** One reminder for all licences of a connection, with exceptions; null: none. */
  'licences.save-rule': channel(
    z.strictObject({
      connectionId: id,
      rule: reminderRuleSchema.pick({ leadDays: true, except: true }).nullable(),
    }),
    annotationsSchema,
  ),
  /** Every licence that matches the filter, whatever part the window draws. */
  'licences.export': channel(z.strictObject({ connectionId: id, filter: licenceFilterSchema }), savedFile),
  'licences.export-calendar': channel(byConnection, savedFile),
  'machines.overview': channel(byConnection, machinesOverviewSchema),
  'machines.save': typedChannel(
    z.strictObject({ connectionId: id, machine: inventoryMachineSchema, oldName: machineName.nullable() }),
    machinesOverviewSchema,
  ),
  'machines.remove': channel(z.strictObject({ connectionId: id, name: machineName }), machinesOverviewSchema),
  /** All licences that some machines were seen with, and when: from their answers, now and before. Makes no network call. */
  'machines.seen': channel(
    z.strictObject({ connectionId: id, machines: z.array(machineName).min(1).max(50) }),
    machinesSeenSchema,
  ),
  /** Opens a CSV file and takes its machines into the inventory; `fileName` empty: nothing was chosen. */
  'machines.import': channel(
    byConnection,
    z.object({
      fileName: z.string(),
      added: number,
      changed: number,
      same: number,
      refused: z.array(z.object({ row: number, reason: z.string() })),
    }),
  ),
  'machines.export': channel(byConnection, savedFile),
  /** Reads what machines hold, a few at a time; null: all that are known. Cancelling leaves the rest unread. */
  'machines.scan': typedChannel(
    z.strictObject({ connectionId: id, machines: z.array(machineName).max(10_000).nullable() }),
    z.object({ asked: number, answered: number, failed: number, stopped: z.boolean() }),
  ),
  /** Opens a CSV or text file for a bulk change; null: nothing was chosen. */
  'bulk.open': channel(nothing, z.object({ file: z.object({ name: z.string(), rows: tableRows }).nullable() })),
  /** Rows of a table that was pasted. */
  'bulk.read-text': channel(z.strictObject({ text: z.string().max(mostTableText) }), z.object({ rows: tableRows })),
  /** Reads only: what each row would do. */
  'bulk.plan': typedChannel(
    z.strictObject({
      connectionId: id,
      source: z.string().max(255),
      kind: z.enum(changeKinds),
      /** Set: every row is a move to this machine. */
      moveTo: machineName.optional(),
      rows: z.array(bulkRowInputSchema).min(1).max(mostBulkRows),
    }),
    bulkSchema,
  ),
  /**
   * `confirmed`: the number of rows, or the machine that all go to, as typed; empty: rows of such a move continue. Rows are reported by
   * events, the end by the answer.
   */
  'bulk.run': channel(
    z.strictObject({
      bulkId: id,
      rows: z.array(z.number().int().min(1)).min(1).max(mostBulkRows),
      confirmed: z.string().max(255),
      /** Rows that were ticked although the service may not give their licence back. */
      ticked: z.array(z.number().int().min(1)).max(mostBulkRows).optional(),
    }),
    bulkSchema,
  ),
  /** Leaves a waiting row of a move of everything out, or includes it again. */
  'bulk.leave-out': channel(z.strictObject({ bulkId: id, row: number, out: z.boolean() }), bulkSchema),
  'bulk.stop': channel(byBulk, z.object({})),
  /** The last bulk change of a connection. `moves`: the last one that moves everything to one machine. */
  'bulk.latest': channel(
    z.strictObject({ connectionId: id, moves: z.boolean().optional() }),
    z.object({ bulk: bulkSchema.nullable() }),
  ),
  'bulk.export': channel(byBulk, savedFile),
  'bulk.receipt': channel(byBulk, z.object({ text: z.string() })),
} as const;
