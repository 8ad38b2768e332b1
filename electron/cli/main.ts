import { showInvisible, toAsciiJson } from '../../shared/domain/text/visible-text.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { adviseHere } from './advise-here.ts';
import { type Arguments, type CommandName, commandNames, isCommand, readArguments, takenByNpm } from './arguments.ts';
import { batchCommand } from './commands/batch-command.ts';
import { callCommand } from './commands/call-command.ts';
import { completeCommand } from './commands/complete-command.ts';
import { creditsCommand } from './commands/credits-command.ts';
import { journalCommand } from './commands/journal-command.ts';
import { licencesCommand } from './commands/licences-command.ts';
import { operationsCommand } from './commands/operations-command.ts';
import { setupCommand } from './commands/setup-command.ts';
import { supportCommand } from './commands/support-command.ts';
import { wsdlCommand } from './commands/wsdl-command.ts';
import { completionScripts, type Shell, shells } from './completion-scripts.ts';
import { findHelp } from './help.ts';
import { exitStatuses, type Failure, type Printed, usageError } from './printed.ts';
import { mistake, runSession, type Session } from './session.ts';
import type { Surroundings } from './surroundings.ts';
import { formatDocument, formatFailure } from './terminal/format-document.ts';
import { version } from './version.ts';

type Command = (args: Arguments, session: Session) => Promise<Result<Printed, Failure>>;

const commands: Readonly<Record<CommandName, Command>> = {
  batch: batchCommand,
  call: callCommand,
  completion: completionCommand,
  credits: creditsCommand,
  journal: journalCommand,
  licences: licencesCommand,
  operations: operationsCommand,
  setup: setupCommand,
  support: supportCommand,
  wsdl: wsdlCommand,
};

const isShell = (name: string | undefined): name is Shell => shells.some((shell) => shell === name);

async function completionCommand({ words: [shell] }: Arguments): Promise<Result<Printed>> {
  if (isShell(shell)) return ok({ value: completionScripts[shell] });
  const message = shell === undefined ? 'Name a shell.' : `There is no completion for “${shell}”.`;
  return usageError(message, `Shells: ${shells.join(', ')}.`);
}

/** The text of `help`, `--version`, `complete` and a completion script, which are never printed as JSON. */
function textOf(name: string, rest: string[], { program, terminalWidth }: Surroundings): string | undefined {
  // First, because its words are a line that may have --help in it.
  if (name === 'complete') return completeCommand(rest).join('\n');
  if (name === 'help' || name === '--help' || rest.includes('--help'))
    return findHelp(name === 'help' || name === '--help' ? rest : [name, ...rest], program, terminalWidth);
  if (name === '--version') return `Address Console ${version}`;
  if (name === 'completion' && rest.length === 1 && isShell(rest[0])) return completionScripts[rest[0]].trimEnd();
  return undefined;
}

/**
 * The command line: the same core without a window. To a file or pipe it prints one JSON document on standard output,
 * `{ok: true, value, …}` or `{ok: false, error: {code, message, …}}`. On a terminal, unless `--json` is given, it prints the same as text, and
 * a failure on standard error. Returns the exit status.
 */
export async function main(args: string[], surroundings: Surroundings): Promise<number> {
  const [name = '', ...rest] = args;
  const text = textOf(name, rest, surroundings);
  if (text !== undefined) return print(text === '' ? '' : `${showInvisible(text)}\n`, exitStatuses.done, surroundings);
  // What throws outside a session can have sent nothing.
  const result = await run(name, rest, surroundings).catch((thrown: unknown) => fail(mistake(thrown, 'not-charged')));
  const { exitStatus, ...document }: Printed = result.ok
    ? { ok: true, ...result.value }
    : describeFailure(result.error);
  const status = exitStatus ?? (result.ok ? exitStatuses.done : exitStatuses.failed);
  // An answer of `call` is kept nowhere else.
  const put = (what: string) => print(what, status, surroundings, name === 'call');
  const width = rest.includes('--json') ? null : surroundings.terminalWidth;
  const laidOut = layOut(isCommand(name) ? name : undefined, document, width);
  if (laidOut === null) return put(`${toAsciiJson(JSON.stringify(document, null, 2))}\n`);
  if (result.ok) return put(`${laidOut}\n`);
  surroundings.warn(laidOut);
  return status;
}

/** The document as text for a terminal; null: as JSON, also if its layout fails, because it may have been paid for. */
function layOut(command: CommandName | undefined, document: Printed, width: number | null): string | null {
  if (width === null) return null;
  try {
    const text =
      document.ok === true && command
        ? formatDocument(command, document, width)
        : formatFailure(command, document, width);
    // Cells and names are so already, since it makes them longer; whatever else is text of a service is here. A carriage return that ends no
    // line would let what follows it be written over what stands before it.
    return showInvisible(text).replace(/\r(?!\n)/g, '⟨U+000D⟩');
  } catch {
    return null;
  }
}

/**
 * Prints a text and returns the status. What cannot be written, as on a full disk, goes to standard error. A reader such as `head` may have
 * enough before the end: then only what `mustBeRead` does.
 */
async function print(text: string, status: number, surroundings: Surroundings, mustBeRead = false): Promise<number> {
  if (text === '') return status;
  try {
    await surroundings.print(text);
    return status;
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    // EOF: on Windows.
    if ((code === 'EPIPE' || code === 'EOF') && !mustBeRead) return status;
    const said = `The output could not be written${code === undefined ? '' : ` (${code})`}.`;
    surroundings.warn(`${said} It is:\n${text.trimEnd()}`);
    return exitStatuses.failed;
  }
}

async function run(name: string, rest: string[], surroundings: Surroundings): Promise<Result<Printed, Failure>> {
  if (!isCommand(name)) {
    const message =
      name === ''
        ? 'No command is given.'
        : name === 'help'
          ? 'There is no help on that.'
          : `There is no command “${name}”.`;
    return fail(appError('bad-input', { message, next: `Commands: ${commandNames.join(', ')}, help, complete.` }));
  }
  const taken = takenByNpm(surroundings.env);
  if (taken.length > 0) {
    const message = `npm kept ${taken.join(', ')} for itself, so nothing was done.`;
    const next = `Write -- before the command, in PowerShell with quotes: npm run -s cli '--' ${name} …`;
    return fail(appError('bad-input', { message, next }));
  }
  const args = readArguments(name, rest);
  if (!args.ok) return args;
  return runSession(args.value, surroundings, (session) => commands[name](args.value, session));
}

/**
 * The document of a failure. Its message is for a log: what happened, what it may have cost, and what to do. What it may have cost is left
 * out if it is only the usual sentence for what costs nothing.
 */
function describeFailure(error: Failure): Printed {
  const { code, charge, field, detail, printed } = error;
  const saysMoney = charge === 'may-have-been-charged' || error.money !== appError(code, { charge }).money;
  return {
    ok: false,
    error: {
      code,
      message: [error.message, ...(saysMoney ? [error.money] : []), adviseHere(error)].join(' '),
      charge,
      ...(field === undefined ? {} : { field }),
      ...(detail === undefined ? {} : { detail }),
    },
    ...printed,
  };
}
