import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ClientCertificateView } from '../../../shared/domain/network.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow, type Keychain } from '../../ports.ts';
import { badInput } from '../bad-input.ts';
import { longestSecretOnWindows } from '../connections/check-secret.ts';
import { checkServiceAddress } from '../connections/check-service-address.ts';
import { readWritten, withoutOutdated, writeThen } from '../connections/keychain-entries.ts';
import { passphraseEntry } from '../connections/secret-names.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { Settings } from '../settings/settings.ts';
import type { Database } from '../storage/database/database.ts';
import { openKeychainJournal } from '../storage/keychain-journal.ts';
import {
  type ClientCertificate,
  type ClientCertificateFor,
  readClientCertificate,
} from '../transport/connect/client-certificate.ts';
import { describeCertificate } from '../transport/connect/read-certificates.ts';

const most = 20;
const mostBytes = 1024 * 1024;
const control = /\p{Cc}/u;

export interface NewClientCertificate {
  /** Any address of the service; the certificate is for its server and port alone. */
  address: string;
  /**
   * The file stays where it is and is read for each connection: a renewed one takes effect at once, and its key is stored nowhere else.
   * null: the policy names it.
   */
  path: string | null;
  /** Empty: the file has none. */
  passphrase: string;
}

/** The origin for which a certificate is given. Errors, with the field `address`: `bad-input`, `wrong-origin`, `insecure-address`. */
export function readCertificateOrigin(address: string): Result<string> {
  const text = address.trim();
  const checked = checkServiceAddress(text);
  if (!checked.ok) return fail({ ...checked.error, field: 'address' });
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:')
    return badInput('address', 'This is not the https address of a service.');
  return ok(new URL(text).origin);
}

/** The file's contents, at most 1 MB. Errors: `client-certificate-unusable`. */
export async function readCertificateFile(path: string): Promise<Result<Buffer>> {
  const name = basename(path);
  const unusable = (message: string) =>
    fail(
      appError('client-certificate-unusable', {
        charge: 'not-charged',
        message,
        next: 'Put the file back in its place, or choose it again under Settings, Network.',
      }),
    );
  try {
    const found = await stat(path);
    if (!found.isFile()) return unusable(`The client certificate ${name} is not a file.`);
    if (found.size > mostBytes) return unusable(`The file of the client certificate, ${name}, is larger than 1 MB.`);
    return ok(await readFile(path));
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return unusable(
      gone
        ? `The file of the client certificate, ${name}, is no longer in its place.`
        : `The file of the client certificate, ${name}, cannot be read.`,
    );
  }
}

/**
 * Certificates by the server they are for: passphrases in the keychain only, keys in their files only, the rest in the settings. Errors:
 * `bad-input`, `client-certificate-unusable`, `keychain-…`, `storage-failed`.
 */
