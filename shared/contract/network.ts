import { z } from 'zod';
import { certificateSchema, networkStateSchema, proxyChoiceSchema, rootSourceSchema } from '../domain/network.ts';
import { appErrorSchema, channel, id, nothing } from './parts.ts';

const checkStepIds = ['choice', 'name', 'tcp', 'proxy-tls', 'tunnel', 'tls'] as const;
export type CheckStepId = (typeof checkStepIds)[number];

/** One step on the way to an address. */
const checkStepSchema = z.object({
  id: z.enum(checkStepIds),
  state: z.enum(['running', 'passed', 'failed', 'skipped']),
  /** Whether the way leads through a proxy: its name and TCP are then those of the proxy, not of the server. */
  proxied: z.boolean(),
  /** What was found, or why not, in words. */
  text: z.string(),
  /** Further details: the system's answer as it came, addresses, what is skipped. */
  notes: z.array(z.string()),
  durationMs: z.number().nullable(),
  error: appErrorSchema.nullable(),
  /** Of a handshake, including a refused one. */
  handshake: z
    .object({
      protocol: z.string(),
      cipher: z.string(),
      chain: z.array(certificateSchema),
      /** Where the chain ended; no sources: at none that is trusted. */
      root: z.object({ subject: z.string(), sources: z.array(rootSourceSchema) }).nullable(),
      checks: z.array(z.object({ what: z.enum(['chain', 'name', 'dates']), passed: z.boolean(), text: z.string() })),
    })
    .nullable(),
});
export type CheckStep = z.infer<typeof checkStepSchema>;

/** The way to one server; addresses on the same server share it. */
const checkedAddressSchema = z.object({
  /** "REST", "SOAP", "Updates". */
  uses: z.array(z.string()),
  /** Scheme, host and port: a path has no part in a connection. */
  origin: z.string(),
  steps: z.array(checkStepSchema),
});
export type CheckedAddress = z.infer<typeof checkedAddressSchema>;

const networkCheckSchema = z.object({
  at: z.string(),
  connectionName: z.string(),
  totalMs: z.number(),
  addresses: z.array(checkedAddressSchema),
});
export type NetworkCheck = z.infer<typeof networkCheckSchema>;

export const networkChannels = {
  'network.state': channel(nothing, networkStateSchema),
  'network.save': channel(z.strictObject({ choice: proxyChoiceSchema }), networkStateSchema),
  /** Main asks a person for the file and reads it; null: none was chosen. A bad file changes nothing. */
  'network.choose-ca-file': channel(nothing, z.object({ state: networkStateSchema.nullable() })),
  'network.remove-ca': channel(nothing, networkStateSchema),
  /** Write-only: the password goes to the keychain; the state names the proxy and the user. */
  'network.sign-in': channel(
    z.strictObject({
      proxy: z.string().trim().min(1).max(300),
      user: z.string().min(1).max(256),
      value: z.string().min(1).max(1024),
    }),
    networkStateSchema,
  ),
  /**
   * Main asks a person for the file, reads it with the passphrase and stores that in the keychain; null: none was chosen. If a policy names
   * the file, nobody is asked. An unusable file changes nothing.
   */
  'network.choose-client-certificate': channel(
    z.strictObject({ address: z.string().trim().min(1).max(2000), passphrase: z.string().max(1024) }),
    z.object({ state: networkStateSchema.nullable() }),
  ),
  'network.forget-client-certificate': channel(z.strictObject({ certificateId: id }), networkStateSchema),
  'network.forget-sign-in': channel(z.strictObject({ signInId: id }), networkStateSchema),
  /** Opens a connection to each address and closes it: no request is sent. `checkId` names the run in its events. */
  'network.check': channel(z.strictObject({ checkId: id, connectionId: id.nullable() }), networkCheckSchema),
} as const;

/** Steps as they happen. The first event of a run lists the addresses. */
export const checkProgressSchema = z.object({
  checkId: z.string(),
  /** Place in the list of addresses. */
  index: z.number().int(),
  address: checkedAddressSchema.omit({ steps: true }),
  step: checkStepSchema.nullable(),
});
export type CheckProgress = z.infer<typeof checkProgressSchema>;
