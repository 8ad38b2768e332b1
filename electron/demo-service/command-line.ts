import { restEndpoints } from '../../shared/catalogue/rest-endpoints.ts';
import { soapOperations } from '../../shared/catalogue/soap-operations.ts';
import { fewestPremises, mostPremises } from './gazetteer/plan.ts';
import { type DemoOptions, type Option, optionTable, restGuesses, serviceOptions, soapGuesses } from './options.ts';
import { expressionHelp } from './soap/expression.ts';

export type CommandLine =
  | { readonly kind: 'run'; readonly options: DemoOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'bad'; readonly problem: string };

const kebab = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const byFlag = new Map(Object.entries(optionTable).map(([name, option]) => [kebab(name), { name, option }]));
const priced = new Set<string>([...restEndpoints, ...soapOperations].map(({ name }) => name));

/** Reads the arguments. The first wrong one is returned as a problem in one sentence. */
export function readCommandLine(given: readonly string[]): CommandLine {
  const options: Record<string, unknown> = {};
  const prices: Record<string, number> = {};
  const bad = (problem: string): CommandLine => ({ kind: 'bad', problem });
  const rest = given.flatMap((argument) => {
    const at = argument.startsWith('--') ? argument.indexOf('=') : -1;
    // --price Operation=n keeps its own equals sign.
    return at < 0 || argument.startsWith('--price=') ? [argument] : [argument.slice(0, at), argument.slice(at + 1)];
  });
  while (rest.length > 0) {
    const flag = rest.shift() ?? '';
    if (flag === '--help' || flag === '-h') return { kind: 'help' };
    if (flag === '--price' || flag.startsWith('--price=')) {
      const pair = flag === '--price' ? (rest.shift() ?? '') : flag.slice('--price='.length);
      const [, name = '', credits = ''] = /^(\w+)=(\d{1,6})$/.exec(pair) ?? [];
      if (!priced.has(name)) return bad(`--price wants Operation=credits, not "${pair}".`);
      prices[name] = Number(credits);
      continue;
    }
    const found = byFlag.get(flag);
    if (!found) return bad(`There is no option "${flag}"; --help lists them.`);
    if (found.option.kind === 'flag') {
      options[found.name] = true;
      continue;
    }
    const value = rest.shift();
    if (value === undefined) return bad(`${flag} wants a value.`);
    const read = readValue(flag, found.option, value);
    if (typeof read === 'object') return bad(read.problem);
    options[found.name] = read;
  }
  const problem = findConflict(options as DemoOptions);
  return problem === undefined ? { kind: 'run', options: { ...(options as DemoOptions), prices } } : bad(problem);
}

function readValue(flag: string, option: Option, value: string): string | number | { problem: string } {
  if (option.kind === 'whole') {
    const number = Number(value);
    if (!/^\d{1,10}$/.test(value) || number < option.least)
      return { problem: `${flag} wants a whole number from ${option.least}, not "${value}".` };
    return number;
  }
  if (option.kind !== 'choice') return value;
  const wanted =
    option.values.find((candidate) => candidate === value) ??
    option.values.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
  return wanted ?? { problem: `${flag} is one of ${option.values.join(', ')}, not "${value}".` };
}

/** A problem with a value of the right type: one out of range, or with no meaning. */
function findConflict(options: DemoOptions): string | undefined {
  const {
    port = 0,
    premises = fewestPremises,
    now = '',
    mapWord = 'Web',
    guideOperation = '',
    listSeparator = ',',
  } = options;
  if (port > 65_535) return '--port is at most 65535.';
  if (premises < fewestPremises || premises > mostPremises)
    return `--premises is between ${fewestPremises} and ${mostPremises}.`;
  if (now !== '' && Number.isNaN(Date.parse(now))) return `--now wants a time like 2027-03-01T09:00:00Z, not "${now}".`;
  if (!/^[A-Za-z]\w*$/.test(mapWord)) return '--map-word is one word of letters and digits.';
  if (!/^([A-Za-z]\w*)?$/.test(guideOperation)) return '--guide-operation is one word of letters and digits.';
  if (soapOperations.some(({ name }) => name === guideOperation))
    return '--guide-operation is the name of another operation.';
  if (listSeparator === '') return '--list-separator is at least one character.';
  return undefined;
}

/** The text of --help: every option, and so every guess that the service makes. */
export function writeHelp(): string {
  return `Demo service of Address Console: the published REST and SOAP interface over invented addresses, on 127.0.0.1.
Prints one line of JSON (restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, demo) and serves until it is stopped.

${section(serviceOptions)}
  --price NAME=CREDITS         Price of an endpoint or operation (its twin with it). May be given several times. Unless said:
                               what is published; licence operations and searches 0; every other SOAP operation 1 a call.
                               Nothing is charged for a refused call, nor for one that no key or licence pays for (of the licence
                               operations only ServiceTest has such a payer).

What the specification does not show about REST:
${section(restGuesses)}

What the specification does not show about SOAP:
${section(soapGuesses)}

${expressionHelp}
sNumberToReturn: empty or 0 returns all. sOperator: AND (also + or empty) or OR (also |).
sGUID and sGuid take the account's GUID or a licence's own; with the account's, GetAvailableCredits tells the first
licence's. sLicenseID takes a licence's number or GUID. LicenceKey takes a licence's key or GUID.
`;
}

function section(options: Readonly<Record<string, Option>>): string {
  return Object.entries(options)
    .map(([name, option]) => {
      const value = option.kind === 'flag' ? '' : option.kind === 'whole' ? ' N' : ' VALUE';
      const own = option.kind === 'text' && option.default !== '' ? ` Unless said: ${option.default}` : '';
      return wrap(`  ${`${kebab(name)}${value}`.padEnd(28)} `, option.help + own);
    })
    .join('\n');
}

function wrap(lead: string, text: string): string {
  const lines = [lead];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length < 120) lines[lines.length - 1] = `${last}${last.endsWith(' ') ? '' : ' '}${word}`;
    else lines.push(`${' '.repeat(lead.length)}${word}`);
  }
  return lines.join('\n');
}
