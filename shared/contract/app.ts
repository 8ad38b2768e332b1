import { z } from 'zod';
import { runningCallSchema } from '../domain/activity.ts';
import { mostTableText } from '../domain/text/text-file.ts';
import { openCommand, placeIds } from '../places.ts';
import { channel, nothing, savedFile } from './parts.ts';

/** How much of a file this request has written: rows, or lines of a raw text. */
export const savingSchema = z.object({ requestId: z.string(), done: z.number(), total: z.number() });

export const settingsSchema = z.strictObject({
  colourScheme: z.enum(['auto', 'light', 'dark']),
  /** How long an answer is cached and shown again for free (promise 3). */
  cachePolicy: z.strictObject({
    mode: z.enum(['off', 'run', 'hours', 'days']),
    /** Hours or days, by the mode; the other two modes ignore it. */
    amount: z.number().int().min(1).max(3650),
  }),
  /** The most that cached answers may take; the oldest go first. */
  cacheMegabytes: z.number().int().min(1).max(4096),
  /** Days for which the rows of a batch are kept after its end. */
  batchDays: z.number().int().min(1).max(3650),
  /** Limit of a whole call of the service, over either interface. */
  timeoutSeconds: z.number().int().min(2).max(300),
});
export type Settings = z.infer<typeof settingsSchema>;

export const menuCommandSchema = z.object({
  command: z.enum([
    ...placeIds.map(openCommand),
    'open-palette',
    'read-balances',
    'focus-search',
    'show-help',
    'show-shortcuts',
  ]),
});

/** Characters of the longest table that the window saves: about 100,000 rows. */
const mostSavedTable = 30_000_000;

/** What came from outside the window: a link or an entry of the jump list, a dropped table, or why a table is not taken. */
const arrivalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('screen'), screen: z.enum(placeIds), text: z.string().max(500).nullable() }),
  z.object({ kind: z.literal('table'), name: z.string().max(255), text: z.string().max(mostTableText) }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
]);
export type Arrival = z.infer<typeof arrivalSchema>;

export const appChannels = {
  'app.info': channel(
    nothing,
    z.object({
      version: z.string(),
      /** Which host runs the program: Electron, or the development host over an installed browser. */
      host: z.enum(['electron', 'development host']),
      platform: z.enum(['windows', 'macos', 'linux']),
      /** This computer's name as it would be sent as a machine name. */
      machineName: z.string(),
      userName: z.string(),
      /** What went wrong at the start and was repaired, as texts; empty: nothing. */
      startNotices: z.array(z.string()),
      /** Names of the settings that a policy of this computer fixes (build/policy/README.md); empty: none. */
      lockedByPolicy: z.array(z.string()),
      /** Where that policy is: a file, or the system's own name for its managed settings; null: there is none. */
      policySource: z.string().nullable(),
    }),
  ),
  'app.copy-text': channel(z.strictObject({ text: z.string().max(200_000) }), z.object({})),
  /** Writes a table of the window, already CSV, into a file chosen by a person. `name`: of the file, without its extension. */
  'app.export-table': channel(
    z.strictObject({ name: z.string().min(1).max(100), text: z.string().max(mostSavedTable) }),
    savedFile,
  ),
  /** Fails with `policy-forbids` if exports are forbidden: paper, or a file of the system's own, leaves the program as an export does. */
  'app.may-print': channel(nothing, z.object({})),
  /** Stores a piece of the session state in case the window's process ends; null removes it. In memory only, and never a secret. */
  'app.save-session': channel(
    z.strictObject({ name: z.string().min(1).max(300), text: z.string().max(200_000).nullable() }),
    z.object({}),
  ),
  /** The session state, for a restarted window. */
  'app.read-session': channel(nothing, z.object({ pieces: z.array(z.object({ name: z.string(), text: z.string() })) })),
  /** What has arrived from outside the window, each returned once; the event `app.arrived` announces it. */
  'app.arrivals': channel(nothing, z.object({ arrivals: z.array(arrivalSchema) })),
  /** Opens another window, with its own connection and way; false: there are as many as there may be. */
  'app.new-window': channel(nothing, z.object({ opened: z.boolean() })),
  /** The calls under way, for a window that opens during them; later changes come as events. */
  'app.running-calls': channel(nothing, z.object({ calls: z.array(runningCallSchema) })),
  'settings.read': channel(nothing, settingsSchema),
  /** Changes those that are named; the others stay, also if another window has changed them meanwhile or a policy tightens what is read. */
  'settings.save': channel(settingsSchema.partial(), settingsSchema),
} as const;
