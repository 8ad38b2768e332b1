import {
  type BatchKind,
  type BatchPlan,
  type BatchStage,
  type BatchStageName,
  type BatchWant,
  type Bounds,
  isIdKind,
  unpricedWants,
  type WantPrice,
} from '../../../../shared/domain/batch.ts';
import { countOf } from '../../../../shared/domain/text/figures.ts';
import {
  absentIn,
  costOf,
  operationOf,
  type PremiseCall,
  type PremiseField,
  type PremisePrices,
  premiseCalls,
  premiseSteps,
  type Shapes,
  shapesFrom,
} from './premise-steps.ts';

/** A search by what a row gives, over the protocol where it is cheapest: `search` over REST, `search-free` over SOAP. */
export type SearchCall = 'search' | 'search-free';

/** What searches are told apart by: words in other letters are the same search, here as among the saved answers. */
export const searchKeyOf = (text: string): string => text.toLowerCase();

/** A search; its price in credits, as published. */
export interface SearchStep {
  call: SearchCall;
  operation: string;
  credits: number;
  namesFlats: boolean;
}

/** What a plan needs to know about the service. Prices in credits, as published. */
export interface Server {
  /** The search that will be made; null: none is possible. */
  search: SearchStep | null;
  premise: PremisePrices;
  /** Of an endpoint that has not answered yet, that of the other; null: none has. */
  shapes: Shapes | null;
}

/**
 * What one row adds to a plan. Rows that say the same count once: `same`. `search`: its question is to be asked, is saved, was counted with
 * an earlier row, or does not exist. `premise`: which premise it is shows only after the search (`later`), is known together with what is
 * saved of it (`known`), or it is one that would not be asked.
 */
export type RowPlan =
  | { is: 'malformed' }
  | { is: 'same' }
  /** Its outcome in an earlier result file is unknown: it is asked only once a person ticks it. */
  | { is: 'unknown' }
  | {
      is: 'asked';
      search: 'ask' | 'saved' | 'counted' | 'none';
      premise:
        | { is: 'later'; flat: boolean }
        | { is: 'known'; saved: readonly PremiseField[]; needsAddress: boolean }
        | { is: 'none' };
    };

/** The rows of a table, counted by what they take: a plan is made from these counts alone, however long the table. */
export interface RowCounts {
  total: number;
  malformed: number;
  /** Rows that say the same as an earlier one. */
  same: number;
  unknown: number;
  /** Different searches that are not saved. */
  searches: number;
  laterPlain: number;
  laterFlat: number;
  /**
   * Rows whose premise is known, by what is saved of it: names of `PremiseField` in order, with blanks between, and `needs-address` among
   * them if the address decides; empty: nothing is saved.
   */
  known: Map<string, number>;
  none: number;
  /** Whether anything is saved of any premise: a search may show one of those. */
  isAnySaved: boolean;
}

export const noRows = (isAnySaved: boolean): RowCounts => ({
  isAnySaved,
  total: 0,
  malformed: 0,
  same: 0,
  unknown: 0,
  searches: 0,
  laterPlain: 0,
  laterFlat: 0,
  known: new Map(),
  none: 0,
});

/** Adds one row to the counts. */
export function countRow(counts: RowCounts, row: RowPlan): void {
  counts.total += 1;
  if (row.is !== 'asked') {
    counts[row.is] += 1;
    return;
  }
  if (row.search === 'ask') counts.searches += 1;
  if (row.premise.is === 'none') counts.none += 1;
  else if (row.premise.is === 'later') counts[row.premise.flat ? 'laterFlat' : 'laterPlain'] += 1;
  else {
    const key = [...row.premise.saved, ...(row.premise.needsAddress ? ['needs-address'] : [])].sort().join(' ');
    counts.known.set(key, (counts.known.get(key) ?? 0) + 1);
  }
}

/** What the wants ask of one premise. */
const fieldsOf = (wants: readonly BatchWant[]): PremiseField[] =>
  wants.filter((want) => want === 'full' || want === 'coordinates' || want === 'uprn' || want === 'udprn');

/** What is needed of one premise. An id alone exists if any call about it is answered. */
export function neededOf(kind: BatchKind, wants: readonly BatchWant[], needsAddress: boolean): PremiseField[] {
  const need = new Set(fieldsOf(wants));
  if (needsAddress || (isIdKind(kind) && need.size === 0)) need.add('full');
  return [...need];
}

