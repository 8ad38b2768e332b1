/** Values that cross to another thread in one piece: copying them holds the receiver up for some milliseconds. */
const mostAtOnce = 20_000;

/** Where in an answer the members of a long list belong: names and places from the top. */
type Path = readonly (string | number)[];

export interface FirstPiece {
  answer: unknown;
  /** More pieces follow. */
  more: boolean;
}

export interface Piece {
  path: Path;
  members: unknown[];
  more: boolean;
}

type Holder = Record<string | number, unknown>;
const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

/** Values in it, itself included; counting ends at the limit. */
function weigh(value: unknown, limit: number): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && count <= limit) {
    const one = waiting.pop();
    count += 1;
    if (isHolder(one)) for (const name in one) waiting.push(one[name]);
  }
  return count;
}

/**
 * Takes the long lists out of an answer, so that it crosses between threads in pieces, each short, and the receiver can do something else
 * in between. The lists are emptied in place.
 */
export function parcel(answer: unknown): { first: FirstPiece; pieces: Iterator<Piece> } {
  const lists: { path: Path; members: unknown[] }[] = [];
  const empty = (value: unknown, path: Path): void => {
    if (!isHolder(value) || weigh(value, mostAtOnce) <= mostAtOnce) return;
    if (Array.isArray(value)) {
      lists.push({ path, members: value.splice(0) });
      return;
    }
    for (const name of Object.keys(value)) empty(value[name], [...path, name]);
  };
  empty(answer, []);
  return { first: { answer, more: lists.length > 0 }, pieces: cut(lists) };
}

function* cut(lists: readonly { path: Path; members: unknown[] }[]): Generator<Piece> {
  for (const [index, { path, members }] of lists.entries()) {
    let from = 0;
    while (from < members.length) {
      let weight = 0;
      let to = from;
      while (to < members.length && weight < mostAtOnce) {
        weight += weigh(members[to], mostAtOnce);
        to += 1;
      }
      yield { path, members: members.slice(from, to), more: to < members.length || index + 1 < lists.length };
      from = to;
    }
  }
}

/** Puts the members of a piece where they belong. */
export function unpack(answer: unknown, { path, members }: Piece): void {
  let at = answer;
  for (const name of path) at = isHolder(at) ? at[name] : undefined;
  if (Array.isArray(at)) for (const member of members) at.push(member);
}
