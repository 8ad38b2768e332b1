import { findRestEndpoint, restEndpoints } from '../../../shared/catalogue/rest-endpoints.ts';
import { findSoapOperation, soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import type { FieldDef } from '../../../shared/catalogue/types.ts';
import { type CommandName, commandNames, isCommand, optionsOf, takesValue } from '../arguments.ts';
import { shells } from '../completion-scripts.ts';
import { batchSubcommands } from './batch-command.ts';
import { licenceSubcommands } from './licences-command.ts';
import { setupSubcommands } from './setup-command.ts';

/** The possible first words of commands that have a fixed set of them. */
const wordsOf: Partial<Record<CommandName, readonly string[]>> = {
  batch: batchSubcommands,
  completion: shells,
  journal: ['verify'],
  licences: licenceSubcommands,
  setup: setupSubcommands,
  support: ['last'],
};
const callable = [...restEndpoints.map(({ name }) => name), ...soapOperationNames];

/** `complete <words so far>`: the words that may come next, one on each line; a shell's completion function calls it. */
export function completeCommand(words: string[]): string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const starting = (candidates: readonly string[]) => candidates.filter((word) => word.startsWith(typed));
  const [command] = before;
  if (command === undefined) return starting([...commandNames, 'help', 'complete', '--version']);
  if (command === 'help' && before.length === 1) return starting([...commandNames, ...callable]);
  if (!isCommand(command)) return [];
  if (before.at(-1) === '--set') {
    const name = command === 'call' ? (before[1] ?? '') : '';
    const fields: readonly FieldDef[] =
      findRestEndpoint(name)?.parameters ?? findSoapOperation(name)?.operation.fields ?? [];
    return starting(fields.filter((field) => field.credential === undefined).map((field) => `${field.name}=`));
  }
  // Only the shell knows the files, and nobody the labels and machines.
  if (takesValue(before.at(-1) ?? '')) return [];
  if (before.length === 1 && command === 'call' && !typed.startsWith('-')) return starting(callable);
  const kinds = before.length === 1 ? (wordsOf[command] ?? []) : [];
  return starting([...kinds, ...optionsOf(command, before[1]), '--help']);
}
