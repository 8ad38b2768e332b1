import type { ProxySignIn } from '../../../shared/domain/network.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow, type Keychain } from '../../ports.ts';
import { badInput } from '../bad-input.ts';
import { longestSecretOnWindows } from '../connections/check-secret.ts';
import { readWritten, withoutOutdated, writeThen } from '../connections/keychain-entries.ts';
import { deleteKeeping } from '../connections/move-entries.ts';
import { entryKeyIn, signInEntry } from '../connections/secret-names.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { Settings } from '../settings/settings.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { openKeychainJournal } from '../storage/keychain-journal.ts';
import { nameProxy } from '../transport/connect/addresses.ts';
import type { SignInFor } from '../transport/connect/sign-in.ts';

const most = 20;
const control = /\p{Cc}/u;

export interface NewSignIn {
  /** `host:port`, or an http(s) or socks5 address of a proxy; without a scheme it is http. */
  proxy: string;
  user: string;
  /** The password. */
  value: string;
}

/** A typed proxy in its one canonical form (`nameProxy`): what Basic may be sent to, and nothing else. Errors: `bad-input`. */
export function readProxyName(typed: string): Result<string> {
  const text = typed.trim();
  const address = /^[a-z0-9]+:\/\//i.test(text) ? text : `http://${text}`;
  if (!/^(?:https?|socks5):\/\/[a-z0-9.-]+(:\d{1,5})?\/?$/i.test(address))
    return badInput('proxy', 'This is not a proxy’s name and port, such as proxy.example:8080.');
  const name = nameProxy(address);
  return name === null ? badInput('proxy', 'This proxy’s port is not usable.') : ok(name);
}

/** Blanks are significant in a password, so nothing is trimmed. The error never repeats the value. */
function checkSignIn({ user, value }: NewSignIn, platform: NodeJS.Platform): Result<void> {
  if (user.trim() === '') return badInput('user', 'The user name is empty.');
  // RFC 7617: the first colon ends the user name.
  if (user.includes(':') || control.test(user))
    return badInput('user', 'The user name contains a colon or a control character, which no proxy takes.');
  if (value === '') return badInput('value', 'The password is empty.');
  if (control.test(value)) return badInput('value', 'The password contains a line break or another control character.');
  if (platform === 'win32' && value.length > longestSecretOnWindows)
    return badInput('value', `The password is longer than ${longestSecretOnWindows} characters.`);
  return ok(undefined);
}

/** Sign-ins by proxy: passwords in the keychain only, the rest in the settings. Errors: `bad-input`, `keychain-…`, `storage-failed`. */
export function createProxySignIns(parts: {
  db: Database;
  settings: Settings;
  keychain: Keychain;
  clock: Clock;
  secrets: Pick<Secrets, 'mutex'>;
}) {
  const { db, settings, keychain, clock, secrets } = parts;
  const journal = openKeychainJournal(db.sql, keychain);
  const current = withoutOutdated(keychain, journal);

  const list = (): Result<ProxySignIn[]> => settings.read('proxySignIns');

  /**
   * One per proxy: a new one replaces the old one. If it cannot be stored, the old one stays. The password of another user stays noted until
   * the keychain has removed it.
   */
  async function put(request: NewSignIn): Promise<Result<void>> {
    const proxy = readProxyName(request.proxy);
    if (!proxy.ok) return proxy;
    const checked = checkSignIn(request, process.platform);
    if (!checked.ok) return checked;
    const listed = list();
    if (!listed.ok) return listed;
    const former = listed.value.find((one) => one.proxy === proxy.value);
    if (!former && listed.value.length >= most)
      return badInput('proxy', `There are ${most} sign-ins already. Remove one first.`);
    const signIn: ProxySignIn = {
      id: crypto.randomUUID(),
      proxy: proxy.value,
      user: request.user,
      createdAt: isoNow(clock),
    };
    const entry = signInEntry(signIn);
    const isListed = former !== undefined && entryKeyIn(keychain, signInEntry(former)) === entryKeyIn(keychain, entry);
    const saved = await writeThen({ keychain, journal }, { entry, value: request.value, isListed }, () =>
      db.transaction(() => {
        if (former) journal.outdate(signInEntry(former));
        if (former && !isListed) journal.add(signInEntry(former));
        journal.remove(entry);
        return settings.write('proxySignIns', [...listed.value.filter((one) => one !== former), signIn]);
      }),
    );
    if (!saved.ok || !former || isListed) return saved;
    const deleted = await deleteKeeping(keychain, signInEntry(former), entry, request.value);
    if (deleted.ok) attempt(() => journal.remove(signInEntry(former)));
    return saved;
  }

  /**
   * Removes password and handle. If the keychain will not remove the password, its handle stays; what a run without a keychain does not
   * have, the next run that has one removes from it.
   */
  async function forget(id: string): Promise<Result<void>> {
    const listed = list();
    if (!listed.ok) return listed;
    const signIn = listed.value.find((one) => one.id === id);
    if (!signIn) return badInput('signInId', 'This sign-in is no longer listed.');
    const deleted = await keychain.delete(signInEntry(signIn));
    if (!deleted.ok) return deleted;
    return db.transaction(() => {
      if (!deleted.value) journal.outdate(signInEntry(signIn));
      return settings.write(
        'proxySignIns',
        listed.value.filter((one) => one.id !== id),
      );
    });
  }

  /** Read from the keychain for one request to exactly this proxy. */
  const find: SignInFor = async (proxy) => {
    const listed = list();
    if (!listed.ok) return listed;
    const signIn = listed.value.find((one) => one.proxy === proxy);
    if (!signIn) return ok(null);
    const read = await readWritten(current, signInEntry(signIn), `The password for the proxy ${proxy}`, {
      charge: 'not-charged',
      next: 'Enter it again under Settings, Network.',
    });
    return read.ok ? ok({ user: signIn.user, value: read.value }) : read;
  };

  const { mutex } = secrets;
  return { list, find, put: mutex(put), forget: mutex(forget), store: { kind: keychain.kind, name: keychain.name } };
}
