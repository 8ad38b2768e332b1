import type { Connection } from '../../shared/domain/connection.ts';
import { ok, type Result } from '../../shared/result.ts';
import { passphraseEntry } from '../core/connections/secret-names.ts';
import { readCertificateFile } from '../core/network/client-certificates.ts';
import { type Policy, readPolicyCertificates } from '../core/policy/policy-schema.ts';
import {
  type ClientCertificate,
  type ClientCertificateFor,
  readClientCertificate,
} from '../core/transport/connect/client-certificate.ts';
import type { Surroundings } from './surroundings.ts';

const variable = 'ADDRESS_CONSOLE_CERTIFICATE_PASSPHRASE';

/** The client certificate that a policy or, if it names none, a connection file names. It is shown only to the servers of the addresses there. */
export interface NamedCertificate {
  name(connection: Pick<Connection, 'restBaseUrl' | 'soapUrl'>, path: string): void;
  find: ClientCertificateFor;
}

/** The passphrase comes from the environment or, if it has none, from the keychain, where the window stores it for the same server. */
export function createNamedCertificate(
  { env, findKeychain }: Pick<Surroundings, 'env' | 'findKeychain'>,
  policy: Policy,
): NamedCertificate {
  const fromPolicy = readPolicyCertificates(policy);
  const pathOf = new Map(fromPolicy);

  async function find(origin: string): Promise<Result<ClientCertificate | null>> {
    const path = pathOf.get(origin);
    if (path === undefined) return ok(null);
    const bytes = await readCertificateFile(path);
    if (!bytes.ok) return bytes;
    const given = env[variable];
    if (given !== undefined && given !== '') return ok({ bytes: bytes.value, passphrase: given });
    const open = { bytes: bytes.value, passphrase: null };
    const read = readClientCertificate(open);
    // The keychain may prompt the user, so it is read only if the file needs a passphrase.
    if (read.ok || read.error.field !== 'passphrase') return ok(open);
    const { keychain } = await findKeychain();
    const kept = await keychain.get(passphraseEntry(origin));
    return kept.ok ? ok({ ...open, passphrase: kept.value }) : kept;
  }

  return {
    name({ restBaseUrl, soapUrl }, path) {
      for (const address of [restBaseUrl, soapUrl])
        if (URL.canParse(address) && !fromPolicy.has(new URL(address).origin))
          pathOf.set(new URL(address).origin, path);
    },
    find,
  };
}