export function createClientCertificates(parts: {
  db: Database;
  settings: Settings;
  keychain: Keychain;
  clock: Clock;
  /** Files that a policy names, by the server they are for. */
  policyFiles: ReadonlyMap<string, string>;
  secrets: Pick<Secrets, 'mutex'>;
}) {
  const { db, settings, keychain, clock, policyFiles, secrets } = parts;
  const journal = openKeychainJournal(db.sql, keychain);
  const current = withoutOutdated(keychain, journal);
  const stored = () => settings.read('clientCertificates');

  function list(): Result<ClientCertificateView[]> {
    const all = stored();
    if (!all.ok) return all;
    const own = all.value.map(({ path, locked: _, ...view }): ClientCertificateView => {
      const named = policyFiles.get(view.origin);
      return {
        ...view,
        file: basename(path),
        standing: named === undefined ? 'own' : named === path ? 'policy' : 'unused',
      };
    });
    const looked = new Set(own.flatMap(({ origin, standing }) => (standing === 'policy' ? [origin] : [])));
    const unseen = [...policyFiles]
      .filter(([origin]) => !looked.has(origin))
      .map(([origin, path]): ClientCertificateView => {
        return { id: origin, origin, file: basename(path), certificate: null, createdAt: null, standing: 'policy' };
      });
    return ok([...unseen, ...own]);
  }

  /** One per server: a new one replaces the old one. If it cannot be stored, the old one stays. */
  async function put({ address, path: chosen, passphrase }: NewClientCertificate): Promise<Result<void>> {
    const origin = readCertificateOrigin(address);
    if (!origin.ok) return origin;
    const path = policyFiles.get(origin.value) ?? chosen;
    if (path === null) return badInput('address', 'No file was chosen for this server.');
    if (control.test(passphrase))
      return badInput('passphrase', 'The passphrase contains a line break or another control character.');
    if (process.platform === 'win32' && passphrase.length > longestSecretOnWindows)
      return badInput('passphrase', `The passphrase is longer than ${longestSecretOnWindows} characters.`);
    const all = stored();
    if (!all.ok) return all;
    const former = all.value.find((one) => one.origin === origin.value);
    if (!former && all.value.length >= most)
      return badInput('address', `There are ${most} client certificates already. Remove one first.`);
    const bytes = await readCertificateFile(path);
    if (!bytes.ok) return bytes;
    const read = readClientCertificate({ bytes: bytes.value, passphrase: passphrase || null });
    if (!read.ok) return fail({ ...read.error, charge: 'not-applicable' });

    const entry = passphraseEntry(origin.value);
    const isListed = former?.locked === true;
    return writeThen({ keychain, journal }, { entry, value: passphrase || null, isListed }, (before) =>
      db.transaction(() => {
        if (isListed && before === null) journal.outdate(entry);
        journal.remove(entry);
        return settings.write('clientCertificates', [
          ...all.value.filter((one) => one !== former),
          {
            id: crypto.randomUUID(),
            origin: origin.value,
            path,
            locked: passphrase !== '',
            certificate: describeCertificate(read.value),
            createdAt: isoNow(clock),
          },
        ]);
      }),
    );
  }

  /** Removes passphrase and handle; the file is the user's and stays. If the keychain will not remove the passphrase, its handle stays. */
  async function forget(id: string): Promise<Result<void>> {
    const all = stored();
    if (!all.ok) return all;
    const one = all.value.find((known) => known.id === id);
    if (!one) return badInput('certificateId', 'This client certificate is no longer listed.');
    const entry = passphraseEntry(one.origin);
    const deleted = one.locked ? await keychain.delete(entry) : ok(true);
    if (!deleted.ok) return deleted;
    return db.transaction(() => {
      if (!deleted.value) journal.outdate(entry);
      return settings.write(
        'clientCertificates',
        all.value.filter((known) => known.id !== id),
      );
    });
  }

  const find: ClientCertificateFor = async (origin) => {
    const all = stored();
    if (!all.ok) return all;
    const path = policyFiles.get(origin);
    const one = all.value.find((known) => known.origin === origin && (path === undefined || known.path === path));
    if (one) return openCertificate(one, current);
    // Nobody has given a passphrase for the policy's file: it may have none.
    return path === undefined ? ok(null) : openCertificate({ origin, path, locked: false }, current);
  };

  return {
    list,
    find,
    isNamedByPolicy: (origin: string): boolean => policyFiles.has(origin),
    put: secrets.mutex(put),
    forget: secrets.mutex(forget),
  };
}

/** Reads a certificate's file and, if it is locked, its passphrase, for one connection to its server. */
async function openCertificate(
  { origin, path, locked }: { origin: string; path: string; locked: boolean },
  keychain: Keychain,
): Promise<Result<ClientCertificate>> {
  const bytes = await readCertificateFile(path);
  if (!bytes.ok) return bytes;
  if (!locked) return ok({ bytes: bytes.value, passphrase: null });
  const what = `The passphrase of the client certificate for ${origin}`;
  const passphrase = await readWritten(keychain, passphraseEntry(origin), what, {
    charge: 'not-charged',
    next: 'Choose the file again under Settings, Network.',
  });
  return passphrase.ok ? ok({ bytes: bytes.value, passphrase: passphrase.value }) : passphrase;
}