/** All that may be left of a need once a part of it is there. */
const partsOf = (need: readonly PremiseField[]): PremiseField[][] =>
  Array.from({ length: 2 ** need.length }, (_, bits) => need.filter((_field, index) => bits & (1 << index)));

interface Range {
  calls: Bounds;
  credits: Bounds;
}
const nothing = (): Range => ({ calls: { least: 0, most: 0 }, credits: { least: 0, most: 0 } });
const add = (to: Range, calls: Bounds, each: number): void => {
  to.calls.least += calls.least;
  to.calls.most += calls.most;
  to.credits.least += calls.least * each;
  to.credits.most += calls.most * each;
};

const titles: Readonly<Record<PremiseCall, string>> = {
  premise: 'Read the address of a premise',
  'premise-uprn': 'Read the address of a premise with its UPRN',
  geo: 'Read the coordinates and numbers of a premise',
  address: 'Read the address of a premise',
};

/**
 * What will be sent for a table, as stages with bounds, from counts, wants, prices, what is saved and the server's answer shape. Pure. Each
 * call of the batch names one of these stages, and lies within its bounds.
 */
export function planOf(
  counts: RowCounts,
  kind: BatchKind,
  wants: readonly BatchWant[],
  server: Server,
): Pick<BatchPlan, 'rows' | 'stages' | 'calls' | 'credits' | 'notes'> {
  const stages: BatchStage[] = [];
  const total = nothing();
  const { search } = server;
  if (search && counts.searches > 0) {
    const calls = { least: counts.searches, most: counts.searches };
    add(total, calls, search.credits);
    stages.push({
      stage: search.call,
      title: kind === 'organisations' ? 'Find each organisation' : 'Find the premises of each postcode',
      operation: search.operation,
      calls,
      credits: { ...total.credits },
      note: search.credits === 0 ? 'published as free' : '',
    });
  }

  const ranges = new Map<PremiseCall, Range>();
  const notes: string[] = [];
  const branches = [...new Set([server.shapes, ...shapesFrom(server.shapes)])];

  const plain = neededOf(kind, wants, false);
  // A search that does not promise to name flats may name one all the same: its address need not be read then.
  const flat = search?.namesFlats === false ? [plain, neededOf(kind, wants, true)] : [plain];
  const known = [...counts.known].map(([key, rows]) => {
    const saved = key.split(' ');
    const need = neededOf(kind, wants, key.includes('needs-address')).filter(
      (field) => !saved.includes(field) && !absentIn(server.shapes).includes(field),
    );
    return { rows, need };
  });
  const needs = [
    ...(counts.laterPlain > 0 ? [plain] : []),
    ...(counts.laterFlat > 0 ? flat : []),
    ...known.map(({ need }) => need),
  ];
  // A part of what a row needs may be there already: saved, or asked for another row that turns out to be the same premise.
  const isInParts = counts.isAnySaved || new Set(needs.map((need) => need.toSorted().join(' '))).size > 1;

  /** Whether rows need what no call that can be made now would give, as while the connection has no key. */
  let isOutOfReach = false;
  /** Rows that take some calls each: all of them, or any part of them. `needs`: what one of them may come to need, of which it is one. */
  function take(rows: number, needs: readonly (readonly PremiseField[])[], isSure: boolean): void {
    if (rows === 0 || needs.every((need) => need.length === 0)) return;
    const left = isInParts && !isSure ? needs.flatMap(partsOf) : needs;
    const found = left.flatMap((need) => branches.map((shapes) => premiseSteps(need, shapes, server.premise)));
    if (found.every((way) => way === null)) isOutOfReach = true;
    const ways = found.map((way) => way ?? []);
    for (const call of premiseCalls) {
      const uses = ways.filter((way) => way.includes(call)).length;
      if (uses === 0) continue;
      const range = ranges.get(call) ?? nothing();
      add(range, { least: isSure && uses === ways.length ? rows : 0, most: rows }, server.premise[call] ?? 0);
      ranges.set(call, range);
    }
    const costs = ways.map((way) => costOf(way, server.premise));
    const lengths = ways.map((way) => way.length);
    total.credits.least += isSure ? rows * Math.min(...costs) : 0;
    total.credits.most += rows * Math.max(...costs);
    total.calls.least += isSure ? rows * Math.min(...lengths) : 0;
    total.calls.most += rows * Math.max(...lengths);
  }

  take(counts.laterPlain, [plain], false);
  take(counts.laterFlat, flat, false);
  let asked = 0;
  for (const { rows, need } of known) {
    if (need.length > 0) asked += rows;
    // Two rows may be one premise and share its calls, so no more than one row is certain.
    take(rows, [need], isIdKind(kind));
  }
  for (const call of premiseCalls) {
    const range = ranges.get(call);
    if (range) stages.push({ stage: call, title: titles[call], operation: operationOf[call], ...range, note: '' });
  }
  if (counts.laterFlat > 0 && search?.namesFlats === false)
    notes.push(
      `${countOf(counts.laterFlat, 'row names', 'rows name')} a flat or unit. ${counts.laterFlat === 1 ? 'It' : 'Each'} is read only if the search leaves one premise that may be it.`,
    );
  if (server.shapes === null && ranges.size > 0)
    notes.push(
      'In which of two ways this service answers shows with its first answer: the calls of both are listed, and the sums take those of one.',
    );

  return {
    rows: rowsOf(counts, asked),
    stages: [...stages, savedStage],
    calls: total.calls,
    credits: isOutOfReach ? null : total.credits,
    notes,
  };
}

