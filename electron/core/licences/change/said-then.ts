import type { LicenceClaim } from '../../../../shared/claims/licence-claims.ts';
import { toSecond } from '../../../../shared/claims/moment.ts';
import type { LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import type { JournalEvent } from '../../../../shared/domain/licences/licence-journal.ts';
import { isoNow } from '../../../ports.ts';
import type { ChangeDeps } from './change-deps.ts';

/** Entries whose text is the claims about the change from then on. */
const concluding: ReadonlySet<JournalEvent> = new Set<JournalEvent>([
  'stopped',
  'found',
  'checked',
  'undone',
  'finished',
  'dismissed',
]);

/**
 * What a receipt or a list of rows said of a change, if it reads otherwise from now on. Only the fact that it left is stored: the journal
 * has what was said by its last entry then. `conclusion`: as it is about to be entered.
 */
export function saidThen(
  change: LicenceChange,
  conclusion: string,
  { store, ctx }: Pick<ChangeDeps, 'store' | 'ctx'>,
): LicenceClaim[] {
  const left = store.saidOf(change);
  if (left.length === 0) return [];
  const entries = ctx.journal.ofChange(change.id).filter(({ event }) => concluding.has(event));
  const claims: LicenceClaim[] = [];
  for (const { at, outlet, asOf, saved } of left.toReversed()) {
    const then = entries.findLast(({ sequence }) => sequence <= asOf);
    if (!then || then.text === conclusion || (outlet !== 'receipt' && outlet !== 'list')) continue;
    // If it is open whether a list left, both it and what left before it are quoted.
    if (!saved && claims.length > 0) continue;
    const changed = entries.find(({ sequence, text }) => sequence > asOf && text !== then.text);
    const until = toSecond(changed?.at ?? isoNow(ctx));
    claims.push({
      kind: 'said-then',
      outlet: saved ? outlet : 'list-perhaps',
      at: toSecond(at),
      until,
      words: then.text,
    });
    if (saved) break;
  }
  return claims;
}
