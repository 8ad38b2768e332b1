import {
  type ChangeOffer,
  type LicenceChange,
  nameLicence,
} from '../../../../shared/domain/licences/licence-change.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import type { ChangeContext, ChangeDeps } from './change-deps.ts';
import { describeChange, formatUkMoment } from './change-messages.ts';
import { openWrite, sinceEnd } from './evidence.ts';
import { findUnfinished, isSameServer, planLifeMs, touches, unfinishedBeside } from './plan.ts';

// Why a change cannot be acted on now, as errors of the closed list.

/** How long until the licence may be written to again (ms), by the clock that cannot be set; 0 or less: it may be now. */
export function holdLeft(change: LicenceChange, { ctx }: Pick<ChangeDeps, 'ctx'>): number {
  if (change.state === 'finished' && (change.verdict === 'seen' || change.verdict === 'confirmed')) return 0;
  const write = openWrite(change);
  return write ? write.holdMs - sinceEnd(write, ctx.now(), ctx.uptime()) : 0;
}

export const outdated = (message: string): AppError => appError('plan-outdated', { message, charge: 'not-applicable' });

/** Why a plan is not run any more: Status, expiry and seats, from which its warnings come, are not read again when it is run. */
export const findOld = (
  { plannedAt }: Pick<LicenceChange, 'plannedAt'>,
  { ctx }: { ctx: Pick<ChangeContext, 'now'> },
): AppError | null =>
  ctx.now() - Date.parse(plannedAt) <= planLifeMs
    ? null
    : appError('plan-outdated', {
        message: 'This plan is more than a day old.',
        next: 'Plan it again.',
        charge: 'not-applicable',
      });

/**
 * Why nothing is read or written: the connection leads to another server or account than when the change was planned, whose licences say
 * nothing of it.
 */
export function findMoved(
  change: Pick<LicenceChange, 'server' | 'accountName'>,
  { ctx }: { ctx: Pick<ChangeContext, 'server' | 'accountName'> },
): AppError | null {
  const moved = (what: string, planned: string, now: string): AppError =>
    appError('wrong-origin', {
      message: `The connection’s ${what} has changed since this was planned: it was planned ${planned}, and the connection now ${now}.`,
      next: `Set the ${what} back under Connections. A plan that was not started can be made again.`,
      money: 'Nothing was sent.',
      charge: 'not-charged',
    });
  if (change.server !== '' && ctx.server !== '' && !isSameServer(change.server, ctx.server))
    return moved('address', `at ${change.server}`, `leads to ${ctx.server}`);
  if (change.accountName !== '' && ctx.accountName !== '' && change.accountName !== ctx.accountName)
    return moved('account', `with ${change.accountName}`, `uses ${ctx.accountName}`);
  return null;
}

/** A write of this licence was not seen yet, and its waiting time is not over. */
export const tooSoon = (change: LicenceChange, deps: Pick<ChangeDeps, 'ctx'>): AppError =>
  appError('unfinished-change', {
    message: `${nameLicence(change)} has a change that was sent and has not been seen yet: ${describeChange(change)}. Nothing is written again for now.`,
    // Of one that has ended no read is offered: only its machine can be read.
    next: `Read ${change.state === 'finished' ? 'the machine' : 'it again'} under Licences, or wait until ${formatUkMoment(new Date(deps.ctx.now() + holdLeft(change, deps)).toISOString())} at least.`,
    charge: 'not-applicable',
  });

/** Why the licence may not be written to now: an unfinished change of it, or a write to it whose time is not over. */
export function findBusy(change: LicenceChange, deps: Pick<ChangeDeps, 'store' | 'ctx'>): AppError | null {
  const { store, ctx } = deps;
  const beside = unfinishedBeside(change, deps);
  const open = findUnfinished(change, beside, change.undoOf);
  if (open) return open;
  const held = beside.find((other) => holdLeft(other, deps) > 0);
  if (held) return tooSoon(held, deps);
  for (const ended of store.stillHeldOf(change.licenceNumber, ctx.uptime()))
    if (ended.id !== change.id && touches(change, ended, ctx) && holdLeft(ended, deps) > 0) return tooSoon(ended, deps);
  return null;
}

/** The answer when there is no change of that id: none was planned, or its plan was forgotten (`planLifeMs`). */
export const notKnown = (): AppError =>
  appError('bad-input', {
    message: 'There is no such change. A plan that is not run within a day is forgotten.',
    field: 'changeId',
    charge: 'not-applicable',
  });

const offered = { check: 'read again', finish: 'finished', undo: 'undone', dismiss: 'dismissed' } as const;

export const notOffered = (offer: ChangeOffer): AppError =>
  appError('bad-input', {
    message: `This change is not waiting to be ${offered[offer]}.`,
    field: 'action',
    charge: 'not-applicable',
  });
