import type { CredentialSlot } from '../../shared/catalogue/types.ts';
import { type Connection, roleNames, type SecretRole, secretRoles } from '../../shared/domain/connection.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { findAllSecrets, findLabels, findSecret } from '../core/connections/find-secret.ts';
import { type CallProfile, type CallSecrets, secretFieldOf } from '../core/connections/profile.ts';
import { serviceName } from '../core/connections/secret-names.ts';
import { isSameKey } from '../core/rest/choose-key.ts';
import type { Keychain } from '../ports.ts';
import type { Surroundings } from './surroundings.ts';

/** Environment variables take precedence over the keychain, because a script sets them for one run. */
const variables: Readonly<Record<SecretRole, string>> = {
  'lookup-key': 'ADDRESS_CONSOLE_API_KEY',
  'master-key': 'ADDRESS_CONSOLE_MASTER_KEY',
  'account-guid': 'ADDRESS_CONSOLE_GUID',
  'licence-id': 'ADDRESS_CONSOLE_LICENCE_ID',
  'licence-key': 'ADDRESS_CONSOLE_LICENCE_KEY',
  'web-map-key': 'ADDRESS_CONSOLE_WEB_MAP_KEY',
};

/** The secrets in the environment, each with the name of its variable. */
export const environmentSecrets = (env: NodeJS.ProcessEnv): { name: string; value: string }[] =>
  Object.values(variables).flatMap((name) => {
    const value = env[name]?.trim();
    return value ? [{ name, value }] : [];
  });

/** What to do if no secret is missing: what is, is a setting. */
export const inConnectionFile = 'Set it in the connection file.';

export interface FoundSecrets {
  profile: CallProfile;
  /** Whether one of the secrets is the keychain's. */
  fromKeychain: boolean;
  /** Completes the error of a call that failed because a credential is missing with why it was not found and where to put it. */
  explain(error: AppError): AppError;
}

/** The roles whose secret may fill one of these slots. `apiKey` has both REST keys, because the check of roles compares the two. */
export function rolesOf(slots: readonly (CredentialSlot | undefined)[]): SecretRole[] {
  return secretRoles.filter((role) =>
    role === 'lookup-key' || role === 'master-key'
      ? slots.includes('apiKey')
      : slots.some((slot) => slot === secretFieldOf[role]),
  );
}

/** Which secret is meant, if the keychain has several of a kind. */
export interface SecretChoice {
  /** As `--secret` says. */
  secretLabel: string | undefined;
  /** The roles of which one must have a secret with that label. If omitted: those that a call needs. */
  labelledRoles?: readonly SecretRole[] | undefined;
  /** Of the lookup key that a batch has, if the environment has none. */
  keyLabel?: string | undefined;
}

/**
 * Whether a label can be obeyed: with a key other than the one that was named, somebody else would pay. `named`: the label in an error,
 * which does not repeat what was typed, as it may be the key itself. Errors: `bad-input`, and the keychain's.
 */
async function checkLabel(
  env: NodeJS.ProcessEnv,
  keychain: Keychain,
  connection: Connection,
  roles: readonly SecretRole[],
  label: string,
  named: string,
): Promise<Result<void>> {
  const found = await findLabels(keychain, connection.name, roles);
  if (!found.ok) return found;
  const isGiven = (role: SecretRole): boolean => Boolean(env[variables[role]]?.trim());
  // Beside a lookup key a master key is only compared with what is sent.
  const hasLookupKey = isGiven('lookup-key') || found.value.some(({ role }) => role === 'lookup-key');
  const sent = roles.filter((role) => role !== 'master-key' || !hasLookupKey);
  const usable = found.value.filter(({ role }) => sent.includes(role));
  const meant = usable.filter((one) => one.label === label).map(({ role }) => role);
  const given = (meant.length > 0 ? meant : sent).find(isGiven);
  if (given !== undefined)
    return fail(
      appError('bad-input', {
        message: `--secret and ${variables[given]} are both given, and only one of them can be used.`,
        next: 'Leave one of them out.',
      }),
    );
  if (meant.length > 0 || usable.length === 0) return ok(undefined);
  const names = [...new Set(usable.map((one) => `“${one.label}”`))].join(', ');
  return fail(
    appError('bad-input', {
      message: `${keychain.kind === 'memory' ? 'The window' : 'The keychain'} has no secret with ${named} that this could take for “${connection.name}”. It has ${names}.`,
      next: 'Say which by --secret LABEL.',
    }),
  );
}

/**
 * Why a credential is missing where no keychain can be reached. `unread`: those of the missing that the window has. What a person keeps there
 * beside them is not known: that the connection has none would be a guess.
 */
