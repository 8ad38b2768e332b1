import { isAreaName } from '../../../../shared/domain/address/area-names.ts';
import { plainPostcode } from '../../../../shared/domain/address/postcode.ts';
import type { GivenAddress, MatchReason, MatchResult } from '../../../../shared/domain/text/table.ts';
import { type AddressPart, type AddressParts, isWithin, readAddress, unitWords } from './address-parts.ts';
import { memoizeText } from './memoize-text.ts';
import { variants } from './variants.ts';
import { isSame, isSlip, qualifiers, streetTypes, type Word } from './words.ts';

/** A premise of an answer that may be the one a row means. */
export interface MatchCandidate {
  premiseId: string;
  /** The whole address on one line, as the service wrote it, its parts separated by commas. */
  line: string;
  /** Whether the line would name the flat if there is one: a SOAP list and an address do, a REST search does not. */
  namesFlats: boolean;
}

export interface JudgedCandidate {
  candidate: MatchCandidate;
  /** Given words that this candidate does not have, as given. */
  notUsed: string[];
  /** Words of the candidate that were not given, as the service wrote them. */
  notGiven: string[];
}

export interface MatchOutcome {
  result: MatchResult;
  reason: MatchReason;
  /** Of the single candidate of `exact` and `differs`; otherwise empty. */
  notUsed: string[];
  /** Those that fit equally well, in the order of the answer: one of `exact` and `differs`, more of `several`, none of the others. */
  fitting: JudgedCandidate[];
}

type Field = 'organisation' | 'premise' | 'town';
interface GivenPart extends AddressPart {
  field: Field;
}
interface Given {
  parts: GivenPart[];
  address: AddressParts;
  /** As in an address; empty: none is given. */
  postcode: string;
  /** The words of its organisation, as compared. */
  organisation: ReadonlySet<string>;
}

interface Read {
  candidate: MatchCandidate;
  address: AddressParts;
}

/** The same word or a misspelling of it, with the part of the candidate that has it and its place in that part. */
interface FoundWord {
  how: 'same' | 'slip';
  in: number;
  at: number;
}

/** How the words of one given part are found in a candidate. */
interface PartMatch {
  part: GivenPart;
  /** By index; null: not there. */
  words: (FoundWord | null)[];
}

interface Judged extends Read {
  matches: PartMatch[];
  /** Words of the candidate that match no given word. */
  over: { word: Word; part: number }[];
  unused: { word: Word; field: Field; isStreet: boolean; slip: boolean }[];
  town: TownPlace;
}

/**
 * Where a line has the town of a row: `end`: it is the last part, counties aside; `within`: in the last part, or in one before it where
 * localities are. Of a row with a postcode it does not matter.
 */
type TownPlace = 'end' | 'within' | 'none';

/** A part that locates a premise by its number: its words are the street's. */
const isNumbered = (part: AddressPart): boolean => part.numbers.length > 0;
const isTown = ({ part }: PartMatch): boolean => part.field === 'town';
const tells = ({ form }: Word): boolean => !streetTypes.has(form);

const formsIn = (parts: readonly AddressPart[]): string[] =>
  parts.flatMap(({ words }) => words.map(({ form }) => form));

function readGiven({ organisation, premise, town, postcode }: GivenAddress): Given {
  const address = readAddress(premise);
  const bare = (text: string, field: Field): GivenPart[] => readName(text).map((part) => ({ ...part, field }));
  const own = plainPostcode(postcode);
  const parts = [
    ...bare(organisation, 'organisation'),
    ...address.parts.map((part): GivenPart => ({ ...part, field: 'premise' })),
    ...bare(town, 'town'),
    // One that the row contradicts is a word that no premise of the row's postcode has.
    ...(address.postcode === '' || own === '' || address.postcode === own
      ? []
      : [
          {
            numbers: [],
            words: [{ form: address.postcode.toLowerCase(), text: address.postcode }],
            field: 'premise' as const,
          },
        ]),
  ];
  return {
    parts,
    address,
    postcode: own,
    organisation: new Set(formsIn(readName(organisation))),
  };
}

/** The rows of a table come sorted by postcode, so one list is read for many of them. */
const readLine = memoizeText((line: string) => readAddress(line));

