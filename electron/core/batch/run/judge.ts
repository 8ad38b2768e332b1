import {
  type Address,
  mayBeIn,
  mergeAddresses,
  plainPremiseId,
  positionOf,
  postcodeOf,
  textOf,
} from '../../../../shared/domain/address/address.ts';
import { oneLine } from '../../../../shared/domain/address/address-envelope.ts';
import { checkPostcode, plainPostcode } from '../../../../shared/domain/address/postcode.ts';
import type { BatchWant, RowResult } from '../../../../shared/domain/batch.ts';
import type { UnderstoodRow } from '../../../../shared/domain/text/table.ts';
import { readAddress } from '../match/address-parts.ts';
import { type JudgedCandidate, type MatchCandidate, type MatchOutcome, matchAddress } from '../match/match-address.ts';
import type { RowChange } from '../store/batch-records.ts';
import type { Content } from './questions.ts';

/** Values beside a row in the result file, by column. */
export interface RowFields {
  address?: string;
  latitude?: string;
  longitude?: string;
  uprn?: string;
  udprn?: string;
  gridReference?: string;
  premises?: string[];
  /** Return_Code of answers that hold something under a code whose meaning is not published. */
  returnCode?: string;
  /** What the row read before a person chose, for taking the choice back. */
  beforeChoice?: { reason: string; text: string };
}

/** What the answer to a row's search says about it. `premiseId`: the one premise that it is; null: none, or not one alone. */
export interface Judged {
  change: RowChange;
  premiseId: string | null;
  /** The search cannot tell its flats apart: the address of that premise decides. */
  needsAddress: boolean;
  /** Only a part of the list was looked at. */
  isCut: boolean;
}

type Missing = Extract<Content, { kind: 'nothing' }>;

export type GivenRow = Extract<UnderstoodRow, { ok: true }>;

/** The last of a row's premises where the list has more than these: without it the cell would read as all of them. */
const cutList = '… and more';
const perhapsCutList = '… perhaps more';

/** The most candidates of a row that a person chooses from: the premises that a postcode has at most. */
const mostCandidates = 100;

const countPremises = (named: readonly { premiseId: string }[]): number =>
  new Set(named.map(({ premiseId }) => premiseId)).size;

/** How many premises fit; of a list that was cut, at least this many. One premise may be named by several lines. */
function describeFitting(fitting: readonly JudgedCandidate[], isCut: boolean): string {
  const premises = countPremises(fitting.map(({ candidate }) => candidate));
  if (premises > 1) return `${premises}${isCut ? ' or more' : ''} premises fit`;
  return `one premise${isCut ? ' or more' : ''} fits, under ${fitting.length} different lines`;
}

/** How many premises a search named, in the same way. */
function describeNamed(named: readonly { premiseId: string }[], isCut: boolean): string {
  const premises = countPremises(named);
  const count = isCut ? `${premises} or more premises` : premises === 1 ? '1 premise' : `${premises} premises`;
  return premises === named.length ? count : `${count}, under ${named.length} different lines`;
}

/** A list that was only partly looked at shows only that this part does not fit. */
const notInPart = (what: string) => ({
  reason: 'list-cut',
  text: `${what}: not among the premises looked at; the service named more than these, or may have more`,
});

/** The most postcodes that a row names. */
const mostPostcodes = 3;

/**
 * The postcodes of a list all of whose lines end in another one than was asked, as that of a successor: it does not show that the one asked
 * exists. None if any line may be in it.
 */
function otherPostcodes(postcode: string, lines: readonly string[]): string[] {
  const asked = plainPostcode(postcode);
  const mayBeInIt = (line: string) => [asked, ''].includes(readAddress(line).postcode);
  if (asked === '' || lines.some(mayBeInIt)) return [];
  const named = [...new Set(lines.map((line) => readAddress(line).postcode))];
  const shown = named.slice(0, mostPostcodes).map((one) => checkPostcode(one).normalised ?? one);
  return named.length > mostPostcodes ? [...shown, 'others'] : shown;
}

