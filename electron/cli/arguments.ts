import { parseArgs } from 'node:util';
import { mostCredits } from '../../shared/domain/credits/credits.ts';
import { formatFigure } from '../../shared/domain/text/figures.ts';
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
  limit: { type: 'string' },
  out: { type: 'string' },
  want: { type: 'string', multiple: true },
  kind: { type: 'string' },
  rate: { type: 'string' },
  'minimum-balance': { type: 'string' },
  show: { type: 'string' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  'send-anyway': { type: 'boolean' },
  tick: { type: 'boolean' },
  raw: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export type OptionName = keyof typeof options;

/** Options that a settings file of npm may have as well. A command that has lost one of them changes no more than with it. */
const alsoOfNpm: readonly string[] = ['json', 'timeout', 'yes'];

/**
 * Options that npm took for its own, `--dry-run` and the like, and did not pass on: the `--` before them is missing, or PowerShell removed
 * it. npm names them in the environment of its scripts; of this program's, `cli` is the one.
 */
export const takenByNpm = (env: NodeJS.ProcessEnv): string[] =>
  env.npm_lifecycle_event === 'cli'
    ? Object.keys(options)
        .filter((name) => !alsoOfNpm.includes(name) && env[`npm_config_${name.replaceAll('-', '_')}`])
        .map((name) => `--${name}`)
    : [];

interface Form {
  /** The most words that may follow the command's name. */
  words: number;
  options: readonly OptionName[];
}

/** The words and options of each command. Every command also accepts `--json`; without it a terminal gets text, and a file or pipe gets JSON. */
export const forms = {
  batch: {
    words: 2,
    options: ['limit', 'out', 'want', 'kind', 'rate', 'minimum-balance', 'connection', 'secret', 'timeout'],
  },
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
  setup: { words: 2, options: ['out', 'dry-run'] },
  support: { words: 1, options: ['show', 'out'] },
  wsdl: { words: 1, options: ['against', 'connection', 'timeout'] },
} as const satisfies Record<string, Form>;

export type CommandName = keyof typeof forms;

const call = ['connection', 'secret', 'send-anyway', 'timeout'] as const;
const change = ['licence', 'machine', 'yes', 'tick', ...call] as const;

/** What a subcommand takes, if that is less than its command. A licence change that is under way takes nothing that would plan another. */
const subcommandForms: Readonly<Record<string, Form>> = {
  licences: { words: 1, options: ['machine', 'raw', ...call] },
  'licences list': { words: 1, options: ['machine', 'raw', ...call] },
  'licences details': { words: 1, options: ['machine', 'raw', ...call] },
  'licences register': { words: 1, options: change },
  'licences unregister': { words: 1, options: change },
  'licences move': { words: 1, options: ['to', ...change] },
  'licences unfinished': { words: 1, options: ['licence', 'connection'] },
  'licences check': { words: 1, options: ['licence', 'connection', 'secret', 'timeout'] },
  'licences finish': { words: 1, options: ['licence', 'seen', 'yes', 'connection', 'secret', 'timeout'] },
  'licences dismiss': { words: 1, options: ['licence', 'connection'] },
  'batch plan': { words: 2, options: ['want', 'kind', 'connection', 'secret'] },
  'batch resume': { words: 2, options: ['limit', 'out', 'rate', 'minimum-balance', 'connection', 'secret', 'timeout'] },
  'batch list': { words: 1, options: ['connection'] },
  'setup export': { words: 1, options: ['out'] },
  'setup import': { words: 2, options: ['dry-run'] },
};

export const commandNames = Object.keys(forms) as CommandName[];
export const isCommand = (word: string | undefined): word is CommandName => commandNames.some((name) => name === word);

export const optionNamesOf = (command: CommandName, word?: string): OptionName[] => {
  const form: Form = subcommandForms[`${command} ${word}`] ?? forms[command];
  return [...form.options, 'json'];
};

/** The options of a command, or of its subcommand where the word is one. */
export const optionsOf = (command: CommandName, word?: string): string[] =>
  optionNamesOf(command, word).map((name) => `--${name}`);

/** Whether a value follows the option, as in `--out FILE`. */
export const takesValue = (option: string): boolean =>
  Object.entries(options).some(([name, { type }]) => option === `--${name}` && type === 'string');

export interface Arguments {
  words: string[];
  set: string[];
  connection: string | undefined;
  /** Label of the secret to use if the keychain has several of a kind. */
  secret: string | undefined;
  against: string | undefined;
  machine: string | undefined;
  licence: string | undefined;
  to: string | undefined;
  /** The time of the last read, exactly as `check` printed it: it shows that its result was seen. */
  seen: string | undefined;
  /** Credits; if a balance is below this, `credits` ends with exit status 3. */
  below: number | undefined;
  /** The most credits that a batch may spend. */
  limit: number | undefined;
  /** Path of the file to write: a batch's result, a set-up or a support file. */
  out: string | undefined;
  want: string[];
  kind: string | undefined;
  /** Calls a second of a batch. */
  rate: number | undefined;
  /** Credits; calls of a batch that could take the balance below this are not sent. */
  minimumBalance: number | undefined;
  /** What a support file does not mask, separated by commas. */
  show: string | undefined;
  /** Print what would be done and do nothing. */
  dryRun: boolean;
  yes: boolean;
  /** Send (and store) a typed text although it looks like a key: the answer to the error `looks-like-key`. */
  sendAnyway: boolean;
  /** Run a change although its plan has a warning that must be accepted. */
  tick: boolean;
  /**
   * For each request in full: one sent with the rest of a limit for the whole command could be charged for an answer that nobody waits for. A
   * description that calls go by has 10 or 15 seconds of it at most.
   */
  timeoutMs: number;
  raw: boolean;
  /** Print JSON on a terminal too. */
  json: boolean;
}

const wrong = (message: string, next: string) => fail(appError('bad-input', { message, next }));

/** A number as a person writes it; NaN for any other text, such as 0x10 and 1e3. */
const numberOf = (text: string): number => (/^(?:\d{1,9}(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN);

/** Reads a whole number of credits. Undefined if nothing was given. Errors: `bad-input`, also above what the window takes. */
function readCredits(option: 'limit' | 'minimum-balance', text: string | undefined): Result<number | undefined> {
  if (text === undefined) return ok(undefined);
  if (/^\d{1,8}$/.test(text) && Number(text) <= mostCredits) return ok(Number(text));
  const most = formatFigure(mostCredits);
  return wrong(`--${option} takes a whole number of credits up to ${most}.`, `Write --${option} 500, for example.`);
}

/**
 * Reads the command's words and options. Refuses an option that the command does not have and one that is given twice, so that a typing
 * error neither spends credits nor goes unnoticed. Errors: `bad-input`.
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
    const named = [command, ...positionals.slice(0, 1)].join(' ');
    const own = subcommandForms[named] ?? form;
    const seen = new Set<string>();
    for (const token of tokens) {
      if (token.kind !== 'option') continue;
      if (token.name !== 'json' && !own.options.some((one) => one === token.name))
        return wrong(
          `“${named}” takes no --${token.name}.`,
          `It takes ${own.options.map((one) => `--${one}`).join(', ')}.`,
        );
      if (token.name === 'set' || token.name === 'want') continue;
      if (seen.has(token.name)) return wrong(`--${token.name} is given twice.`, 'Give it once.');
      seen.add(token.name);
    }
    if (positionals.length > own.words) {
      // A subcommand is the first word itself.
      const [name, taken] = own === form ? [command, 0] : [named, 1];
      return wrong(
        `“${name}” takes ${['no word', 'one word', 'two words'][own.words - taken]} after it, and got ${positionals.length - taken}.`,
        'Put quotes around what has spaces in it; `help` shows the forms.',
      );
    }
    const seconds = numberOf(values.timeout ?? '30');
    if (!(seconds >= 0.1 && seconds <= 300)) return wrong('--timeout takes seconds from 0.1 to 300.', 'Correct it.');
    const below = values.below === undefined ? undefined : numberOf(values.below);
    if (Number.isNaN(below)) return wrong('--below takes a number of credits.', 'Write --below 500, for example.');
    const limit = readCredits('limit', values.limit);
    if (!limit.ok) return limit;
    const minimumBalance = readCredits('minimum-balance', values['minimum-balance']);
    if (!minimumBalance.ok) return minimumBalance;
    const rate = values.rate === undefined ? undefined : numberOf(values.rate);
    if (rate !== undefined && !(rate >= 0.1 && rate <= 50))
      return wrong('--rate takes calls a second from 0.1 to 50.', 'Correct it.');
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
      limit: limit.value,
      out: values.out,
      want: values.want ?? [],
      kind: values.kind,
      rate,
      minimumBalance: minimumBalance.value,
      show: values.show,
      dryRun: values['dry-run'] ?? false,
      yes: values.yes ?? false,
      sendAnyway: values['send-anyway'] ?? false,
      tick: values.tick ?? false,
      timeoutMs: seconds * 1000,
      raw: values.raw ?? false,
      json: values.json ?? false,
    });
  } catch (error) {
    // Its first sentence: Node's advice after it may stand in lines of its own.
    const message = error instanceof Error ? (error.message.split(/\.\s/)[0] ?? '') : '';
    const [, dashed] = /^Option '(--[\w-]+)' argument is ambiguous$/.exec(message) ?? [];
    if (dashed)
      return wrong(`${message}.`, `A value follows it: one that begins with a dash is written ${dashed}=VALUE.`);
    return wrong(`${message}.`, `“${command}” takes ${optionsOf(command).join(', ')}.`);
  }
}
