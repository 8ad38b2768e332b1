import { compareNaturally } from '../address/address-order.ts';
import type { SearchResult } from './lookup.ts';

interface SortKey {
  /** The street and what follows it. */
  street: string;
  /** "14", "26-28", "30A"; empty if the premise has only a name. */
  number: string;
  /** What precedes the number: "Flat 2", "The Old Bark House". */
  before: string;
}

const numbered = /^(\d+[A-Za-z]?(?:\s*[-–/]\s*\d+[A-Za-z]?)?)\s+(\S.*)$/;

/** Parses a line of an address for ordering only: the first part that starts with a house number is the street. */
function sortKeyOf(line: string): SortKey {
  const parts = line.split(',').map((part) => part.trim());
  const at = parts.findIndex((part) => numbered.test(part));
  const found = numbered.exec(parts[at] ?? '');
  if (found) {
    const street = [found[2] ?? '', ...parts.slice(at + 1)].join(', ');
    return { street, number: found[1] ?? '', before: parts.slice(0, at).join(', ') };
  }
  const [first = '', ...rest] = parts;
  return rest.length > 0
    ? { street: rest.join(', '), number: '', before: first }
    : { street: first, number: '', before: '' };
}

const compareNumbers = (a: string, b: string): number => {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return compareNaturally(a, b);
};

/** A result with what it is ordered by. */
export interface KeyedResult {
  result: SearchResult;
  key: SortKey;
}

export const withKey = (result: SearchResult): KeyedResult => ({ result, key: sortKeyOf(result.line) });

/**
 * Sorts results as they are along the street: by street, then house number ("2" before "10", named premises last), then what is in the
 * house ("Flat 2" before "Flat 10"). The service sorts as text (field notes).
 */
export const compareAlongStreet = (a: KeyedResult, b: KeyedResult): number =>
  compareNaturally(a.key.street, b.key.street) ||
  compareNumbers(a.key.number, b.key.number) ||
  compareNaturally(a.key.before, b.key.before) ||
  compareNaturally(a.result.organisation, b.result.organisation);

/**
 * The end that the lines of all results share, from a comma on: "Bartonsham Mead, Hereford, HR10 2DT". At least one part of each line is
 * left over. Empty: they share none, or there is only one result.
 */
export function sharedEnd(results: readonly SearchResult[]): string {
  const [first, ...others] = results;
  if (!first || others.length === 0) return '';
  const fromComma = (text: string, from: number): string => {
    const comma = text.indexOf(', ', from);
    return comma < 0 ? '' : text.slice(comma);
  };
  // With its comma: putting one before it for every line took most of the time.
  let end = fromComma(first.line, 0);
  for (const { line } of others) {
    while (end !== '' && !line.endsWith(end)) end = fromComma(end, 1);
    if (end === '') return '';
  }
  return end.slice(2);
}

/** A line without the shared end, which is shown once above the list. */
export const withoutEnd = (line: string, end: string): string =>
  end !== '' && line.endsWith(`, ${end}`) ? line.slice(0, -end.length - 2) : line;