const savedStage: BatchStage = {
  stage: 'saved' satisfies BatchStageName,
  title: 'Use saved answers',
  operation: null,
  calls: { least: 0, most: 0 },
  credits: { least: 0, most: 0 },
  note: '',
};

/** Kinds of rows, which add up to the rows of the file. */
function rowsOf(counts: RowCounts, askedKnown: number): BatchPlan['rows'] {
  const { total, malformed, same, unknown } = counts;
  const different = total - malformed - same - unknown;
  const knownRows = [...counts.known.values()].reduce((sum, rows) => sum + rows, 0);
  const saved = knownRows - askedKnown + counts.none;
  return { total, ask: different - saved, saved, same, malformed, ...(unknown === 0 ? {} : { unknown }) };
}

/** What a row costs in words, and for this table in figures, for each want by itself. */
export function priceWant(counts: RowCounts, kind: BatchKind, want: BatchWant, server: Server): WantPrice {
  const not = whyNot(kind, want, server);
  if (not !== null) return { want, not, each: '', credits: null };
  const { credits } = planOf(counts, kind, [want], server);
  return { want, not, each: formatEach(kind, want, server), credits };
}

/** Why something cannot be asked of rows of a kind; null: it can. */
function whyNot(kind: BatchKind, want: BatchWant, server: Server): string | null {
  if (unpricedWants.includes(want))
    return 'The operations for it have no published price. Ask them one by one under Operations.';
  if (!isIdKind(kind) && server.search === null) return 'This connection has no address or key to search with.';
  if (want === 'all-premises') return kind === 'postcodes' || kind === 'addresses' ? null : 'A row has no postcode.';
  const fields = fieldsOf([want]);
  if (kind === 'postcodes' && fields.length > 0) return 'A postcode has many premises. Ask for all premises.';
  const [field] = fields;
  if (field !== undefined && absentIn(server.shapes).includes(field))
    return 'The latest answers of this service do not have it.';
  if (premiseSteps(neededOf(kind, [want], false), server.shapes, server.premise) === null)
    return 'This connection has no address or key for it.';
  return null;
}

function formatEach(kind: BatchKind, want: BatchWant, server: Server): string {
  const { search } = server;
  const perSearch =
    isIdKind(kind) || !search
      ? ''
      : search.credits === 0
        ? 'free'
        : `${search.credits} ${kind === 'organisations' ? 'an organisation' : 'a postcode'}`;
  const need = neededOf(kind, [want], false);
  const costs = shapesFrom(server.shapes).map((shapes) =>
    costOf(premiseSteps(need, shapes, server.premise) ?? [], server.premise),
  );
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const perPremise = most === 0 ? '' : `${least === most ? most : `${least} to ${most}`} a premise`;
  if (want === 'exists' && !isIdKind(kind) && search?.namesFlats === false && kind === 'addresses')
    return `${perSearch}, flats 1 more`;
  return [perSearch === 'free' && perPremise !== '' ? '' : perSearch, perPremise].filter(Boolean).join(', ');
}