/** Judges a row by the answer to its search. Pure. */
export function judgeSearch(given: GivenRow, content: Content, wants: readonly BatchWant[]): Judged {
  const results = content.kind === 'search' ? content.results : [];
  const hasMore = content.kind === 'search' && content.cut;
  const isCut = hasMore || (content.kind === 'search' && content.mayBeCut === true);
  const namesFlats = content.kind === 'search' && content.namesFlats;
  const known: RowFields = {
    ...(wants.includes('all-premises')
      ? { premises: [...results.map(({ line }) => line), ...(isCut ? [hasMore ? cutList : perhapsCutList] : [])] }
      : {}),
    ...(content.kind === 'search' && content.returnCode !== undefined ? { returnCode: content.returnCode } : {}),
  };
  const end = (result: RowResult, reason: string, text: string, more: RowChange = {}): Judged => ({
    change: {
      progress: 'done',
      result,
      reason,
      text,
      fields: Object.keys(known).length > 0 ? JSON.stringify(known) : null,
      ...more,
    },
    premiseId: null,
    needsAddress: false,
    isCut,
  });
  if ('id' in given) return { change: {}, premiseId: given.id, needsAddress: false, isCut };
  const { postcode, organisation, town } = given.given;
  const what = postcode || [organisation, town].filter(Boolean).join(', ');
  if (results.length === 0 && isCut)
    return end('premise-not-found', 'list-cut', `${what}: the service named something, and none of it is a premise`);
  if (results.length === 0) return end('none', 'none', `nothing found for ${what}`);
  const others = otherPostcodes(
    postcode,
    results.map(({ line }) => line),
  );
  if (others.length > 0)
    return end('premise-not-found', 'other-postcode', `${what}: the premises looked at are in ${others.join(', ')}`);
  if (given.kind === 'postcodes') return end('exact', 'exact', describeNamed(results, isCut));
  const outcome = matchAddress(
    given.given,
    results.map(({ premiseId, line }): MatchCandidate => ({ premiseId, line, namesFlats })),
  );
  return judgeMatch(outcome, { what, isPostcode: postcode !== '' }, isCut, known, end);
}

function judgeMatch(
  outcome: MatchOutcome,
  { what, isPostcode }: { what: string; isPostcode: boolean },
  isCut: boolean,
  known: RowFields,
  end: (result: RowResult, reason: string, text: string, more?: RowChange) => Judged,
): Judged {
  const [best] = outcome.fitting;
  const notUsed = JSON.stringify(outcome.notUsed);
  if (outcome.result === 'several') {
    const candidates = JSON.stringify(outcome.fitting.slice(0, mostCandidates));
    const rest = outcome.fitting.length > mostCandidates ? `; the first ${mostCandidates} can be chosen` : '';
    return end('several', outcome.reason, `${describeFitting(outcome.fitting, isCut)}${rest}`, { candidates });
  }
  if ((outcome.result === 'exact' || outcome.result === 'differs') && best) {
    const { premiseId, line } = best.candidate;
    const fields = JSON.stringify({ ...known, address: line });
    const judged = end(outcome.result, outcome.reason, line, { premiseId, notUsed, fields });
    return { ...judged, premiseId, needsAddress: outcome.reason === 'flat-not-known' };
  }
  if (isCut) {
    const { reason, text } = notInPart(what);
    return end('premise-not-found', reason, text);
  }
  // That premises were named for an organisation does not show that it exists.
  const text = isPostcode ? `${what} exists; nothing listed in it fits` : `nothing listed for ${what} fits`;
  return end('premise-not-found', outcome.reason, text);
}

/** The postcode of the premise that a search named for a row, in capitals without blanks; empty: no search did, or none is known. */
function listedPostcode(given: GivenRow, { change: { text = '' } }: Judged): string {
  if ('id' in given || given.kind === 'postcodes') return '';
  return readAddress(text).postcode || plainPostcode(given.given.postcode);
}

/** An answer about a premise. `returnCode`: of one that is no success. */
interface PremiseAnswer {
  address: Address;
  returnCode?: string;
}

/**
 * The answers that are about the premise of a row, and of the others, which have another one under its number, the first that shows it by
 * its postcode; undefined: none, or the newest over its interface is about the right one.
 */
export function sortAnswers(
  given: GivenRow,
  judged: Judged,
  answers: readonly PremiseAnswer[],
): { own: PremiseAnswer[]; stranger: Address | undefined } {
  const all = answers.map(({ address }) => address);
  const listed = listedPostcode(given, judged);
  const own = answers.filter(({ address }) => mayBeIn(listed, address, all));
  const isOwn = ({ origin }: Address) => own.some(({ address }) => address.origin.interface === origin.interface);
  return { own, stranger: all.find((address) => postcodeOf(address) !== '' && !isOwn(address)) };
}

/**
 * Judges a row by the answers about its premise, saved or asked. `missing`: it was answered that there is no such premise; null: it was
 * not. One that a search has named stays found: its call may lack it all the same, as coordinates of a new building. `stranger`: what is
 * wanted came of another premise alone. Pure.
 */
