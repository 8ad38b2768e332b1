import { z } from 'zod';
import {
  connectionDraftSchema,
  connectionSchema,
  protocols,
  secretHandleSchema,
  secretRoles,
  secretStoreSchema,
} from '../domain/connection.ts';
import { balanceSampleSchema } from '../domain/credits/credits.ts';
import { appErrorSchema, byConnection, channel, id, nothing, typedChannel } from './parts.ts';

/** One step of the connection test: each green, or with its reason. */
export const testStepSchema = z.object({
  id: z.enum(['name', 'tcp', 'tls', 'proxy', 'proxy-tls', 'tunnel', 'description', 'service-test', 'balance']),
  /** rest, soap: which of the connection's two addresses. */
  side: z.enum(protocols),
  state: z.enum(['running', 'passed', 'warning', 'failed', 'skipped']),
  /** What was found, or why not, in words. */
  text: z.string(),
  durationMs: z.number().nullable(),
  error: appErrorSchema.nullable(),
});
export type TestStep = z.infer<typeof testStepSchema>;

const connectionView = z.object({
  connection: connectionSchema,
  secrets: z.array(secretHandleSchema),
  /** Demo connections: the port it currently listens on; null: not running. */
  demoPort: z.number().int().nullable(),
  /** The answer shape this service used last; null: not seen. */
  lastShape: z.enum(['A', 'B']).nullable(),
});
export type ConnectionView = z.infer<typeof connectionView>;

const driftSummarySchema = z.object({
  /** null: the description was never read, and then nothing below is known. */
  readAt: z.string().nullable(),
  /** How many of the 34 published operations and 16 twins the description has. */
  operationsFound: z.number().int(),
  operationsPublished: z.number().int(),
  twinsFound: z.number().int(),
  twinsPublished: z.number().int(),
  /** Operations that only the description knows. */
  onlyInDescription: z.array(z.string()),
  /** The first 500, and if there are more one that says how many. */
  findings: z.array(z.object({ kind: z.string(), subject: z.string(), text: z.string(), touches: z.string() })),
});
export type DriftSummary = z.infer<typeof driftSummarySchema>;

export const connectionChannels = {
  'connections.list': channel(
    nothing,
    z.object({
      connections: z.array(connectionView),
      selectedId: z.string().nullable(),
      store: secretStoreSchema,
    }),
  ),
  'connections.save': typedChannel(z.strictObject({ id: id.nullable(), draft: connectionDraftSchema }), connectionView),
  'connections.remove': channel(byConnection, z.object({ removedSecrets: z.number().int() })),
  'connections.select': channel(byConnection, z.object({})),
  'connections.start-demo': channel(nothing, connectionView),
  'connections.test': channel(byConnection, z.object({ steps: z.array(testStepSchema), totalMs: z.number() })),
  'connections.read-description': channel(byConnection, driftSummarySchema),
  'connections.last-description': channel(byConnection, driftSummarySchema),
  /** Write-only: the value goes to the keychain, a handle comes back. */
  'secrets.put': typedChannel(
    z.strictObject({
      connectionId: id,
      role: z.enum(secretRoles),
      label: z.string().trim().min(1).max(80),
      value: z.string().min(1).max(4096),
    }),
    secretHandleSchema,
    ['value'],
  ),
  /** A new value under the same label; calls, caps and alerts stay connected with the key. */
  'secrets.replace': channel(z.strictObject({ secretId: id, value: z.string().min(1).max(4096) }), secretHandleSchema),
  /** Tries a lookup key with GetCredits, which is free by what is published, and returns the balance it shows. */
  'secrets.try': channel(z.strictObject({ connectionId: id, secretId: id }), balanceSampleSchema),
  'secrets.remove': channel(z.strictObject({ secretId: id }), z.object({})),
  'secrets.prefer': channel(z.strictObject({ secretId: id }), z.object({})),
} as const;
