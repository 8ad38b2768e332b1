import { hash } from 'node:crypto';

/** Bits of a digest that are kept: 64. Among a million texts two collide in one table in thirty million. */
const words = 2;
const fullest = 0.75;
const growth = 1.5;
/** Several tables: each grows by itself, and none blocks everything else while it does. */
const shards = 256;

/** Four bytes of a digest whose characters are bytes. */
const wordAt = (digest: string, at: number): number =>
  ((digest.charCodeAt(at) << 24) |
    (digest.charCodeAt(at + 1) << 16) |
    (digest.charCodeAt(at + 2) << 8) |
    digest.charCodeAt(at + 3)) >>>
  0;

/** Texts by their digests, as numbers: a million take 14 MB. For a first look: a batch is made by whole digests (`keyOf`). */
export function createDigestSet() {
  const tables = Array.from({ length: shards }, createTable);
  return {
    /** Puts a text in. False: it was there. */
    add(text: string): boolean {
      // As a text: a buffer for each row would lie outside the heap until the next collection.
      const digest = hash('sha1', text, 'binary');
      return tables[digest.charCodeAt(16)]?.add(wordAt(digest, 0), wordAt(digest, 4)) ?? false;
    },
  };
}

function createTable() {
  let room = 16;
  let table = new Uint32Array(room * words);
  let size = 0;

  /** Puts a digest into its slot or the first free one after it. False: it was there. */
  function put(first: number, second: number): boolean {
    for (let at = first % room; ; at = (at + 1) % room) {
      const [one, other] = [table[at * words], table[at * words + 1]];
      if (one === first && other === second) return false;
      if (one !== 0 || other !== 0) continue;
      table[at * words] = first;
      table[at * words + 1] = second;
      return true;
    }
  }

  function grow(): void {
    const before = table;
    room = Math.ceil(room * growth);
    table = new Uint32Array(room * words);
    for (let from = 0; from < before.length; from += words) {
      const [first, second] = [before[from] ?? 0, before[from + 1] ?? 0];
      if (first !== 0 || second !== 0) put(first, second);
    }
  }

  return {
    add(first: number, second: number): boolean {
      const isNew = put(first, second);
      if (isNew) size += 1;
      if (size > room * fullest) grow();
      return isNew;
    },
  };
}