const readName = memoizeText((text: string) => readAddress(text, true).parts);

/**
 * A candidate as it is compared with a row. Where its line begins with words of the row’s organisation they are a name: the 21 of “Forever
 * 21, 12 High Street” is no house number and “Studio 54” no flat. If that alone rules it out, the premise has them too, and they are.
 */
function read(candidate: MatchCandidate, given: Given): Read {
  const { line } = candidate;
  const plain = { candidate, address: readLine(line) };
  const comma = line.indexOf(',');
  const name = given.organisation.size > 0 && comma > 0 ? readName(line.slice(0, comma)) : [];
  if (name.length === 0 || !formsIn(name).every((form) => given.organisation.has(form))) return plain;
  const address = readLine(line.slice(comma));
  const flatAt = address.flat === '' ? 0 : name.length + address.flatAt;
  // A name has no numbers.
  const named = { candidate, address: { ...address, parts: [...name, ...address.parts], flatAt } };
  return findVeto(given, named) !== null && findVeto(given, plain) === null ? plain : named;
}

/** Finds each given word once: whole parts first, then identical words, then words written together or apart, then misspellings. */
function compare(given: Given, read: Read): Judged {
  const parts = read.address.parts.map(({ words }, part) => words.map((word, at) => ({ word, part, at, used: false })));
  const pool = parts.flat();
  const matches: PartMatch[] = given.parts.map((part) => ({ part, words: part.words.map(() => null) }));
  const use = (how: 'same' | 'slip', one: (typeof pool)[number]): FoundWord => {
    one.used = true;
    return { how, in: one.part, at: one.at };
  };
  const take = (how: 'same' | 'slip', test: (word: Word) => boolean, words = pool): FoundWord | null => {
    const free = words.find((each) => !each.used && test(each.word));
    return free ? use(how, free) : null;
  };
  const takeWhole = ({ part, words }: PartMatch, ordered: typeof parts): void => {
    const isFree = ({ word, at, used }: (typeof pool)[number]) => !used && isSame(part.words[at] ?? word, word);
    const whole = ordered.find((own) => own.length > 0 && own.length === part.words.length && own.every(isFree)) ?? [];
    for (const one of whole) words[one.at] = use('same', one);
  };
  const takeTwo = (form: string): FoundWord | null => {
    for (const one of pool) {
      const two = parts[one.part]?.[one.at + 1];
      if (!two || one.used || two.used || one.word.form + two.word.form !== form) continue;
      use('slip', two);
      return use('slip', one);
    }
    return null;
  };
  const [towns, others] = [matches.filter(isTown), matches.filter((match) => !isTown(match))];
  // Else the Mill of “Mill Lane” is found in “Mill House, Mill Lane” in the house.
  for (const match of others) takeWhole(match, parts);
  for (const { part, words } of others)
    for (const [index, word] of part.words.entries()) words[index] ??= take('same', (other) => isSame(word, other));
  // A town is at the end of a line. It comes after the premise, which may name it too.
  const backwards = parts.toReversed();
  const poolBackwards = backwards.flat();
  for (const match of towns) {
    takeWhole(match, backwards);
    for (const [index, word] of match.part.words.entries())
      match.words[index] ??= take('same', (other) => isSame(word, other), poolBackwards);
  }
  for (const { part, words } of matches)
    for (const [index, word] of part.words.entries()) {
      if (words[index] !== null) continue;
      const next = words[index + 1] === null ? part.words[index + 1] : undefined;
      const joined = next ? take('slip', ({ form }) => form === word.form + next.form) : null;
      if (joined) words[index + 1] = joined;
      words[index] = joined ?? takeTwo(word.form) ?? take('slip', ({ form }) => isSlip(word.form, form));
    }
  const unused = matches.flatMap(({ part, words }) =>
    part.words.flatMap((word, index) => {
      const found = words[index];
      if (found?.how === 'same') return [];
      return [{ word, field: part.field, isStreet: isNumbered(part), slip: found?.how === 'slip' }];
    }),
  );
  const over = pool.filter(({ used }) => !used);
  const town = given.postcode === '' ? townIn(towns, read.address, over) : 'end';
  return { ...read, matches, unused, over, town };
}

