/** Values that cross to another thread in one piece: copying them blocks the receiver for a few milliseconds. */
const mostAtOnce = 20_000;
/** Characters of a text that crosses in one piece: a longer one crosses in stretches, which are joined without being copied. */
const longestText = 2_000_000;

/** Where in an answer the members of a long list, or the rest of a text, belong: names and positions from the top. */
type Path = readonly (string | number)[];

export interface FirstPiece {
  answer: unknown;
  /** More pieces follow. */
  more: boolean;
}

export interface Piece {
  path: Path;
  members: unknown[] | string;
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
 * Takes the long lists and texts out of an answer, so that it crosses between threads in short pieces, and the receiver can do other work
 * in between. They are emptied in place.
 */
export function parcel(answer: unknown): { first: FirstPiece; pieces: Iterator<Piece> } {
  const taken: Taken[] = [];
  const empty = (value: unknown, path: Path): void => {
    if (!isHolder(value)) return;
    const isHeavy = weigh(value, mostAtOnce) > mostAtOnce;
    if (Array.isArray(value)) {
      if (isHeavy) taken.push({ path, members: value.splice(0) });
      return;
    }
    for (const name of Object.keys(value)) {
      const inner = value[name];
      if (typeof inner === 'string' && inner.length > longestText) {
        taken.push({ path: [...path, name], members: inner });
        value[name] = '';
      } else if (isHeavy || isOuter(path)) empty(inner, [...path, name]);
    }
  };
  empty(answer, []);
  return { first: { answer, more: taken.length > 0 }, pieces: cut(taken) };
}

interface Taken {
  path: Path;
  members: unknown[] | string;
}

/** A raw text is nested no deeper than this, even where what is around it is small. */
const isOuter = (path: Path): boolean => path.length < 2;

/** Where the piece that begins at `from` ends. */
function endOf(members: Taken['members'], from: number): number {
  if (typeof members === 'string') return from + longestText;
  let weight = 0;
  let to = from;
  while (to < members.length && weight < mostAtOnce) {
    weight += weigh(members[to], mostAtOnce);
    to += 1;
  }
  return to;
}

function* cut(taken: readonly Taken[]): Generator<Piece> {
  for (const [index, { path, members }] of taken.entries()) {
    let from = 0;
    while (from < members.length) {
      const to = endOf(members, from);
      yield { path, members: members.slice(from, to), more: to < members.length || index + 1 < taken.length };
      from = to;
    }
  }
}

/** Puts the contents of a piece into their place. */
export function unpack(answer: unknown, { path, members }: Piece): void {
  const step = (at: unknown, name: string | number): unknown => (isHolder(at) ? at[name] : undefined);
  if (typeof members !== 'string') {
    const list = path.reduce(step, answer);
    if (Array.isArray(list)) for (const member of members) list.push(member);
    return;
  }
  const holder = path.slice(0, -1).reduce(step, answer);
  const name = path.at(-1);
  if (isHolder(holder) && name !== undefined) holder[name] = `${holder[name]}${members}`;
}
