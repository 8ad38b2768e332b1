import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { updateModes } from '../../../shared/contract/updates.ts';
import { accountingSchema } from '../../../shared/domain/credits/accounting.ts';
import { reminderRuleSchema } from '../../../shared/domain/licences/licence.ts';
import { shapeChangeSchema } from '../../../shared/domain/lookup/lookup.ts';
import { certificateSchema, proxyChoiceSchema, proxySignInSchema } from '../../../shared/domain/network.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';

/** How long an answer is cached: not at all, for this run of the program, or for a number of hours or days. */
export const cachePolicySchema = z.strictObject({
  mode: z.enum(['off', 'run', 'hours', 'days']),
  amount: z.number().int().min(1).max(3650),
});
export type CachePolicy = z.infer<typeof cachePolicySchema>;

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

const storedCaFileSchema = z.strictObject({
  name: z.string().max(260),
  addedAt: z.string().max(40),
  /** Each can be read: one that cannot would end every look at the network's settings. */
  pem: z.array(z.string().max(20_000).refine(isCertificate)).max(200),
});

const storedClientCertificateSchema = z.strictObject({
  id: z.string().max(64),
  origin: z.string().max(300),
  path: z.string().max(4096),
  /** Its file has a passphrase, which is in the keychain. */
  locked: z.boolean(),
  certificate: certificateSchema,
  createdAt: z.string().max(40),
});

/** Every setting of the program with its default. What a connection needs is a setting of that connection instead. */
const settingsTable = {
  colourScheme: { schema: z.enum(['auto', 'light', 'dark']), default: 'auto' },
  cachePolicy: { schema: cachePolicySchema, default: { mode: 'days', amount: 30 } },
  /** Whole-call limit, in seconds. */
  timeoutSeconds: { schema: z.number().int().min(2).max(300), default: 30 },
  /** The answer shape each connection's service used last: what the planner goes by. */
  lastShapes: { schema: z.record(z.string(), z.enum(['A', 'B'])), default: {} },
  /** A change of that shape which nobody has dismissed yet, by connection. */
  shapeChanges: { schema: z.record(z.string(), shapeChangeSchema), default: {} },
  /** The most that cached answers may take, in megabytes of a million bytes. */
  cacheMegabytes: { schema: z.number().int().min(1).max(4096), default: 64 },
  /** Days for which the rows of a batch are kept after its end; then their texts are deleted and the counts stay. */
  batchDays: { schema: z.number().int().min(1).max(3650), default: 30 },
  /** What the user wants about newer versions; null: they have not chosen. */
  updateMode: { schema: z.enum(updateModes).nullable(), default: null },
  /** The folder of releases that the user named; empty: none. */
  updateUrl: { schema: z.string().max(2000), default: '' },
  /** The newer version whose notice was dismissed. */
  updatePutAway: { schema: z.string().max(64).nullable(), default: null },
  /** How requests leave, as chosen by the user; a policy's choice takes precedence. */
  proxyChoice: { schema: proxyChoiceSchema, default: 'system' },
  /** The user's file of additional authorities, one certificate each, PEM; null: none. */
  caFile: { schema: storedCaFileSchema.nullable(), default: null },
  /** Proxies with a sign-in; their passwords are in the keychain. */
  proxySignIns: { schema: z.array(proxySignInSchema).max(20), default: [] },
  /** Certificates for servers that ask for one; their passphrases are in the keychain, their keys in the files named. */
  clientCertificates: { schema: z.array(storedClientCertificateSchema).max(20), default: [] },
  /** Where the system’s dialogs begin: the folders last used. */
  dialogFolders: {
    schema: z.strictObject({ save: z.string().max(4096).nullable(), open: z.string().max(4096).nullable() }),
    default: { save: null, open: null },
  },
  /** Pounds per credit and cost centres, by connection. */
  accounting: { schema: z.record(z.string(), accountingSchema), default: {} },
  /** What the last import of a set-up file changed, entry by entry, so that it can be undone; null: there was none. */
  setupUndo: {
    schema: z
      .strictObject({
        at: z.string().max(40),
        fileName: z.string().max(260),
        changes: z.array(
          z.strictObject({
            after: z.unknown(),
            before: z.unknown(),
            /** The connection that it belongs to; empty: to none. Absent: an import of an earlier version. */
            connectionId: z.string().max(64).optional(),
          }),
        ),
      })
      .nullable(),
    default: null,
  },
  /** Fingerprint of a secret that was put on the clipboard and not yet removed (core/licences/clipboard-mark.ts); null: none. */
  clipboardMark: { schema: z.string().max(64).nullable(), default: null },
  /** Where the window was last, for the next start of the same version: which screen and which of its tabs, nothing that was typed. */
  lastPlaces: {
    schema: z.strictObject({ version: z.string().max(64), places: z.record(z.string().max(64), z.string().max(64)) }),
    default: { version: '', places: {} },
  },
  /** Premises that were opened last, the newest first, by connection: not those that a batch asked for. */
  recentPremises: { schema: z.record(z.string(), z.array(z.string().max(255)).max(20)), default: {} },
  /** Reminders of all licences, by connection. */
  reminderRules: { schema: z.record(z.string(), reminderRuleSchema), default: {} },
  selectedConnectionId: { schema: z.string().max(64).nullable(), default: null },
} as const satisfies Record<string, { schema: z.ZodType; default: unknown }>;

export type SettingKey = keyof typeof settingsTable;
export type Setting<K extends SettingKey> = z.infer<(typeof settingsTable)[K]['schema']>;
export type Settings = ReturnType<typeof createSettings>;

/** undefined: it is damaged. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A setting, or its default if the database cannot be read. */
export function readOrDefault<K extends SettingKey>(settings: Pick<Settings, 'read'>, key: K): Setting<K> {
  const read = settings.read(key);
  return read.ok ? read.value : (settingsTable[key].default as Setting<K>);
}

/** Settings by key. Errors: `storage-failed`, of a change also `bad-input`. */
export function createSettings(db: Database) {
  const find = db.sql.prepare('SELECT value FROM settings WHERE key = ?');
  const save = db.sql.prepare(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );

  function read<K extends SettingKey>(key: K): Result<Setting<K>> {
    const row = attempt(() => find.get(key));
    if (!row.ok) return row;
    const { schema, default: fallback } = settingsTable[key];
    // A value that does not fit, written by another version or damaged, counts as absent; the next change replaces it.
    const parsed = schema.safeParse(row.value === undefined ? fallback : parseJson(String(row.value.value)));
    return ok((parsed.success ? parsed.data : fallback) as Setting<K>);
  }

  /** Refuses a value that `read` would count as absent: with it everything that stands beside it would be lost. Error: `bad-input`. */
  function write<K extends SettingKey>(key: K, value: Setting<K>): Result<void> {
    if (!settingsTable[key].schema.safeParse(value).success)
      return fail(
        appError('bad-input', {
          message: 'This is more, or longer, than can be stored here, so it was not stored.',
          next: 'Take some of it out and try again.',
          charge: 'not-applicable',
        }),
      );
    return attempt(() => void save.run(key, JSON.stringify(value)));
  }

  return { read, write };
}
