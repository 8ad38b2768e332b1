import { z } from 'zod';
import { setupRowSchema, wantedKeySchema } from '../domain/setup-file.ts';
import { channel, id, nothing, savedFile } from './parts.ts';

const rowIds = z.array(z.string().max(2000)).max(20_000);

const lastImportSchema = z.object({ at: z.string(), fileName: z.string(), changes: z.number().int() });

const openedSetupSchema = z.object({
  importId: z.string(),
  fileName: z.string(),
  savedAt: z.string(),
  rows: z.array(setupRowSchema),
  keys: z.array(wantedKeySchema),
});
export type OpenedSetup = z.infer<typeof openedSetupSchema>;

const setupExportSchema = z.object({
  exportId: z.string(),
  rows: z.array(setupRowSchema),
  /** What is left out because it contains what looks like a key, as texts. */
  leftOut: z.array(z.string()),
  /** How many saved keys the file was searched for, and how many the keychain did not return. */
  searched: z.number().int(),
  unread: z.number().int(),
  bytes: z.number().int(),
});
export type SetupExport = z.infer<typeof setupExportSchema>;

export const setupChannels = {
  /** What would be in a set-up file now. Writes nothing. */
  'setup.prepare': channel(nothing, setupExportSchema),
  /** Writes what was shown into a file chosen by a person, without the named lines. */
  'setup.save': channel(z.strictObject({ exportId: id, without: rowIds }), savedFile),
  /** Asks for a set-up file and compares it with what is here. Changes nothing. null: none was chosen. */
  'setup.open': channel(nothing, z.object({ opened: openedSetupSchema.nullable() })),
  /** Compares the same file with what is here now. */
  'setup.look': channel(z.strictObject({ importId: id }), openedSetupSchema),
  /** Takes the named lines from the file, all or none. */
  'setup.import': channel(
    z.strictObject({ importId: id, rows: rowIds }),
    z.object({ changes: z.number().int(), opened: openedSetupSchema }),
  ),
  /** The last import, as long as it can be undone. */
  'setup.last': channel(nothing, z.object({ last: lastImportSchema.nullable() })),
  /** left: changed again since, or in use. */
  'setup.undo': channel(nothing, z.object({ undone: z.number().int(), left: z.number().int() })),
} as const;
