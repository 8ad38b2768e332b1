import { priceOf, publishedCredits } from '../../shared/catalogue/price.ts';
import { findRestEndpoint } from '../../shared/catalogue/rest-endpoints.ts';
import { findSoapOperation } from '../../shared/catalogue/soap-operations.ts';
import type { FieldDef } from '../../shared/catalogue/types.ts';
import { formatCredits } from '../../shared/domain/text/figures.ts';
import { type CommandName, commandNames, isCommand, optionNamesOf } from './arguments.ts';
import { commandPages, optionHelp } from './command-pages.ts';
import { exitStatuses } from './printed.ts';
import { wrap } from './terminal/layout.ts';

/** Help for a file or a pipe, and on a terminal that is wider. */
const widest = 135;

/** Fewer characters a line than these read worse beside their names than under them. */
const leastText = 24;

/** Names and texts in two columns, the second from `names` characters on. A text that is too long continues under its beginning. */
const listOf = (rows: readonly (readonly [string, string])[], names: number, width: number): string[] =>
  rows.flatMap(([left, right]) => {
    if (width - names - 4 < leastText)
      return [`  ${left.trim().replace(/ +/g, ' ')}`, ...wrap(right, width - 6).map((line) => `      ${line}`)];
    const head = `  ${left.padEnd(names)}  `;
    // A name that is longer leaves the first line less room.
    const over = head.length - names - 4;
    const [first = '', ...more] = wrap(`${' '.repeat(over)}${right}`, width - names - 4);
    return [`${head}${first.slice(over)}`.trimEnd(), ...more.map((line) => `${' '.repeat(names + 4)}${line}`)];
  });

const everyCommand: readonly (readonly [number, string])[] = [
  [exitStatuses.done, 'done'],
  [
    exitStatuses.failed,
    'it failed; the message says so if the failed call, or the write of a licence change, may have cost credits',
  ],
];

const general = (program: string, width: number): string =>
  [
    'Address Console, command line.',
    '',
    `  ${program} COMMAND …`,
    '',
    'Commands',
    ...listOf(
      [
        ...commandNames.map((name) => [name, commandPages[name].summary] as const),
        ['help', 'this page, or `help COMMAND`, `help OPERATION`'],
        ['--version', 'the program’s version'],
      ],
      10,
      width,
    ),
    '',
    ...wrap(
      'On a terminal it prints text. Into a file or a program it prints JSON: {ok: true, …}, of a call with value, price, request and ' +
        'timings, or {ok: false, error, …}; --json prints JSON on a terminal too. Help and completion scripts are text everywhere. Exit ' +
        'status: 0 done, 1 failed; `COMMAND --help` names others; with those, ok may be true.',
      width,
    ),
    '',
    ...wrap(
      'The connection file is JSON: restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, soapVersion (1.1 or 1.2), searchForm ' +
        '(query or phrase), accountName, machineId, ipAddress, yourReference, listSeparator, name, clientCertificate (a .pfx, .p12 or ' +
        'PEM file, for a server that asks for one; its passphrase: ADDRESS_CONSOLE_CERTIFICATE_PASSPHRASE, else the keychain’s). For ' +
        'example, wyebank.json:',
      width,
    ),
    '',
    '  {"name": "Wyebank", "restBaseUrl": "https://lookup.example/v1",',
    '   "soapUrl": "https://lookup.example/service.asmx",',
    '   "soapNamespace": "https://lookup.example/", "accountName": "wyebank"}',
    '',
    ...wrap(
      'It never contains a secret. Keys come from the environment (ADDRESS_CONSOLE_API_KEY, _MASTER_KEY, _GUID, _LICENCE_ID, ' +
        '_LICENCE_KEY, _WEB_MAP_KEY), else from the keychain, under the connection’s name: the file’s name field, else the file’s own ' +
        'name. That is where the window saves them, so a connection of the same name needs no key here. A variable that is set and ' +
        'empty is refused where its key is needed.',
      width,
    ),
    '',
    ...wrap(
      'Each call is entered in the activity log of the window, and in its ledger if it may cost; its caps apply. ' +
        'ADDRESS_CONSOLE_DATA_FOLDER names another data folder than the program’s own.',
      width,
    ),
  ].join('\n');

/** The page of `COMMAND --help`: forms, options, examples that can be pasted, exit statuses. */
function describeCommand(command: CommandName, program: string, width: number): string {
  const { summary, usage, about, examples, exit = [] } = commandPages[command];
  const options = optionNamesOf(command).map((name) => {
    const [value, text] = optionHelp[name];
    return [`--${name}${value === '' ? '' : ` ${value}`}`, text] as const;
  });
  return [
    `${command}: ${summary}`,
    '',
    ...usage.map((form) => `  ${program} ${form}`),
    '',
    ...wrap(about.join(' '), width),
    '',
    'Options',
    ...listOf(options, 20, width),
    '',
    'Examples',
    ...examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  ${program} ${line}`]),
    '',
    'Exit status',
    ...listOf(
      [...everyCommand, ...exit]
        .toSorted(([one], [other]) => one - other)
        .map(([status, meaning]) => [String(status), meaning] as const),
      3,
      width,
    ),
  ].join('\n');
}

/** The help of an operation or endpoint, from the catalogue. */
function describe(name: string, help: string, fields: readonly FieldDef[], width: number): string {
  const credits = publishedCredits(priceOf(name));
  const rows = fields.map((field) => {
    const notes = [field.type, ...(field.required ? ['required'] : []), ...(field.list ? ['list'] : [])].join(', ');
    const from = field.credential === undefined ? (field.help ?? field.label) : 'from the connection';
    return [`${field.name.padEnd(24)} ${notes.padEnd(20)}`, from] as const;
  });
  return [
    `${name} · ${credits === undefined ? 'price not published' : formatCredits(credits)}`,
    ...wrap(help, width),
    '',
    ...listOf(rows, 45, width),
  ].join('\n');
}

/**
 * The general page, the page of a command, or what the catalogue says of the first word that it has. Undefined if the words are none of
 * these. `program` is how the program is called, for examples that can be pasted. `terminalWidth`: in characters; null: a file or pipe.
 * Commands and JSON are longer than a narrow terminal: a line end in them would be pasted.
 */
export function findHelp(words: readonly string[], program: string, terminalWidth: number | null): string | undefined {
  const width = Math.min(terminalWidth ?? widest, widest);
  for (const word of words) {
    const endpoint = findRestEndpoint(word);
    if (endpoint) return describe(word, endpoint.help, endpoint.parameters, width);
    const found = findSoapOperation(word);
    if (found) return describe(word, found.operation.help, found.operation.fields, width);
  }
  const [first] = words;
  if (first === undefined || first.startsWith('-')) return general(program, width);
  return isCommand(first) ? describeCommand(first, program, width) : undefined;
}
