import {
  type ChangeRequest,
  changeKinds,
  isWriteUnread,
  type LicenceChange,
} from '../../../shared/domain/licences/licence-change.ts';
import { plainId } from '../../../shared/domain/licences/licence-ids.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Arguments } from '../arguments.ts';
import { readConnectionFile } from '../connection-file.ts';
import type { Failure, Printed } from '../printed.ts';
import type { Session } from '../session.ts';
import { callByName } from './call-command.ts';
import { type LicenceConsole, openLicenceConsole } from './licence-console.ts';

export const licenceSubcommands = [
  'list',
  'details',
  ...changeKinds,
  'unfinished',
  'check',
  'finish',
  'dismiss',
] as const;
const forms =
  'Write licences list; licences details --machine NAME; licences register or unregister --licence ID --machine NAME; or licences move --licence ID --machine NAME --to NAME.';

const wrong = (message: string, field: string) =>
  fail(appError('bad-input', { message, next: forms, field, charge: 'not-applicable' }));

/**
 * `list` and `details` only read. `register`, `unregister` and `move` print their plan and change nothing; with `--yes` they run
 * through the window's journal and print `{ok, verdict, serviceText, steps}`. `unfinished` lists the changes that were interrupted
 * or not verified; `check`, `finish` and `dismiss` (`--licence ID`) resolve the one of that licence. `finish`, which may write, also
 * only prints the change without `--yes`.
 */
export async function licencesCommand(args: Arguments, session: Session): Promise<Result<Printed, Failure>> {
  const [what = 'list'] = args.words;
  const machine = args.machine?.trim();
  if (machine === '' || (what === 'details' && machine === undefined)) return wrong('Name the machine.', 'machine');
  if (what === 'list' || what === 'details')
    return callByName(
      what === 'list' ? 'GetLicenseList' : 'GetLicenseDetails',
      { ...args, set: machine === undefined ? [] : [`sMachineName=${machine}`] },
      session,
    );
  if (!(licenceSubcommands as readonly string[]).includes(what))
    return wrong(`There is no “licences ${what}”.`, 'machine');
  const wanted = isKind(what) ? readChangeRequest(what, args) : null;
  if (wanted && !wanted.ok) return wanted;
  if (!wanted && !isLicenceId(args.licence) && !(what === 'unfinished' && args.licence === undefined))
    return wrong(nameLicence, 'licence');

  const file = await readConnectionFile(args.connection, session);
  if (!file.ok) return file;
  if (file.value.soapUrl === '') return fail(appError('not-configured', { field: 'soapUrl' }));
  const opened = openLicenceConsole(file.value, session, args.timeoutMs);
  if (!opened.ok) return opened;
  const console = opened.value;
  try {
    return wanted
      ? await change({ ...wanted.value, connectionId: console.connectionId }, args, console, session)
      : await resolve(what, args, console, session);
  } finally {
    console.close();
  }
}

const nameLicence = 'Name the licence by its LicenseID, a whole number.';
const isLicenceId = (text: string | undefined): text is string => /^\d{1,10}$/.test(text?.trim() ?? '');
const isKind = (what: string): what is ChangeRequest['kind'] => changeKinds.some((kind) => kind === what);

function readChangeRequest(
  kind: ChangeRequest['kind'],
  { licence, machine, to }: Arguments,
): Result<Omit<ChangeRequest, 'connectionId'>> {
  const name = machine?.trim() ?? '';
  const target = to?.trim() ?? '';
  if (!isLicenceId(licence)) return wrong(nameLicence, 'licence');
  if (name === '' || name.length > 255) return wrong('Name the machine.', 'machine');
  const base = { kind, licenceNumber: licence.trim() };
  if (kind !== 'move') return ok({ ...base, machine: name });
  if (target === '' || target.length > 255) return wrong('A move names the machine it goes to with --to.', 'to');
  return ok({ ...base, machine: target, fromMachine: name });
}

async function change(
  request: ChangeRequest,
  { yes, tick }: Pick<Arguments, 'yes' | 'tick'>,
  { licences }: LicenceConsole,
  { signal }: Session,
): Promise<Result<Printed, Failure>> {
  const unfinished = licences.unfinished();
  if (!unfinished.ok) return unfinished;
  const planned = await licences.plan(request, { signal });
  if (!planned.ok) return planned;
  const plan = planned.value;
  const blocking = plan.warnings.find((warning) => warning.blocks);
  if (blocking)
    return fail({
      ...appError('plan-outdated', {
        message: `The change cannot be made: ${blocking.text}`,
        next: 'Nothing has been changed. Put right what stops it, then plan again.',
        charge: 'not-applicable',
      }),
      printed: { plan: printChange(plan) },
    });
  if (!yes)
    return ok({
      plan: printChange(plan),
      next: `Nothing has been changed. Add ${plan.warnings.some((warning) => warning.tick !== undefined) ? '--tick and --yes' : '--yes'} to run it.`,
    });
  const run = await licences.run(plan.id, { name: plan.machine, ticked: tick }, { signal });
  if (!run.ok) return fail({ ...run.error, printed: printStored(plan, licences) });
  return report(run.value);
}

