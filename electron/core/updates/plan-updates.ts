import { type UpdateMode, updateModes } from '../../../shared/contract/updates.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { parseSafeAddress } from '../transport/connect/origin.ts';

/**
 * How the program came onto this computer. `nsis`: by the installer, for this user; `everyone`: by it, for all. `msi`: on Windows, anything
 * other than the installer. `loose`: unpacked by hand.
 */
export type InstallKind = 'nsis' | 'everyone' | 'msi' | 'mac' | 'appimage' | 'deb' | 'loose';

/** How and where the running program is installed. */
export interface InstallPlace {
  /** False for a run from the sources or on the development host. */
  packaged: boolean;
  kind: InstallKind;
  /** The folder that a newer version would be written to. */
  folder: string;
  /** This user can write it. */
  writable: boolean;
  /** The installer recorded who must have signed a newer version (Windows; irrelevant elsewhere). */
  publisherKnown: boolean;
}

export interface UpdateChoices {
  policyMode: UpdateMode | undefined;
  policyAddress: string | undefined;
  /** null: the user has not chosen. */
  userMode: UpdateMode | null;
  userAddress: string;
}

/**
 * `mode` applies, and `why` says so to the user; `most` is all that the policy allows, `chosen` what the user, else the policy, wants.
 * `address` empty: none is set. `installs` says to the user when a version that is ready is installed.
 */
export interface UpdatePlan {
  mode: UpdateMode;
  why: string;
  chosen: UpdateMode;
  most: UpdateMode;
  address: string;
  addressLocked: boolean;
  installs: string;
}

const rank = (mode: UpdateMode): number => updateModes.indexOf(mode);
const lower = (one: UpdateMode, other: UpdateMode): UpdateMode => (rank(one) <= rank(other) ? one : other);

const selfInstalling: Readonly<Record<InstallKind, boolean>> = {
  nsis: true,
  mac: true,
  appimage: true,
  everyone: false,
  msi: false,
  deb: false,
  loose: false,
};
const kindText: Readonly<Record<InstallKind, string>> = {
  nsis: 'by its installer',
  mac: 'as a macOS application',
  appimage: 'as an AppImage',
  everyone: 'for everyone by its installer',
  msi: 'by an MSI or by hand',
  deb: 'by a deb',
  loose: 'by hand',
};

/** What installing at the end depends on, and what must not cut it short. */
const conditions: Readonly<Partial<Record<InstallKind, { condition: string; after?: string }>>> = {
  nsis: {
    condition: ', if no command is running and there is room on the disk',
    // The installer removes the old program first, and ends with the session.
    after: ' Leave the computer on for a few minutes after that.',
  },
  // macOS's updater waits for whatever runs from the program's folder, and gives up where a command starts in between (Squirrel.Mac).
  mac: { condition: ', if no command is running' },
};

/** The installer of Windows ends whatever runs from the program's folder, so a command at work puts it off. */
export const isPutOffByCommands = (kind: InstallKind): boolean => kind === 'nsis';

/** An address of releases: https, plain, no user name, no query. Errors: `bad-input` with the field `address`. */
function checkUpdateAddress(address: string): Result<URL> {
  const refuse = (message: string) =>
    fail(appError('bad-input', { message, field: 'address', charge: 'not-applicable' }));
  const url = parseSafeAddress(address);
  if (!url.ok || url.value.protocol !== 'https:')
    return refuse('The update address must be a complete https address without a user name.');
  if (/[?#]/.test(address)) return refuse('The update address is a folder: it ends before any “?” or “#”.');
  return ok(url.value);
}

/**
 * What the program does about newer versions, and why. Nothing is looked for until somebody names an address; then the lower of the
 * policy's and the user's mode applies, as far as this user can replace this installation. Pure.
 */
export function planUpdates(choices: UpdateChoices, place: InstallPlace): UpdatePlan {
  const most = choices.policyMode ?? 'automatic';
  const addressLocked = choices.policyAddress !== undefined;
  const address = choices.policyAddress ?? choices.userAddress;
  // Whoever names an address wants to hear of newer versions; an administrator may want more.
  const chosen = choices.userMode ?? choices.policyMode ?? 'notify';
  const { condition = '', after = '' } = conditions[place.kind] ?? {};
  const installs = `It is installed when you close the program${condition}.${after}`;
  const plan = (mode: UpdateMode, why: string): UpdatePlan => ({
    mode,
    why,
    chosen,
    most,
    address,
    addressLocked,
    installs,
  });
  const off = (why: string) => plan('off', why);

  if (!place.packaged) return off('This is a run for development: only an installed program looks for newer versions.');
  if (most === 'off') return off('A policy of this computer says that the program looks for no newer versions.');
  if (address === '') return off('No update address is set, so the program looks for no newer versions.');
  if (!checkUpdateAddress(address).ok)
    return off('The update address cannot be used: it must be a plain https address.');
  if (chosen === 'off') return off('You chose not to look for newer versions.');
  if (!place.writable)
    return off(
      `You cannot write to the folder that the program is in (${place.folder}), so it does not check automatically. Newer versions are installed by whoever looks after this computer.`,
    );
  const wanted = lower(most, chosen);
  if (wanted === 'automatic' && !selfInstalling[place.kind])
    return plan(
      'notify',
      `The program was installed ${kindText[place.kind]}, which it cannot replace itself. It says when there is a newer version; whoever looks after this computer installs it.`,
    );
  if (wanted === 'automatic' && place.kind === 'nsis' && !place.publisherKnown)
    return plan(
      'notify',
      'This program is not signed, so nothing but the update address could vouch for a newer version. It says when there is one; whoever looks after this computer installs it.',
    );
  if (wanted === 'automatic')
    return plan(
      'automatic',
      `A newer version is fetched when it is seen and installed when the program is next closed${condition}.`,
    );
  return plan(
    'notify',
    most === 'notify' && chosen === 'automatic'
      ? 'A policy of this computer lets the program say that there is a newer version, and no more. It installs none.'
      : 'The program says when there is a newer version. It fetches and installs none.',
  );
}

/** A request of the user, against the policy. Errors: `policy-forbids`, `bad-input`. */
export function checkUpdateChoice(
  { policyMode, policyAddress }: Pick<UpdateChoices, 'policyMode' | 'policyAddress'>,
  request: { mode: UpdateMode; address: string },
): Result<void> {
  const forbids = (message: string, field: string) => fail(appError('policy-forbids', { message, field }));
  if (policyMode !== undefined && rank(request.mode) > rank(policyMode))
    return forbids('A policy of this computer allows less about newer versions than that.', 'mode');
  if (policyAddress !== undefined)
    return request.address === policyAddress
      ? ok(undefined)
      : forbids('A policy of this computer sets the update address.', 'address');
  if (request.address === '') return ok(undefined);
  const address = checkUpdateAddress(request.address);
  return address.ok ? ok(undefined) : address;
}
