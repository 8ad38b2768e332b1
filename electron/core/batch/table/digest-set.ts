import { hash } from 'node:crypto';

/** Numbers of a digest that are kept: 64 bits. Among a million texts two are taken for one in one table of thirty million. */
const words = 2;
const fullest = 0.6;
/** Tables beside each other: each grows by itself, and none holds everything else up while it does. */
const shards = 256;

/** Texts by their digests, as numbers: a million take 17 MB. For a first look: what is asked is held against the texts themselves. */
export function createDigestSet() {
  const tables = Array.from({ length: shards }, createTable);
  return {
    /** Puts a text in. False: it was there. */
    add(text: string): boolean {
      const bytes = hash('sha1', text, 'buffer');
      const digest = Uint32Array.from({ length: words }, (_, word) => bytes.readUInt32LE(word * 4));
      return tables[bytes[16] ?? 0]?.add(digest) ?? false;
    },
  };
}

function createTable() {
  let room = 16;
  let table = new Uint32Array(room * words);
  let size = 0;

  const isFree = (from: number): boolean => {
    for (let word = 0; word < words; word += 1) if (table[from + word] !== 0) return false;
    return true;
  };
  const has = (from: number, digest: Uint32Array): boolean => {
    for (let word = 0; word < words; word += 1) if (table[from + word] !== digest[word]) return false;
    return true;
  };

  /** Puts a digest where it stands, or into the first free place. False: it was there. */
  function put(digest: Uint32Array): boolean {
    for (let at = (digest[0] ?? 0) % room; ; at = (at + 1) % room) {
      const from = at * words;
      if (has(from, digest)) return false;
      if (!isFree(from)) continue;
      table.set(digest, from);
      return true;
    }
  }

  function grow(): void {
    const before = table;
    room *= 2;
    table = new Uint32Array(room * words);
    for (let from = 0; from < before.length; from += words) {
      const digest = before.subarray(from, from + words);
      if (digest.some((word) => word !== 0)) put(digest);
    }
  }

  return {
    add(digest: Uint32Array): boolean {
      const isNew = put(digest);
      if (isNew) size += 1;
      if (size > room * fullest) grow();
      return isNew;
    },
  };
}
