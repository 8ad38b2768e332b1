import { z } from 'zod';
import { aboutChannels } from './contract/about.ts';
import { activityChannels } from './contract/activity.ts';
import { appChannels, menuCommandSchema, savingSchema, settingsSchema } from './contract/app.ts';
import { batchChannels, rowsReadSchema } from './contract/batch.ts';
import { connectionChannels, testStepSchema } from './contract/connections.ts';
import { creditChannels } from './contract/credits.ts';
import { bulkProgressSchema, licenceChannels, scanProgressSchema } from './contract/licences.ts';
import { lookupChannels } from './contract/lookup.ts';
import { checkProgressSchema, networkChannels } from './contract/network.ts';
import { operationChannels } from './contract/operations.ts';
import { setupChannels } from './contract/setup.ts';
import { storedChannels } from './contract/stored.ts';
import { supportChannels } from './contract/support.ts';
import { updateChannels, updateStateSchema } from './contract/updates.ts';
import { runningCallSchema } from './domain/activity.ts';
import { batchSchema } from './domain/batch.ts';
import { secretStoreSchema } from './domain/connection.ts';
import { balanceSampleSchema } from './domain/credits/credits.ts';
import { alertNoticeSchema } from './domain/credits/credits-history.ts';
import { licenceChangeSchema } from './domain/licences/licence-change.ts';
import { tidyProgressSchema } from './domain/stored-data.ts';

/**
 * The one table of channels between window and main process: channel → input and output schema. Main's registration, the preload's object
 * and the renderer's client derive from it. Inputs are strict objects with length caps; outputs drop whatever they do not name.
 */
export const channels = {
  ...appChannels,
  ...connectionChannels,
  ...lookupChannels,
  ...operationChannels,
  ...creditChannels,
  ...licenceChannels,
  ...activityChannels,
  ...networkChannels,
  ...updateChannels,
  ...aboutChannels,
  ...batchChannels,
  ...setupChannels,
  ...supportChannels,
  ...storedChannels,
} as const;

export type ChannelName = keyof typeof channels;
export type ChannelInput<C extends ChannelName> = z.input<(typeof channels)[C]['input']>;
/** What a handler receives: parsed, with defaults filled in. */
export type ParsedInput<C extends ChannelName> = z.output<(typeof channels)[C]['input']>;
export type ChannelOutput<C extends ChannelName> = z.output<(typeof channels)[C]['output']>;

/** Notifications from main to the window. */
export const events = {
  'calls.running': z.array(runningCallSchema),
  'credits.sample': z.object({ connectionId: z.string(), sample: balanceSampleSchema }),
  'credits.spent': z.object({ connectionId: z.string() }),
  'credits.alert': alertNoticeSchema,
  'connections.test-step': z.object({ requestId: z.string(), step: testStepSchema }),
  'connections.changed': z.object({}),
  'secrets.store': secretStoreSchema,
  'licences.change': licenceChangeSchema,
  'machines.scan-progress': scanProgressSchema,
  'bulk.progress': bulkProgressSchema,
  /** One batch as it is now, a few times a second at most. */
  'batch.changed': batchSchema,
  /** Rows read so far by a call that opens, reads or plans a table. */
  'batch.rows-read': rowsReadSchema,
  'settings.changed': settingsSchema,
  /** Another process, such as a command, has written to the database, or what was kept long enough was removed from it. */
  'storage.changed': z.object({}),
  /** While the rules for stored data are applied. */
  'stored.progress': tidyProgressSchema.extend({ requestId: z.string() }),
  'updates.changed': updateStateSchema,
  /** A long answer, the calls of the log or the result of a batch that is being written into a file. */
  'app.saving': savingSchema,
  'network.check-step': checkProgressSchema,
  'menu.command': menuCommandSchema,
  'app.arrived': z.object({}),
} as const;

export type EventName = keyof typeof events;
export type EventPayload<E extends EventName> = z.output<(typeof events)[E]>;