/**
 * Without a postcode the town decides. A street may be called as one, “12 The Broadway, London” is not in Broadway, and Newport Pagnell is
 * not Newport. A county given behind the town is not the end of a line.
 */
function townIn(towns: readonly PartMatch[], { parts }: AddressParts, over: Judged['over']): TownPlace {
  const places = towns.map(({ words }) => Math.min(...words.map((found) => found?.in ?? -1)));
  const last = parts.findLastIndex(({ words }) => !isAreaName(words.map(({ text }) => text).join(' ')));
  if (places.includes(-1)) return 'none';
  const isWholePart = (place: number) => !over.some(({ part }) => part === place);
  if (places.length === 0 || places.some((place) => place === last && isWholePart(place))) return 'end';
  const numbered = parts.findLastIndex(isNumbered);
  // Of a line without a number the first part is the premise and the second its street.
  return places.every((place) => place > (numbered === -1 ? 1 : numbered)) ? 'within' : 'none';
}

type Agreement = 'same' | 'contains' | 'not-given' | 'none' | 'no';

function compareNumbers(given: readonly string[], known: readonly string[]): Agreement {
  if (given.length === 0) return known.length === 0 ? 'none' : 'not-given';
  if (known.toSorted().join() === given.toSorted().join()) return 'same';
  const isContained = given.length === 1 && known.some((range) => isWithin(given[0] ?? '', range));
  return isContained ? 'contains' : 'no';
}

/** Hard vetoes, before any likeness: what a premise cannot be, whatever else fits. */
type Veto = 'number' | 'flat' | 'po-box' | 'postcode';

function findVeto(given: Given, { address, candidate }: Read): Veto | null {
  if (given.postcode !== '' && address.postcode !== '' && address.postcode !== given.postcode) return 'postcode';
  if (given.address.poBox !== '' && given.address.poBox !== address.poBox) return 'po-box';
  if (given.address.poBox === '' && address.poBox !== '' && given.address.numbers.length > 0) return 'number';
  if (compareNumbers(given.address.numbers, address.numbers) === 'no') return 'number';
  const isHidden = address.flat === '' && !candidate.namesFlats;
  if (given.address.flat !== '' && given.address.flat !== address.flat && !isHidden) return 'flat';
  return null;
}

const formsOf = (words: readonly Word[]): string =>
  words
    .map(({ form }) => form)
    .sort()
    .join(' ');

/** "Rear of" is a position on a street and no part of its name. */
const isNoPosition = ({ form }: Word): boolean => form !== 'rear' && form !== 'behind';

/**
 * Whether a given part belongs to another premise: equal to a part of one in the list and to none of this one. A street or an organisation
 * that exists in the postcode is the one meant, not a misspelling of this one's.
 */
function isElsewhere(given: Given, judged: Judged, all: readonly Read[]): boolean {
  return given.parts.some((part) => {
    if (part.field === 'town' || part.words.length === 0) return false;
    const forms = formsOf(part.words.filter(isNoPosition));
    const has = ({ address }: Read) => address.parts.some(({ words }) => formsOf(words.filter(isNoPosition)) === forms);
    return !has(judged) && all.some(has);
  });
}

const isWhole = ({ words }: PartMatch): boolean => words.length > 0 && words.every((found) => found !== null);

const tellingOf = ({ part, words }: PartMatch): (number | null)[] =>
  part.words.flatMap((word, index) => (tells(word) ? [words[index]?.in ?? null] : []));

/** The street of the given number: its distinctive words, by the part of the candidate that has each; null: that word is not there. */
function streetOf({ matches }: Judged): (number | null)[] {
  const premise = matches.filter(({ part }) => part.field === 'premise');
  const first = premise.findIndex(({ part }) => isNumbered(part));
  return (
    premise
      .slice(Math.max(first, 0))
      .map(tellingOf)
      .find((telling) => telling.length > 0) ?? []
  );
}

/**
 * Where the given number occurs in a candidate, beside a street that the row does not give: "2 Weir Cottages, Mill Lane" for "2 Mill Lane".
 */
