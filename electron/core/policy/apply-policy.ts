import { findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import type { ConnectionDraft, Protocol } from '../../../shared/domain/connection.ts';
import type { SpendingCaps } from '../../../shared/domain/credits/credits.ts';
import { countOf, formatCredits } from '../../../shared/domain/text/figures.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CachePolicy } from '../settings/settings.ts';
import { isLoopbackHost, parseSafeAddress } from '../transport/connect/origin.ts';
import type { Policy } from './policy-schema.ts';

// A policy only narrows. Each part has up to two functions: `tighten…` returns what applies now, whatever was saved before the policy came;
// `check…` answers a choice of the user, with `policy-forbids` and the field at fault.

const forbids = (message: string, field?: string) => fail(appError('policy-forbids', { message, field }));

const hoursOf = ({ mode, amount }: CachePolicy): number => (mode === 'days' ? amount * 24 : amount);
/** The largest amount a setting can have (core/settings). */
const mostAmount = 3650;

/** How long answers are cached now. "This run" stays as it is; its answers age out by the hour (core/answers/cache-time). */
export function tightenCachePolicy({ heldAnswerHoursMax: most }: Policy, cached: CachePolicy): CachePolicy {
  if (most === undefined || cached.mode === 'off') return cached;
  if (most === 0) return { ...cached, mode: 'off' };
  if (cached.mode === 'run' || hoursOf(cached) <= most) return cached;
  return most % 24 === 0 || most > mostAmount
    ? { mode: 'days', amount: Math.floor(most / 24) }
    : { mode: 'hours', amount: most };
}

/** A user's cache setting as it is, if the policy allows it. Errors: `policy-forbids`. */
export function checkCachePolicy(policy: Policy, cached: CachePolicy): Result<CachePolicy> {
  const allowed = tightenCachePolicy(policy, cached);
  if (allowed.mode === cached.mode && allowed.amount === cached.amount) return ok(cached);
  const most = policy.heldAnswerHoursMax ?? 0;
  return forbids(
    most === 0
      ? 'A policy of this computer does not allow answers to be saved.'
      : `A policy of this computer lets answers be saved for ${countOf(most, 'hour')} at most.`,
    'cachePolicy',
  );
}

const least = (own: number | null, most: number | undefined): number | null =>
  most === undefined ? own : Math.min(own ?? most, most);
const greatest = (own: number | null, floor: number | undefined): number | null =>
  floor === undefined ? own : Math.max(own ?? floor, floor);

/** The caps that hold now. */
export const tightenCaps = (policy: Policy, caps: SpendingCaps): SpendingCaps => ({
  perRun: least(caps.perRun, policy.creditsPerRunMax),
  perDay: least(caps.perDay, policy.creditsPerDayMax),
  floor: greatest(caps.floor, policy.balanceFloorMin),
});

/** A user's caps as they are, if the policy allows them; `only`: that one alone. Errors: `policy-forbids`, naming the first cap that is too loose. */
export function checkCaps(policy: Policy, caps: SpendingCaps, only?: keyof SpendingCaps): Result<SpendingCaps> {
  const allowed = tightenCaps(policy, caps);
  for (const [name, what, bound] of [
    ['perRun', 'cap since the program started', 'at most'],
    ['perDay', 'cap per day', 'at most'],
    ['floor', 'minimum balance', 'at least'],
  ] as const)
    if ((only ?? name) === name && allowed[name] !== caps[name])
      return forbids(
        `A policy of this computer sets the ${what} to ${formatCredits(allowed[name] ?? 0)} ${bound}.`,
        name,
      );
  return ok(caps);
}

/** Same origin, and the path is the allowed one or below it, by whole segments. */
function isUnder(url: URL, base: string): boolean {
  const allowed = parseSafeAddress(base);
  if (!allowed.ok || url.origin !== allowed.value.origin) return false;
  const path = allowed.value.pathname.replace(/\/$/, '');
  if (path === '') return true;
  if (url.pathname !== path && !url.pathname.startsWith(`${path}/`)) return false;
  // Below an allowed path, nothing that some server reads as a separator or a step up: escapes of any kind, “;” with what follows, dots.
  return url.pathname
    .slice(path.length)
    .split('/')
    .every((segment) => /^(?:[\w~!$&'()*+,=:@-][\w.~!$&'()*+,=:@-]*)?$/.test(segment));
}

/**
 * Where a request may go. `demoOrigin`: that of the embedded demo service, which no policy blocks; null: it is not running. Errors:
 * `policy-forbids`; if the policy lists addresses also `wrong-origin` and `insecure-address`, for what is no safe address.
 */
export function checkAddress(policy: Policy, address: URL | string, demoOrigin: string | null = null): Result<void> {
  if (policy.allowedBaseUrls === undefined) return ok(undefined);
  const url = parseSafeAddress(String(address));
  if (!url.ok) return url;
  if (url.value.origin === demoOrigin) return ok(undefined);
  if (policy.allowedBaseUrls.some((base) => isUnder(url.value, base))) return ok(undefined);
  return forbids(`A policy of this computer does not allow connections to ${url.value.origin}${url.value.pathname}.`);
}

/** A connection as it would be saved or used: both of its addresses. A demo connection's addresses are on this computer. */
export function checkConnection(
  policy: Policy,
  { kind, restBaseUrl, soapUrl }: Pick<ConnectionDraft, 'kind' | 'restBaseUrl' | 'soapUrl'>,
): Result<void> {
  for (const [field, address] of Object.entries({ restBaseUrl, soapUrl })) {
    if (address === '') continue;
    if (kind === 'demo' && isLoopbackHost(URL.parse(address)?.hostname ?? '')) continue;
    const allowed = checkAddress(policy, address);
    if (!allowed.ok) return fail({ ...allowed.error, field });
  }
  return ok(undefined);
}

/**
 * With caps, the folder in which they are counted must be this user's own: one named by the environment would begin with nothing spent.
 * `own`: where the program's folder is whatever the environment says.
 */
export function checkDataFolder(policy: Policy, folder: string, own: string): Result<void> {
  const { creditsPerRunMax, creditsPerDayMax, balanceFloorMin } = policy;
  const capped = [creditsPerRunMax, creditsPerDayMax, balanceFloorMin].some((cap) => cap !== undefined);
  if (!capped || folder === own) return ok(undefined);
  return fail(
    appError('policy-forbids', {
      charge: 'not-charged',
      message: `A policy of this computer sets caps, so the program counts in one folder only: ${own}. The environment names another.`,
      next: 'Start it without ADDRESS_CONSOLE_DATA_FOLDER, XDG_CONFIG_HOME and HOME of your own, or ask whoever looks after this computer.',
    }),
  );
}

/** Any change of a licence: planning, running, finishing and undoing one. */
export function checkLicenceWrite({ licenceWritesAllowed }: Policy): Result<void> {
  return licenceWritesAllowed === false
    ? forbids('A policy of this computer does not allow changes of licences.')
    : ok(undefined);
}

/** One call. An operation that the catalogue does not know may write, so it counts as one that does. */
export function checkOperation(policy: Policy, protocol: Protocol, operation: string): Result<void> {
  if (protocol === 'rest' || findSoapOperation(operation)?.operation.effect === 'reads') return ok(undefined);
  return checkLicenceWrite(policy);
}

/** Writing answers or tables to a file, or printing them. */
export function checkExport({ exportAllowed }: Policy, way: 'file' | 'print' = 'file'): Result<void> {
  if (exportAllowed !== false) return ok(undefined);
  return forbids(
    way === 'print'
      ? 'A policy of this computer does not allow exports, and so no printing.'
      : 'A policy of this computer does not allow exports to files.',
  );
}

/** How a request leaves: as the policy says, else as the system says. */
export function chooseProxy(
  { proxy }: Policy,
  system: (url: URL) => Promise<string | null>,
): (url: URL) => Promise<string | null> {
  if (proxy === undefined || proxy === 'system') return system;
  const fixed = proxy === 'direct' ? null : proxy;
  return async () => fixed;
}
