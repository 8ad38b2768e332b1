import { z } from 'zod';
import {
  changeRequestSchema,
  journalCheckSchema,
  journalEntrySchema,
  licenceChangeSchema,
  licenceListSchema,
  machineHoldingsSchema,
} from '../domain/licence.ts';
import { byConnection, channel, id, nothing } from './parts.ts';

const machineName = z.string().trim().min(1).max(255);
const byChange = z.strictObject({ changeId: id });

export const licenceChannels = {
  /** The licences last seen, from the database: works offline. */
  'licences.last-seen': channel(
    byConnection,
    z.object({ list: licenceListSchema, machines: z.array(machineHoldingsSchema) }),
  ),
  'licences.read': channel(byConnection, licenceListSchema),
  'licences.ask-machine': channel(z.strictObject({ connectionId: id, machine: machineName }), machineHoldingsSchema),
  /** Reads only: what a change would do. */
  'licences.plan': channel(changeRequestSchema, licenceChangeSchema),
  'licences.run': channel(z.strictObject({ changeId: id, confirmedName: z.string().max(255) }), licenceChangeSchema),
  'licences.stop-after-step': channel(byChange, z.object({})),
  'licences.unfinished': channel(nothing, z.object({ changes: z.array(licenceChangeSchema) })),
  'licences.resume': channel(
    z.strictObject({ changeId: id, action: z.enum(['check', 'finish', 'undo', 'dismiss']) }),
    licenceChangeSchema,
  ),
  'licences.receipt': channel(byChange, z.object({ text: z.string() })),
  'journal.list': channel(
    z.strictObject({ before: z.number().int().nullable(), limit: z.number().int().min(1).max(500) }),
    z.object({ entries: z.array(journalEntrySchema) }),
  ),
  'journal.check': channel(nothing, journalCheckSchema),
} as const;
