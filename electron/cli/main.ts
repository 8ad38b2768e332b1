import { type AppError, appError } from '../../shared/errors.ts';
import { fail, type Result } from '../../shared/result.ts';
import { callCommand } from './call-command.ts';
import { completeCommand } from './complete-command.ts';
import { creditsCommand } from './credits-command.ts';
import { helpText } from './help.ts';
import { licencesCommand } from './licences-command.ts';
import { operationsCommand } from './operations-command.ts';
import { wsdlCommand } from './wsdl-command.ts';

/** What a command prints besides `ok`; an error may carry what was known before it. */
export type Printed = Record<string, unknown>;
export type Command = (args: string[]) => Promise<Result<Printed, AppError & { printed?: Printed }>>;

const commands: Readonly<Record<string, Command>> = {
  call: callCommand,
  operations: operationsCommand,
  wsdl: wsdlCommand,
  credits: creditsCommand,
  licences: licencesCommand,
};

/**
 * The command line over the same core, without a window. Prints one JSON document on standard output:
 * `{ok: true, …}` or `{ok: false, error: {code, message}}`; gives the exit status, 0 or 1.
 */
export async function main(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '' || name === 'help' || name === '--help' || rest.includes('--help')) {
    process.stdout.write(`${helpText(name === 'help' ? rest[0] : name.startsWith('-') ? undefined : name, rest)}\n`);
    return 0;
  }
  if (name === 'complete') {
    process.stdout.write(
      completeCommand(rest)
        .map((word) => `${word}\n`)
        .join(''),
    );
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const result = command
    ? await command(rest)
    : fail(
        appError('bad-input', {
          message: `There is no command “${name}”.`,
          next: `Commands: ${Object.keys(commands).join(', ')}, help.`,
        }),
      );
  process.stdout.write(
    `${JSON.stringify(result.ok ? { ok: true, ...result.value } : failure(result.error), null, 2)}\n`,
  );
  return result.ok ? 0 : 1;
}

/** One sentence for a script's log: what happened, what it means for credits where anything may have left, what to do. */
function failure(error: AppError & { printed?: Printed }): Printed {
  const left = error.charge === 'may-have-been-charged' || error.charge === 'charged';
  const message = [error.message, ...(left ? [error.money] : []), error.next].join(' ');
  return {
    ok: false,
    error: {
      code: error.code,
      message,
      ...(error.field === undefined ? {} : { field: error.field }),
      ...(error.detail === undefined ? {} : { detail: error.detail }),
    },
    ...error.printed,
  };
}
