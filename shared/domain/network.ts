import { z } from 'zod';

/** The address of an HTTP or SOCKS5 proxy: no user name, no password, no path. The same rule for a policy and for the user. */
export const proxyAddressPattern = /^(?:https?|socks5):\/\/[a-z0-9.-]+(:\d{1,5})?$/i;
const longestProxyAddress = 300;

/** How requests leave: as the system says (PAC scripts included), without a proxy, or through one. */
export const proxyChoiceSchema = z.union([
  z.enum(['system', 'direct']),
  z.string().max(longestProxyAddress).regex(proxyAddressPattern),
]);
export type ProxyChoice = z.infer<typeof proxyChoiceSchema>;

const rootSources = ['policy-file', 'user-file', 'system', 'built-in'] as const;
export const rootSourceSchema = z.enum(rootSources);
export type RootSource = z.infer<typeof rootSourceSchema>;
export const rootSourceText: Readonly<Record<RootSource, string>> = {
  'policy-file': 'the policy’s file',
  'user-file': 'your file',
  system: 'the system’s store',
  'built-in': 'the built-in list',
};

/** One certificate; times in ISO form, the fingerprint SHA-256. */
export const certificateSchema = z.object({
  subject: z.string(),
  issuer: z.string(),
  validFrom: z.string(),
  validUntil: z.string(),
  fingerprint: z.string(),
});
export type CertificateView = z.infer<typeof certificateSchema>;

/** A file of authorities, from the policy or chosen by the user. */
const caFileSchema = z.object({
  source: z.enum(['policy-file', 'user-file']),
  name: z.string(),
  /** False: a policy names another file, which applies instead. */
  used: z.boolean(),
  certificates: z.array(certificateSchema),
});
export type CaFile = z.infer<typeof caFileSchema>;

/** All that is known of a sign-in outside the keychain. */
export const proxySignInSchema = z.object({
  id: z.string(),
  /** `http://host:port`, always with the port: it is sent to this proxy and to no other. */
  proxy: z.string(),
  user: z.string(),
  createdAt: z.string(),
});
export type ProxySignIn = z.infer<typeof proxySignInSchema>;

/** A certificate by which this computer identifies itself to one server: all that is known of it outside its file and the keychain. */
const clientCertificateSchema = z.object({
  id: z.string(),
  /** `https://host:port` of the service: it is shown to this server and to no other. */
  origin: z.string(),
  /** The file's name, without its folder. */
  file: z.string(),
  /** As read when the file was chosen or its passphrase given; null: a policy names the file, and it was not read yet. */
  certificate: certificateSchema.nullable(),
  createdAt: z.string().nullable(),
  /** `policy`: a policy of this computer names the file. `unused`: the user chose it, and a policy names another for this server. */
  standing: z.enum(['own', 'policy', 'unused']),
});
export type ClientCertificateView = z.infer<typeof clientCertificateSchema>;

export const networkStateSchema = z.object({
  choice: proxyChoiceSchema,
  /** Where the policy is that fixes the choice; null: it is the user's. */
  choiceLockedBy: z.string().nullable(),
  filesLockedBy: z.string().nullable(),
  signIns: z.array(proxySignInSchema),
  clientCertificates: z.array(clientCertificateSchema),
  files: z.array(caFileSchema),
  /** Trusted certificates by source; null: this runtime cannot list the system's store. */
  roots: z.record(rootSourceSchema, z.number().int().nullable()),
  /** Environment variables that people expect to have an effect, whether they are set, and the effect they have here. */
  environment: z.array(z.object({ name: z.string(), set: z.boolean(), effect: z.string() })),
  /** Where passwords are stored; `name`: the keychain's own. */
  store: z.object({ kind: z.enum(['keychain', 'memory']), name: z.string() }),
});
export type NetworkState = z.infer<typeof networkStateSchema>;
