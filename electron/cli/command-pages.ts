import type { CommandName, OptionName } from './arguments.ts';
import { exitStatuses } from './printed.ts';

/** The help of one command as data, from which the general page and `COMMAND --help` are written. */
export interface CommandPage {
  /** The command's line on the general page. */
  summary: string;
  /** The forms of the command, each without the program's name. */
  usage: readonly string[];
  about: readonly string[];
  /** Examples, each without the program's name, and their purpose. */
  examples: readonly (readonly [command: string, purpose: string])[];
  /** Exit statuses beside 0 and 1, which every command has; an entry of 1 says when this one ends with it as well. */
  exit?: readonly (readonly [status: number, meaning: string])[];
}

/** The value that follows each option, and what the option does. */
export const optionHelp: Readonly<Record<OptionName, readonly [value: string, text: string]>> = {
  set: ['FIELD=VALUE', 'A field of the request. A list field may be set several times.'],
  connection: ['FILE', 'The connection file (JSON, without secrets).'],
  secret: [
    'LABEL',
    'Which key of the keychain to take, where it has several of a kind; not beside a variable of its kind.',
  ],
  against: ['FILE', 'Another description: a WSDL, or what this command printed before.'],
  timeout: [
    'SECONDS',
    'Time limit for each request, 0.1 to 300; 30 if not given. The description that calls go by has 10 or 15 seconds of it at most. Asking the keychain for keys comes before it.',
  ],
  machine: ['NAME', 'The machine, as the service knows it.'],
  licence: ['ID', 'The licence’s LicenseID.'],
  to: ['NAME', 'The machine that a licence moves to.'],
  seen: ['TIME', 'Time of the last read, as `check` printed it: confirms that you have seen it.'],
  limit: ['CREDITS', 'The most the batch may spend, counting every call at its highest price.'],
  out: [
    'FILE',
    'The file that is written, in place of one that is there; of a batch, your columns and the answers beside them, in UTF-8 with a byte order mark unless it is a workbook.',
  ],
  want: ['WHAT', 'What to ask, several times or with commas: exists, full, coordinates, uprn, udprn, all-premises.'],
  kind: [
    'KIND',
    'What the rows are, where it is not recognised: addresses, postcodes, organisations, premise-ids, udprns.',
  ],
  rate: ['CALLS', 'Calls a second, 0.1 to 50; if not given 5, or what the batch has.'],
  'minimum-balance': [
    'CREDITS',
    'Calls that could take the balance below this are not sent, by the balance last read less what was sent since; if not given, what the batch has.',
  ],
  below: ['CREDITS', 'Ends with status 3 if a balance that was read is below this number.'],
  show: ['WHAT', 'What is not masked, with commas: addresses, names, hosts. Keys always are.'],
  'dry-run': ['', 'Says what would be taken from the file, and changes nothing.'],
  yes: ['', 'Runs the change. Without it the plan is printed and nothing is changed.'],
  'send-anyway': ['', 'Sends a text that looks like one of your keys or like a GUID, which is refused otherwise.'],
  tick: ['', 'Also takes off a licence that the service might not give back.'],
  raw: ['', 'Adds the answer as it came, secrets masked.'],
  json: ['', 'Prints JSON on a terminal too. Files and pipes get JSON without it, except help and completion scripts.'],
};

const file = '--connection wyebank.json';

