import type { LicenceClaim } from '../../../../shared/claims/licence-claims.ts';
import { toSecond } from '../../../../shared/claims/moment.ts';
import {
  type ChangeRead,
  type ChangeWrite,
  type LicenceChange,
  machinesOf,
  nameLicence,
  readsSinceWrite,
} from '../../../../shared/domain/licences/licence-change.ts';
import type { ChangeContext } from './change-deps.ts';

// What the reads of a change say, derived from its facts alone (writes and reads); nothing here is stored as truth.

/** Between two reads that do not name the licence this long must pass before it is taken as not there (ms). */
const absenceMs = 30_000;

/** Two clocks differ by rounding, and timers: a read this little before its time counts as that read (ms). */
const early = 500;

/** Whether the licence is on one machine, by the reads since the last write to it. absent: not named twice, beside a control. */
export type Where = 'seen' | 'absent' | 'not-named' | 'unread';

/**
 * goal: as planned. start: as before. neither and both: only a move can be there. open: the reads do not decide it yet. unread: a machine
 * of the change has not been read since it was written to.
 */
export type Position = 'goal' | 'start' | 'neither' | 'both' | 'open' | 'unread';

/**
 * The shortest time that can have passed between two values of the clock that runs from this computer's start (ms): it cannot be set, and
 * after a restart at least the time since then has passed. null: not noted, so nothing is sure to have passed.
 */
const leastElapsed = (from: number | null, to: number): number => (from === null ? 0 : to >= from ? to - from : to);

const isUsable = ({ found }: ChangeRead): boolean => found !== 'unread';
/** Whether a read can be one of the two that make an absence: an earlier version did not note the time of each. */
const isBelieved = ({ controlled, uptime }: ChangeRead): boolean => controlled && uptime !== null;
/** The reads since the licence was last named there, if it ever was; otherwise all. */
const notNamed = (reads: readonly ChangeRead[]): ChangeRead[] =>
  reads.slice(reads.findLastIndex(({ found }) => found === 'named') + 1);

/** What is known of the licence on a machine. */
export function whereOn(change: LicenceChange, machine: string): Where {
  const reads = readsSinceWrite(change, machine).filter(isUsable);
  if (reads.length === 0) return 'unread';
  const without = notNamed(reads);
  if (without.length === 0) return 'seen';
  // A later one may count for less: after a restart of the computer only the time since then is sure to have passed.
  const [first, ...later] = without.filter(isBelieved);
  return first && later.some((read) => isInTime(first, read)) ? 'absent' : 'not-named';
}

/** Whether a read was asked late enough after an earlier one's answer: when the service looked at what a slow answer says is not known. */
function isInTime(first: ChangeRead, { asked, uptime }: ChangeRead): boolean {
  const at = asked ?? uptime;
  return at !== null && leastElapsed(first.uptime, at) > absenceMs - early;
}

/**
 * How long until a second read may decide an absence (ms); null: none is waited for. One that was asked in time and decided nothing is not
 * repeated: a machine that does not answer would be asked without end. One that was asked too early is, however late its answer came.
 */
export function absenceDue(change: LicenceChange, machine: string, uptime: number): number | null {
  const reads = readsSinceWrite(change, machine);
  const first = notNamed(reads.filter(isUsable)).find(isBelieved);
  if (first === undefined || whereOn(change, machine) !== 'not-named') return null;
  const later = reads.slice(reads.indexOf(first) + 1);
  return later.some((read) => isInTime(first, read))
    ? null
    : Math.max(0, absenceMs - leastElapsed(first.uptime, uptime));
}

/** The state of a change by its reads. */
export function positionOf(change: LicenceChange): Position {
  const at = whereOn(change, change.machine);
  if (change.kind === 'register') return at === 'seen' ? 'goal' : at === 'unread' ? 'unread' : 'start';
  if (change.kind === 'unregister')
    return at === 'absent' ? 'goal' : at === 'seen' ? 'start' : at === 'unread' ? 'unread' : 'open';
  const from = whereOn(change, change.fromMachine ?? '');
  // Nothing was sent to the new machine, which did not have it before.
  const isUntouched = !change.writes.some(({ machine, left }) => left && machine === change.machine);
  if (at === 'unread' && from === 'absent' && isUntouched) return 'neither';
  if (at === 'unread' || from === 'unread') return 'unread';
  if (at === 'seen') return from === 'absent' ? 'goal' : from === 'seen' ? 'both' : 'open';
  return from === 'seen' ? 'start' : 'neither';
}

/** Whether the intended effect of a write has been seen since. */
export const isEffectSeen = (change: LicenceChange, { write, machine }: ChangeWrite): boolean =>
  whereOn(change, machine) === (write === 'register' ? 'seen' : 'absent');

/**
 * The last write that left and whose effect was not seen, or is not any more, as where a stale copy answers: nothing is written again while
 * its time runs.
 */
