import { type Protocol, protocolNames } from '../../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../../shared/domain/credits/published-price.ts';
import type { SearchWay, Suggestion } from '../../../../shared/domain/lookup/lookup.ts';
import type { LookupText } from '../../../../shared/domain/lookup/lookup-text.ts';
import { openPrice } from '../prices.ts';

/** What Enter, a button or a row under the box does, with its price. */
export type BoxAction =
  | SearchAction
  | { kind: 'streets'; label: string; price: ShownPrice }
  | { kind: 'batch'; label: string; table: string }
  | { kind: 'open'; label: string; premiseId: string; protocol: Protocol; price: ShownPrice }
  | { kind: 'saved-search'; label: string; answerId: string; at: string; interface: string }
  | { kind: 'saved-premise'; label: string; premiseId: string; at: string; found: string };

interface SearchAction {
  kind: 'search';
  label: string;
  way: SearchWay;
}

export interface BoxActions {
  /** What Enter does; null: nothing is sent before a person chooses. */
  main: BoxAction | null;
  /** The same over the other interface, beside the main one. */
  other: SearchAction | null;
  /** Texts for the box in place of what is typed. */
  corrections: readonly string[];
  /** Saved answers first, then what may be asked besides. */
  rows: readonly BoxAction[];
}

const mostCorrections = 8;

/** "Search · free over SOAP" and "Over REST · 1 credit": if there are two ways, each names its interface. */
const verbOf = ({ price }: SearchWay): string => (price.kind === 'cached' ? 'Show' : 'Search');

/** What can be done with what is typed. `ways`: for this very text, cheapest first. Pure. */
export function boxActions(read: LookupText, ways: readonly SearchWay[], saved: readonly Suggestion[]): BoxActions {
  const none: BoxActions = { main: null, other: null, corrections: [], rows: [] };
  if (read.kind === 'nothing') return none;
  const rows = saved.map(actionOfSaved);
  const [best, second] = ways;
  const search = (way: SearchWay, label: string): SearchAction => ({ kind: 'search', label, way });
  const allTheSame = (what: string): BoxAction[] =>
    ways
      .slice(0, 2)
      .map((way) => search(way, `${what}${ways.length > 1 ? ` over ${protocolNames[way.interface]}` : ''}`));
  switch (read.kind) {
    case 'postcode':
    case 'words':
    case 'address':
    case 'po-box':
      return {
        main: best ? search(best, verbOf(best)) : null,
        other: second ? search(second, `Over ${protocolNames[second.interface]}`) : null,
        corrections: read.kind === 'address' ? [read.postcode] : [],
        rows: [...rows, ...streetsOf(read, ways)],
      };
    case 'start-of-postcode':
      return {
        ...none,
        rows: [...rows, ...streetsOf(read, ways), ...allTheSame(`Search for “${read.text}” as words`)],
      };
    case 'no-postcode':
      return {
        ...none,
        corrections: read.correction === null ? [] : [read.correction],
        rows: [...rows, ...allTheSame('Search for it as typed')],
      };
    case 'postcodes':
      return {
        ...none,
        corrections: read.postcodes.slice(0, mostCorrections),
        rows: [...rows, { kind: 'batch', label: 'Look all of them up as a batch', table: read.postcodes.join('\n') }],
      };
    case 'number':
      return numberActions(read.digits, read.mayBePremise, ways, rows);
    case 'unknown-here':
      return { ...none, rows: [...rows, ...allTheSame('Search for these words')] };
    case 'place':
      return { ...none, rows };
  }
}

function actionOfSaved(saved: Suggestion): BoxAction {
  if (saved.kind === 'search')
    return {
      kind: 'saved-search',
      label: saved.label,
      answerId: saved.answerId,
      at: saved.at,
      interface: saved.interface,
    };
  const { label, premiseId, at } = saved;
  const found = saved.kind === 'near' ? awayText(saved.metres) : saved.found;
  return { kind: 'saved-premise', label, premiseId, at, found };
}

/** Two significant figures: the place of an address is derived, to some metres. */
const awayText = (metres: number): string =>
  metres < 10
    ? 'within 10 m'
    : metres < 995
      ? `${Math.round(metres / 10) * 10} m away`
      : `${(metres / 1000).toFixed(1)} km away`;

/** Thoroughfares have no published price, so they are never what Enter does. Only SOAP knows them. */
function streetsOf(read: LookupText, ways: readonly SearchWay[]): BoxAction[] {
  if (read.kind === 'po-box' || !ways.some((way) => way.interface === 'soap')) return [];
  const inDistrict = read.kind === 'postcode' || read.kind === 'start-of-postcode';
  const operation = inDistrict ? 'SearchThoroughfare_ByPostcodeDistrict' : 'SearchThoroughfare_ByStreet';
  const district = /^[A-Z]+\d[A-Z\d]?(?=$| )/.exec(read.text)?.[0];
  if (inDistrict && district === undefined) return [];
  const label = inDistrict ? `Streets in ${district}` : `Streets called “${read.text}”`;
  return [{ kind: 'streets', label, price: publishedPrice(operation) }];
}

/** A saved number opens for nothing; one of eight digits may be asked for as a premise, if the user takes it for one. */
function numberActions(
  digits: string,
  mayBePremise: boolean,
  ways: readonly SearchWay[],
  saved: readonly BoxAction[],
): BoxActions {
  const asks = [...ways]
    .sort((one, other) => one.interface.localeCompare(other.interface))
    .map(
      ({ interface: protocol }): BoxAction => ({
        kind: 'open',
        label: `Premise ${digits} over ${protocolNames[protocol]}`,
        premiseId: digits,
        protocol,
        price: openPrice(protocol),
      }),
    );
  const [first] = saved;
  const main = first ?? (mayBePremise ? asks[0] : undefined) ?? null;
  return { main, other: null, corrections: [], rows: [...saved, ...asks] };
}
