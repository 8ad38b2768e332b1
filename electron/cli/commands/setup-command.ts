import { basename } from 'node:path';
import type { SetupRow } from '../../../shared/domain/setup-file.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { checkExport } from '../../core/policy/apply-policy.ts';
import { settingsWithPolicy } from '../../core/policy/enforce-policy.ts';
import { createSettings } from '../../core/settings/settings.ts';
import { checkSetupText, mostSetupMegabytes, readSetup, setupText } from '../../core/setup/read-setup.ts';
import { searchForKeys } from '../../core/setup/search-for-keys.ts';
import { createSetup } from '../../core/setup/setup.ts';
import { systemClock } from '../../platform/clock.ts';
import { readTextFile } from '../../platform/read-file.ts';
import { findUser } from '../../platform/user.ts';
import { writeTextFile } from '../../platform/write-file.ts';
import type { Arguments } from '../arguments.ts';
import { type HandingDesk, openHandingDesk } from '../handing-desk.ts';
import { type Failure, type Printed, usageError } from '../printed.ts';
import type { Session } from '../session.ts';

export const setupSubcommands = ['export', 'import'] as const;

/**
 * `export --out FILE` saves the set-up of the data folder. `import FILE` takes over what the window suggests: what is new and lets
 * nothing past a cap, and the stricter of two caps. It replaces nothing else; a choice can be made only in the window. `--dry-run` prints what it would do.
 */
export async function setupCommand(args: Arguments, session: Session): Promise<Result<Printed, Failure>> {
  const [what, word] = args.words;
  if (what !== 'export' && what !== 'import')
    return usageError(
      what === undefined ? 'Say what to do with the set-up.' : `There is no “setup ${what}”.`,
      'Write setup export --out FILE, or setup import FILE --dry-run.',
    );
  if (what === 'import' && word === undefined)
    return usageError('Name the file.', 'Write setup import FILE --dry-run.');
  if (what === 'export' && args.out === undefined)
    return usageError('Name the file.', 'Write setup export --out FILE.');
  const opened = await openHandingDesk(session);
  if (!opened.ok) return opened;
  try {
    return await (what === 'export'
      ? exportSetup(opened.value, session, args.out ?? '')
      : importSetup(opened.value, session, word ?? '', args.dryRun));
  } finally {
    opened.value.close();
  }
}

const setupAt = ({ db, findTyped }: HandingDesk, { policy }: Session) =>
  createSetup({
    db,
    clock: systemClock,
    settings: settingsWithPolicy(createSettings(db), policy),
    policy,
    userName: findUser().name,
    findTyped,
  });

const rowText = ({ what, connection, count, state, file, here, note }: SetupRow) => ({
  what,
  connection,
  count,
  state,
  file,
  here,
  note,
});

async function exportSetup(desk: HandingDesk, session: Session, out: string): Promise<Result<Printed, Failure>> {
  const allowed = checkExport(session.policy);
  if (!allowed.ok) return allowed;
  const every = await desk.readEvery();
  if (!every.ok) return every;
  const own = setupAt(desk, session).readOwn();
  if (!own.ok) return own;
  const { file, rows, leftOut } = own.value;
  const text = setupText(file);
  const readable = checkSetupText(text);
  if (!readable.ok) return readable;
  const clean = searchForKeys(text, every.value.values);
  if (!clean.ok) return clean;
  const written = await writeTextFile(out, [{ text, rows: 1 }], session.signal);
  if (!written.ok) return written;
  return ok({
    value: rows.map(({ what, connection, count, file: text }) => ({ what, connection, count, file: text })),
    saved: out,
    leftOut,
    searchedForKeys: every.value.values.length,
    keysNotRead: every.value.unread,
  });
}

async function importSetup(
  desk: HandingDesk,
  session: Session,
  path: string,
  dryRun: boolean,
): Promise<Result<Printed, Failure>> {
  const text = await readTextFile(path, mostSetupMegabytes);
  if (!text.ok) return text;
  const read = readSetup(text.value.text);
  if (!read.ok) return read;
  // Reading the keychain first makes its keys known, so that the preview recognises a key that was typed into a text of the file.
  await desk.readEvery();
  const setup = setupAt(desk, session);
  const preview = setup.preview(read.value);
  if (!preview.ok) return preview;
  const { rows, keys } = preview.value;
  if (session.signal.aborted)
    return fail(
      appError('cancelled', { message: 'Cancelled before anything was imported.', charge: 'not-applicable' }),
    );
  const taken = new Set(rows.filter(({ open, take }) => open && take === 'file').map(({ id }) => id));
  const applied = dryRun ? ok({ changes: 0 }) : setup.apply(read.value, rows, [...taken], basename(path));
  if (!applied.ok) return applied;
  return ok({
    value: rows.map((row) => ({ ...rowText(row), take: taken.has(row.id) ? 'file' : 'here' })),
    changes: applied.value.changes,
    dryRun,
    keysWanted: keys
      .filter(({ state }) => state !== 'here')
      .map(({ connection, role, label, lastFour }) => ({ connection, role, label, lastFour })),
  });
}
