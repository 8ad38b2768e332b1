import type { ReadValue } from './rest-answer.ts';

/** Values of an answer that leave the decoder; the raw text has them all. A published answer has a few hundred. */
const mostValues = 20_000;
/** Rows of a search. The service sends 100 unless asked for more. */
const mostItems = 10_000;
/** Fields that no published shape has, of one record. */
const mostOther = 1000;

/**
 * What the program continues with of a decoded answer: copying 200,000 fields to another thread, storing and showing them would each block
 * main for longer than parsing them did. Published fields all stay, but of a search only the first 10,000 rows (`total` still counts all).
 * Of the others stay the first 1,000 of a record, for an address with how many more there are, and the first 20,000 of a search.
 */
export function boundAnswer(read: ReadValue): ReadValue {
  const bounded: ReadValue = { ...read, value: firstValues(read.value) };
  if (read.address && read.address.other.length > mostOther) {
    const { other, origin } = read.address;
    const more = { name: '…', value: moreText(other.length - mostOther), source: origin };
    bounded.address = { ...read.address, other: [...other.slice(0, mostOther), more] };
  }
  if (read.balance && read.balance.other.length > mostOther)
    bounded.balance = { ...read.balance, other: read.balance.other.slice(0, mostOther) };
  if (read.search) {
    const { items, total } = read.search;
    let room = mostValues;
    bounded.search = {
      ...read.search,
      // What is left out shows as the difference between the counts.
      total: items.length > mostItems ? Math.max(total ?? 0, items.length) : total,
      items: items.slice(0, mostItems).map((item) => {
        const names = Object.keys(item.other);
        room -= names.length;
        return room >= 0 || names.length === 0 ? item : { ...item, other: {} };
      }),
    };
  }
  return bounded;
}

const moreText = (count: number): string =>
  `${count.toLocaleString('en-GB')} more fields that are not published; the raw answer has them.`;

/** The first 20,000 values in text order, lists and objects counted, in whatever contains them; the same value if there are no more. */
export function firstValues<T>(value: T): T {
  let left = mostValues;
  const copy = (inner: unknown): unknown => {
    left -= 1;
    if (inner === null || typeof inner !== 'object') return inner;
    if (Array.isArray(inner)) {
      const kept: unknown[] = [];
      for (const one of inner) {
        if (left <= 0) break;
        kept.push(copy(one));
      }
      return kept;
    }
    const kept = new Map<string, unknown>();
    for (const name in inner) {
      if (left <= 0) break;
      kept.set(name, copy((inner as Readonly<Record<string, unknown>>)[name]));
    }
    return Object.fromEntries(kept);
  };
  const first = copy(value) as T;
  return left > 0 ? value : first;
}
