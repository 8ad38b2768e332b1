import { parseArgs } from 'node:util';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

const options = {
  set: { type: 'string', multiple: true },
  connection: { type: 'string' },
  secret: { type: 'string' },
  against: { type: 'string' },
  timeout: { type: 'string' },
  machine: { type: 'string' },
  licence: { type: 'string' },
  to: { type: 'string' },
  seen: { type: 'string' },
  below: { type: 'string' },
  yes: { type: 'boolean' },
  'send-anyway': { type: 'boolean' },
  tick: { type: 'boolean' },
  raw: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export type OptionName = keyof typeof options;

interface Form {
  /** Most words after the command's own name. */
  words: number;
  options: readonly OptionName[];
}

/** What each command takes. `--json` is taken everywhere; without it a terminal gets text and everything else gets JSON. */
export const forms = {
  call: { words: 1, options: ['set', 'connection', 'secret', 'send-anyway', 'raw', 'timeout'] },
  completion: { words: 1, options: [] },
  credits: { words: 0, options: ['below', 'connection', 'secret', 'raw', 'timeout'] },
  journal: { words: 2, options: [] },
  licences: {
    words: 1,
    options: [
      'licence',
      'machine',
      'to',
      'yes',
      'tick',
      'seen',
      'connection',
      'secret',
      'send-anyway',
      'raw',
      'timeout',
    ],
  },
  operations: { words: 0, options: [] },
  wsdl: { words: 1, options: ['against', 'connection', 'timeout'] },
} as const satisfies Record<string, Form>;

export type CommandName = keyof typeof forms;

export const commandNames = Object.keys(forms) as CommandName[];

export const optionNamesOf = (command: CommandName): OptionName[] => [...forms[command].options, 'json'];

export const optionsOf = (command: CommandName): string[] => optionNamesOf(command).map((name) => `--${name}`);

export interface Arguments {
  words: string[];
  set: string[];
  connection: string | undefined;
  /** Label of the secret to take where the keychain has several of a kind. */
  secret: string | undefined;
  against: string | undefined;
  machine: string | undefined;
  licence: string | undefined;
  to: string | undefined;
  /** The time of the last read, as `check` printed it. */
  seen: string | undefined;
  /** Credits; a balance under this ends `credits` with an exit status of its own. */
  below: number | undefined;
  yes: boolean;
  /** The answer to `looks-like-key`. */
  sendAnyway: boolean;
  /** A licence that may not come back is taken off even so. */
  tick: boolean;
  timeoutMs: number;
  raw: boolean;
  /** JSON on a terminal too. */
  json: boolean;
}

const wrong = (message: string, next: string) => fail(appError('bad-input', { message, next }));

/**
 * The command's words and options. What a command does not take, or takes once and was given twice, is refused, so that a slip of the
 * pen neither spends nor goes unseen.
 */
export function readArguments(command: CommandName, args: string[]): Result<Arguments> {
  const form: Form = forms[command];
  const known = Object.fromEntries([...form.options, 'json' as const].map((name) => [name, options[name]]));
  try {
    const { values, positionals, tokens } = parseArgs({
      args,
      options: known as typeof options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    const seen = new Set<string>();
    for (const token of tokens) {
      if (token.kind !== 'option' || token.name === 'set') continue;
      if (seen.has(token.name)) return wrong(`--${token.name} is given twice.`, 'Give it once.');
      seen.add(token.name);
    }
    if (positionals.length > form.words)
      return wrong(
        `“${command}” takes ${['no word', 'one word', 'two words'][form.words]} after it, and got ${positionals.length}.`,
        'Quote what holds spaces; `help` shows the forms.',
      );
    const seconds = Number(values.timeout ?? '30');
    if (!(seconds >= 0.1 && seconds <= 300)) return wrong('--timeout takes seconds from 0.1 to 300.', 'Correct it.');
    const below = values.below === undefined ? undefined : Number(values.below);
    if (below !== undefined && !/^\d{1,9}(?:\.\d+)?$/.test(values.below ?? ''))
      return wrong('--below takes a number of credits.', 'Write --below 500, for example.');
    return ok({
      words: positionals,
      set: values.set ?? [],
      connection: values.connection,
      secret: values.secret,
      against: values.against,
      machine: values.machine,
      licence: values.licence,
      to: values.to,
      seen: values.seen,
      below,
      yes: values.yes ?? false,
      sendAnyway: values['send-anyway'] ?? false,
      tick: values.tick ?? false,
      timeoutMs: seconds * 1000,
      raw: values.raw ?? false,
      json: values.json ?? false,
    });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
    return wrong(`${message}.`, `“${command}” takes ${optionsOf(command).join(', ')}.`);
  }
}