function standsElsewhere(given: Given, judged: Judged): 'no' | 'in-a-place' | 'on-a-street' {
  if (given.address.numbers.length === 0 || judged.address.poBox !== '') return 'no';
  const found = streetOf(judged).filter((part) => part !== null);
  const { parts } = judged.address;
  const isOfNumber = (part: number) => isNumbered(parts[part] ?? { numbers: [], words: [] });
  if (found.length === 0 || found.some(isOfNumber)) return 'no';
  const numbered = parts.filter(isNumbered);
  if (numbered.length === 0 || !numbered.some(({ words }) => words.some(tells))) return 'no';
  const isStreet = (part: number) => [0, -1].some((end) => streetTypes.has(parts[part]?.words.at(end)?.form ?? ''));
  return found.some(isStreet) ? 'on-a-street' : 'in-a-place';
}

/**
 * Whether the street after the number shares at least one distinctive word with this one's, and the number is one on it; without a number,
 * whether any part of the premise matches. A PO box has no street.
 */
function fitsStreet(given: Given, judged: Judged): boolean {
  if (judged.address.poBox !== '') return true;
  if (given.address.numbers.length > 0) {
    const street = streetOf(judged);
    const isThere = street.length === 0 || street.some((part) => part !== null);
    return isThere && standsElsewhere(given, judged) !== 'on-a-street';
  }
  const found = judged.matches
    .filter(({ part }) => part.field === 'premise')
    .map(tellingOf)
    .filter((telling) => telling.length > 0);
  return found.length === 0 || found.some((telling) => telling.some((part) => part !== null));
}

/**
 * How many parts name a premise rather than its location: those before the number; without one the first, and where a flat is named those
 * before it and the building behind it. In a numbered part there are none.
 */
function countNames({ parts, flatAt }: AddressParts): number {
  const numbered = parts.findIndex(isNumbered);
  return numbered === -1 ? flatAt + 1 : numbered;
}

/** Whether a whole given part names this premise and not merely its street. */
function isNamed({ address, matches }: Judged): boolean {
  const names = countNames(address);
  const premiseParts = matches.filter(({ part }) => part.field === 'premise').length;
  return matches.some((match) => {
    if (match.part.field === 'town' || !isWhole(match)) return false;
    if (!match.part.words.some((word, index) => tells(word) && (match.words[index]?.in ?? names) < names)) return false;
    // "Mill" may be short for Mill Lane; "The Mill, Mill Lane" is not.
    const forms = new Set(match.part.words.map(({ form }) => form));
    const isPlaceToo = address.parts
      .slice(names)
      .some(({ words }) => [...forms].every((form) => words.some((word) => word.form === form)));
    const isName = address.parts.slice(0, names).some(({ words }) => formsOf(words) === formsOf(match.part.words));
    return !isPlaceToo || (isName && premiseParts > 1);
  });
}

/** Whether a whole given part belongs to what follows the flat: the building. */
const namesBuildingOf = ({ address, matches }: Judged): boolean =>
  !isNumbered(address.parts[0] ?? { numbers: [], words: [] }) &&
  matches.some((match) => isWhole(match) && match.words.every((found) => found?.in === 0));

const hasIdentity = (given: Given): boolean =>
  given.address.numbers.length > 0 || given.address.flat !== '' || given.address.poBox !== '';

/** Words of a candidate's part that were not given although others of the part were; including its number if the row gave it to no part. */
function gapsOf(judged: Judged): Word[] {
  return judged.over
    .filter(({ part }) => {
      const words = judged.address.parts[part]?.words.length ?? 0;
      return judged.over.filter((other) => other.part === part).length < words;
    })
    .map(({ word }) => word);
}

/** Parts that name the premise itself and were not given at all: an organisation, a house. */
function isBare(given: Given, judged: Judged): boolean {
  return (
    judged.address.flat === given.address.flat &&
    compareNumbers(given.address.numbers, judged.address.numbers) !== 'not-given' &&
    !judged.over.some(({ part }) => part < countNames(judged.address)) &&
    gapsOf(judged).length === 0
  );
}

/**
 * Whether the same words and numbers stand in another order, which is another premise: “1 Kings Court, 3 High Street” is not “3 Kings Court,
 * 1 High Street”, and “Church House, Mill Lane” not “Mill House, Church Lane”. A row may have its parts in any order.
 */