export const commandPages: Readonly<Record<CommandName, CommandPage>> = {
  batch: {
    summary: 'look up the rows of a table, within a limit',
    usage: [
      'batch plan FILE [--want WHAT] [--kind KIND] --connection FILE',
      'batch run FILE --limit CREDITS --out RESULT.csv [--want WHAT] [--kind KIND] --connection FILE',
      'batch resume [ID] --limit CREDITS [--out RESULT.csv] --connection FILE',
      'batch list --connection FILE',
    ],
    about: [
      'Reads a table (CSV, TSV or a workbook, .xlsx), says what it would cost, and asks each row once: what is saved already is',
      'free, rows that say the same are asked once, and a row whose outcome is not known is not asked again automatically. It',
      'can be stopped at any moment, with Ctrl-C or a kill, and resumed here or in the window. One that may carry on',
      'automatically does so after a kill, when the window next starts, and not after Ctrl-C. --out RESULT.xlsx saves a',
      'workbook. Without a network it waits and tries again until it is stopped; its progress goes to standard error.',
      '`batch resume` keeps the rate, the minimum balance and the key that the batch has, unless the environment gives one or',
      '--secret names one. Without an ID it takes the one that waits for you or was interrupted, and none that a person paused',
      'in the window. To try again use `batch resume`, not `batch run`, which makes a new batch of the same table and pays for what is',
      'not saved.',
      'A saved answer is free for the key that paid for it. What is saved for a connection that the window does not have, by name',
      'and address, is paid for again once the window has it, and may be once its file has another address or account name.',
    ],
    examples: [
      [`batch plan customers.csv ${file}`, 'what it would take; nothing is sent'],
      [`batch run customers.csv --limit 500 --out customers.result.csv ${file}`, 'run it, and save the result'],
      [
        `batch run leads.csv --want full,uprn --limit 200 --out leads.result.csv ${file}`,
        'addresses in full, with UPRN',
      ],
      [`batch resume --limit 800 --out customers.result.csv ${file}`, 'carry on with the one that stopped'],
    ],
    exit: [
      [
        exitStatuses.limit,
        'it stopped at its limit; the answers until then are kept, and in the result where --out names one',
      ],
      [
        exitStatuses.waiting,
        'it stopped and says why: key, credits, cap, minimum balance, price, balance, service or disk; or it was interrupted after it began, or ended in the window',
      ],
      [
        exitStatuses['not-every-row'],
        'it ended, but rows failed or their outcome is not known; ac_progress says which',
      ],
    ],
  },
  call: {
    summary: 'call one endpoint or operation',
    usage: ['call OPERATION --set FIELD=VALUE … --connection FILE'],
    about: [
      'Makes one call, once. It is entered in the activity log of the window, and if it may cost in its ledger; its caps apply.',
      '`help OPERATION` shows the fields and the published price. RegisterLicense and UnregisterLicense are journalled;',
      'use `licences` to plan them and read them back.',
    ],
    examples: [
      [`call Search --set query="HR10 2DT" ${file}`, 'the premises of a postcode, over REST'],
      [`call GetPremise --set id=49971488 --set uprn=true ${file}`, 'one address with its UPRN'],
      [`call SearchPremise_ByPostcode --set sPostcode="HR10 2DT" ${file} --json`, 'the same search over SOAP, as JSON'],
    ],
  },
  completion: {
    summary: 'completion for bash, zsh, fish or PowerShell',
    usage: ['completion bash | zsh | fish | powershell'],
    about: [
      'Prints the completion script of a shell. It asks this program for commands, operations, fields and options.',
      'It calls address-console-cli, which has to be on the PATH: the deb puts it there; elsewhere add the folder that it is in.',
    ],
    examples: [
      ['completion bash >> ~/.bashrc', 'bash'],
      ['completion zsh >> ~/.zshrc', 'zsh'],
      ['completion fish > ~/.config/fish/completions/address-console-cli.fish', 'fish'],
      [
        'completion powershell | Add-Content $PROFILE',
        'PowerShell; where it has no profile yet, first New-Item $PROFILE -Force',
      ],
    ],
  },
  credits: {
    summary: 'the balance of each interface',
    usage: ['credits --connection FILE [--below CREDITS]'],
    about: [
      'Reads GetCredits (free) and GetAvailableCredits (price not published). An interface without an address or a key',
      'is left out and named. Whatever else keeps a balance from being read is a failure. In JSON `balance` has what was read of',
      'REST’s in one form for both published shapes. Of several lookup keys one alone is read, that of --secret or of the',
      'environment: run it once for each.',
    ],
    examples: [
      [`credits ${file}`, 'what is left'],
      [`credits --below 500 ${file}`, 'for a scheduler: status 3 if either balance is below 500'],
    ],
    exit: [
      [
        exitStatuses['below-threshold'],
        'a balance is below the figure of --below, even if the other could not be read',
      ],
      [exitStatuses.failed, 'also when one of two balances could not be read, and the other is not below'],
    ],
  },
  journal: {
    summary: 'check the journal of licence changes',
    usage: ['journal verify [FILE]'],
    about: [
      'Finds an entry that was changed, removed or moved: in the journal of this computer, or in an exported FILE.',
      'It cannot show an edit after which the whole chain and its anchors were rewritten; a receipt shows that too. Nor',
      'does it show entries cut off at the end of an exported FILE: an export has no anchor.',
    ],
    examples: [
      ['journal verify', 'the journal of this computer'],
      ['journal verify journal-november.jsonl', 'an export'],
    ],
  },
  licences: {
    summary: 'list licences, plan, run and check a change',
    usage: [
      'licences list --connection FILE',
      'licences details --machine NAME --connection FILE',
      'licences register | unregister --licence ID --machine NAME [--yes] --connection FILE',
      'licences move --licence ID --machine NAME --to NAME [--yes] --connection FILE',
      'licences unfinished [--licence ID] --connection FILE',
      'licences check | dismiss --licence ID --connection FILE',
      'licences finish --licence ID [--seen TIME] [--yes] --connection FILE',
    ],
    about: [
      'A change prints its plan and changes nothing until --yes is given. It is then written to the journal, sent, and',
      'read back: {ok, verdict, serviceText, steps}. What is not seen stays on its way; `check` reads it again.',
      '`list`, `details`, `check` and the plan of register, unregister or move read from the service; what these reads cost is',
      'not published.',
    ],
    examples: [
      [`licences list ${file}`, 'every licence of the account'],
      [`licences details --machine OLD-LAPTOP-3 ${file}`, 'the licences named for a machine'],
      [`licences move --licence 6203 --machine OLD-LAPTOP-3 --to NEW-LAPTOP-7 ${file}`, 'the plan of a move'],
      [`licences move --licence 6203 --machine OLD-LAPTOP-3 --to NEW-LAPTOP-7 --yes ${file}`, 'the move itself'],
      [`licences check --licence 6203 ${file}`, 'read a change that is on its way again'],
    ],
    exit: [[exitStatuses.failed, 'also when a change is not seen as planned, whatever the service said']],
  },
  operations: {
    summary: 'every endpoint and operation, with price',
    usage: ['operations'],
    about: ['From the program’s own catalogue. Nothing is sent.'],
    examples: [
      ['operations', 'the list'],
      ['help GetPremise', 'the fields of one'],
    ],
  },
  setup: {
    summary: 'save what is set up as a file, or import one',
    usage: ['setup export --out FILE', 'setup import FILE [--dry-run]'],
    about: [
      'Connections, caps, alerts, machines, labels, views, notes and saved lookups, without keys. An import takes what is',
      'new unless it would let more past a cap here, and of two caps the stricter one; whatever else is here stays. The',
      'window lets you choose line by line.',
    ],
    examples: [
      ['setup export --out desk.json', 'the set-up of this computer'],
      ['setup import desk.json --dry-run', 'what it would change; nothing is changed'],
      ['setup import desk.json', 'the import; the last one can be undone in the window, for 30 days'],
    ],
  },
  support: {
    summary: 'everything about one call, masked, for whoever looks into it',
    usage: ['support CALL | last [--show WHAT] [--out FILE]'],
    about: [
      'CALL is what Activity shows of a call under “Call”. Keys are always masked; addresses, names and hosts unless --show names them.',
      'The name of a host without a dot may stay, unless a connection has it.',
      'The request and the answer are in it where the answer is saved and not too long; those of a failed call are at hand in the',
      'window alone.',
    ],
    examples: [
      ['support last', 'the newest call, to read'],
      ['support last --out support.txt', 'the same as a file'],
      ['support last --show addresses,hosts --out support.txt', 'with addresses and hosts as they are'],
    ],
  },
  wsdl: {
    summary: 'read a service description, show differences',
    usage: ['wsdl URL | FILE [--against FILE] [--connection FILE]'],
    about: [
      'Reads a description (WSDL) and compares it with the catalogue; with --connection, with its namespaces too; with',
      '--against, with an earlier description. It sends no key, and no charge is published for it.',
    ],
    examples: [
      ['wsdl https://lookup.example/service.asmx', 'how the service differs from the catalogue'],
      ['wsdl https://lookup.example/service.asmx > today.json', 'save a description'],
      ['wsdl https://lookup.example/service.asmx --against today.json', 'what changed since'],
    ],
  },
};
