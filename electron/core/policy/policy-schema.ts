import { z } from 'zod';
import { creditLimitSchema } from '../../../shared/domain/credits/credits.ts';
import { proxyChoiceSchema } from '../../../shared/domain/network.ts';

/** The server of an entry of `clientCertificates`, as an origin; the text itself if it is not one, which matches no call. */
const originOf = (entry: string): string => {
  const [address = ''] = entry.split(' ', 1);
  return URL.parse(address)?.origin ?? address;
};

/** The files of client certificates by the server that they are for. */
export const readPolicyCertificates = ({ clientCertificates = [] }: Policy): ReadonlyMap<string, string> =>
  new Map(clientCertificates.map((entry) => [originOf(entry), entry.slice(entry.indexOf(' ')).trim()]));

/**
 * A machine-wide policy. Every setting is optional: one left out is the user's own. The published JSON Schema, the Group Policy template
 * and the macOS profile (build/policy) are generated from this schema, so titles and descriptions are written for administrators.
 */
export const policySchema = z
  .strictObject({
    $schema: z
      .string()
      .max(500)
      .optional()
      .meta({ title: 'Schema', description: 'Where an editor finds this schema.' }),
    version: z.literal(1).meta({ title: 'Version', description: 'The version of the policy’s form: 1.' }),
    allowedBaseUrls: z
      .array(
        z
          .string()
          .max(2000)
          .regex(/^https:\/\/[^\s\\@?#]+$/),
      )
      .max(50)
      .optional()
      .meta({
        title: 'Addresses allowed for connections',
        description:
          'Connections may only use addresses that start with one of these (same server and port, whole path segments). https only. An empty list leaves the demo service alone.',
      }),
    updateMode: z.enum(['off', 'notify', 'automatic']).optional().meta({
      title: 'Updates',
      description:
        'The most the program may do about newer versions: nothing, say that there is one, or install it when it is next closed. It looks for none until an update address is set, here or by the user, and never where the user cannot write to the program’s folder.',
    }),
    updateUrl: z
      .string()
      .max(2000)
      .regex(/^https:\/\/[^\s\\@?#]+$/)
      .optional()
      .meta({
        title: 'Update address',
        description:
          'The https address of the folder that holds the releases and their lists (latest.yml and its like). Users cannot change it. Left out: the user’s own, which is none at first.',
      }),
    heldAnswerHoursMax: z.number().int().min(0).max(87_600).optional().meta({
      title: 'Longest time an answer is saved, in hours',
      description:
        'Saved answers older than this are not used again and are removed from the database, whose copies have none. 0: none is saved. Rows of batches have their own time, which each user sets.',
    }),
    exportAllowed: z
      .boolean()
      .optional()
      .meta({ title: 'Export allowed', description: 'Whether answers and tables may be written to files or printed.' }),
    licenceWritesAllowed: z.boolean().optional().meta({
      title: 'Licence changes allowed',
      description:
        'Whether licences may be bound, released or moved, and whether operations that write may be called. Reading is always allowed.',
    }),
    creditsPerRunMax: creditLimitSchema.optional().meta({
      title: 'Highest spending cap since the program started',
      description:
        'The cap since the program started can be set lower, but not higher and not removed. In credits. Each command counts from 0: for all of them together set the cap for one day.',
    }),
    creditsPerDayMax: creditLimitSchema.optional().meta({
      title: 'Highest spending cap for one day',
      description:
        'The cap per day can be set lower, but not higher and not removed. In credits, counted in the user’s own data folder: with a cap, no other folder is taken.',
    }),
    balanceFloorMin: creditLimitSchema.optional().meta({
      title: 'Lowest minimum balance',
      description: 'The minimum balance can be set higher, but not lower and not removed. In credits.',
    }),
    proxy: proxyChoiceSchema.optional().meta({
      title: 'Proxy',
      description:
        'system: as the system says (PAC included). direct: none. Or the address of one HTTP or SOCKS5 proxy (socks5://name:port), without user name and password.',
    }),
    clientCertificates: z
      .array(
        z
          .string()
          .max(2000)
          .regex(/^https:\/\/[^\s\\@?#/]+ \S.*$/),
      )
      .max(20)
      .refine((list) => new Set(list.map(originOf)).size === list.length)
      .optional()
      .meta({
        title: 'Client certificates',
        description:
          'A server, and the full path of the file (.pfx, .p12 or PEM) with the certificate that is shown to it where it asks for one, with a blank between: https://lookup.example C:\\Certificates\\desk.pfx. Each server once. Users cannot choose another file for that server; a passphrase is entered by each user under Settings, Network, and kept in their keychain, where the computer has one.',
      }),
    extraCaFile: z.string().min(1).max(1000).optional().meta({
      title: 'More trusted certificates (macOS and Linux)',
      description:
        'The full path of a PEM file of certificate authorities to trust besides the system’s. Not used on Windows: put them in the system’s store there.',
    }),
  })
  .meta({ title: 'Address Console policy', description: 'What an administrator sets for everyone on a computer.' });

export type Policy = z.infer<typeof policySchema>;
export type PolicyName = Exclude<keyof Policy, '$schema' | 'version'>;

export const policyNames = Object.keys(policySchema.shape).filter(
  (name) => name !== '$schema' && name !== 'version',
) as PolicyName[];

export const noPolicy: Policy = { version: 1 };

/**
 * What applies if there is a policy that cannot be read: nothing but the demo service. Caps are left out: with no address allowed they
 * would only limit its made-up credits.
 */
export const strictestPolicy: Policy = {
  version: 1,
  allowedBaseUrls: [],
  updateMode: 'off',
  heldAnswerHoursMax: 0,
  exportAllowed: false,
  licenceWritesAllowed: false,
  proxy: 'system',
};