function isReordered({ matches, address }: Judged): boolean {
  const places = matches.map(({ part, words }) => {
    const found = words.flatMap((each) => each ?? []);
    return { part, found, parts: new Set(found.map((each) => each.in)) };
  });
  return places.some(({ part, found, parts }, index) => {
    if (found.some((one, at) => found.slice(0, at).some((before) => before.in === one.in && before.at > one.at)))
      return true;
    const known = [...parts].sort((a, b) => a - b).flatMap((at) => address.parts[at]?.numbers ?? []);
    const [here, there] = [
      part.numbers.filter((one) => known.includes(one)),
      known.filter((one) => part.numbers.includes(one)),
    ];
    if (known.length > 0 && part.numbers.length > 0 && (here.length === 0 || here.join() !== there.join())) return true;
    return places.slice(0, index).some((other) => [...parts].filter((at) => other.parts.has(at)).length > 1);
  });
}

/** Whether a part that names the premise was not given and says only where in the house it is: “The Flat, 12 High Street” is not 12. */
const hasUnitNotGiven = ({ address, over }: Judged): boolean =>
  address.parts
    .slice(0, countNames(address))
    .some(
      ({ words }, part) =>
        words.every(({ form }) => unitWords.has(form)) &&
        over.filter((each) => each.part === part).length === words.length,
    );

/** Whether nothing given is left over and nothing was left out that would make it another premise. */
function isExact(given: Given, judged: Judged): boolean {
  if (judged.unused.length > 0 || judged.address.flat !== given.address.flat || isReordered(judged)) return false;
  if (judged.town === 'within' || hasUnitNotGiven(judged)) return false;
  const numbers = compareNumbers(given.address.numbers, judged.address.numbers);
  if (numbers === 'contains' || standsElsewhere(given, judged) !== 'no') return false;
  // "Flat 2, High Street" does not say in which house.
  if (numbers === 'not-given' && given.address.flat !== '' && !isNamed(judged)) return false;
  const gaps = gapsOf(judged);
  if (gaps.some(({ form }) => qualifiers.has(form))) return false;
  if (given.address.poBox !== '') return true;
  const numbered = judged.address.parts.find(isNumbered);
  if (numbers === 'same') return !gaps.some((word) => numbered?.words.includes(word));
  return gaps.length === 0;
}

const reasonOf = (given: Given, judged: Judged): MatchReason => {
  if (given.address.flat !== '' && judged.address.flat === '') return 'flat-not-known';
  const field = (['organisation', 'premise', 'town'] as const).find((name) =>
    judged.unused.some((each) => each.field === name),
  );
  if (field === 'organisation') return 'differs-organisation';
  if (field === 'town' || judged.town === 'within') return 'differs-town';
  if (field === 'premise') return judged.unused.some(({ isStreet }) => isStreet) ? 'differs-street' : 'differs-words';
  if (compareNumbers(given.address.numbers, judged.address.numbers) === 'contains') return 'differs-number';
  if (judged.address.flat !== '' && given.address.flat === '') return 'flat-not-given';
  if (isReordered(judged)) return 'differs-order';
  return 'name-not-whole';
};

const worth = ({ unused, town }: Judged): number =>
  unused.reduce((sum, { slip }) => sum + (slip ? 1 : 3), town === 'within' ? 1 : 0);

const shown = (given: Given, { candidate, address, unused, over }: Judged): JudgedCandidate => ({
  candidate,
  notUsed: [
    ...(given.address.flat === address.flat ? [] : [given.address.flatText].filter((text) => text !== '')),
    ...given.address.numbers.filter((number) => !address.numbers.includes(number)),
    ...unused.map(({ word }) => word.text),
  ],
  notGiven: [
    ...(given.address.flat === address.flat ? [] : [address.flatText].filter((text) => text !== '')),
    ...address.numbers.filter((number) => !given.address.numbers.includes(number)),
    ...over.map(({ word }) => word.text),
  ],
});

/**
 * Which premise of an answer a row means, by readable rules and no similarity score. Vetoes come first: postcode, PO box, number with its
 * letter, flat. Then a street or organisation that occurs elsewhere in the list. Of the rest, the one with the fewest words left over is
 * chosen; exact if there are none.
 */