export const openWrite = (change: LicenceChange): ChangeWrite | undefined =>
  change.writes.findLast((write) => write.left && !isEffectSeen(change, write));

/**
 * The shortest time since a write ended (ms); by the wall clock for one sent by an earlier version. `now`: that clock; `at`: the one that
 * cannot be set.
 */
export const sinceEnd = ({ uptime, endedAt, sentAt }: ChangeWrite, now: number, at: number): number =>
  uptime === null ? Math.max(0, now - Date.parse(endedAt ?? sentAt)) : leastElapsed(uptime, at);

/** Automatic reads after a write whose effect was not seen (ms after its end); then once at the next start. */
const schedule = [5000, 65_000, 605_000] as const;

/**
 * When it is next read automatically (ISO), `next-start`, or null if that has been done too, no window can do it, or no write waits to be
 * seen. Where no window is open it is left to the next start of one.
 */
export function nextReadOf(
  change: LicenceChange,
  { now, uptime, readsAgain }: Pick<ChangeContext, 'now' | 'uptime' | 'readsAgain'>,
  atStart: boolean,
): string | null {
  const write = openWrite(change);
  if (!write) return null;
  const by = readsAgain(change);
  const next = by === 'in-time' ? nextInTime(change, write, now(), uptime()) : undefined;
  if (next !== undefined) return new Date(next).toISOString();
  return atStart || by === 'never' ? null : 'next-start';
}

function nextInTime(change: LicenceChange, write: ChangeWrite, now: number, uptime: number): number | undefined {
  const passed = sinceEnd(write, now, uptime);
  const byWallClock = now - Date.parse(write.endedAt ?? write.sentAt);
  // By the clock that cannot be set, so that setting the other one back does not postpone the read. It may not count a sleep or the time
  // before a restart: a time that is over by the other one alone would be due again after each read.
  const waits = schedule
    .filter((after) => after > passed + early)
    .flatMap((after) => [after - passed, after - byWallClock])
    .filter((wait) => wait > 0);
  const soonest = Math.min(...waits, absenceDue(change, write.machine, uptime) ?? Infinity);
  return soonest === Infinity ? undefined : now + soonest;
}

/** The reads of the machine that was written to last, since that write: those that left, also where no answer could be used. */
const roundsOf = (change: LicenceChange): ChangeRead[] => {
  const last = change.writes.findLast(({ left }) => left);
  return last ? readsSinceWrite(change, last.machine).filter(({ left }) => left !== false) : [];
};

/** The claims about a change, from its facts alone: what was read of each machine, and how far that is from the end. */
export function claimsOf(change: LicenceChange): LicenceClaim[] {
  if (change.writes.length === 0 || change.writes.every(({ left }) => !left)) {
    return change.state === 'planned' ? [] : [{ kind: 'nothing-left' }];
  }
  const machines = machinesOf(change);
  const position = positionOf(change);
  const said = machines.flatMap((machine) => describeMachine(change, machine));
  if (change.state === 'running' || position === 'goal') return said;
  const half: LicenceClaim[] =
    position === 'both' || position === 'neither' ? [{ kind: 'half-done', on: position }] : [];
  const write = openWrite(change);
  if (!write) return [...half, ...said];
  const rounds = roundsOf(change);
  const last = rounds.at(-1)?.at;
  const { nextRead } = change;
  const wait: LicenceClaim =
    last === undefined
      ? { kind: 'not-read-yet' }
      : nextRead === null
        ? { kind: 'not-as-wished', reads: rounds.length, until: toSecond(last) }
        : {
            kind: 'on-its-way',
            reads: rounds.length,
            last: toSecond(last),
            next: nextRead === 'next-start' ? null : toSecond(nextRead),
          };
  const hold: LicenceClaim[] =
    change.writeAfter === null || change.state !== 'interrupted'
      ? []
      : [{ kind: 'write-after', at: toSecond(change.writeAfter) }];
  return [...half, ...said, wait, ...hold];
}

function describeMachine(change: LicenceChange, machine: string): LicenceClaim[] {
  const licence = nameLicence(change);
  const reads = readsSinceWrite(change, machine);
  const read = reads.findLast(isUsable) ?? reads.at(-1);
  if (!read) return [];
  const at = toSecond(read.at);
  if (read.found === 'unread') return [{ kind: 'unread', machine, at, why: read.why ?? 'no reason was given' }];
  if (read.found === 'named') return [{ kind: 'seen', licence, machine, at }];
  if (whereOn(change, machine) === 'absent')
    return [{ kind: 'not-seen', licence, machine, reads: notNamed(reads.filter(isUsable)).length, at }];
  return read.found === 'none'
    ? [{ kind: 'named-none', machine, at }]
    : [{ kind: 'not-among', licence, machine, of: read.of, at }];
}
