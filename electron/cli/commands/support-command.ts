import { hostname } from 'node:os';
import { type SupportMask, supportMasks, usualMasks } from '../../../shared/contract/support.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { createActivityLog } from '../../core/activity/activity-log.ts';
import { createDescriptions } from '../../core/calls/descriptions.ts';
import { createBalances } from '../../core/credits/balances.ts';
import { checkExport } from '../../core/policy/apply-policy.ts';
import { searchForKeys } from '../../core/setup/search-for-keys.ts';
import { createLedger } from '../../core/spend/ledger.ts';
import { openConnectionsRepository } from '../../core/storage/connections-repository.ts';
import { attempt, attemptLater } from '../../core/storage/database/errors.ts';
import { openServiceDescriptions } from '../../core/storage/service-descriptions.ts';
import { createSupport } from '../../core/support/support.ts';
import { joinParts } from '../../core/support/support-parts.ts';
import { systemClock } from '../../platform/clock.ts';
import { findUser } from '../../platform/user.ts';
import { writeTextFile } from '../../platform/write-file.ts';
import type { Arguments } from '../arguments.ts';
import { type HandingDesk, openHandingDesk } from '../handing-desk.ts';
import { type Failure, type Printed, usageError } from '../printed.ts';
import type { Session } from '../session.ts';
import { version } from '../version.ts';

/**
 * `support CALL` prints the support file of a call in the activity log, `support last` that of the newest one; `--out FILE` saves it.
 * Everything except balances is masked unless `--show` names it. Keys are always masked.
 */
export async function supportCommand(args: Arguments, session: Session): Promise<Result<Printed, Failure>> {
  const [word] = args.words;
  if (word === undefined)
    return usageError('Name the call.', 'Write support last, or support and the call of Activity.');
  const shown = (args.show ?? '').split(',').filter(Boolean);
  const strange = shown.find((one) => !supportMasks.some((mask) => mask === one));
  if (strange !== undefined)
    return usageError(`There is no --show ${strange}.`, `It is one of ${supportMasks.join(', ')}.`);
  const allowed = checkExport(session.policy);
  if (!allowed.ok) return allowed;
  const opened = await openHandingDesk(session);
  if (!opened.ok) return opened;
  const masks = usualMasks.filter((mask) => !shown.includes(mask));
  try {
    return await supportFile(opened.value, session, word, masks, args.out);
  } finally {
    opened.value.close();
  }
}

async function supportFile(
  desk: HandingDesk,
  session: Session,
  word: string,
  masks: readonly SupportMask[],
  out: string | undefined,
): Promise<Result<Printed, Failure>> {
  const { db } = desk;
  const clock = systemClock;
  const log = createActivityLog(db, clock, { person: findUser().name, source: 'command line' });
  const ledger = createLedger(db, clock);
  const support = createSupport({
    db,
    clock,
    log,
    ledger,
    balances: createBalances(db, clock, ledger),
    exchanges: { find: () => undefined },
    descriptions: createDescriptions(openServiceDescriptions(db), session.send),
    connections: { list: () => attempt(() => openConnectionsRepository(db.sql).list()) },
    machineName: hostname(),
    userName: findUser().name,
  });
  const newest = await attemptLater(() =>
    log.search.list(wholeTable, { before: null, limit: 1, fold: false }, () => []),
  );
  if (!newest.ok) return newest;
  const callId = word === 'last' ? (newest.value.calls[0]?.id ?? '') : word;
  const made = await support.prepare(callId, masks, { version, host: 'the command line' });
  if (!made.ok) return made;
  const every = await desk.readEvery();
  if (!every.ok) return every;
  const text = joinParts(made.value.parts, []);
  const clean = searchForKeys(text, every.value.values);
  if (!clean.ok) return clean;
  const searched = { searchedForKeys: every.value.values.length, keysNotRead: every.value.unread };
  const said = support.enterSaid(callId);
  if (out === undefined) {
    const begun = said.begin();
    if (!begun.ok) return begun;
    const noted = said.end(true);
    return noted.ok ? ok({ value: text, ...searched }) : noted;
  }
  const written = await writeTextFile(out, [{ text, rows: 1 }], session.signal, said.begin);
  const noted = said.end(written.ok);
  if (!written.ok) return written;
  return noted.ok ? ok({ saved: out, parts: made.value.parts.map(({ name }) => name), ...searched }) : noted;
}