function matchAsWritten(row: GivenAddress, candidates: readonly MatchCandidate[]): MatchOutcome {
  const given = readGiven(row);
  const end = (result: MatchResult, reason: MatchReason, fitting: readonly Judged[] = []): MatchOutcome => {
    const judged = fitting.map((each) => shown(given, each));
    return { result, reason, notUsed: judged.length === 1 ? (judged[0]?.notUsed ?? []) : [], fitting: judged };
  };
  if (candidates.length === 0) return end('none', 'none');
  const all = candidates.map((candidate) => read(candidate, given));
  const vetoes = new Set<Veto>();
  const left = all.filter((candidate) => {
    const veto = findVeto(given, candidate);
    if (veto !== null) vetoes.add(veto);
    return veto === null;
  });
  const judged = left
    .map((candidate) => compare(given, candidate))
    .filter((each) => each.town !== 'none' && !isElsewhere(given, each, all));
  const fitting = judged.filter((each) => (hasIdentity(given) ? fitsStreet(given, each) : isNamed(each)));
  if (fitting.length === 0) {
    // The street without a premise: every one on it fits, and none is meant more than another.
    const onStreet = hasIdentity(given) ? [] : judged.filter((each) => each.unused.length === 0);
    if (onStreet.length > 1) return end('several', 'premise-not-given', onStreet);
    if (onStreet.length === 1) return end('differs', 'premise-not-given', onStreet);
    return end('premise-not-found', notFound(given, vetoes, left.length > 0));
  }
  const least = Math.min(...fitting.map(worth));
  let best = fitting.filter((each) => worth(each) === least);
  // A premise whose whole name was given comes before those that also have a flat, a number or a name. One word alone, "Kingfisher", does
  // not choose between the house and the boat, and an organisation alone not between its street and its PO box.
  const bare = best.filter((each) => isBare(given, each));
  const said = given.address.parts.flatMap(({ words }) => words).length;
  const saysMore = hasIdentity(given) || said > (given.organisation.size > 0 ? 0 : 1);
  if (best.length > 1 && bare.length === 1 && saysMore) best = bare;
  const [only] = best;
  if (best.length > 1 || only === undefined) {
    const isFlats = given.address.flat === '' && best.every(({ address }) => address.flat !== '');
    return end('several', isFlats ? 'several-flats' : 'several-premises', best);
  }
  return isExact(given, only) ? end('exact', 'exact', best) : end('differs', reasonOf(given, only), best);
}

function notFound(given: Given, vetoes: ReadonlySet<Veto>, isLeft: boolean): MatchReason {
  if (isLeft) return 'not-found-premise';
  if (given.address.poBox !== '') return 'not-found-po-box';
  if (vetoes.has('flat')) return 'not-found-flat';
  return vetoes.has('number') ? 'not-found-number' : 'not-found-premise';
}

/**
 * Which premise of an answer a row means. The words as written come first; where they do not identify one premise, the variants of what
 * people write are tried in turn, and a match found that way is `differs`: what was replaced is listed among the words not used. Pure.
 */
export function matchAddress(row: GivenAddress, candidates: readonly MatchCandidate[]): MatchOutcome {
  const written = matchAsWritten(row, candidates);
  if (written.result !== 'premise-not-found' && written.result !== 'several') return written;
  for (const { premise, line, namesBuilding } of variants) {
    const again = { ...row, premise: premise(row.premise) };
    // It reads nothing differently.
    if (!line && again.premise === row.premise) continue;
    const lines = line ? candidates.map((candidate) => ({ ...candidate, line: line(candidate.line) })) : candidates;
    const outcome = matchAsWritten(again, lines);
    const [found] = outcome.fitting;
    if ((outcome.result !== 'exact' && outcome.result !== 'differs') || !found) continue;
    const at = lines.indexOf(found.candidate);
    const candidate = candidates[at];
    if (!candidate) continue;
    const rewritten = readGiven(again);
    if (namesBuilding && !namesBuildingOf(compare(rewritten, read(found.candidate, rewritten)))) continue;
    const given = readGiven(row);
    const judged = shown(given, compare(given, read(candidate, given)));
    const reason = outcome.result === 'exact' ? 'differs-words' : outcome.reason;
    return { result: 'differs', reason, notUsed: judged.notUsed, fitting: [judged] };
  }
  return written;
}