function describeUnreachable(
  { name }: Connection,
  missing: readonly SecretRole[],
  unread: readonly SecretRole[],
): Partial<AppError> {
  const list = (roles: readonly SecretRole[]): string => roles.map((role) => roleNames[role]).join(' or ');
  return unread.length > 0
    ? appError('keychain-unreadable', {
        message: `No keychain can be reached from here for the ${list(unread)} that the window has for “${name}”.`,
      })
    : { message: `No ${list(missing)} is in the environment, and no keychain can be reached from here.` };
}

/**
 * Finds the secrets that a call needs: in the environment, otherwise in the keychain under the connection's name. Everything else in the
 * environment, and in a keychain that was read, is returned as well, to be masked in answers. Errors: those of a label that cannot be obeyed,
 * and of a variable that is empty; what is missing is reported by the client.
 */
export async function findSecrets(
  { env, findKeychain }: Pick<Surroundings, 'env' | 'findKeychain'>,
  connection: Connection,
  needed: readonly SecretRole[],
  { secretLabel, labelledRoles = needed, keyLabel }: SecretChoice,
): Promise<Result<FoundSecrets>> {
  const secrets: CallSecrets = {};
  for (const role of secretRoles) {
    const value = env[variables[role]]?.trim();
    if (value) secrets[secretFieldOf[role]] = value;
  }
  const missing: SecretRole[] = [];
  const unread: SecretRole[] = [];
  let failure: AppError | undefined;
  let alsoMask: string[] = [];
  let hasKeychain = true;
  // A lookup key in the environment is enough for REST, so the keychain does not prompt for a master key that would not be used.
  const wanted = needed.filter(
    (role) => secrets[secretFieldOf[role]] === undefined && !(role === 'master-key' && secrets.lookupKey),
  );
  // The keychain's key would pay in its place.
  const blank = wanted.find((role) => env[variables[role]] !== undefined);
  if (blank !== undefined)
    return fail(
      appError('bad-input', {
        message: `${variables[blank]} is empty.`,
        next: 'Give it a value, or unset it.',
        charge: 'not-applicable',
      }),
    );
  const batchKey = wanted.includes('lookup-key') ? keyLabel : undefined;
  if (wanted.length > 0 || secretLabel !== undefined) {
    const { keychain, missing: unreachable } = await findKeychain();
    hasKeychain = unreachable === null;
    for (const [label, roles, named] of [
      [secretLabel, labelledRoles, 'the label after --secret'] as const,
      [batchKey, ['lookup-key'], `the label “${batchKey}”`] as const,
    ]) {
      if (label === undefined) continue;
      const checked = await checkLabel(env, keychain, connection, roles, label, named);
      if (!checked.ok) return checked;
    }
    for (const role of wanted) {
      const label = role === 'lookup-key' ? (batchKey ?? secretLabel) : secretLabel;
      const found = await findSecret(keychain, connection.name, role, label);
      if (found.ok && found.value !== null) secrets[secretFieldOf[role]] = found.value;
      else missing.push(role);
      if (found.ok) continue;
      unread.push(role);
      failure ??= found.error;
    }
    // Only after a successful read: the keychain is then unlocked and does not prompt again. It is unlocked too if it has several of a kind.
    if ((!failure || failure.code === 'bad-input') && missing.length < wanted.length) {
      const all = await findAllSecrets(keychain, connection.name);
      alsoMask = all.map(({ value }) => value);
      // The window may know nothing of an entry that was made by hand.
      const { lookupKey } = secrets;
      if (
        lookupKey !== undefined &&
        all.some(({ role, value }) => role === 'master-key' && isSameKey(value, lookupKey))
      )
        secrets.masterKey = lookupKey;
    }
  }
  return ok({
    profile: { connection, secrets, alsoMask },
    fromKeychain: missing.length < wanted.length,
    explain(error) {
      if (error.code !== 'no-credential') return error;
      if (missing.length === 0) return { ...error, next: inConnectionFile };
      const names = missing.map((role) => variables[role]).join(' or ');
      const given = `in the environment (${names})`;
      if (!hasKeychain)
        return { ...error, ...describeUnreachable(connection, missing, unread), next: `Give it ${given}.` };
      if (failure?.code === 'bad-input')
        return { ...failure, next: `Say which by --secret LABEL, or give it ${given}.` };
      const next = `Give it ${given}, or keep it in the keychain under “${serviceName(connection.name)}”.`;
      // A keychain that is locked or unreadable is reported as such, not as a missing secret.
      return { ...(failure ?? error), next: failure?.code === 'keychain-locked' ? failure.next : next };
    },
  });
}
