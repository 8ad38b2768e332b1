import { describeUnreadOrder, type Licence } from '../../../../shared/domain/licences/licence.ts';
import {
  countQuick,
  expiresSoon,
  type FilterFacts,
  isExpiredOn,
  mergeRecords,
  observedValues,
  prepareTexts,
  quickFacets,
} from '../../../../shared/domain/licences/licence-filter.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { seatsOf, totalSeats } from '../licence-facts.ts';

// Figures about a whole list. Each goes through every licence, so it is computed once per list, before the screen is opened.

type List = readonly Licence[];

/** Remembers for each list the result for the last argument. */
function oncePerList<Answer, With = void>(work: (licences: List, asked: With) => Answer) {
  const known = new WeakMap<List, { asked: With; answer: Answer }>();
  return (licences: List, asked: With): Answer => {
    const before = known.get(licences);
    if (before && before.asked === asked) return before.answer;
    const answer = work(licences, asked);
    known.set(licences, { asked, answer });
    return answer;
  };
}

const facts = new WeakMap<readonly MachineHoldings[], FilterFacts>();

/** What a filter must know besides the licences. The same object for the same machines and day. */
export function factsOf(machines: readonly MachineHoldings[], today: string): FilterFacts {
  const before = facts.get(machines);
  if (before?.today === today) return before;
  const now = { today, onMachines: new Set(machines.flatMap(({ licenceNumbers }) => licenceNumbers.map(plainId))) };
  facts.set(machines, now);
  return now;
}

export const typesOf = oncePerList((licences) => observedValues(licences, ({ typeName }) => typeName));
export const statusesOf = oncePerList((licences) => observedValues(licences, ({ status }) => status));
export const quickCounts = oncePerList(
  (licences, facts: FilterFacts) => new Map(quickFacets.map((facet) => [facet, countQuick(licences, facet, facts)])),
);
export const eachOnce = oncePerList(mergeRecords);
export const seatTotals = oncePerList((licences, today: string) => totalSeats(eachOnce(licences, today), today));

// YYYY-MM-DD, so plain comparison is the order of time.
const earlier = (a: Licence, b: Licence): number => ((a.expiresOn ?? '') < (b.expiresOn ?? '') ? -1 : 1);

/** The licences with remarks: the last to expire first, the next to expire first. */
export const remarkedOf = oncePerList((licences, today: string) => ({
  expired: licences.filter((licence) => isExpiredOn(licence, today)).sort((a, b) => earlier(b, a)),
  soon: licences.filter((licence) => expiresSoon(licence, today)).sort(earlier),
  seatsUnknown: licences.filter((licence) => seatsOf(licence, today).unknown),
  noDate: licences.filter(({ dateOrder, expiryDate }) => dateOrder === 'none' && expiryDate.trim() !== ''),
  unread: licences.filter((licence) => describeUnreadOrder(licence) !== undefined),
}));

const inOneTurn = 2000;

/**
 * Computes all of it for a list, a piece at a time when the window is idle, so that the screen need not. Returns a function that stops
 * it.
 */
export function prepareFigures(licences: List, machines: readonly MachineHoldings[], today: string): () => void {
  const pieces: (() => unknown)[] = [
    () => typesOf(licences),
    () => statusesOf(licences),
    () => quickCounts(licences, factsOf(machines, today)),
    () => eachOnce(licences, today),
    () => seatTotals(licences, today),
    () => remarkedOf(licences, today),
  ];
  const work = (): void => {
    const piece = pieces.shift();
    piece?.();
    if (piece || prepareTexts(licences, inOneTurn)) handle = requestIdleCallback(work, { timeout: 1000 });
  };
  let handle = requestIdleCallback(work, { timeout: 1000 });
  return () => cancelIdleCallback(handle);
}
