import type { DemoSettings } from '../options.ts';
import { type Clock, day } from './clock.ts';
import { deriveGuid, deriveNumber } from './credentials.ts';
import { type ApiKey, seedKeys } from './keys.ts';
import { type Licence, seededAt, seedLicences } from './licence-seed.ts';
import { readState, writeState } from './state-file.ts';

/** The demo account: keys, licences, machines and credits. The only place where any of them changes. */
export interface Account {
  readonly accountName: string;
  readonly guid: string;
  readonly otherAccountName: string;
  readonly otherGuid: string;
  readonly webMapKey: string;
  readonly keys: readonly ApiKey[];
  readonly licences: readonly Licence[];
  /** The licence that the demo credentials name. */
  readonly defaultLicence: Licence;
  /** Of the account, in credits; `expires`: in days since 1970. */
  balance(): { remaining: number; used: number; expires: number };
  /** Takes credits from the key, or from the account if the key shares it. Returns false and takes nothing if there are too few. */
  chargeKey(key: ApiKey, credits: number): boolean;
  /** Takes credits from a licence. Returns false and takes nothing if there are too few: `Unlimited` always suffices, '' never does. */
  chargeLicence(licence: Licence, credits: number): boolean;
  /** Checks nothing, not even the seats: another client may have done it by other rules. */
  bind(licence: Licence, machine: string): void;
  unbind(licence: Licence, machine: string): void;
  /**
   * Adds credits to the account, or to the licence with that number, as another client or the portal would. A negative number takes
   * credits, down to 0. Returns false if there is no such licence or it has no number of credits.
   */
  addCredits(credits: number, licenceNumber?: number): boolean;
  /** Returns false if there is no such licence. */
  setSuspended(licenceNumber: number, suspended: boolean): boolean;
}

/** Creates the account of the seed and restores its state file if there is one. Throws an Error with a one-sentence message if the file is unusable. */
export function openAccount(settings: DemoSettings, clock: Clock): Account {
  const { seed } = settings;
  const today = Math.floor(clock.now() / day);
  const accountName = `demo${deriveNumber(seed, 'account')}`;
  const otherAccountName = `demo${deriveNumber(seed, 'other-account')}`;
  const keys = seedKeys(seed, settings.keyCredits === 'key' ? settings.credits : undefined);
  const licences = seedLicences(seed, today, accountName, otherAccountName);
  const total = { seed, credits: settings.credits, used: 0, expires: today + 400 };
  const kept = readState(settings.state, seed);
  if (kept) {
    Object.assign(total, { credits: kept.credits, used: kept.used, expires: kept.expires });
    for (const key of keys) {
      const found = kept.keys.find((candidate) => candidate.label === key.label);
      if (!found) continue;
      key.used = found.used;
      if (key.credits !== undefined && found.credits !== null) key.credits = found.credits;
    }
    for (const licence of licences)
      Object.assign(licence, kept.licences.find((candidate) => candidate.number === licence.number) ?? {});
  }
  const save = (): void =>
    writeState(settings.state, {
      ...total,
      keys: keys.map(({ label, credits, used }) => ({ label, credits: credits ?? null, used })),
      licences: licences.map(({ number, expires, credits, used, suspended, machines }) => ({
        number,
        expires,
        credits,
        used,
        suspended,
        machines,
      })),
    });
  const byNumber = (number: number): Licence | undefined => licences.find((licence) => licence.number === number);
  const defaultLicence = licences[seededAt('default')];
  if (!defaultLicence) throw new Error('The seeded account has no default licence.');

  return {
    accountName,
    otherAccountName,
    guid: deriveGuid(seed, 'account'),
    otherGuid: deriveGuid(seed, 'other-account'),
    webMapKey: deriveGuid(seed, 'web-map').replaceAll('-', ''),
    keys,
    licences,
    defaultLicence,
    balance: () => ({ remaining: total.credits, used: total.used, expires: total.expires }),
    chargeKey(key, credits) {
      if ((key.credits ?? total.credits) < credits) return false;
      if (credits === 0) return true;
      if (key.credits === undefined) total.credits -= credits;
      else key.credits -= credits;
      key.used += credits;
      total.used += credits;
      save();
      return true;
    },
    chargeLicence(licence, credits) {
      if (credits === 0) return true;
      if (typeof licence.credits === 'number') {
        if (licence.credits < credits) return false;
        licence.credits -= credits;
      } else if (licence.credits === '') return false;
      licence.used += credits;
      save();
      return true;
    },
    bind(licence, machine) {
      licence.machines = [...licence.machines, machine];
      save();
    },
    unbind(licence, machine) {
      licence.machines = licence.machines.filter((bound) => !sameMachine(bound, machine));
      save();
    },
    addCredits(credits, licenceNumber) {
      const licence = licenceNumber === undefined ? undefined : byNumber(licenceNumber);
      if (licenceNumber !== undefined && typeof licence?.credits !== 'number') return false;
      if (licence) licence.credits = Math.max(0, Number(licence.credits) + credits);
      else total.credits = Math.max(0, total.credits + credits);
      save();
      return true;
    },
    setSuspended(licenceNumber, suspended) {
      const licence = byNumber(licenceNumber);
      if (!licence) return false;
      licence.suspended = suspended;
      save();
      return true;
    },
  };
}

/** Compares machine names without regard to case, as Windows does, or to blanks around them. */
export function sameMachine(one: string, other: string): boolean {
  return one.trim().toUpperCase() === other.trim().toUpperCase();
}