/** How far a change came that could not be run to its end: as it is stored, which is not known if it cannot be read. */
function printStored(plan: LicenceChange, licences: LicenceConsole['licences']): Printed {
  const unfinished = licences.unfinished();
  if (!unfinished.ok) return {};
  const begun = unfinished.value.find(({ id }) => id === plan.id);
  return begun ? { conclusion: begun.conclusion, ...printChange(begun) } : { plan: printChange(plan) };
}

/** The result is ok only if a read showed the planned state, whatever the service's answer said. */
function report(change: LicenceChange): Result<Printed, Failure> {
  const printed = {
    verdict: change.verdict ?? 'unknown',
    serviceText: change.serviceText.join('\n'),
    conclusion: change.conclusion,
    ...printChange(change),
  };
  if (printed.verdict === 'seen') return ok(printed);
  const unfinished = change.state === 'interrupted';
  const isWriteLost = change.steps.some(({ effect, state }) => effect === 'writes' && state === 'unknown');
  return fail({
    ...appError('service-error', {
      message: change.conclusion,
      ...(isWriteLost
        ? { charge: 'may-have-been-charged', money: 'A write of this change may have cost credits.' }
        : { charge: 'not-applicable' }),
      next: unfinished
        ? 'Read it again with licences check; licences finish --seen TIME --yes goes on, with the time of the last read as printed; licences dismiss leaves it as it is.'
        : 'Read the machine, then plan again.',
    }),
    printed,
  });
}

async function resolve(
  what: string,
  { licence, seen, yes }: Arguments,
  console: LicenceConsole,
  { signal }: Session,
): Promise<Result<Printed, Failure>> {
  const found = console.licences.unfinished();
  if (!found.ok) return found;
  const own = found.value.filter(({ connectionId }) => connectionId === console.connectionId);
  const number = licence === undefined ? undefined : plainId(licence);
  const named = number === undefined ? own : own.filter(({ licenceNumber }) => licenceNumber === number);
  if (what === 'unfinished') return ok({ value: named.map(printChange) });
  if (what !== 'check' && what !== 'finish' && what !== 'dismiss')
    return wrong(`There is no “licences ${what}”.`, 'licence');
  const [one, another] = named;
  if (!one)
    return wrong(
      'That licence has no unfinished change of this connection; licences unfinished lists them.',
      'licence',
    );
  if (another) return wrong('That licence has several unfinished changes; settle them in the window.', 'licence');
  if (what === 'finish' && !yes && one.offers.includes('finish')) {
    const next = !one.writes.some(({ left }) => left)
      ? 'Add --yes to go on with it.'
      : isWriteUnread(one)
        ? 'Read it with licences check first.'
        : 'Add --seen with the time of the last read, and --yes, to go on with it.';
    return ok({ plan: printChange(one), conclusion: one.conclusion, next: `Nothing was sent. ${next}` });
  }
  const done = await console.licences.resume(one.id, { action: what, seenRead: seen ?? null }, { signal });
  if (!done.ok) return done;
  return what === 'dismiss'
    ? ok({ conclusion: done.value.conclusion, ...printChange(done.value) })
    : report(done.value);
}

/** The part of a change that is printed; the journal has all of it. */
function printChange(change: LicenceChange): Printed {
  const { kind, licenceNumber, licenceReference, machine, fromMachine, state, verdict, warnings, steps } = change;
  return {
    steps: steps.map(({ number, operation, effect, text, price, state: at, result, startedAt, durationMs }) => ({
      number,
      operation,
      effect,
      text,
      price: price.kind === 'credits' ? price.credits : 'not published',
      // A read that was not answered is “unknown”: one that answered has not failed, and what it is to show may be on its way.
      state: effect === 'reads' && at === 'failed' ? 'not-seen' : at,
      result,
      startedAt,
      durationMs,
    })),
    change: {
      id: change.id,
      kind,
      licence: licenceNumber,
      reference: licenceReference,
      machine,
      fromMachine,
      state,
      verdict,
    },
    warnings,
    ...(change.licence ? { licence: change.licence } : {}),
    lastRead: change.reads.at(-1)?.at ?? null,
    nextRead: change.nextRead,
    writeAfter: change.writeAfter,
    ...(change.journal ? { journal: change.journal } : {}),
  };
}
