import { describeUnreadOrder, type Licence } from '../../../../shared/domain/licences/licence.ts';
import {
  type ChangeWarning,
  type LicenceChange,
  nameLicence,
} from '../../../../shared/domain/licences/licence-change.ts';
import { isExpiredOn } from '../../../../shared/domain/licences/licence-filter.ts';
import { holdsLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { findSimilarNames } from '../../../../shared/domain/licences/similar-names.ts';
import { showInvisible } from '../../../../shared/domain/text/visible-text.ts';
import type { StoredHoldings } from '../records/licence-store.ts';
import { formatDay } from './change-messages.ts';

export interface PlanFacts {
  change: Pick<LicenceChange, 'kind' | 'licenceNumber' | 'licenceReference' | 'machine' | 'fromMachine' | 'undoOf'>;
  /** The licence in the account's list just read. */
  listed: Licence | undefined;
  /** Whether that list plainly says that it is whole. */
  isListWhole: boolean;
  before: readonly MachineHoldings[];
  /** Last known holdings of every machine, from earlier reads. */
  known: readonly StoredHoldings[];
  knownMachines: readonly string[];
  thisMachine: string;
  /** YYYY-MM-DD. */
  today: string;
  /** What Status says for other licences that are bound; empty if none is known to be. */
  boundStatuses: ReadonlySet<string>;
  /** The administrator's name for a Status, by the Status as it came. */
  statusLabels: ReadonlyMap<string, string>;
}

type Warning = LicenceChange['warnings'][number];
const warn = (code: ChangeWarning, text: string, blocks = false): Warning => ({ code, text, blocks });

/**
 * What the user should know before confirming. Only two things block: a contradiction between the request and what was just read, and
 * putting on a licence that the account does not list, which never blocks an undo. A licence that the service might not give back once it was
 * taken off needs a tick of its own.
 */
export function findWarnings(facts: PlanFacts): Warning[] {
  return [
    ...warnOfHoldings(facts),
    ...(facts.change.kind === 'unregister' ? [] : warnOfLicence(facts)),
    ...(facts.change.kind === 'register' ? [] : warnOfReturn(facts)),
    ...warnOfNames(facts),
  ];
}

function warnOfHoldings({ change, before, known, listed, isListWhole }: PlanFacts): Warning[] {
  const { kind, machine, fromMachine, licenceNumber } = change;
  const name = nameLicence(change);
  const holds = (wanted: string | null) =>
    before.some((holding) => holding.machine === wanted && holdsLicence(holding.licenceNumbers, licenceNumber));
  const found: Warning[] = [];
  const loser = kind === 'register' ? null : kind === 'move' ? fromMachine : machine;
  if (loser !== null && !holds(loser))
    found.push(warn('not-bound', `The service did not name ${name} for ${loser}.`, true));
  if (kind !== 'unregister' && holds(machine))
    found.push(warn('already-bound', `The service names ${name} for ${machine} already.`, true));
  if (!listed) {
    const text = isListWhole
      ? `The account’s list of licences does not name ${licenceNumber}.`
      : `The list of licences that came, which may not be whole, does not name ${licenceNumber}. Whether the account has it is not known.`;
    found.push(warn('licence-not-listed', text, kind === 'register' && change.undoOf === null));
  }
  if (kind === 'unregister') return found;
  const elsewhere = known.filter(
    (holding) =>
      holding.machine !== machine &&
      holding.machine !== fromMachine &&
      holdsLicence(holding.licenceNumbers, licenceNumber),
  );
  if (elsewhere.length > 0) {
    const names = elsewhere.slice(0, 3).map((holding) => holding.machine);
    const rest = elsewhere.length > 3 ? ` and ${elsewhere.length - 3} more` : '';
    found.push(warn('bound-elsewhere', `When last read, ${name} was named for ${names.join(', ')}${rest} too.`));
  }
  return found;
}

function warnOfLicence({ change, listed, today }: PlanFacts): Warning[] {
  if (!listed) return [];
  const name = nameLicence(change);
  const found: Warning[] = [];
  if (isExpiredOn(listed, today)) {
    const text = `${name} has expired: the service sent “${listed.expiryDate.trim()}”, read as ${listed.expiresOn}.`;
    found.push(warn('expired', text));
  }
  const unread = describeUnreadOrder(listed);
  if (unread !== undefined)
    found.push(
      warn(
        'expiry-unread',
        `When ${name} expires was not read: the service sent “${listed.expiryDate.trim()}”, and ${unread}.`,
      ),
    );
  // A move frees the seat it takes.
  if (change.kind === 'move') return found;
  if (listed.seatsFree === 0) found.push(warn('none-free', `“Available” of ${name} is 0, taken for no free seat.`));
  if (listed.seatsFree === null) {
    const sent = listed.available.trim() === '' ? 'empty' : `“${listed.available.trim()}”`;
    found.push(warn('seats-unknown', `Whether ${name} has a free seat is unknown: “Available” is ${sent}.`));
  }
  return found;
}

/** Status ignoring case and blanks. */
export const statusOf = ({ status }: Pick<Licence, 'status'>): string => status.trim().toLowerCase();

/** Words that in any service mean that a licence is not given out. */
const withheld = /suspend|expire|disabled|cancel|inactive|blocked|revoked|stopped|ended/i;

/** Why a licence that is taken off may stay off; null: nothing speaks against its return. `what` continues “even though”. */
export function doubtReturn(
  listed: Licence | undefined,
  today: string,
  boundStatuses: ReadonlySet<string>,
  statusLabels: ReadonlyMap<string, string>,
  isListWhole = true,
): { why: string; what: string } | null {
  if (!listed)
    return isListWhole
      ? { why: 'The account’s list does not name it.', what: 'the account does not list it' }
      : { why: 'The list that came, which may not be whole, does not name it.', what: 'its Status is not known' };
  const status = listed.status.trim();
  if (withheld.test(status)) return { why: `Its Status is ${status}.`, what: `its Status is ${status}` };
  const label = statusLabels.get(listed.status) ?? '';
  if (withheld.test(label))
    return { why: `Its Status is ${status}, labelled “${label}” here.`, what: `its Status is ${status}, “${label}”` };
  if (isExpiredOn(listed, today))
    return { why: `It expired on ${formatDay(`${listed.expiresOn}T12:00:00Z`)}.`, what: 'it has expired' };
  if (listed.seatsUsed === 0 && listed.seatsFree === 0)
    return {
      why: 'Its “LicenseInUse” and “Available” are 0, taken for no seat.',
      what: 'it may have no seat: its “LicenseInUse” and “Available” are 0',
    };
  if (boundStatuses.size === 0 || boundStatuses.has(statusOf(listed))) return null;
  const said = status === '' ? 'empty' : status;
  return { why: `Its Status is ${said}, unlike that of the other licences in use.`, what: `its Status is ${said}` };
}

/** Once taken off, the licence may stay off: the service may refuse to put it on a machine. */
function warnOfReturn({ change, listed, today, boundStatuses, statusLabels, isListWhole }: PlanFacts): Warning[] {
  const doubt = doubtReturn(listed, today, boundStatuses, statusLabels, isListWhole);
  if (!doubt) return [];
  const text = `The service might not give ${nameLicence(change)} back. ${doubt.why} If putting it on a machine is refused, it may end up on none.`;
  return [{ ...warn('may-not-come-back', text), tick: `Take it off even though ${doubt.what}` }];
}

function warnOfNames({ change, knownMachines, thisMachine }: PlanFacts): Warning[] {
  const found: Warning[] = [];
  const own = [change.machine, ...(change.fromMachine === null ? [] : [change.fromMachine])];
  const pool = [...knownMachines, ...own, thisMachine];
  const told = new Set<string>();
  for (const machine of own) {
    if (showInvisible(machine) !== machine)
      found.push(warn('hidden-character', `“${machine}” has a hidden character, which is sent as part of the name.`));
    for (const near of findSimilarNames(machine, pool)) {
      const pair = [machine, near.name].sort().join('\n');
      if (told.has(pair)) continue;
      told.add(pair);
      const differs = near.differences.join(' and ');
      found.push(warn('near-equal-name', `“${machine}” and “${near.name}” differ only in ${differs}.`));
    }
  }
  if (change.machine !== thisMachine) {
    found.push(warn('not-this-machine', `${change.machine} is not this machine, which is ${thisMachine}.`));
  }
  return found;
}
