import { escapeInvisible, showInvisible } from '../../shared/domain/visible-text.ts';
import { type AppError, appError, errorCodes } from '../../shared/errors.ts';
import { fail, type Result } from '../../shared/result.ts';
import { type Arguments, type CommandName, commandNames, readArguments } from './arguments.ts';
import { callCommand } from './call-command.ts';
import { completeCommand } from './complete-command.ts';
import { creditsCommand } from './credits-command.ts';
import { findHelp } from './help.ts';
import { journalCommand } from './journal-command.ts';
import { licencesCommand } from './licences-command.ts';
import { operationsCommand } from './operations-command.ts';
import type { Failure, Printed } from './printed.ts';
import { runSession, type Session } from './session.ts';
import type { Surroundings } from './surroundings.ts';
import { wsdlCommand } from './wsdl-command.ts';

type Command = (args: Arguments, session: Session) => Promise<Result<Printed, Failure>>;

const commands: Readonly<Record<CommandName, Command>> = {
  call: callCommand,
  credits: creditsCommand,
  journal: journalCommand,
  licences: licencesCommand,
  operations: operationsCommand,
  wsdl: wsdlCommand,
};

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

/**
 * The command line over the same core, without a window. Prints one JSON document on standard output,
 * `{ok: true, value, …}` or `{ok: false, error: {code, message, …}}`, or, for `help` and `complete`, text. Gives the exit status, 0 or 1.
 */
export async function main(args: string[], surroundings: Surroundings): Promise<number> {
  const [name = '', ...rest] = args;
  const asksHelp = name === 'help' || name === '--help' || rest.includes('--help');
  const text = asksHelp
    ? findHelp(name === 'help' ? rest : args)
    : name === 'complete'
      ? completeCommand(rest).join('\n')
      : undefined;
  if (text !== undefined) {
    if (text !== '') surroundings.print(`${showInvisible(text)}\n`);
    return 0;
  }
  const result = await run(name, rest, surroundings).catch((error: unknown) =>
    // Its words may quote what was typed or came back.
    fail(appError('internal', { charge: 'may-have-been-charged', detail: error instanceof Error ? error.name : '' })),
  );
  const document = result.ok ? { ok: true, ...result.value } : describeFailure(result.error);
  // Escapes and overrides of direction from a service must not reach the terminal.
  surroundings.print(`${escapeInvisible(JSON.stringify(document, null, 2))}\n`);
  return result.ok ? 0 : 1;
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
  const args = readArguments(name, rest);
  if (!args.ok) return args;
  return runSession(args.value, surroundings, (session) => commands[name](args.value, session));
}

/** The window's advice in a place where there is no window. */
function adviseHere({ code, next, field }: AppError): string {
  if (next === errorCodes['bad-input'].next) return `Correct ${field ?? 'it'} and try again.`;
  if (code === 'client-certificate-unusable' && field === 'passphrase')
    return 'Give it as ADDRESS_CONSOLE_CERTIFICATE_PASSPHRASE.';
  if (code.startsWith('client-certificate-'))
    return next.replace('under Settings, Network', 'in the connection file (clientCertificate)');
  return next.replace(' under Connections', ' in the connection file, the environment or the keychain');
}

/** One sentence for a script's log: what happened, what it means for credits where anything may have left, what to do. */
function describeFailure(error: Failure): Printed {
  const left = error.charge === 'may-have-been-charged';
  const { code, charge, field, detail, printed } = error;
  return {
    ok: false,
    error: {
      code,
      message: [error.message, ...(left ? [error.money] : []), adviseHere(error)].join(' '),
      charge,
      ...(field === undefined ? {} : { field }),
      ...(detail === undefined ? {} : { detail }),
    },
    ...printed,
  };
}