export function judgePremise(
  given: GivenRow,
  judged: Judged,
  answers: readonly PremiseAnswer[],
  missing: Missing | null,
  stranger?: Address,
): RowChange {
  const change = judgeOwn(given, judged, answers, missing);
  if (!stranger || (change.result !== 'exact' && change.result !== 'differs')) return change;
  const named = checkPostcode(postcodeOf(stranger)).normalised;
  const text = `${change.text}; the answer about its number names ${named}, so none of it is used`;
  return { ...change, progress: 'done', result: 'differs', reason: 'other-postcode', text };
}

function judgeOwn(
  given: GivenRow,
  judged: Judged,
  answers: readonly PremiseAnswer[],
  missing: Missing | null,
): RowChange {
  const address = mergeAddresses(answers.map((answer) => answer.address));
  const codes = answers.flatMap(({ returnCode }) => returnCode ?? []);
  if (!address) {
    if (missing && 'id' in given) {
      const { status } = missing;
      const [reason, text] =
        status === undefined
          ? ['no-such-premise', 'the service knows no such premise']
          : [`not-found-${status}`, `the answer was ${status}: no such premise, or the server has no such page`];
      return { progress: 'done', result: 'none', reason, text };
    }
    // No answer of the service's shape has what is wanted, so nothing was asked about this premise.
    if ('id' in given)
      return {
        progress: 'done',
        result: 'not-asked',
        reason: 'not-in-answers',
        text: 'not asked: the latest answers of this service do not hold what is wanted',
      };
    return { ...judged.change };
  }
  const position = positionOf(address);
  const line = oneLine(address);
  const before = judged.change.fields ? (JSON.parse(judged.change.fields) as RowFields) : {};
  const fields: RowFields = {
    ...before,
    ...withCodes(before, codes),
    ...(line === '' ? {} : { address: line }),
    ...(position === null ? {} : { latitude: textOf(address, 'latitude'), longitude: textOf(address, 'longitude') }),
    ...pick('uprn', address),
    ...pick('udprn', address),
    ...pick('gridReference', address),
  };
  const change: RowChange = { ...judged.change, progress: 'done', fields: JSON.stringify(fields) };
  if ('id' in given && given.kind === 'premise-ids')
    return { ...change, result: 'exact', reason: 'exact', text: line || `premise ${given.id}`, premiseId: given.id };
  if ('id' in given) {
    const udprn = textOf(address, 'udprn');
    // Shape B and the address over SOAP have no UDPRN at all: whether the row's is that of the premise is not known then.
    const isNamed = udprn.trim() !== '';
    const isSame = plainPremiseId(udprn) === plainPremiseId(given.id);
    const premise = line || `premise ${given.id}`;
    return {
      ...change,
      result: isSame ? 'exact' : 'differs',
      reason: isSame ? 'exact' : isNamed ? 'differs-udprn' : 'udprn-not-in-answer',
      text: isNamed ? premise : `${premise}; the answer names no UDPRN`,
      notUsed: JSON.stringify(isNamed && !isSame ? [given.id] : []),
      premiseId: given.id,
    };
  }
  if (given.kind === 'postcodes' || line === '') return change;
  // A search over REST names no flats, so a line that is the row’s word for word may be a flat’s.
  const mayBeFlat = given.kind === 'addresses' && change.result === 'exact';
  if (!judged.needsAddress && !mayBeFlat) return change;
  const again = matchAddress(given.given, [{ premiseId: address.premiseId, line, namesFlats: true }]);
  // Nothing else counts against such a row: an answer may have fewer localities than the line.
  if (!judged.needsAddress && again.reason !== 'flat-not-given') return change;
  if (again.result === 'exact' || again.result === 'differs')
    return {
      ...change,
      result: again.result,
      reason: again.reason,
      text: line,
      notUsed: JSON.stringify(again.notUsed),
    };
  const { postcode } = given.given;
  // All else that was read belongs to the premise that it is not.
  const { premises, returnCode } = fields;
  return {
    progress: 'done',
    result: 'premise-not-found',
    ...(judged.isCut
      ? notInPart(postcode)
      : { reason: again.reason, text: `${postcode} exists; the premise that might have fitted is ${line}` }),
    fields: JSON.stringify({ premises, returnCode }),
  };
}

function withCodes({ returnCode }: RowFields, codes: readonly string[]): RowFields {
  const all = new Set([...(returnCode === undefined ? [] : [returnCode]), ...codes]);
  return all.size === 0 ? {} : { returnCode: [...all].join(' and ') };
}

const pick = (name: 'uprn' | 'udprn' | 'gridReference', address: Address): RowFields => {
  const value = textOf(address, name);
  return value === '' ? {} : { [name]: value };
};
