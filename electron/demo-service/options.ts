/**
 * Everything about the demo service that can be set. The specification marks much as "not shown". What this service
 * does there is a guess, and each guess is an option here, with the sentence that `--help` prints for it.
 */

interface Choice<V extends string> {
  readonly kind: 'choice';
  readonly values: readonly V[];
  readonly default: V;
  readonly help: string;
}
interface Whole {
  readonly kind: 'whole';
  readonly least: number;
  readonly default: number;
  readonly help: string;
}
interface Text {
  readonly kind: 'text';
  readonly default: string;
  readonly help: string;
}
interface Flag {
  readonly kind: 'flag';
  readonly default: false;
  readonly help: string;
}
export type Option = Choice<string> | Whole | Text | Flag;

const choice = <const V extends readonly [string, ...string[]]>(values: V, help: string): Choice<V[number]> => ({
  kind: 'choice',
  values,
  default: values[0],
  help: `${help} One of ${values.join(', ')}; ${values[0]} unless said.`,
});
const whole = (value: number, least: number, help: string): Whole => ({
  kind: 'whole',
  least,
  default: value,
  help: `${help} ${value} unless said.`,
});
const text = (value: string, help: string): Text => ({ kind: 'text', default: value, help });
const flag = (help: string): Flag => ({ kind: 'flag', default: false, help });

/** Options of the service itself, which are not guesses. */
export const serviceOptions = {
  port: whole(0, 0, 'Port on 127.0.0.1; 0 takes a free one.'),
  shape: choice(['a', 'b'], 'Which of the two published REST answer shapes is served.'),
  seed: whole(42, 0, 'Decides every address, number and credential.'),
  premises: whole(100_000, 1, 'How many premises are made up.'),
  cache: text('', 'File that keeps the made-up premises, so that the next start is fast.'),
  state: text('', 'JSON file that keeps credits and bindings over restarts.'),
  credits: whole(5000, 0, 'Credits of the account that the REST keys share.'),
  now: text('', 'The time the service believes it is (ISO 8601), for repeatable dates.'),
  admin: flag('Serves /__demo/ for tests: meter, faults, credits, time.'),
} as const satisfies Record<string, Option>;

/** Guesses about what the specification does not show of REST. */
export const restGuesses = {
  errorStyle: choice(
    ['status', 'body200'],
    'Refusals answer 400 (parameter), 401 (unknown key), 402 (no credits), 403 (role or restriction), 404 (unknown id) or ' +
      '429 (rate limit, with Retry-After) and {"error":{"code","message"}}; body200 sends the same body with status 200.',
  ),
  searchForm: choice(['both', 'query', 'phrase'], 'Which request forms of /Search are understood.'),
  searchAnswer: choice(
    ['auto', 'results', 'items'],
    'Form of the /Search answer: {results,totalResults} or {items:[{key,text,type}]}. auto answers query with results and phrase with items.',
  ),
  maxResults: whole(1000, 1, 'Greatest maxresults.'),
  overMax: choice(['clamp', 'refuse'], 'A greater maxresults is lowered, or refused with 400.'),
  includeGeoData: choice(['ignore', 'refuse'], 'The removed parameter includeGeoData is ignored, or refused with 400.'),
  unknownParameter: choice(['ignore', 'refuse'], 'A parameter that is not published is ignored, or refused with 400.'),
  keyCredits: choice(['account', 'key'], 'The keys share the account’s credits, or each has as many of its own.'),
  rateLimit: whole(
    0,
    0,
    'Requests a minute for the two lookup keys; 0 means no limit. The limited key has 5 in any case.',
  ),
  trustForwarded: flag('Takes the caller’s address for IP restrictions from X-Forwarded-For.'),
} as const satisfies Record<string, Option>;

/** Guesses about what the specification does not show of SOAP. */
export const soapGuesses = {
  namespace: text('http://address-demo.example/service19/', 'The SOAP namespace. With or without a slash at its end.'),
  utilitiesNamespace: text('http://address-demo.example/PostcodeUtilities.xsd', 'The namespace of the data sets.'),
  mapWord: text('Web', 'The provider’s word in FindNearestDataForPostcode…Map and its key field.'),
  mapResult: choice(['string', 'Nearests'], 'What the map operation returns.'),
  radiusOperation: flag('Also serves NearestData_ForPostcodeWithinAMaximumRadius, which older versions had.'),
  guideOperation: text('', 'Also serves the guide’s ApiKey and Postcode request under this operation name.'),
  httpBindings: choice(
    ['off', 'last', 'first'],
    'HTTP GET and form POST bindings, as older versions had, and where they stand in the WSDL.',
  ),
  action: choice(['strict', 'lenient'], 'strict wants SOAPAction on SOAP 1.1; lenient goes by the body’s element.'),
  fieldOrder: choice(['any', 'strict'], 'strict refuses request fields that are not in the published order.'),
  nothing: choice(
    ['record', 'empty', 'absent'],
    'Nothing found: one record with Return_Code 0, an empty List, or no List.',
  ),
  empty: choice(['element', 'absent'], 'Empty text fields of records are sent as empty elements, or left out.'),
  nilMembers: flag('Ends every list that holds something with one more member that is nil, as the description allows.'),
  errors: choice(
    ['both', 'flag', 'code'],
    'Problems in lists that carry IsError: IsError with ErrorMessage and a record with the code, the flag alone, or the code alone.',
  ),
  truncateAt: whole(100, 1, 'Most records of the GetAddressesForPostcode operations, after which IsTruncated is true.'),
  searchLimit: whole(
    500,
    1,
    'Most records of a search by words, street, organisation, PO box, field, keywords or expression. Nothing signals that cut: the published lists have no field for it.',
  ),
  listSeparator: text(',', 'Separator in sPostcodes, sPostcodeList and sPostcodeDescriptions.'),
  dataset: choice(
    ['element', 'siblings', 'diffgram', 'rows'],
    'Data sets: one PostcodeUtilities element around xs:schema and diffgr:diffgram, the two side by side as .NET sends them, the ' +
      'diffgram without schema, or the bare rows.',
  ),
  serviceTest: text(
    'DEMO SERVICE with invented addresses. Status: {status}. Credits available: {credits}.',
    'Wording of ServiceTest; {status} and {credits} are filled in.',
  ),
  badCredits: choice(
    ['fault', 'minus-one', 'zero'],
    'GetAvailableCredits with wrong credentials: a SOAP fault, -1 or 0.',
  ),
  machineCheck: choice(
    ['bound', 'off'],
    'bound: a licence that is registered to machines answers only when MachineID is one of them. MachineID is not looked at otherwise.',
  ),
  licenceListMachine: choice(
    ['ignore', 'filter'],
    'sMachineName of GetLicenseList: ignored, or only licences that this machine holds or could take.',
  ),
  licenceGuid: choice(
    ['own', 'account'],
    'GUID of a License record: the licence’s own (what LicenceID takes) or the account’s.',
  ),
  dates: choice(
    ['dmy', 'dmy-time', 'iso', 'mdy'],
    'Format of ExpiryDate: 31/12/2027, with 00:00:00 after it, 2027-12-31, or 12/31/2027.',
  ),
  flags: choice(
    ['count', 'True', 'true', 'Yes', 'Y', '1'],
    'LicenseInUse and Available: count says how many seats (nothing for licences that are not bound to machines); the others say yes, and no to match.',
  ),
  registerAnswer: choice(
    ['sentence', 'code'],
    'RegisterLicense and UnregisterLicense answer with a sentence, or with 1 and -1.',
  ),
  chargeNothing: choice(['no', 'yes'], 'Whether a priced SOAP call that finds nothing is charged.'),
} as const satisfies Record<string, Option>;

const all = { ...serviceOptions, ...restGuesses, ...soapGuesses };
type All = typeof all;
type ValueOf<O> = O extends Choice<infer V> ? V : O extends Whole ? number : O extends Text ? string : boolean;

export type DemoSettings = { -readonly [K in keyof All]: ValueOf<All[K]> } & {
  /** Prices that replace the default ones, by operation (`GeoData_ForUDP`) or endpoint name. */
  prices: Record<string, number>;
};

export type DemoOptions = Partial<DemoSettings>;

export const optionTable: Readonly<Record<string, Option>> = all;

/** Fills in the default of every option that is not given. */
export function completeOptions(given: DemoOptions = {}): DemoSettings {
  const defaults = Object.fromEntries(Object.entries(optionTable).map(([name, option]) => [name, option.default]));
  return { ...defaults, prices: {}, ...given } as DemoSettings;
}
